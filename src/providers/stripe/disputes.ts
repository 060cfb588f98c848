import {
  type DisputeAnswered,
  type DisputeCase,
  type DisputeReference,
  type Disputes,
  type Evidence,
  type EvidenceFile,
  type EvidenceFileKind,
  type EvidenceText,
  fileNameOf,
} from '../disputes.ts'
import { type Json, numberAt, textAt } from '../kit/json.ts'
import { multipartForm } from '../kit/multipart.ts'
import { withoutDecline } from '../kit/reply.ts'
import type { NotDone } from '../outcome.ts'
import { call, type StripeContext } from './exchange.ts'
import type { StripeRequest } from './reads.ts'
import { isId } from './wire.ts'

/** Stripe's names of texts, and the most characters of each. */
const TEXTS: Readonly<Record<EvidenceText, readonly [string, number]>> = {
  explanation: ['uncategorized_text', 20_000],
  productDescription: ['product_description', 20_000],
  customerName: ['customer_name', 200],
  customerEmail: ['customer_email_address', 254],
  shippingCarrier: ['shipping_carrier', 200],
  trackingNumber: ['shipping_tracking_number', 200],
  shippingDate: ['shipping_date', 100],
  accessLog: ['access_activity_log', 20_000],
  refundPolicy: ['refund_policy_disclosure', 20_000],
  refundRefusal: ['refund_refusal_explanation', 20_000],
  duplicateExplanation: ['duplicate_charge_explanation', 20_000],
}

const FILES: Readonly<Record<EvidenceFileKind, string>> = {
  receipt: 'receipt',
  shippingProof: 'shipping_documentation',
  customerCommunication: 'customer_communication',
  serviceProof: 'service_documentation',
  policy: 'refund_policy',
  duplicateProof: 'duplicate_charge_documentation',
  other: 'uncategorized_file',
}

/** All files of a dispute together. */
const TOTAL_BYTES = 4_500_000

export const disputes: Disputes<StripeContext> = {
  limits: {
    texts: Object.fromEntries(Object.entries(TEXTS).map(([name, [, longest]]) => [name, longest])),
    totalText: 150_000,
    files: Object.keys(FILES) as EvidenceFileKind[],
    fileBytes: TOTAL_BYTES,
    totalBytes: TOTAL_BYTES,
  },
  async read(ctx, { id }) {
    if (!isId(id)) return notFound
    const read = await call(ctx, { method: 'GET', path: `/v1/disputes/${id}`, answers: 'dispute' })
    return read.kind === 'object' ? caseOf(read.object) : withoutDecline(read)
  },
  submit,
  async accept(ctx, { id }, key) {
    if (!isId(id)) return notFound
    const path = `/v1/disputes/${id}/close`
    return answered(await call(ctx, { method: 'POST', path, key, form: {}, answers: 'dispute' }))
  },
}

const notFound: NotDone = { kind: 'not-done', why: 'not-found' }

const AWAITED = ['needs_response', 'warning_needs_response']

function caseOf(dispute: Json): DisputeCase {
  const status = textAt(dispute, 'status') ?? ''
  const isAwaited = AWAITED.includes(status)
  return {
    kind: 'case',
    canSubmit: isAwaited,
    canAccept: isAwaited,
    submissions: numberAt(dispute, 'evidence_details', 'submission_count') ?? 0,
    isLost: status === 'lost',
  }
}

/** Each file is uploaded first, with a key of its own: repeated, it has the same id. */
async function submit(
  ctx: StripeContext,
  { id }: DisputeReference,
  { key, evidence }: { readonly key: string; readonly evidence: Evidence },
): Promise<DisputeAnswered> {
  if (!isId(id)) return notFound
  const form: Record<string, string> = { submit: 'true' }
  for (const [name, value] of Object.entries(evidence.texts))
    form[`evidence[${TEXTS[name as EvidenceText][0]}]`] = value
  for (const file of evidence.files) {
    const uploaded = await call(ctx, uploadOf(ctx, key, file))
    if (uploaded.kind !== 'object') return withoutDecline(uploaded)
    form[`evidence[${FILES[file.kind]}]`] = textAt(uploaded.object, 'id') ?? ''
  }
  return answered(
    await call(ctx, { method: 'POST', path: `/v1/disputes/${id}`, key, form, answers: 'dispute' }),
  )
}

const API = 'https://api.stripe.com'

function uploadOf({ origin }: StripeContext, key: string, file: EvidenceFile): StripeRequest {
  const fileKey = `${key}-${file.kind}`
  return {
    method: 'POST',
    path: '/v1/files',
    ...(origin === API ? { origin: 'https://files.stripe.com' } : {}),
    key: fileKey,
    body: multipartForm(fileKey, [
      { name: 'purpose', content: 'dispute_evidence' },
      { name: 'file', content: file.bytes, fileName: fileNameOf(file), type: file.mediaType },
    ]),
    answers: 'file',
  }
}

const answered = (read: Awaited<ReturnType<typeof call>>): DisputeAnswered =>
  read.kind === 'object' ? { kind: 'done' } : withoutDecline(read)
