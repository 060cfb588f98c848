import { expect, it } from 'vitest'
import { localeAmong } from './locale.ts'

const NAMES = ['en_US', 'en_GB', 'de_DE', 'de_AT', 'pt_PT', 'pl', 'zh-TW']

it.each([
  ['de', undefined, 'de_DE'],
  ['de', 'AT', 'de_AT'],
  ['de', 'FR', 'de_DE'],
  ['de-AT', 'DE', 'de_AT'],
  ['de-CH', 'AT', 'de_AT'],
  ['en-GB', undefined, 'en_GB'],
  ['pl-PL', undefined, 'pl'],
  ['zh-Hant-TW', undefined, 'zh-TW'],
  ['pt-BR', undefined, 'pt_PT'],
  ['he', 'IL', undefined],
  [undefined, 'DE', undefined],
])('%s of %s is %s', (locale, country, name) => {
  expect(localeAmong(NAMES, { ...(locale ? { locale } : {}), ...(country ? { country } : {}) })).toBe(name)
})
