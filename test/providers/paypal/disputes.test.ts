import { afterEach, beforeEach, expect, it } from 'vitest'
import { operation, purchase } from '../../../src/providers/contract/core.ts'
import type { Evidence } from '../../../src/providers/disputes.ts'
import { createPaypal } from '../../../src/providers/paypal/adapter.ts'
import { disputes } from '../../../src/providers/paypal/disputes.ts'
import { createPaypalClient, type PaypalClient } from './client.ts'

const paypal = createPaypal()
let client: PaypalClient
beforeEach(async () => {
  client = await createPaypalClient()
})
afterEach(() => client.close())

const ctx = () => client.context()

async function disputed(isInquiry = false) {
  const wanted = purchase({ method: 'Paypal', sale: true })
  const { reference, ...start } = operation('start')
  const opened = await paypal.start(ctx(), { ...start, reference }, wanted)
  if (opened.kind !== 'redirect') throw new Error(JSON.stringify(opened))
  await client.simulator.payer(opened.url, { kind: 'pay' })
  const paid = await paypal.resume(ctx(), operation('resume', reference), wanted, opened.handles)
  if (paid.kind !== 'approved') throw new Error(JSON.stringify(paid))
  const handles = { ...opened.handles, ...paid.handles }
  client.simulator.dashboard(reference, { kind: 'dispute', state: 'open', ...(isInquiry && { isInquiry }) })
  const seen = await paypal.retrieve(ctx(), reference, handles)
  const id = seen.kind === 'snapshot' ? (seen.disputes?.[0]?.id ?? '') : ''
  return { id, reference, handles }
}

const evidence: Evidence = {
  texts: { explanation: 'Delivered', trackingNumber: 'JD01', shippingCarrier: 'DHL' },
  files: [{ kind: 'receipt', mediaType: 'image/png', bytes: Buffer.from('PNG') }],
}

it('provides evidence as a form with JSON and files, while PayPal has a link for it', async () => {
  const one = await disputed()
  expect(await disputes.read(ctx(), one)).toMatchObject({ canSubmit: true, canAccept: true, submissions: 0 })
  expect(await disputes.submit(ctx(), one, { key: 'K1', evidence })).toEqual({ kind: 'done' })
  const input = client.simulator.requests.find(({ path }) => path.endsWith('provide-evidence'))?.body ?? ''
  expect(JSON.parse(/\{"evidences".*\}/.exec(input)?.[0] ?? '')).toEqual({
    evidences: [
      {
        evidence_type: 'PROOF_OF_FULFILLMENT',
        evidence_info: {
          tracking_info: [{ carrier_name: 'OTHER', carrier_name_other: 'DHL', tracking_number: 'JD01' }],
        },
        notes: 'Delivered',
      },
      { evidence_type: 'PROOF_OF_RECEIPT_COPY', documents: [{ name: 'receipt.png' }] },
    ],
  })
  expect(await disputes.read(ctx(), one)).toMatchObject({ canSubmit: false, submissions: 2, isLost: false })
  expect(await disputes.submit(ctx(), one, { key: 'K2', evidence })).toMatchObject({ kind: 'not-done' })
  expect(client.simulator.violations).toEqual([])
})

it.each([
  [{ trackingNumber: 'JD01' }, { carrier_name_other: 'Not named', tracking_number: 'JD01' }],
  [{ shippingCarrier: 'DHL' }, { carrier_name_other: 'DHL' }],
])('names a carrier with every tracking, which PayPal demands: %o', async (texts, sent) => {
  const one = await disputed()
  const half = { key: 'K1', evidence: { texts, files: [] } }
  expect(await disputes.submit(ctx(), one, half)).toEqual({ kind: 'done' })
  const input = client.simulator.requests.find(({ path }) => path.endsWith('provide-evidence'))?.body ?? ''
  const { evidences } = JSON.parse(/\{"evidences".*\}/.exec(input)?.[0] ?? '')
  expect(evidences[0].evidence_info.tracking_info).toEqual([{ carrier_name: 'OTHER', ...sent }])
  expect(client.simulator.violations).toEqual([])
})

it('accepts a claim, and takes neither while it is an inquiry', async () => {
  const inquiry = await disputed(true)
  expect(await disputes.read(ctx(), inquiry)).toMatchObject({ canSubmit: false, canAccept: false })
  const one = await disputed()
  expect(await disputes.accept(ctx(), one, 'K3')).toEqual({ kind: 'done' })
  expect(await disputes.read(ctx(), one)).toMatchObject({ canAccept: false, isLost: true })
  expect(client.simulator.violations).toEqual([])
})
