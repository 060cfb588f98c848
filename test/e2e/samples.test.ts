import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { appIdsOfLicense } from '../../src/merchants/licenses/commands.ts'
import { createOwner } from '../../src/people/accounts/setup.ts'
import { fillIds } from '../../src/web/docs/samples/ids.ts'
import { appsOfReader } from '../../src/web/docs/samples/reader.ts'
import { clientAt, PASSWORD } from '../support/people.ts'
import { type Receiver, settings, startReceiver } from '../support/receiver.ts'
import { good, startTestService, type TestService } from '../support/tender.ts'

/** Runs every sample of docs/guides/samples.md, each language in one process, if it is installed. */
const SAMPLES = readFileSync('docs/guides/samples.md', 'utf8')
const blocksOf = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, code = '']) =>
    code.replace('<?php\n', ''),
  )
const verifyIn = (language: string): string =>
  blocksOf(readFileSync('docs/guides/webhooks.md', 'utf8'), language)[0] ?? ''

const SDK = fileURLToPath(new URL('../../packages/sdk/src/tender.ts', import.meta.url))

/** The webhook comes from the environment, so that every language gets it in the same way. */
const LANGUAGES = [
  {
    language: 'curl',
    command: 'bash',
    needs: ['curl', 'openssl'],
    program: (samples: readonly string[]) => ['set -eu', ...samples].join('\necho\n'),
  },
  {
    language: 'ts',
    command: process.execPath,
    needs: [],
    program: ([setUp = '', ...others]: readonly string[]) => {
      const main = 'console.log(await onWebhook(process.env.BODY, JSON.parse(process.env.HEADERS)))'
      const blocks = others.map((sample) => `{\n${sample}${sample.includes('onWebhook') ? main : ''}\n}`)
      const stdin = { contents: [setUp, ...blocks].join('\n'), loader: 'ts', resolveDir: '.' } as const
      const built = buildSync({
        stdin,
        bundle: true,
        format: 'esm',
        platform: 'node',
        write: false,
        alias: { 'tender-sdk': SDK },
      })
      return built.outputFiles[0]?.text ?? ''
    },
  },
  {
    language: 'php',
    command: 'php',
    needs: ['php'],
    program: (samples: readonly string[]) =>
      [
        '<?php',
        verifyIn('php'),
        ...samples,
        "echo on_webhook(getenv('BODY'), json_decode(getenv('HEADERS'), true)), \"\\n\";",
      ].join('\n'),
  },
  {
    language: 'python',
    command: 'python3',
    needs: ['python3'],
    program: (samples: readonly string[]) =>
      [
        verifyIn('python'),
        ...samples,
        'print(on_webhook(os.environ["BODY"].encode(), json.loads(os.environ["HEADERS"])))',
      ].join('\n'),
  },
]

const has = (command: string): boolean => spawnSync('sh', ['-c', 'command -v "$0"', command]).status === 0
const missing = LANGUAGES.flatMap(({ needs }) => needs).filter((command) => !has(command))
if (missing.length > 0) console.warn(`Samples are not run, because this is not installed: ${missing}`)

