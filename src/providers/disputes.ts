import type { Handles, NotDone, Unknown } from './outcome.ts'

/**
 * How a merchant answers a dispute through an adapter. Evidence has names of this service, and each adapter
 * maps those that its provider takes. Decision 0167.
 */

export const EVIDENCE_TEXTS = [
  'explanation',
  'productDescription',
  'customerName',
  'customerEmail',
  'shippingCarrier',
  'trackingNumber',
  'shippingDate',
  'accessLog',
  'refundPolicy',
  'refundRefusal',
  'duplicateExplanation',
] as const
export type EvidenceText = (typeof EVIDENCE_TEXTS)[number]

export const EVIDENCE_FILES = [
  'receipt',
  'shippingProof',
  'customerCommunication',
  'serviceProof',
  'policy',
  'duplicateProof',
  'other',
] as const
export type EvidenceFileKind = (typeof EVIDENCE_FILES)[number]

export const MEDIA_TYPES = ['application/pdf', 'image/jpeg', 'image/png'] as const
export type MediaType = (typeof MEDIA_TYPES)[number]

/** What the provider takes at most. */
export interface EvidenceLimits {
  /** The most characters of each text that it takes. */
  readonly texts: Readonly<Partial<Record<EvidenceText, number>>>
  /** The most characters of all texts together. Absent: no such limit. */
  readonly totalText?: number
  readonly files: readonly EvidenceFileKind[]
  readonly fileBytes: number
  readonly totalBytes: number
}

export type EvidenceTexts = Readonly<Partial<Record<EvidenceText, string>>>

export interface EvidenceFile {
  readonly kind: EvidenceFileKind
  readonly mediaType: MediaType
  readonly bytes: Uint8Array
}

export interface Evidence {
  readonly texts: EvidenceTexts
  readonly files: readonly EvidenceFile[]
}

const EXTENSIONS: Readonly<Record<MediaType, string>> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
}

/** The name of a file at a provider. The merchant's own name is not kept: it may tell about a person. */
export const fileNameOf = ({ kind, mediaType }: Omit<EvidenceFile, 'bytes'>): string =>
  `${kind}.${EXTENSIONS[mediaType]}`

/** Names a dispute at its provider. */
export interface DisputeReference {
  readonly id: string
  /** Of the payment, as for `retrieve`. */
  readonly reference: string
  readonly handles: Handles
}

/** What the provider says about answering a dispute. */
export interface DisputeCase {
  readonly kind: 'case'
  readonly canSubmit: boolean
  readonly canAccept: boolean
  /** How many times evidence was submitted: a lost answer is found by a higher number. */
  readonly submissions: number
  /** The dispute has ended for the payer: an acceptance whose answer was lost was carried out. */
  readonly isLost: boolean
}

export type DisputeAnswered = { readonly kind: 'done' } | NotDone | Unknown

/** The optional ability to answer disputes. Absent: the merchant answers in the provider's dashboard. */
export interface Disputes<Ctx> {
  readonly limits: EvidenceLimits
  /** No side effects. */
  read(ctx: Ctx, dispute: DisputeReference): Promise<DisputeCase | NotDone | Unknown>
  /** Sends the evidence and submits it: it cannot be changed afterwards. `key` is the same in every try. */
  submit(
    ctx: Ctx,
    dispute: DisputeReference,
    sending: { readonly key: string; readonly evidence: Evidence },
  ): Promise<DisputeAnswered>
  /** Gives the dispute up: the payer keeps the money. */
  accept(ctx: Ctx, dispute: DisputeReference, key: string): Promise<DisputeAnswered>
}
