import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newWebhookSecret, systemRandom } from '../../../src/base/ids.ts'
import { type Receiver, settings, startReceiver } from '../../support/receiver.ts'
import { good, startTestService, type TestService } from '../../support/tender.ts'

/** Runs the examples of docs/guides/php-and-python.md unchanged, for each language that is installed. */
const blocks = (path: string, language: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(
    ([, code = '']) => code.replace('<?php\n', ''),
  )

const has = (command: string): boolean => spawnSync(command, ['--version']).status === 0

/** Each prints the results of its steps as one line of JSON. */
const PYTHON = `
import sys
given = json.load(sys.stdin)
def attempt(step):
    try:
        return step()
    except (Refused, ValueError) as error:
        return "refused: " + str(error.args[0])
STEPS = {
    "create": lambda: create_payment(given["order"], given["amount"]),
    "webhook": lambda: on_webhook(given["body"].encode(), given["headers"]),
    "refund": lambda: refund(given["paymentId"], given["amount"], given["key"]),
}
print(json.dumps(attempt(STEPS[given["step"]])))`

const PHP = `
$given = json_decode(stream_get_contents(STDIN), true);
try {
    $result = match ($given['step']) {
        'create' => create_payment($given['order'], $given['amount']),
        'webhook' => on_webhook($given['body'], $given['headers']),
        'refund' => refund($given['paymentId'], $given['amount'], $given['key']),
    };
} catch (RuntimeException $error) {
    $result = 'refused: ' . $error->getMessage();
}
echo json_encode($result);`

const LANGUAGES = [
  { language: 'python', command: 'python3', start: '', main: PYTHON },
  { language: 'php', command: 'php', start: '<?php\n', main: PHP },
]

let service: TestService
let receiver: Receiver
let secret: string
const folder = mkdtempSync(join(tmpdir(), 'tender-languages-'))
beforeAll(async () => {
  service = await startTestService('languages')
  receiver = await startReceiver()
  await settings(service.sandbox, { paymentWebhookUrl: receiver.url })
  secret = good(await service.sandbox.call('POST', 'webhook-signing-secret'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await receiver?.stop()
  await service?.stop()
})

/** What a step of the example returns. */
async function run(command: string, file: string, given: object, env: Record<string, string> = {}) {
  const { appId, apiKey } = service.sandbox
  const known = { TENDER: service.url, APP: appId, KEY: apiKey, WEBHOOK_SECRET: secret }
  const child = spawn(command, [file], { env: { PATH: process.env.PATH, ...known, ...env } })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => (stdout += chunk))
  child.stderr.on('data', (chunk) => (stderr += chunk))
  child.stdin.end(JSON.stringify(given))
  await once(child, 'close')
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

const missing = LANGUAGES.filter(({ command }) => !has(command)).map(({ command }) => command)
if (missing.length > 0)
  console.warn(`Examples are not run, because this is not installed: ${missing.join(', ')}`)

describe.each(LANGUAGES)('the examples in $language', ({ language, command, start, main }) => {
  const file = join(folder, `example.${language}`)
  beforeAll(() => {
    const [calls = '', handler = ''] = blocks('docs/guides/php-and-python.md', language)
    const [verify = ''] = blocks('docs/guides/webhooks.md', language)
    writeFileSync(file, start + [verify, calls, handler, main].join('\n'))
  })

  it.skipIf(missing.includes(command))('create a payment, verify its webhook and refund it', async () => {
    const order = `order ü/${language}`
    const created = await run(command, file, { step: 'create', order, amount: '25.50' })
    expect(created).toMatchObject({ referenceId: order, paymentState: 'Created', amount: 25.5 })
    expect(await run(command, file, { step: 'create', order, amount: '25.50' })).toEqual(created)
    expect(await run(command, file, { step: 'create', order, amount: '9' })).toBe(
      'refused: reference_id_reused',
    )

    const { paymentId } = created
    good(await service.sandbox.pay(paymentId))
    await expect.poll(() => receiver.states(paymentId)).toContain('Captured')
    const hook = receiver.hooks.find(({ event }) => event.payment.paymentId === paymentId)
    const webhook = { step: 'webhook', body: hook?.body, headers: hook?.headers }
    expect(await run(command, file, webhook)).toMatchObject({ paymentId, paymentState: 'Captured' })
    const other = { WEBHOOK_SECRET: newWebhookSecret(systemRandom) }
    expect(await run(command, file, webhook, other)).toBe('refused: The webhook is not genuine.')

    const refund = { step: 'refund', paymentId, amount: '5', key: `refund-${language}` }
    expect(await run(command, file, refund)).toMatchObject({ refundedAmount: 5 })
    expect(await run(command, file, refund)).toMatchObject({ refundedAmount: 5 })
    const movements = await service.sandbox.ledger(paymentId)
    expect(movements.filter(({ kind }) => kind === 'refund')).toHaveLength(1)
  })
})
