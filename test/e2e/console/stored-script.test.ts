import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../src/db/database.ts'
import { packed, unpacked } from '../../../src/logs/batches/batch.ts'
import { writeLogs } from '../../../src/logs/jobs.ts'
import { type ConsolePage, consoleGallery } from '../../browser/console-gallery.ts'
import { type Seeded, seedConsole } from '../../browser/console-seed.ts'
import { chromiumPath, launch } from '../../support/browser.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'

/** Every text that a person, merchant, payer or provider can set tries to be a script. */

/** Ends a title, an attribute and an element, then runs `hit`. */
const SCRIPT = `</title>"'><script>hit()</script><img src=x onerror=hit()>" onfocus=hit() autofocus x="`
const ATTEMPTS = ['<script>hit()', '<img src=x', '" onfocus=hit()', 'href="javascript:', 'src="javascript:']

let world: TestConsole
let receiver: Receiver
let seeded: Seeded
let pages: readonly ConsolePage[]
beforeAll(async () => {
  receiver = await startReceiver()
  receiver.answer = (_hook, response) => response.writeHead(500).end(SCRIPT)
  world = await startTestConsole('console_stored_script', { rateLimit: 1_000 })
  const say = (plain: string) => plain + SCRIPT
  const webhookUrl = `${receiver.url}?x=${SCRIPT}`
  seeded = await seedConsole(world, { say, webhookUrl: webhookUrl.replaceAll(' ', '%20') })
  await provide()
  pages = consoleGallery(world, seeded)
})
afterAll(async () => {
  await world?.stop()
  await receiver?.stop()
})

/** Texts that come from providers, browsers and operators, which the API does not set. */
const PROVIDED = [
  ['delivery_attempts', 'error'],
  ['delivery_attempts', 'response'],
  ['licenses', 'name'],
  ['page_visits', 'language'],
  ['payment_methods', 'label'],
  ['payment_methods', 'nickname'],
  ['person_sessions', 'user_agent'],
  ['webhook_endpoints', 'last_error'],
] as const

/** The strings of these values, whatever their shape. */
const PROVIDED_JSON = [
  [
    'payments',
    'pay_info',
    `{"payer":{"fullName":"§","email":"§","country":"§"},"networkCode":"§","claimUrl":"§"}`,
  ],
  ['payments', 'failure', `{"problem":{"code":"text","text":"§"},"declineCode":"§"}`],
  ['payments', 'last_error', `{"code":"text","text":"§"}`],
  ['events', 'last_error', `{"code":"text","text":"§"}`],
  ['profile_health', 'diagnosis', `{"code":"text","text":"§"}`],
  ['operations', 'outcome', `{"raw":{"code":"§","message":"§","text":"§"}}`],
  ['payment_methods', 'card', `{"brand":"§","issuer":"§"}`],
] as const

/** Members of log lines. */
const PROVIDED_LINES = ['requestBody', 'answerBody', 'query', 'responseBody', 'requestHeaders']
const BATCHES = sql<{ batchId: number; lines: Uint8Array }>(
  'hostile.batches',
  'select batch_id, lines from log_batches',
)
const REPLACE = sql<never>('hostile.replace', 'update log_batches set lines = $2 where batch_id = $1')

async function provideLines(): Promise<void> {
  const { ctx } = world.tender.service
  await writeLogs(ctx)
  for (const { batchId, lines } of await ctx.db.query(BATCHES)) {
    const hostile = unpacked(lines).map((line) =>
      Object.fromEntries(
        Object.entries(line).map(([name, value]) =>
          PROVIDED_LINES.includes(name) ? [name, `${value ?? ''}${SCRIPT}`] : [name, value],
        ),
      ),
    )
    await ctx.db.query(REPLACE, [batchId, packed(hostile)])
  }
}

async function provide(): Promise<void> {
  await provideLines()
  const { db } = world.tender.service.ctx
  const run = (text: string, values: readonly string[]) =>
    db.query({ name: `hostile.${text}`.slice(0, 60), text }, values)
  for (const [table, column] of PROVIDED)
    await run(`update ${table} set ${column} = coalesce(${column}, '') || $1`, [SCRIPT])
  for (const [table, column, json] of PROVIDED_JSON) {
    const more = json.replaceAll('"§"', JSON.stringify(SCRIPT))
    const merged = `(coalesce(${column}::jsonb, '{}') || $1::jsonb)::json`
    // Any payment may have a last problem. The others must stay empty where they are.
    const rows = column === 'last_error' ? '' : `where ${column} is not null`
    const text = `update ${table} set ${column} = ${merged} ${rows}`
    await run(text, [more])
  }
}

it('no page has such a text unescaped', async () => {
  const found: string[] = []
  let shown = 0
  for (const { name, path } of pages) {
    const { status, html } = await world.get('Owner', path)
    if (status >= 500) found.push(`${name}: ${status}`)
    if (html.includes('hit()')) shown++
    found.push(
      ...ATTEMPTS.filter((attempt) => html.includes(attempt)).map((attempt) => `${name}: ${attempt}`),
    )
  }
  expect(found).toEqual([])
  // The texts are on the pages, so that this is not about empty ones.
  expect(shown).toBeGreaterThan(pages.length / 3)
})

describe.skipIf(!chromiumPath)('in a browser without its content policy', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser?.close())

  const open = async () => {
    // Only the escaping protects the page then.
    const window = await world.open(browser, 'Owner', { bypassCSP: true })
    await window.context.addInitScript(() =>
      Object.assign(globalThis, { hit: () => document.documentElement.setAttribute('data-hit', 'yes') }),
    )
    const isHit = () => window.page.evaluate(() => document.documentElement.hasAttribute('data-hit'))
    return { ...window, isHit }
  }

  it('none of them runs', async () => {
    const { page, faults, isHit, close } = await open()
    const found: string[] = []
    for (const { name, path } of pages) {
      await page.goto(world.origin + path)
      if (await isHit()) found.push(name)
    }
    expect(found).toEqual([])
    expect(faults).toEqual([])
    await close()
  }, 600_000)

  it('nor where script draws: dialog, palette, dock and live updates', async () => {
    const { page, faults, isHit, close } = await open()
    await page.goto(`${world.origin}/console/${world.sandbox.appId}/payments/${seeded.authorized}`)
    await page.keyboard.press('c')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('ControlOrMeta+k')
    const palette = page.getByRole('dialog', { name: 'Search and commands' })
    await palette.getByRole('combobox').fill('INV-1')
    await palette
      .getByRole('option', { name: /hit\(\)/ })
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('.')
    const dock = page.getByRole('complementary', { name: 'Developer dock' })
    for (const tab of ['Webhooks', 'Events', 'Timeline', 'API', 'Logs']) {
      await dock.getByRole('button', { name: tab, exact: true }).click()
      await dock.locator('.dock-body :is(table, pre, ol, p)').first().waitFor()
    }
    await world.sandbox.act(seeded.authorized, 'capture')
    await page.locator('h1 [data-state="Captured"]').waitFor()
    expect(await isHit()).toBe(false)
    expect(faults).toEqual([])
    await close()
  })
})
