import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CONSOLE_LANGUAGES } from '../../../src/web/kit/texts/languages.ts'
import { type ConsolePage, consoleGallery } from '../../browser/console-gallery.ts'
import { type Seeded, seedConsole } from '../../browser/console-seed.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import { type Answer, good } from '../../support/tender.ts'

/** Every page of the console in German has no text of the English catalogue, and none of the layers below. */

let world: TestConsole
let receiver: Receiver
let pages: readonly ConsolePage[]
let seeded: Seeded
/** What people and shops wrote stays as it is. */
const said: string[] = []
beforeAll(async () => {
  receiver = await startReceiver()
  world = await startTestConsole('console_german', { rateLimit: 1_000 })
  const say = (plain: string) => {
    said.push(plain)
    return plain
  }
  seeded = await seedConsole(world, { webhookUrl: receiver.url, say })
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

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}{3,}/gu) ?? []

/** Words of the English catalogue that no German text has. */
function englishWords(): ReadonlySet<string> {
  const texts = (language: string) =>
    readdirSync(`locales/${language}/console`).flatMap((file) =>
      plainTexts(JSON.parse(readFileSync(`locales/${language}/console/${file}`, 'utf8'))),
    )
  const german = new Set(texts('de').flatMap(([, text]) => wordsOf(text)))
  const english = texts('en').flatMap(([, text]) => wordsOf(text.replaceAll(/\{\w+/g, '')))
  return new Set(english.filter((word) => !german.has(word)))
}

/** Names in English: of profiles, keys, events, hosts, files and people of the test, and ids. */
const NAMES = new RegExp(
  [
    /Sandbox (?:cards|bank accounts|crypto)|First key|\w+ Person|\S*[/@._]\S*/,
    /[\w-]+…\w+|\w+-\d+|(?:gala|payer)-\w+|Authorize|Enter\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)
/** Methods of requests, currencies, zones, e-mails, JSON and samples: pages show them as they are. */
const CODES = /^(?:GET|PUT|POST|DELETE|TOP|TRY|Risk|America\/.*|\[Test\] .*|\[\{.*|.*=>.*)$/s

/** Texts with at least one English word, apart from names. */
function englishIn(texts: readonly string[], english: ReadonlySet<string>): string[] {
  const names = said.filter(({ length }) => length > 3).sort((a, b) => b.length - a.length)
  const own = (text: string) => names.reduce((rest, name) => rest.replaceAll(name, ' '), text)
  return texts.filter(
    (text) =>
      !CODES.test(text) && wordsOf(own(text).replaceAll(NAMES, ' ')).some((word) => english.has(word)),
  )
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

/** Text nodes and texts of attributes, without code, codes to choose and what is marked as English. */
function textsIn(html: string): string[] {
  const shown = html
    .replace(/<(script|style|code|pre|textarea|template)\b[\s\S]*?<\/\1>/g, '')
    .replace(/<option value="([^"]+)"[^>]*>\1<\/option>/g, '')
    .replace(/<(\w+)[^>]* lang="en"[^>]*>[\s\S]*?<\/\1>/g, '')
  const nodes = [...shown.matchAll(/>([^<]+)</g)].map(([, text]) => text ?? '')
  const attributes = [...shown.matchAll(/ (?:aria-label|title|placeholder|alt)="([^"]*)"/g)]
  return [...nodes, ...attributes.map(([, text]) => text ?? '')].map(plain)
}

it('has no English text on any page', async () => {
  const english = englishOnly()
  const words = englishWords()
  expect(english.size).toBeGreaterThan(500)
  expect(words.size).toBeGreaterThan(500)
  const found: string[] = []
  for (const { name, path } of pages) {
    const { html } = await world.get('Owner', `${path}${path.includes('?') ? '&' : '?'}lang=de`)
    // The checkout in the frame has the language of the payer.
    if (name === 'settings-preview') continue
    expect(html, name).toContain('<html lang="de"')
    const texts = textsIn(html)
    const wrong = texts.filter(
      (text) => english.has(text) || FROM_BELOW.some((pattern) => pattern.test(text)),
    )
    wrong.push(...englishIn(texts, words))
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

const FROM_BRAZIL = {
  customerOrder: { customer: { customerId: 'bia', address: { countryCode: 'BR' } } },
}

it('tells problems of webhooks and of providers, and limits of the firewall, in German', async () => {
  const { sandbox } = world
  const german = async (path: string) => (await world.get('Owner', `${path}?lang=de`)).html
  const failing = { url: 'http://127.0.0.1:9/hooks', states: ['Created'] }
  const { endpointId } = good(await sandbox.call('POST', 'webhook-endpoints', failing))
  const page = `developers/endpoints/${endpointId}`
  const tested = await world.post('Owner', `developers/endpoints/${endpointId}/test?lang=de`, {}, page)
  expect(tested.html).toContain('Das Testereignis schlug fehl: Die Verbindung wurde abgelehnt.')
  const listed: Answer[] = good(await sandbox.call('GET', 'webhook-endpoints'))
  expect(listed.find((one) => one.endpointId === endpointId)?.trouble?.lastError).toBe(
    'The connection was refused.',
  )
  const policy = {
    name: 'Nur hier',
    rules: [],
    firewall: {
      allowedCountries: ['DE', 'AT'],
      blockedAddresses: ['203.0.113.0/24'],
      matchCardCountry: true,
    },
  }
  const { fraudPolicyId } = good(await sandbox.call('POST', 'fraud-policies', policy))
  const { paymentId } = await sandbox.create({ fraudPolicyId, ...FROM_BRAZIL })
  await sandbox.pay(paymentId, {})
  expect(await german(`payments/${paymentId}`)).toContain('Land: BR; erlaubt: nur DE AT.')
  const adyen = { provider: 'adyen', currency: 'EUR', methods: ['CreditCard'], name: 'Adyen', isActive: true }
  const keys = { apiKey: `AQE${'x'.repeat(60)}`, merchantAccount: 'Shop' }
  const profile = good(await sandbox.call('POST', 'payment-profiles', { ...adyen, settings: keys }))
  expect(await german(`providers/${profile.paymentProfileId}`)).toContain('Verbinden Sie zuerst das Profil.')
})

/** Every member of an audit entry has a label, and labels begin with a capital letter in both languages. */
it('names members of the audit log in words', async () => {
  for (const lang of ['de', 'en']) {
    const { html } = await world.get('Owner', `audit?lang=${lang}`)
    const labels = [...html.matchAll(/<(?:span|summary) class="muted">([^<]+?):? ?<\//g)].map(
      ([, label]) => label,
    )
    expect(labels.length).toBeGreaterThan(20)
    expect(labels.filter((label) => /^[a-z]/.test(label ?? ''))).toEqual([])
    // An action without a sentence stands for itself.
    expect(html.match(/>[a-z_-]+\.[a-z_]+ [a-z_-]+:[^<]*</g)).toBeNull()
  }
})
