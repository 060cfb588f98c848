import {
  type DisputeAnswered,
  type DisputeCase,
  type Disputes,
  type Evidence,
  type EvidenceFile,
  type EvidenceFileKind,
  fileNameOf,
} from '../disputes.ts'
import { itemsAt, textAt, valueAt } from '../kit/json.ts'
import { multipartForm } from '../kit/multipart.ts'
import { withoutDecline } from '../kit/reply.ts'
import { callApi, type PaypalContext } from './api.ts'
import { readAs } from './outcomes.ts'

/** The type of evidence that a file is. PayPal takes files and notes with all of them. */
const FILES: Readonly<Partial<Record<EvidenceFileKind, string>>> = {
  receipt: 'PROOF_OF_RECEIPT_COPY',
  shippingProof: 'ADDITIONAL_PROOF_OF_SHIPMENT',
  serviceProof: 'PROOF_FOR_SOFTWARE_OR_SERVICE_DELIVERED',
  policy: 'RETURN_POLICY',
  other: 'OTHER',
}

const MEGABYTE = 1_000_000

/** PayPal knows no idempotency keys here: the core reads the dispute before it repeats a request. */
export const disputes: Disputes<PaypalContext> = {
  limits: {
    texts: { explanation: 2_000, shippingCarrier: 2_000, trackingNumber: 255 },
    files: Object.keys(FILES) as EvidenceFileKind[],
    fileBytes: 10 * MEGABYTE - 1,
    totalBytes: 50 * MEGABYTE,
  },
  async read(ctx, { id }) {
    const read = readAs(await callApi(ctx, { method: 'GET', path: pathOf(id) }), (body) =>
      textAt(body, 'dispute_id') === id ? caseOf(body) : undefined,
    )
    return read.kind === 'read' ? read.value : withoutDecline(read)
  },
  submit: async (ctx, { id }, { key, evidence }) =>
    answered(
      await callApi(ctx, {
        method: 'POST',
        path: `${pathOf(id)}/provide-evidence`,
        body: multipartForm(key, [
          { name: 'input', content: JSON.stringify(inputOf(evidence)), type: 'application/json' },
          ...evidence.files.map((file, index) => ({
            name: `file${index + 1}`,
            content: file.bytes,
            fileName: fileNameOf(file),
            type: file.mediaType,
          })),
        ]),
      }),
    ),
  accept: async (ctx, { id }) =>
    answered(
      await callApi(ctx, {
        method: 'POST',
        path: `${pathOf(id)}/accept-claim`,
        json: { note: 'The merchant accepts the claim.', accept_claim_type: 'REFUND' },
      }),
    ),
}

const pathOf = (id: string): string => `/v1/customer/disputes/${encodeURIComponent(id)}`

/** PayPal's links say what can be done now. Their names have `_` or `-`. */
function caseOf(body: unknown): DisputeCase {
  const links = (itemsAt(body, 'links') ?? []).map((link) => textAt(link, 'rel')?.replaceAll('_', '-'))
  const evidences = itemsAt(body, 'evidences') ?? []
  const outcome = textAt(body, 'dispute_outcome', 'outcome_code')
  return {
    kind: 'case',
    canSubmit: links.includes('provide-evidence'),
    canAccept: links.includes('accept-claim') && canRefund(body),
    submissions: evidences.filter((one) => valueAt(one, 'source') === 'SUBMITTED_BY_SELLER').length,
    isLost: outcome === 'RESOLVED_BUYER_FAVOUR' || outcome === 'ACCEPTED',
  }
}

/** Some claims can be accepted only with a return of the goods, which is agreed in PayPal's own pages. */
function canRefund(body: unknown): boolean {
  const types = itemsAt(body, 'allowed_response_options', 'accept_claim', 'accept_claim_types')
  return types?.includes('REFUND') ?? true
}

/** Notes stand with the first evidence: PayPal shows them together. */
function inputOf({ texts, files }: Evidence): object {
  const { explanation, trackingNumber, shippingCarrier } = texts
  const tracking = (trackingNumber || shippingCarrier) && {
    evidence_type: 'PROOF_OF_FULFILLMENT',
    evidence_info: {
      tracking_info: [
        {
          // PayPal refuses `OTHER` without a name.
          carrier_name: 'OTHER',
          carrier_name_other: shippingCarrier || 'Not named',
          ...(trackingNumber ? { tracking_number: trackingNumber } : {}),
        },
      ],
    },
  }
  const documents = files.map((file: EvidenceFile) => ({
    evidence_type: FILES[file.kind] ?? 'OTHER',
    documents: [{ name: fileNameOf(file) }],
  }))
  const [first = { evidence_type: 'OTHER' }, ...more] = [...(tracking ? [tracking] : []), ...documents]
  return { evidences: [{ ...first, ...(explanation ? { notes: explanation } : {}) }, ...more] }
}

function answered(reply: Awaited<ReturnType<typeof callApi>>): DisputeAnswered {
  const read = readAs(reply, () => true)
  return read.kind === 'read' ? { kind: 'done' } : withoutDecline(read)
}
