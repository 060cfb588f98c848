import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Evidence } from '../../../src/providers/disputes.ts'
import { disputes } from '../../../src/providers/stripe/disputes.ts'
import { openAccount, type StripeAccount } from './account.ts'
import { createShop } from './shop.ts'

let account: StripeAccount
beforeEach(async () => {
  account = await openAccount()
})
afterEach(() => account.close())

const { pay, seenAfter } = createShop(() => account)

const KEY = 'T0000000000000000900'
const evidence: Evidence = {
  texts: { explanation: 'Delivered & signed', trackingNumber: 'JD01' },
  files: [{ kind: 'receipt', mediaType: 'application/pdf', bytes: Buffer.from('%PDF-1.7\r\n\r\nreceipt') }],
}

async function disputed(isInquiry = false) {
  const paid = await pay()
  const { disputes: seen } = await seenAfter(paid, {
    kind: 'dispute',
    state: 'open',
    ...(isInquiry && { isInquiry }),
  })
  return { id: seen?.[0]?.id ?? '', reference: paid.reference, handles: paid.seen.handles }
}

it('uploads the files, submits once for one key, and shows the submission', async () => {
  const one = await disputed()
  const context = account.context()
  expect(await disputes.read(context, one)).toMatchObject({
    canSubmit: true,
    canAccept: true,
    submissions: 0,
  })
  const sending = { key: KEY, evidence }
  expect(await disputes.submit(context, one, sending)).toEqual({ kind: 'done' })
  expect(await disputes.submit(context, one, sending)).toEqual({ kind: 'done' })
  expect(await disputes.read(context, one)).toMatchObject({ canSubmit: false, submissions: 1, isLost: false })
  const sent = account.simulator.requests.filter(({ path }) => path.startsWith('/v1/disputes/dp_'))
  expect(decodeURIComponent(sent.find(({ method }) => method === 'POST')?.body ?? '')).toMatch(
    /submit=true&evidence\[uncategorized_text\]=Delivered\+&\+signed&.*&evidence\[receipt\]=file_/,
  )
  expect(account.simulator.violations).toEqual([])
})

it('closes a dispute that is accepted, also an inquiry, and refuses what is decided', async () => {
  for (const isInquiry of [false, true]) {
    const one = await disputed(isInquiry)
    expect(await disputes.accept(account.context(), one, `${KEY}${isInquiry}`)).toEqual({ kind: 'done' })
    expect(await disputes.read(account.context(), one)).toMatchObject({ canSubmit: false, isLost: true })
    const late = await disputes.submit(account.context(), one, { key: `${KEY}L${isInquiry}`, evidence })
    expect(late).toMatchObject({ kind: 'not-done' })
  }
  const unknown = { id: '../charges', reference: '', handles: {} }
  expect(await disputes.read(account.context(), unknown)).toEqual({ kind: 'not-done', why: 'not-found' })
})
