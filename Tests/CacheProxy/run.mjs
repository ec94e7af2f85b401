// Runs the public suite of tests of HTTP caches (http-tests/cache-tests) with the proxy between its client and its
// server, and prints how many tests pass beside the results of browsers that the suite has:
//
//     node run.mjs SUITE PROXY [FOLDER]
//
// It runs the tests that the suite runs in browsers, as those have private caches. Exits with 1 if a test fails that
// the suite says caches must pass, or if a browser passes as many tests.

import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const [suite, proxy, folder] = process.argv.slice(2)
const here = path.dirname(fileURLToPath(import.meta.url))
const load = name => import(pathToFileURL(path.join(path.resolve(suite), name)))

const children = []
// Starts a program and returns what it prints first.
function start (command, ...args) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  return new Promise((resolve, reject) => {
    child.stdout.once('data', data => resolve(data.toString()))
    child.once('exit', code => reject(new Error(`${command} ended with ${code}`)))
  })
}
process.on('exit', () => children.forEach(child => child.kill()))

const origin = (await start(process.execPath, path.join(here, 'origin.mjs'), path.resolve(suite))).match(/http:\/\/[^/]+/)[0]
const port = (await start(proxy, origin, ...(folder ? [folder] : []))).trim()

const { runTests, getResults } = await load('test-engine/client/runner.mjs')
const { determineTestResult, resultTypes } = await load('test-engine/lib/results.mjs')
const suites = (await load('tests/index.mjs')).default
const only = process.env.ID
if (only) {
  suites.forEach(group => { group.tests = group.tests.filter(test => test.id === only) })
  suites.forEach(group => group.tests.forEach(test => { test.dump = true }))
}
await runTests(suites, true, `http://127.0.0.1:${port}`, 75)
const results = getResults()

const browsers = ['firefox', 'chrome', 'safari'].map(name =>
  [name, JSON.parse(fs.readFileSync(path.join(suite, `results/${name}.json`)))])
const columns = [['endpoints', results], ...browsers]
const row = (name, numbers) => console.log(name.padEnd(52) + numbers.map(number => String(number).padStart(11)).join(''))

row('', columns.map(([name]) => name))
const totals = columns.map(() => 0)
const failed = []
for (const group of suites) {
  const ids = group.tests.map(test => test.id).filter(id => id in results)
  if (!ids.length) continue
  const passed = columns.map(([, all]) => ids.filter(id => all[id] === true).length)
  row(`${group.name} (${ids.length})`, passed)
  passed.forEach((number, index) => { totals[index] += number })
  for (const id of ids) {
    if (only) continue
    const type = determineTestResult(suites, id, results)
    const isRequired = ['required', undefined].includes(group.tests.find(test => test.id === id).kind)
    if (isRequired && ![resultTypes.pass, resultTypes.dependency_fail].includes(type)) failed.push(id)
    if (process.env.FAILED && results[id] !== true) console.log(`  ${type[2]} ${id}: ${results[id]}`)
  }
}
row(`all (${Object.keys(results).length})`, totals)
failed.forEach(id => console.log(`must pass: ${id}: ${results[id]}`))
console.log(`${failed.length} tests that caches must pass have failed`)
process.exit(failed.length || (!only && Math.max(...totals.slice(1)) >= totals[0]) ? 1 : 0)
