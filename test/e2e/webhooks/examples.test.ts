import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newWebhookSecret, systemRandom } from '../../../src/base/ids.ts'
import { freePort } from '../../../src/net/free-port.ts'
import { signedHeaders } from '../../../src/webhooks/delivery/sign.ts'

/** Runs the examples of the documentation unchanged, for every language that is installed. */
const guide = readFileSync('docs/guides/webhooks.md', 'utf8')
const readme = readFileSync('packages/sdk/README.md', 'utf8')
const example = (text: string, language: string): string =>
  new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(text)?.[1] ?? ''

const has = (command: string) => spawnSync(command, ['--version']).status === 0

const secrets = [newWebhookSecret(systemRandom), newWebhookSecret(systemRandom)] as const
const body = '{"type":"payment.state_changed","eventId":"evt_1_1","payment":{"referenceId":"naïve – 10 €"}}'
const signed = (now = new Date()) => signedHeaders({ id: 'evt_1_1', body, now, secrets })

const folder = mkdtempSync(join(tmpdir(), 'tender-examples-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const CASES = [
  ['genuine', body, signed(), secrets[0], true],
  ['genuine, by the other secret', body, signed(), secrets[1], true],
  ['another body', body.replace('10', '11'), signed(), secrets[0], false],
  ['another secret', body, signed(), newWebhookSecret(systemRandom), false],
  ['too old', body, signed(new Date(Date.now() - 400_000)), secrets[0], false],
  ['no signature', body, { ...signed(), 'webhook-signature': '' }, secrets[0], false],
  ['no headers', body, {}, secrets[0], false],
] as const

const PYTHON = `
import sys
given = json.load(sys.stdin)
try:
    print(verify_webhook(given["body"].encode(), given["headers"], given["secret"])["payment"]["referenceId"])
except ValueError as error:
    print("refused")`

const PHP = `
$given = json_decode(stream_get_contents(STDIN), true);
try {
    echo verify_webhook($given['body'], $given['headers'], $given['secret'])['payment']['referenceId'];
} catch (RuntimeException $error) {
    echo 'refused';
}`

describe.each([
  ['python', 'python3', 'py', PYTHON],
  ['php', 'php', 'php', PHP],
])('the example in %s', (language, command, ending, main) => {
  const file = join(folder, `example.${ending}`)
  beforeAll(() => writeFileSync(file, example(guide, language) + main))

  it.skipIf(!has(command)).each(CASES)('judges rightly: %s', (_what, text, headers, secret, genuine) => {
    const input = JSON.stringify({ body: text, headers, secret })
    const { stdout, stderr } = spawnSync(command, [file], { input, encoding: 'utf8' })
    expect([stdout.trim(), stderr]).toEqual([genuine ? 'naïve – 10 €' : 'refused', ''])
  })
})

describe('the ten-line handler', () => {
  it('has ten lines, returns 204 for a valid signature and 400 otherwise', async () => {
    const code = example(readme, 'js')
    expect(
      code
        .trim()
        .split('\n')
        .filter((line) => line !== '').length,
    ).toBeLessThanOrEqual(10)
    spawnSync('node_modules/.bin/tsc', ['-p', 'packages/sdk', '--outDir', folder])
    const port = await freePort('127.0.0.1')
    const script = code
      .replace("'tender-sdk'", "'./tender.js'")
      .replace('3000', `${port}, '127.0.0.1', () => console.log('ready')`)
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    writeFileSync(join(folder, 'handler.js'), `${script}\nconst checkOrder = async (id) => console.log(id)\n`)
    const env = { ...process.env, WEBHOOK_SECRET: secrets[0] }
    const shop = spawn(process.execPath, [join(folder, 'handler.js')], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    shop.stdout.on('data', (chunk) => {
      said += chunk
    })
    try {
      await expect.poll(() => said).toContain('ready')
      for (const [what, text, headers, secret, genuine] of CASES.filter(
        ([, , , key]) => key === secrets[0],
      )) {
        const reply = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: text, headers })
        expect([what, secret, reply.status]).toEqual([what, secret, genuine ? 204 : 400])
      }
      expect(said.trim().split('\n')).toEqual(['ready', 'naïve – 10 €'])
    } finally {
      shop.kill()
    }
  })
})
