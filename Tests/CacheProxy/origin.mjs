// Starts the suite's server on a free port of the loopback interface: `node origin.mjs SUITE`. It prints the address.

import net from 'node:net'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const listen = net.Server.prototype.listen
net.Server.prototype.listen = function () { return listen.call(this, 0, '127.0.0.1') }
process.env.npm_config_protocol = 'http'
process.env.npm_config_port = '80'
process.env.npm_config_pidfile = '/dev/null'
await import(pathToFileURL(path.join(process.argv[2], 'test-engine/server/server.mjs')))
