import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { areasOf, locales, readCatalogue } from '../scripts/locales/catalogues.js'
import { formsOf, missingAreas, PAYER_AREAS, problemsOf } from '../scripts/locales/check.js'
import { compileCatalogue } from '../scripts/locales/compile.js'
import { allProblems, TYPES_FILE, typesText } from '../scripts/locales/report.js'
import { declarations } from '../scripts/locales/types.js'
import { METHOD_IDS } from '../src/providers/methods/method.ts'
import { createProviders } from '../src/providers/registry.ts'
import { manifest as sandbox } from '../src/sandbox/adapter/manifest.ts'
import { CONSOLE_LANGUAGES } from '../src/web/kit/texts/languages.ts'

type Text = string | ((values: Readonly<Record<string, unknown>>) => string)

const folder = mkdtempSync(join(tmpdir(), 'tender-locales-'))
afterAll(() => rmSync(folder, { recursive: true }))
let modules = 0

/** The texts of a catalogue as the service gets them. */
async function compiled(catalogue: object, locale = 'en'): Promise<Readonly<Record<string, Text>>> {
  const file = join(folder, `${modules++}.mjs`)
  writeFileSync(file, compileCatalogue(catalogue, locale))
  return (await import(pathToFileURL(file).href)).default
}

/** One message with values. */
async function filled(message: string, values: Readonly<Record<string, unknown>>, locale = 'en') {
  const { text } = await compiled({ text: message }, locale)
  return typeof text === 'function' ? text(values) : text
}

describe('a compiled text', () => {
  it('without parameters is a string', async () => {
    expect(await compiled({ a: { b: 'Pay now' }, c: "It''s '{'here'}', isn't it" })).toEqual({
      a: { b: 'Pay now' },
      c: "It's {here}, isn't it",
    })
  })

  it('inserts values by name', async () => {
    expect(await filled('{b}, {a} and {b}', { a: 'x', b: 7 })).toBe('7, x and 7')
  })

  it('selects the plural form of its language, or the text for one number', async () => {
    const message = '{n, plural, =0 {none} one {# file} few {# pliki} many {# plików} other {# pliku}}'
    const said = await Promise.all([0, 1, 3, 5, 21, 22, 1.5].map((n) => filled(message, { n }, 'pl')))
    expect(said).toEqual(['none', '1 file', '3 pliki', '5 plików', '21 plików', '22 pliki', '1.5 pliku'])
  })

  it('selects by a flag or a word, also within a plural', async () => {
    const message =
      '{n, plural, one {one} other {{isMore, select, true {{n} or more} other {{n}}}}} ' +
      '{w, select, a {A} other {B}}'
    expect(await filled(message, { n: 1, isMore: true, w: 'a' })).toBe('one A')
    expect(await filled(message, { n: 2, isMore: true, w: 'b' })).toBe('2 or more B')
    expect(await filled(message, { n: 2, isMore: false, w: 'other' })).toBe('2 B')
  })

  it('cannot become code', async () => {
    const hostile = "`+process.exit(9)+` $'{'x'}' \\` \\u0041 {name} \"\n"
    const open = '$'
    expect(await filled(hostile, { name: `${open}{1}` })).toBe(
      `\`+process.exit(9)+\` ${open}{x} \\\` \\u0041 ${open}{1} "\n`,
    )
  })

  it.each([
    ['{name', 'EXPECT_ARGUMENT_CLOSING_BRACE'],
    ['{n, plural, one {x}}', 'MISSING_OTHER_CLAUSE'],
    ['{n, number}', 'the format “number” is not used here'],
    ['{n, selectordinal, other {x}}', '“selectordinal” is not used here'],
    ['{n, plural, offset:1 other {x}}', '“offset” is not used here'],
    ['{0}', '“0” is no name of a parameter'],
  ])('is refused with its key when it is not valid: %s', (message, problem) => {
    expect(() => compileCatalogue({ group: { key: message } }, 'en')).toThrow(`group.key: ${problem}`)
  })

  it('is refused when it is neither a text nor a group', () => {
    expect(() => compileCatalogue({ list: ['a'] }, 'en')).toThrow('list: neither a text nor a group of texts')
  })
})

