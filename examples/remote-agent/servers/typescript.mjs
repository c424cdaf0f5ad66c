// A server of the skills of a folder, by the TypeScript SDK: typescript.mjs FOLDER [PORT]. With a port over HTTP.
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

// The packages are where the server runs, and not beside this file.
const require = createRequire(`${process.cwd()}/package.json`)
const load = (name) => import(pathToFileURL(require.resolve(name)).href)
const { McpServer, createMcpHandler } = (await load('@modelcontextprotocol/server')).default
const { serveStdio } = (await load('@modelcontextprotocol/server/stdio')).default
const { loadSkills } = (await load('@modelcontextprotocol/server/ext/skills/node')).default
const { toNodeHandler } = (await load('@modelcontextprotocol/node')).default

const [folder, port] = process.argv.slice(2)
const skills = await loadSkills(folder)
const make = () => {
  const server = new McpServer({ name: 'skills', version: '1.0.0' })
  skills.attach(server)
  return server
}
if (port) {
  createServer(toNodeHandler(createMcpHandler(make))).listen(Number(port), '127.0.0.1')
} else {
  serveStdio(make)
}
