import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from './support/tender.ts'

/**
 * Runs the tour of the README in a shell against the service. A script replaces curl, which need not be
 * installed, and records each response. Each `# →` comment is an expectation about the response before it.
 */
const FAKE_CURL = `
import { appendFileSync } from 'node:fs'
import { request } from 'node:http'
const given = { method: undefined, headers: {}, body: undefined, url: undefined }
const args = process.argv.slice(2)
while (args.length > 0) {
  const arg = args.shift()
  if (arg === '-s') continue
  else if (arg === '-X') given.method = args.shift()
  else if (arg === '-d') given.body = args.shift()
  else if (arg === '-H') {
    const [name, ...value] = args.shift().split(':')
    given.headers[name] = value.join(':').trim()
  } else if (arg.startsWith('-') || given.url !== undefined) throw new Error('unsupported argument ' + arg)
  else given.url = arg
}
const { url, headers, body, method = body === undefined ? 'GET' : 'POST' } = given
const send = () =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, async (reply) => {
      const chunks = []
      for await (const chunk of reply) chunks.push(chunk)
      resolve({ status: reply.statusCode, text: Buffer.concat(chunks).toString() })
    })
    sent.on('error', reject).end(body)
  })
let reply = await send()
// A reader is slower than this script, so the bank's notification is usually processed by then.
const isMoving = () => url.endsWith('/recheck') && /"paymentState":"\\w+ing"/.test(reply.text)
for (let tries = 0; isMoving() && tries < 100; tries++) {
  await new Promise((resolve) => setTimeout(resolve, 50))
  reply = await send()
}
appendFileSync(process.env.NOTES, JSON.stringify(reply) + '\\n')
process.stdout.write(reply.text)
`

interface Note {
  readonly status: number
  readonly text: string
}

const readme = readFileSync('README.md', 'utf8')
const tour = /\n## A tour[^\n]*\n(.*?)\n## /s.exec(readme)?.[1] ?? ''
const blocks = [...tour.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = '']) => text)
const [setup = '', ...steps] = blocks

/** The commands of the tour, with each `# →` comment as a call of `claim`, which records it. */
const script = steps.join('\n').replaceAll(/^# → (.+)$/gm, (_line, claim: string) => `claim '${claim}'`)
const PRELUDE = `set -eu
curl() { "$NODE" "$FAKE_CURL" "$@"; }
claim() { printf 'claim %s\\n' "$1" >> "$NOTES"; }
`

/** Time for a dozen processes in sequence on a busy machine. */
const TOUR_MS = 60_000

let service: TestService
let folder: string
beforeAll(async () => {
  service = await startTestService('readme_tour')
  folder = mkdtempSync(join(tmpdir(), 'tender-readme-'))
  writeFileSync(join(folder, 'curl.mjs'), FAKE_CURL)
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await service.stop()
})

async function run(): Promise<{ code: number; stderr: string; notes: string[] }> {
  const { url, sandbox } = service
  const child = spawn('sh', ['-c', PRELUDE + script], {
    env: {
      PATH: process.env.PATH,
      NODE: process.execPath,
      FAKE_CURL: join(folder, 'curl.mjs'),
      NOTES: join(folder, 'notes'),
      TENDER: url,
      APP: sandbox.appId,
      KEY: sandbox.apiKey,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => (stderr += chunk))
  const [code] = await once(child, 'close')
  return { code, stderr, notes: readFileSync(join(folder, 'notes'), 'utf8').trim().split('\n') }
}

/** Each claim with the response before it. */
function claims(notes: readonly string[]) {
  let last: Note | undefined
  return notes.flatMap((note) => {
    const [, status, part = ''] = /^claim (\d+) (.+)$/.exec(note) ?? []
    if (status === undefined) last = JSON.parse(note)
    return status === undefined ? [] : [{ status: Number(status), part, answer: last }]
  })
}

describe('The tour of the README', () => {
  test('starts with three exports that the later steps use', () => {
    const names = [...setup.matchAll(/^export (\w+)=/gm)].map(([, name]) => name)
    expect(names).toEqual(['TENDER', 'APP', 'KEY'])
    for (const name of names) expect(script).toContain(`$${name}`)
  })

  test(
    'runs unchanged, and every response matches its comment',
    async () => {
      const { code, stderr, notes } = await run()
      expect(stderr).toBe('')
      expect(code).toBe(0)
      const found = claims(notes)
      expect(found.length).toBeGreaterThanOrEqual(steps.length)
      for (const { status, part, answer } of found) {
        expect(answer, part).toMatchObject({ status })
        expect(JSON.parse(answer?.text ?? ''), part).toMatchObject(JSON.parse(part))
      }
    },
    TOUR_MS,
  )
})