describe('the types', () => {
  it('name each key and the kind of each parameter', () => {
    const catalogue = {
      title: 'Pay',
      'two-words': '{a} {n, plural, one {1} other {{n}}} {isMore, select, true {x} other {y}}',
    }
    expect(declarations({ 'console/x': catalogue })).toContain(`declare module '*/console/x.json' {
  const texts: {
    readonly title: string
    readonly 'two-words': (values: { a: string | number; n: number; isMore: boolean }) => string
  }`)
  })

  it('are current', () => {
    expect(readFileSync(TYPES_FILE, 'utf8')).toBe(typesText())
  })
})

describe('the check of a translation', () => {
  const english = {
    a: 'Pay {amount}',
    b: { c: '{n, plural, one {1 file} other {# files}}', d: 'Back' },
  }
  const { a, b } = {
    a: 'Zahlen: {amount}',
    b: { c: '{n, plural, one {1 Datei} other {# Dateien}}', d: 'Zurück' },
  }

  it('has nothing against a complete one', () => {
    expect(problemsOf({ a, b }, english, 'de')).toEqual([])
    expect(problemsOf({ a, b: { ...b, c: '{n} Dateien' } }, english, 'de')).toEqual([])
  })

  it.each<[object, string, string]>([
    [{ a }, 'b.c: it is missing', 'de'],
    [{ a, b, e: 'x' }, 'e: English has no such key', 'de'],
    [{ b, a }, 'a: the keys are not in the order of the English file', 'de'],
    [{ a: 'Zahlen', b }, 'a: {amount} is missing', 'de'],
    [{ a: 'Zahlen {amount} {x}', b }, 'a: English has no {x}', 'de'],
    [
      { a: '{amount, plural, one {x} other {y}}', b },
      'a: {amount} selects a form, which it does not in English',
      'de',
    ],
    [{ a: '', b }, 'a: it is empty', 'de'],
    [{ a: 7, b }, 'a: it is not a text', 'de'],
    [{ a: '<b>{amount}</b>', b }, 'a: it contains HTML', 'de'],
    [{ a: '{amount}&nbsp;x', b }, 'a: it contains HTML', 'de'],
    [{ a: 'Zahlen: {amount} ', b }, 'a: it begins or ends with a space, or has two in a row', 'de'],
    [{ a: 'Zahlen:  {amount}', b }, 'a: it begins or ends with a space, or has two in a row', 'de'],
    [{ a, b: { ...b, c: '{n, plural, other {# Dateien}}' } }, 'b.c: {n} has no text for “one”', 'de'],
    [
      { a, b: { ...b, c: '{n, plural, one {x} few {y} other {z}}' } },
      'b.c: the language has no plural form “few”',
      'de',
    ],
    [{ a, b }, 'b.c: {n} has no text for “few”', 'pl'],
  ])('finds what is wrong: %j', (catalogue, problem, locale) => {
    expect(problemsOf(catalogue, english, locale)).toContain(problem)
  })

  it('knows the plural forms of whole numbers', () => {
    expect(formsOf('ja')).toEqual(['other'])
    expect(formsOf('fr')).toEqual(['one', 'other'])
    expect(formsOf('he')).toEqual(['one', 'two', 'other'])
    expect(formsOf('ar')).toEqual(['one', 'two', 'few', 'many', 'other'])
  })

  it('wants the pages and e-mails of payers, and the console whole or not at all', () => {
    const known = ['checkout', 'console/a', 'console/b', 'link', 'mail', 'panel']
    expect(missingAreas(['checkout', 'link', 'mail', 'panel'], known)).toEqual([])
    expect(missingAreas(['checkout', 'link', 'panel'], known)).toEqual(['mail'])
    expect(missingAreas(['checkout', 'console/a', 'link', 'mail', 'panel'], known)).toEqual(['console/b'])
  })
})

