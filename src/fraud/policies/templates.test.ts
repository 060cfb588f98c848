import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import english from '../../../locales/en/console/templates.json' with { type: 'json' }
import type { App } from '../../merchants/app.ts'
import { readFirewall, readRules } from './schema.ts'
import { policyFrom, TEMPLATE_IDS } from './templates.ts'

/** Each policy of the guide: its heading, the text below it and the body of the request. */
const GUIDE = [
  ...readFileSync('docs/guides/fraud.md', 'utf8').matchAll(
    /^### \d+\. (.+)\n([\s\S]*?)```json\n([\s\S]*?)```/gm,
  ),
].map(([, title = '', text = '', body = '']) => ({ title, text: flat(text), policy: JSON.parse(body) }))

function flat(text: string): string {
  return text.replaceAll('’', "'").replace(/\s+/g, ' ').trim()
}

/** The texts as they are written: those of the console are compiled when it is built. */
const itemOf = (id: keyof typeof english.items) =>
  english.items[id] as unknown as { title: string; name: string; does: string; message?: string }

it('the guide has the templates of the console, with the same words and limits', () => {
  expect(GUIDE.map(({ title }) => flat(title))).toEqual(TEMPLATE_IDS.map((id) => flat(itemOf(id).title)))
  for (const [place, id] of TEMPLATE_IDS.entries()) {
    const { text, policy } = GUIDE[place] ?? { text: '', policy: {} }
    expect(text).toContain(flat(itemOf(id).does))
    const { name, rules = [], firewall = {} } = policy
    const written = { name, rules: readRules({} as App, rules), firewall: readFirewall(firewall) }
    expect(policyFrom(id, itemOf(id), null)).toEqual(written)
  }
})

it('amounts of a template are in the currency of the app', () => {
  const currencies = TEMPLATE_IDS.flatMap((id) => policyFrom(id, itemOf(id), 'JPY').rules).map((rule) => [
    rule.measure,
    rule.currency,
  ])
  expect(currencies).toContainEqual(['SingleAmount', 'JPY'])
  expect(currencies).toContainEqual(['TotalAmount', 'JPY'])
  expect(currencies).not.toContainEqual(['PaymentCount', 'JPY'])
})
