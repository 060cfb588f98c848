import { describe, expect, it } from 'vitest'
import type { PanelGrant } from '../../customers/panel.ts'
import { readDetails } from './details.ts'
import { isAllowed, type PanelAction, readSmallAmount, showsMethod, startUrlOf } from './rules.ts'

const grant = (more: Partial<PanelGrant> = {}): PanelGrant => ({ customerId: 'dana', scope: 'All', ...more })

const ACTIONS: readonly PanelAction[] = [
  { kind: 'overview' },
  { kind: 'add-method' },
  { kind: 'manage' },
  { kind: 'details' },
  { kind: 'verify-method', id: 7 },
  { kind: 'payment', id: 7 },
]

const allowed = (given: PanelGrant): string[] =>
  ACTIONS.filter((action) => isAllowed(given, action)).map(({ kind }) => kind)

describe('the actions that a panel link allows', () => {
  it('include every action for scope All', () => {
    expect(allowed(grant())).toEqual(ACTIONS.map(({ kind }) => kind))
  })

  it('are those about methods for a method scope', () => {
    const kinds = ['overview', 'add-method', 'manage', 'verify-method']
    expect(allowed(grant({ scope: 'CreditCard' }))).toEqual(kinds)
    expect(showsMethod(grant({ scope: 'CreditCard' }), 'Paypal')).toBe(false)
    expect(showsMethod(grant(), 'Paypal')).toBe(true)
  })

  it('are one action for a task link, and only with its target id', () => {
    expect(allowed(grant({ task: 'add-method' }))).toEqual(['add-method'])
    expect(allowed(grant({ task: 'verify-method', targetId: 7 }))).toEqual(['verify-method'])
    expect(allowed(grant({ task: 'pay', targetId: 7 }))).toEqual(['payment'])
    expect(allowed(grant({ task: 'pay', targetId: 8 }))).toEqual([])
    for (const task of ['verify-method', 'pay'] as const)
      expect(startUrlOf(grant({ task, targetId: 7 }))).toContain('/7')
  })
})

describe('small amounts', () => {
  it.each([
    ['0.32', 32],
    ['0,32', 32],
    ['.3', 30],
    [' 05 ', 5],
    ['32', 32],
  ])('reads %s as %d', (text, minor) => expect(readSmallAmount(text)).toBe(minor))

  it.each(['', '1.32', '0.321', '-0.3', '١٢', '0.3x', '320'])('rejects %s', (text) =>
    expect(readSmallAmount(text)).toBeUndefined(),
  )
})

describe('details', () => {
  it('are trimmed, and cleared when empty', () => {
    const form = new Map([
      ['firstName', ' Dana '],
      ['email', 'dana@example.com'],
    ])
    expect(readDetails(form)).toEqual({
      firstName: 'Dana',
      lastName: null,
      email: 'dana@example.com',
      mobileNumber: null,
    })
  })

  it('are returned with an error for each invalid field', () => {
    const read = readDetails(
      new Map([
        ['email', 'nowhere'],
        ['lastName', 'x'.repeat(201)],
      ]),
    )
    expect('wrong' in read && [...read.wrong]).toEqual([
      ['lastName', 'tooLong'],
      ['email', 'emailWrong'],
    ])
  })
})