function textsOf(entry: unknown, path = ''): [string, unknown][] {
  if (typeof entry !== 'object' || entry === null) return [[path, entry]]
  return Object.entries(entry).flatMap(([key, value]) => textsOf(value, path ? `${path}.${key}` : key))
}

/** The texts that take no values. */
const plainTexts = (catalogue: object) => textsOf(catalogue).filter(([, text]) => typeof text === 'string')

/** `checkout methods.Paypal`: each text for payers that is written as in English. */
const sameAsEnglish = (locale: string): string[] =>
  PAYER_AREAS.flatMap((area) => {
    const english = new Map(textsOf(readCatalogue('en', area)))
    return textsOf(readCatalogue(locale, area))
      .filter(([path, text]) => text === english.get(path) && !BRANDS.has(path))
      .map(([path]) => `${area} ${path}`)
  })

/** Names of schemes are not translated. */
const BRANDS: ReadonlySet<string> = new Set(
  METHOD_IDS.filter((id) => id !== 'sepa-debit' && id !== 'bank-transfer').map((id) => `methods.${id}`),
)

/** Texts that may equal the English ones. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  fr: ['checkout common.date', 'checkout order.total', 'checkout methods.Paypal'],
  es: ['checkout order.subtotal', 'checkout order.total', 'checkout methods.Paypal'],
  pt: ['checkout order.subtotal', 'checkout order.total', 'checkout methods.Paypal'],
  // The hint is that of a field that is filled in from left to right in every language.
  ar: ['checkout methods.Paypal', 'checkout card.expiryHint'],
  he: ['checkout methods.Paypal', 'checkout card.expiryHint'],
}

describe('the catalogues', () => {
  it('have the same keys, parameters and needed plural forms in every language', () => {
    expect(allProblems()).toEqual([])
  })

  it.each(locales().filter((locale) => locale !== 'en'))('are translated: %s', (locale) => {
    expect(sameAsEnglish(locale)).toEqual(SAME[locale] ?? ['checkout methods.Paypal'])
  })

  it.each(CONSOLE_LANGUAGES)('are all used by the console in $name', async ({ locale, texts }) => {
    const areas = areasOf(locale).filter((area) => area.startsWith('console/'))
    expect(Object.keys(texts).map((name) => `console/${name}`)).toEqual(areas)
    const inFiles = await Promise.all(areas.map((area) => compiled(readCatalogue(locale, area), locale)))
    expect(Object.values(texts).map(plainTexts)).toEqual(inFiles.map(plainTexts))
  })

  it('have the settings of every provider, in English as the adapter has them', () => {
    const texts = readCatalogue('en', 'console/credentials')
    const manifests = [sandbox, ...[...createProviders([]).values()].map(({ manifest }) => manifest)]
    const own = manifests.map(({ id, settings }) => [
      id,
      settings.fields.map(({ name, label, help }) => ({ name, label, help })),
    ])
    const named = Object.entries(texts).map(([id, settings]) => [
      id,
      Object.entries(settings as Record<string, { label: string; help?: string }>).map(
        ([name, { label, help }]) => ({ name, label, help }),
      ),
    ])
    expect(named).toEqual(own.sort(([a], [b]) => String(a).localeCompare(String(b))))
  })

  it('address people of the console formally in German', () => {
    const areas = areasOf('de').filter((area) => area.startsWith('console/') || area === 'mail-team')
    const informal = /\b(?:du|dich|dir|dein\w*|kannst|darfst|musst|bist)\b/i
    expect(areas.filter((area) => informal.test(JSON.stringify(readCatalogue('de', area))))).toEqual([])
  })

  it('have the help of the adapters in English', () => {
    const helps = Object.entries(readCatalogue('en', 'console/providers').connectHelps)
    expect(helps.length).toBeGreaterThan(0)
    for (const [id, help] of helps) expect(createProviders([]).get(id)?.connectHelp).toBe(help)
  })
})
