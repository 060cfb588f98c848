import { expect, it } from 'vitest'
import {
  isAccountMailbox,
  isDottedMailbox,
  isLinkedMailbox,
  isMailbox,
  isPlainMailbox,
  isSender,
  maskedMailbox,
} from './mailbox.ts'

const CHECKS = { isMailbox, isLinkedMailbox, isSender, isAccountMailbox, isDottedMailbox, isPlainMailbox }

it('takes common addresses by every check', () => {
  for (const [name, check] of Object.entries(CHECKS))
    for (const text of ['pat@example.com', 'pat+shop@mail.example.co', 'p.at_1-2%x@a.example'])
      expect(check(text), `${name} ${text}`).toBe(true)
})

it('takes no text with spaces, two @, or nothing at a side', () => {
  const wrong = [
    '',
    '@',
    'pat',
    'pat@',
    '@a.example',
    'p at@a.example',
    'pat@a.example\n',
    'p@q@a.example',
    'p\t@a',
  ]
  for (const [name, check] of Object.entries(CHECKS))
    for (const text of wrong) expect(check(text), `${name} ${JSON.stringify(text)}`).toBe(false)
})

it('differs where the use differs', () => {
  const takers = (text: string) => Object.keys(CHECKS).filter((name) => CHECKS[name as 'isSender'](text))
  expect(takers('pät@shop')).toEqual(['isMailbox', 'isLinkedMailbox', 'isSender'])
  expect(takers('pat@a.example?cc=x@b.example')).toEqual([])
  expect(takers('pat?x@a.example')).toEqual(['isMailbox', 'isSender', 'isAccountMailbox', 'isDottedMailbox'])
  expect(takers('a,b@a.example')).toEqual(['isMailbox', 'isLinkedMailbox'])
  expect(takers("o'pat@a.example")).not.toContain('isPlainMailbox')
  expect(takers('pat..x@a.example')).not.toContain('isDottedMailbox')
  expect(takers('Pat@a.example')).not.toContain('isAccountMailbox')
  expect(takers(`${'a'.repeat(65)}@a.example`)).toEqual(['isMailbox', 'isLinkedMailbox', 'isDottedMailbox'])
})

it('masks an address', () => {
  expect(maskedMailbox('pat@example.com')).toBe('p•••@example.com')
  expect(maskedMailbox('🙂x@example.com')).toBe('🙂•••@example.com')
})
