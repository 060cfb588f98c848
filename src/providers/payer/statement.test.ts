import { expect, it } from 'vitest'
import { statementText } from './statement.ts'

const RULES = { most: 10, others: /[^A-Za-z0-9 .-]/g }

it.each([
  ['Café Zoë', 'Cafe Zoe'],
  ['Order *12* <b>', 'Order 12 b'],
  ['Bücher und mehr', 'Bucher und'],
  ['A  line\nand more', 'A line and'],
  ['12345', undefined],
  ['注文', undefined],
  ['', undefined],
])('%s is %s', (text, fitted) => {
  expect(statementText(text, RULES)).toBe(fitted)
})

it('is absent without a text', () => expect(statementText(undefined, RULES)).toBeUndefined())
