// The rows' paths, by Node's own servers: `node app.mjs FOLDER CERTIFICATE NAME=PORT ...`.

import fs from 'node:fs'
import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import zlib from 'node:zlib'

const [folder, certificate, ...rest] = process.argv.slice(2)
const ports = Object.fromEntries(rest.map(text => text.split('=')))
const pem = fs.readFileSync(certificate)
const file = name => fs.readFileSync(`${folder}/${name}`)
const types = { txt: 'text/plain', json: 'application/json', bin: 'application/octet-stream' }
const counts = {}

function send(response, status, body, headers = {}) {
  response.writeHead(status, { 'content-type': 'text/plain', 'content-length': Buffer.byteLength(body), ...headers })
  response.end(body)
}

// Calls back with the number of a body's bytes, when all have come.
function read(request, then) {
  let count = 0
  request.on('data', chunk => { count += chunk.length })
  request.on('end', () => then(count))
}

const echo = (request, response) => read(request, count => send(response, 200, `${request.method} ${count}`))

function serve(request, response, name) {
  const body = file(name)
  const headers = { 'content-type': types[name.split('.')[1]], etag: `"${body.length}"` }
  // As a proxy that compresses makes the tag a weak one.
  if (request.headers['if-none-match']?.replace('W/', '') === headers.etag) return response.writeHead(304, headers).end()
  const accepted = request.headers['accept-encoding'] ?? ''
  const coding = name === 'text.txt' && ['br', 'gzip'].find(one => accepted.includes(one))
  if (!coding) return send(response, 200, body, headers)
  const packed = coding === 'br' ? zlib.brotliCompressSync(body) : zlib.gzipSync(body)
  send(response, 200, packed, { ...headers, 'content-encoding': coding, vary: 'Accept-Encoding' })
}

const paths = {
  echo,
  form: (request, response) => read(request, () => send(response, 200, request.method)),
  method: (request, response) => send(response, 200, request.method),
  once: (request, response) => {
    response.setHeader('connection', 'close')
    echo(request, response)
  },
  // Responds before it has read the body, as programs do that look at Content-Length.
  small: (request, response) => send(response, 413, 'too large'),
  close: (request, response) => request.socket.destroy(),
  cut: (request, response) => {
    response.writeHead(200, request.httpVersion === '2.0' ? {} : { 'content-length': 1000 })
    response.write('a'.repeat(500))
    setTimeout(() => response.stream ? response.stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR)
      : request.socket.destroy(), 100)
  },
  'cut-chunked': (request, response) => {
    response.writeHead(200)
    response.write('a'.repeat(500))
    setTimeout(() => request.socket.destroy(), 100)
  },
  chunked: (request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' })
    response.write('Hello, ')
    response.end('world!')
  },
  unknown: (request, response) => {
    response.useChunkedEncodingByDefault = false
    response.writeHead(200, { 'content-type': 'text/plain', connection: 'close' })
    response.write('Hello, ')
    response.end('world!')
  },
  trailers: (request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', trailer: 'X-Sum' })
    response.write('Hello, world!')
    response.addTrailers({ 'X-Sum': '13' })
    response.end()
  },
  hints: (request, response) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' })
    send(response, 200, 'Hello, world!')
  },
  slow: (request, response) => {
    response.writeHead(200, { 'content-length': 30000 })
    let left = 15
    const timer = setInterval(() => {
      response.write('a'.repeat(2000))
      if (--left === 0) { clearInterval(timer); response.end() }
    }, 100)
  },
  headers: (request, response, count) => {
    for (let i = 0; i < count; i++) response.setHeader(`X-${i}`, 'a'.repeat(1000))
    send(response, 200, 'Hello, world!')
  },
  counted: (request, response, kind) => {
    counts[kind] = (counts[kind] ?? 0) + 1
    const headers = { 'cache-control': 'max-age=60', 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' }
    if (kind === 'vary') headers.vary = 'Accept-Language'
    send(response, 200, `${counts[kind]}`, headers)
  },
  empty: (request, response) => response.writeHead(204).end(),
  'empty-body': (request, response) => response.writeHead(204).end('a body'),
  folder: (request, response) => request.url.endsWith('/') ? send(response, 200, 'a folder')
    : response.writeHead(301, { location: '/folder/' }).end(),
  move: (request, response, to) => {
    request.resume()
    request.on('end', () => response.writeHead(to === 'hello' ? 302 : +to, {
      location: to === 'hello' ? '/hello.txt' : '/echo', 'content-length': 0,
    }).end())
  },
  circle: (request, response) => response.writeHead(302, { location: '/circle' }).end(),
  status: (request, response) => send(response, 999, ''),
  many: (request, response) => send(response, 200, '', { 'x-many': ['a', 'b'] }),
  header: (request, response) => send(response, 200, request.headers['x-foo'] ?? 'none'),
  version: (request, response) => send(response, 200, `HTTP/${request.httpVersion}`),
  name: (request, response) => send(response, 200, request.socket.servername || ''),
}

function handle(request, response) {
  const [first, second] = request.url.split('/').slice(1)
  if (paths[first]) return paths[first](request, response, second)
  if (fs.existsSync(`${folder}/${first}`)) return serve(request, response, first)
  send(response, 404, '')
}

function listen(server, name) {
  if (ports[name]) server.listen(ports[name], '127.0.0.1')
}
const secure = (options = {}) => https.createServer({ key: pem, cert: pem, ...options }, handle)
const second = onSession => {
  const server = http2.createSecureServer({ key: pem, cert: pem, allowHTTP1: true }, handle)
  if (onSession) server.on('session', onSession)
  return server
}

// The last, as the others then listen too.
const idle = http.createServer(handle)
idle.keepAliveTimeout = 1000
listen(idle, 'idle')
listen(secure({ maxVersion: 'TLSv1.2' }), 'tls12')
listen(secure({ minVersion: 'TLSv1.3' }), 'tls13')
listen(secure({ requestCert: true, rejectUnauthorized: true }), 'client')
listen(second(), 'tls')
listen(second(session => {
  let count = 0
  session.on('stream', () => { if (++count === 10) session.close() })
}), 'goaway')
listen(http.createServer(handle), 'http')
