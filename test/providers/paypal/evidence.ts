import { resolveDispute } from './acts.ts'
import { disputeView, notFound, problem } from './views.ts'
import type { Call, Dispute, Reply } from './world.ts'

/** What a merchant answers to a dispute. */

interface Sent {
  readonly evidence_type?: string
  readonly notes?: string
  readonly documents?: readonly { readonly name?: string }[]
  readonly evidence_info?: { readonly tracking_info?: readonly Tracking[] }
}

interface Tracking {
  readonly carrier_name?: string
  readonly carrier_name_other?: string
  readonly tracking_number?: string
}

/** As PayPal's description of the Disputes API 1.10 has it. */
const isTracked = ({ carrier_name, carrier_name_other = '', tracking_number = 'x' }: Tracking): boolean =>
  tracking_number.length >= 1 &&
  tracking_number.length <= 255 &&
  carrier_name_other.length <= 2_000 &&
  (carrier_name !== 'OTHER' || carrier_name_other.length > 0)

const NAME = /^[A-Za-z0-9-_,\s]+[.]{1}[A-Za-z]+$/
const MOST_BYTES = 10_000_000

const isFulfilment = (type?: string) => type === 'PROOF_OF_FULFILLMENT'

/** Why PayPal refuses the evidence. */
function wrongIn({ body, files }: Call): string | undefined {
  const { evidences = [] } = body as { evidences?: readonly Sent[] }
  if (evidences.length === 0) return 'MISSING_EVIDENCES'
  const named = evidences.flatMap(({ documents = [] }) => documents.map(({ name = '' }) => name))
  if (named.some((name) => !NAME.test(name))) return 'INVALID_DOCUMENT_NAME'
  if (named.join() !== files.map(({ fileName }) => fileName).join()) return 'DOCUMENT_MISMATCH'
  if (files.some(({ content }) => content.length >= MOST_BYTES)) return 'DOCUMENT_TOO_LARGE'
  if (evidences.some(({ notes = 'x' }) => notes.length === 0 || notes.length > 2_000)) return 'INVALID_NOTES'
  const tracked = evidences.flatMap(({ evidence_info }) => evidence_info?.tracking_info ?? [])
  if (!tracked.every(isTracked)) return 'INVALID_TRACKING_INFO'
  if (evidences.some(({ evidence_type, evidence_info }) => isFulfilment(evidence_type) && !evidence_info))
    return 'MISSING_EVIDENCE_INFO'
  return evidences.every(({ evidence_type = '' }) => /^[0-9A-Z_]{1,255}$/.test(evidence_type))
    ? undefined
    : 'INVALID_EVIDENCE_TYPE'
}

const awaited = ({ world, id }: Call): Dispute | Reply => {
  const one = world.disputes.get(id)
  if (!one) return notFound()
  return one.status === 'WAITING_FOR_SELLER_RESPONSE' ? one : problem(422, [{ issue: 'ACTION_NOT_ALLOWED' }])
}

export function provideEvidence(call: Call): Reply {
  const one = awaited(call)
  if (!('evidences' in one)) return one
  const wrong = wrongIn(call)
  if (wrong !== undefined) {
    call.world.violations.push(`provide-evidence: ${wrong}`)
    return problem(400, [{ issue: wrong }])
  }
  const { evidences } = call.body as { evidences: readonly Sent[] }
  one.evidences.push(...evidences.map((each) => ({ ...each, source: 'SUBMITTED_BY_SELLER' })))
  one.status = 'UNDER_REVIEW'
  return { status: 200, body: { links: disputeView(call.world, one).links } }
}

export function acceptClaim(call: Call): Reply {
  const one = awaited(call)
  if (!('evidences' in one)) return one
  const { accept_claim_type: type, note } = call.body as { accept_claim_type?: string; note?: string }
  if (type !== 'REFUND' || !note) call.world.violations.push(`accept-claim: ${call.rawBody}`)
  resolveDispute(call.world, one, 'lost')
  return { status: 200, body: { links: disputeView(call.world, one).links } }
}