let service: TestService
let receiver: Receiver
let secret: string
const folder = mkdtempSync(join(tmpdir(), 'tender-samples-'))
beforeAll(async () => {
  service = await startTestService('samples')
  receiver = await startReceiver()
  await settings(service.sandbox, { paymentWebhookUrl: receiver.url })
  secret = good(await service.sandbox.call('POST', 'webhook-signing-secret'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await receiver?.stop()
  await service?.stop()
})

/** An authorised payment of a customer whose method is stored, and its webhook. */
async function prepare(customerId: string) {
  const { paymentId } = await service.sandbox.paid({
    autoCapture: false,
    registerAutoPayment: true,
    customerOrder: { customer: { customerId } },
  })
  await expect.poll(() => receiver.states(paymentId)).toContain('Authorized')
  const isIt = ({ event }: Receiver['hooks'][number]) =>
    event.payment.paymentId === paymentId && event.payment.paymentState === 'Authorized'
  return { paymentId, hook: receiver.hooks.find(isIt) }
}

/** The samples with the ids of this app, as the page shows them, and names of their own. */
const samplesOf = (language: string, paymentId: number): string[] =>
  blocksOf(fillIds(SAMPLES, { url: service.url, appId: service.sandbox.appId }), language).map((sample) =>
    sample
      .replaceAll('10001', String(paymentId))
      .replaceAll('order-1001', `order-1001-${language}`)
      .replaceAll('invoice-2001', `invoice-2001-${language}`)
      .replaceAll('return-88', `return-88-${language}`)
      .replace(/(['"])ada\1/g, `$1ada-${language}$1`),
  )

describe.each(LANGUAGES)('the samples in $language', ({ language, command, needs, program }) => {
  const isMissing = needs.some((needed) => missing.includes(needed))

  it.skipIf(isMissing)('run, and do what they say', async () => {
    const { paymentId, hook } = await prepare(`ada-${language}`)
    const samples = samplesOf(language, paymentId)
    expect(samples).toHaveLength(8)
    const file = join(folder, `samples-${language}.mjs`)
    writeFileSync(file, program(samples))
    const output = await run(command, file, {
      BODY: hook?.body ?? '',
      HEADERS: JSON.stringify(hook?.headers),
      ID: hook?.headers['webhook-id'] ?? '',
      TIMESTAMP: hook?.headers['webhook-timestamp'] ?? '',
      SIGNATURE: hook?.headers['webhook-signature'] ?? '',
    })
    const created = good(await service.sandbox.call('GET', `payments/referenceId:order-1001-${language}`))
    expect(created).toMatchObject({ paymentState: 'Created', amount: 25.5 })
    expect(output).toContain(created.redirectUrl ?? String(created.paymentId))
    expect(await service.sandbox.read(paymentId)).toMatchObject({
      paymentState: 'Captured',
      refundedAmount: 5,
    })
    expect(output).toMatch(language === 'curl' ? /^genuine$/m : /^Authorized$/m)
    const charged = good(await service.sandbox.call('GET', `payments/referenceId:invoice-2001-${language}`))
    expect(charged).toMatchObject({ paymentState: 'Captured', amount: 9.99 })
    // The list goes on to the second page.
    for (const reference of ['order-1001', 'invoice-2001'])
      expect(output.split(`${reference}-${language}`).length).toBeGreaterThan(1)
    expect(output).toContain((await service.sandbox.read(paymentId)).referenceId)
  })
})

async function run(command: string, file: string, env: Record<string, string>): Promise<string> {
  const known = { KEY: service.sandbox.apiKey, WEBHOOK_SECRET: secret, PATH: process.env.PATH }
  const child = spawn(command, [file], { cwd: folder, env: { ...known, ...env } })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => (stdout += chunk))
  child.stderr.on('data', (chunk) => (stderr += chunk))
  const [code] = await once(child, 'close')
  expect([stderr, code]).toEqual(['', 0])
  return stdout
}

describe('the page of the samples', () => {
  const page = async (query = '', headers: Record<string, string> = {}) =>
    await (await fetch(`${service.url}/docs/guides/samples${query}`, { headers })).text()

  it('has the ids of an app of the reader, and never a key', async () => {
    const { ctx } = service.service
    const owner = { email: 'owner@example.com', name: 'Olga', password: PASSWORD, licenseName: 'Corner' }
    const token = ctx.config.operatorToken?.reveal() ?? ''
    const made = await createOwner(ctx, { ...owner, token }, clientAt())
    const [sandbox = '', live = ''] = await appIdsOfLicense(ctx, made.licenseId)
    const cookie = `console=${made.sessionToken}`
    const own = await page('', { cookie })
    expect(own).toContain(`${service.url}/api/apps/${sandbox}`)
    expect(own).not.toMatch(/app_0123456789abcdef|sk_|pay\.example\.com/)
    expect(await page(`?app=${live}`, { cookie })).toContain(`/api/apps/${live}`)
    const { appId: foreign } = (await service.newMerchant()).sandbox
    expect(await page(`?app=${foreign}`, { cookie })).not.toContain(foreign)
    expect(await page(`?app=${sandbox}`)).not.toContain(sandbox)
  })

  it('has the ids of the first licence in development, and placeholders in production', async () => {
    const { ctx } = service.service
    const inMode = (production: boolean) => ({ ...ctx, config: { ...ctx.config, production } })
    expect((await appsOfReader(inMode(false), {})).length).toBeGreaterThan(0)
    expect(await appsOfReader(inMode(true), {})).toEqual([])
    expect(await appsOfReader(inMode(true), { cookie: `console=${'x'.repeat(43)}` })).toEqual([])
  })
})
