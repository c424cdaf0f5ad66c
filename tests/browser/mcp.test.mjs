// `skills mcp --http` called by web pages in Chromium: of an allowed origin, and of another.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

const require = createRequire(join(process.env.BROWSER_MODULES, 'package.json'))
const { chromium } = require('playwright-core')

let browser, page, pages, server, url, home

/** A web server of one empty page. Returns its origin. */
const open = async () => {
  const site = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end('<!doctype html>'))
  await new Promise((listens) => site.listen(0, '127.0.0.1', listens))
  pages.push(site)
  return `http://127.0.0.1:${site.address().port}`
}

before(async () => {
  pages = []
  home = mkdtempSync(join(tmpdir(), 'skills-'))
  const allowed = await open()
  server = spawn(process.env.SKILLS, ['mcp', '--layer', 'bundled', '--http', '127.0.0.1:0', '--allow-origin', allowed], {
    cwd: home,
    env: { ...process.env, HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  url = await new Promise((found) => {
    let text = ''
    server.stderr.on('data', (part) => {
      text += part
      const line = /http:\S+/.exec(text)
      if (line) found(line[0])
    })
  })
  pages.allowed = allowed
  pages.other = await open()
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] })
  page = await browser.newPage()
})

after(async () => {
  await browser?.close()
  server?.kill()
  pages.forEach((site) => site.close())
  rmSync(home, { recursive: true, force: true })
})

/** What a client in the page does, in the newest version and in an older one. */
const calls = () =>
  page.evaluate(async (url) => {
    const post = (headers, body) =>
      fetch(url, {
        method: 'POST',
        headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', ...body }),
      })
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'page', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const newest = await post(
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'skills/list' },
      { id: 1, method: 'skills/list', params: { _meta: meta } },
    )
    const skills = (await newest.json()).result.skills.length
    const hello = await post({}, {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'page', version: '1' } },
    })
    const session = { 'mcp-session-id': hello.headers.get('mcp-session-id'), 'mcp-protocol-version': '2025-11-25' }
    const ready = await post(session, { method: 'notifications/initialized' })
    const pong = await (await post(session, { id: 2, method: 'ping' })).text()
    const ping = JSON.parse(/^data: ?(\{.*)$/m.exec(pong)[1])
    const stream = await fetch(url, { headers: { accept: 'text/event-stream', ...session } })
    const reader = stream.body.getReader()
    const begun = new TextDecoder().decode((await reader.read()).value).split('\n').find((line) => line.startsWith('id:'))
    await reader.cancel()
    const ended = await fetch(url, { method: 'DELETE', headers: session })
    const gone = await post(session, { id: 3, method: 'ping' })
    const statuses = [ready, stream, ended, gone].map((answer) => answer.status)
    return { skills, ping: ping.result, begun, statuses }
  }, url)

const works = { skills: 13, ping: {}, begun: 'id: 0', statuses: [202, 200, 202, 404] }

test('a page of an allowed origin', async () => {
  await page.goto(pages.allowed)
  assert.deepEqual(await calls(), works)
})

test('a page of another origin', async () => {
  await page.goto(pages.other)
  await assert.rejects(calls(), /Failed to fetch/)
  // A request without a preflight arrives, and is refused.
  const opaque = await page.evaluate(async (url) => {
    const sent = await fetch(url, { method: 'POST', mode: 'no-cors', body: '{}' })
    return [sent.type, sent.status]
  }, url)
  assert.deepEqual(opaque, ['opaque', 0])
})

test('a frame without an origin', async () => {
  await page.goto(pages.allowed)
  const frame = await page.evaluate(async (url) => {
    const frame = document.createElement('iframe')
    frame.sandbox = 'allow-scripts'
    frame.srcdoc = `<script>fetch(${JSON.stringify(url)}, { method: 'POST', body: '{}' })
      .then(() => 'answered', () => 'refused').then((said) => parent.postMessage(said, '*'))</script>`
    const said = new Promise((found) => addEventListener('message', (event) => found(event.data), { once: true }))
    document.body.append(frame)
    return said
  }, url)
  assert.equal(frame, 'refused')
})
