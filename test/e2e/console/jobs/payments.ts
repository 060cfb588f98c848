import { expect } from 'vitest'
import { codeOf, stepOf } from '../../../../src/people/totp/totp.ts'
import { type Hand, handAt } from '../../../support/hand.ts'
import { heading, payByCard } from '../../../support/pages.ts'
import { good, newReference } from '../../../support/tender.ts'
import type { Desk } from './desk.ts'

/** From an empty sandbox: the set-up step opens a checkout, and the payment is in the list. */
export async function firstPayment({ at, world, manner }: Desk): Promise<void> {
  await world.post('Owner', 'settings/danger/clear', {})
  const hand = await at('overview')
  const checkout = hand.page.context().waitForEvent('page')
  await hand.press('Make a test payment')
  const page = await checkout
  await payByCard(page, manner)
  await heading(page, 'Payment received')
  await hand.follow('Payments')
  await hand.page.locator('tr[data-payment]').first().waitFor()
  expect(await hand.page.locator('tr[data-payment]').count()).toBe(1)
  expect(await hand.page.locator('tr [data-state]').getAttribute('data-state')).toBe('Captured')
}

export async function findByDigits({ at, world }: Desk): Promise<void> {
  const referenceId = newReference()
  const { paymentId } = await world.sandbox.create({ referenceId, amount: 12 })
  good(await world.sandbox.pay(paymentId, { outcome: 'elevated-risk' }))
  await world.sandbox.paid()
  const hand = await at('payments')
  await hand.fill('Search payments', `last4:9235 ref:${referenceId}`)
  await hand.press('Search')
  await hand.page.getByRole('link', { name: 'Remove last4:9235' }).waitFor()
  expect(await hand.page.locator('tr[data-payment]').count()).toBe(1)
  await hand.follow('€12.00')
  await hand.page.waitForURL(new RegExp(`/payments/${paymentId}$`))

  // The same digits in the field of every page.
  const anywhere = await at('audit')
  if (anywhere.manner === 'keyboard') await anywhere.page.keyboard.press('/')
  const field = anywhere.page.getByRole('searchbox')
  if (anywhere.manner === 'keyboard') await anywhere.page.keyboard.type('9235')
  else await field.fill('9235')
  await field.press('Enter')
  await anywhere.sees('Results for “9235”')
  await anywhere.page.getByRole('link', { name: new RegExp(String(paymentId)) }).waitFor()
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function bytesOf(secret: string): Uint8Array {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
}

/** Turns the second factor on in the profile, as an authenticator app does, and returns the app. */
async function enrol(hand: Hand, now: Date): Promise<(step: number) => string> {
  await hand.press('Set up second factor')
  const secret = hand.page.locator('.secret code')
  const bytes = bytesOf((await secret.textContent()) ?? '')
  const code = (step: number) => codeOf(bytes, stepOf(now) + step)
  await hand.fill('Code', code(-1))
  await hand.press('Turn on second factor')
  await hand.sees('Your recovery codes')
  await hand.press('I have stored them')
  await hand.sees('10 recovery codes are left')
  return code
}

/** A person for each manner: setting up a second factor ends the session that other jobs would use. */
const REFUNDERS = { mouse: 'Support', keyboard: 'Admin', 'no script': 'Manager' } as const

export async function refundPart({ at, world, manner, clock }: Desk): Promise<void> {
  const customerOrder = { customer: { customerId: 'dana', firstName: 'Dana' } }
  const { paymentId } = await world.sandbox.paid({ amount: 128.4, customerOrder })
  await world.sandbox.call('PATCH', '', { isTwoFactorAuthenticationEnabled: { value: true } })
  const now = clock.stop()
  try {
    const hand = await at('/console/profile', REFUNDERS[manner])
    const code = await enrol(hand, now)
    await hand.page.goto(`${world.origin}/console/${world.sandbox.appId}/payments/${paymentId}`)
    await hand.press('Refund', 'r')
    const question = await hand.asked(`Refund payment ${paymentId}`)
    await question.fill('Amount', '10')
    await question.fill('Note about the refund', 'damaged')
    await question.fill('Code from your authenticator app', '000000')
    await question.press(/^Refund( €.*)?$/)
    await hand.sees('Enter the current code from your authenticator app.')
    expect((await world.sandbox.read(paymentId)).refundedAmount).toBe(0)
    // What was typed is kept on the page of the refusal.
    const again = handAt(hand.page, manner)
    expect(await hand.page.getByLabel('Amount', { exact: true }).inputValue()).toMatch(/^10(\.00)?$/)
    await again.fill('Code from your authenticator app', code(0))
    await again.press(/^Refund( €.*)?$/)
    await hand.sees('Refunded €10.00.')
    expect((await world.sandbox.read(paymentId)).refundedAmount).toBe(10)
  } finally {
    clock.goOn()
    await world.sandbox.settings({ isTwoFactorAuthenticationEnabled: { value: false } })
  }
}

export async function release({ at, world }: Desk): Promise<void> {
  const rules = [{ action: 'HoldPayment', measure: 'ProviderRiskScore', threshold: 60 }]
  const name = newReference()
  const policy = good(await world.sandbox.call('POST', 'fraud-policies', { name, rules }))
  const customerOrder = { customer: { customerId: newReference(), firstName: 'Dana' } }
  const { fraudPolicyId } = policy
  const { paymentId } = await world.sandbox.create({ fraudPolicyId, customerOrder })
  good(await world.sandbox.pay(paymentId, { outcome: 'elevated-risk' }))
  const hand = await at('reviews')
  await hand.pressOn(hand.page.locator(`tr[data-payment="${paymentId}"]`).getByRole('link'))
  await hand.sees('risk score of the provider: 65; at most 60')
  await hand.press('Release', 'a')
  const question = await hand.asked('Release payment')
  await question.fill('Note (optional)', 'Called the customer')
  await question.press('Release €25.50')
  await hand.sees('The payment is released.')
  expect((await world.sandbox.read(paymentId)).paymentState).toBe('Captured')
}

export async function exportList({ at, world }: Desk): Promise<void> {
  const prefix = newReference()
  const { paymentId } = await world.sandbox.paid({ referenceId: `${prefix}-a`, amount: 40 })
  await world.sandbox.create({ referenceId: `${prefix}-b`, amount: 7.5, currency: 'USD' })
  const hand = await at('payments')
  await hand.fill('Search payments', `ref:${prefix}-*`)
  await hand.press('Search')
  await hand.page.getByRole('link', { name: `Remove ref:${prefix}-*` }).waitFor()
  await hand.press('Export', 'e')
  await hand.page.getByText('Only payments of the list that you came from').waitFor()
  const download = hand.page.waitForEvent('download')
  await hand.press('Export')
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^payments-.*\.csv$/)
  const chunks = await (await file.createReadStream()).toArray()
  const [head = '', ...lines] = Buffer.concat(chunks).toString('utf8').trim().split('\r\n')
  const columns = head.split(',')
  const rows = lines.map((line) => {
    const cells = line.split(',')
    return Object.fromEntries(columns.map((column, place) => [column, cells[place]]))
  })
  expect(rows).toEqual([
    expect.objectContaining({ referenceId: `${prefix}-b` }),
    expect.objectContaining({ referenceId: `${prefix}-a`, paymentId: String(paymentId) }),
  ])
}
