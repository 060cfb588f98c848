import { afterAll, beforeAll, expect, it } from 'vitest'
import { CONSOLE_LANGUAGES } from '../../../src/web/kit/texts/languages.ts'
import { type ConsolePage, consoleGallery } from '../../browser/console-gallery.ts'
import { type Seeded, seedConsole } from '../../browser/console-seed.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'

/** Every page of the console in German has no text of the English catalogue, and none of the layers below. */

let world: TestConsole
let receiver: Receiver
let pages: readonly ConsolePage[]
let seeded: Seeded
beforeAll(async () => {
  receiver = await startReceiver()
  world = await startTestConsole('console_german', { rateLimit: 1_000 })
  seeded = await seedConsole(world, { webhookUrl: receiver.url })
  pages = consoleGallery(world, seeded)
})
afterAll(async () => {
  await world?.stop()
  await receiver?.stop()
})

/** Texts that are the same word in German, or that a seeded object has as its name. */
const ALSO_GERMAN = new Set([
  ...['Events', 'Status', 'Sandbox', 'Live', 'Test', 'Name', 'Shop', 'Support', 'Risk', 'Enter'],
  // A view of the seed.
  'Refunds',
])

/** Texts without values, by their path. */
function plainTexts(entry: unknown, path = ''): [string, string][] {
  if (typeof entry === 'string') return [[path, entry]]
  if (typeof entry !== 'object' || entry === null) return []
  return Object.entries(entry).flatMap(([key, value]) => plainTexts(value, `${path}.${key}`))
}

/** English texts whose German differs. A word that is also the German of another text is none. */
function englishOnly(): ReadonlySet<string> {
  const [english, german] = CONSOLE_LANGUAGES.map(({ texts }) => plainTexts(texts))
  const known = new Set(german?.map(([, text]) => text))
  const only = (english ?? []).map(([, text]) => text).filter((text) => !known.has(text))
  return new Set(only.filter((text) => text.length > 3 && !ALSO_GERMAN.has(text)))
}

/** What adapters and commands say in English, as the beginning of a sentence. */
const FROM_BELOW = [
  /\bmust (?:be|have)\b/,
  /\bis (?:required|wrong|not valid)\b/,
  /Set by connecting/,
  /Filled in when/,
  /\b(?:payment|key|profile|member|policy)\.(?:refund|created|changed|invited)\b/,
]

const plain = (text: string): string =>
  text.replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&quot;', '"').trim()

/** Text nodes and texts of attributes, without code, examples and what is marked as English. */
function textsIn(html: string): string[] {
  const shown = html
    .replace(/<(script|style|code|pre|textarea|template)\b[\s\S]*?<\/\1>/g, '')
    .replace(/<(\w+)[^>]* lang="en"[^>]*>[\s\S]*?<\/\1>/g, '')
  const nodes = [...shown.matchAll(/>([^<]+)</g)].map(([, text]) => text ?? '')
  const attributes = [...shown.matchAll(/ (?:aria-label|title|placeholder|alt)="([^"]*)"/g)]
  return [...nodes, ...attributes.map(([, text]) => text ?? '')].map(plain)
}

it('has no English text on any page', async () => {
  const english = englishOnly()
  expect(english.size).toBeGreaterThan(500)
  const found: string[] = []
  for (const { name, path } of pages) {
    const { html } = await world.get('Owner', `${path}${path.includes('?') ? '&' : '?'}lang=de`)
    // The checkout in the frame has the language of the payer.
    if (name === 'settings-preview') continue
    expect(html, name).toContain('<html lang="de"')
    const wrong = textsIn(html).filter(
      (text) => english.has(text) || FROM_BELOW.some((pattern) => pattern.test(text)),
    )
    found.push(...[...new Set(wrong)].map((text) => `${name}: ${text}`))
  }
  expect(found).toEqual([])
})

it('tells errors of forms in whole German sentences', async () => {
  const { profileId } = seeded
  const route = {
    name: 'A',
    'profile.0': String(profileId),
    minAmount: 'zehn',
    countries: 'Deutschland',
    place: '0',
  }
  const { html } = await world.post('Owner', 'routing/route?lang=de', route)
  expect(html).toContain('Geben Sie unter „Kleinster Betrag“ ')
  expect(html).toContain(' einen Ländercode mit zwei Buchstaben ein.')
  const stripe = { name: 'Stripe', currency: 'EUR', method: 'CreditCard', 'setting.secretKey': 'no' }
  const refused = await world.post('Owner', 'providers/add/stripe?lang=de', stripe)
  expect(refused.html).toContain('Geben Sie einen geheimen Schlüssel (sk_…)')
  expect(refused.html).toContain('Der Anbieter nimmt diese Einstellungen nicht an.')
})
