import { majorNumber } from '../base/money.ts'
import { type App, findProfile } from '../merchants/app.ts'
import type { DisputeDetails } from './commands.ts'
import type { ListedDispute } from './dispute.ts'
import type { DisputePlace } from './store.ts'

/** `0_1794744000000_10001_dp_1PgJq2Lk` */
export const cursorText = ({ group, at, paymentId, disputeId }: DisputePlace): string =>
  `${group}_${at}_${paymentId}_${disputeId}`

/** A cursor that this service did not make begins with the first dispute. */
export function readCursor(text: string | undefined): DisputePlace | undefined {
  const [, group, at, paymentId, disputeId] =
    /^([012])_(-?\d{1,15})_(\d{1,15})_(.{1,200})$/.exec(text ?? '') ?? []
  if (disputeId === undefined) return undefined
  return { group: Number(group), at: Number(at), paymentId: Number(paymentId), disputeId }
}

export const disputeView = (app: App, dispute: ListedDispute) => ({
  disputeId: dispute.disputeId,
  paymentId: dispute.paymentId,
  referenceId: dispute.referenceId,
  customerId: dispute.customerId,
  paymentProfileId: dispute.profileId,
  provider: (dispute.profileId === null ? undefined : findProfile(app, dispute.profileId))?.provider ?? null,
  state: dispute.state,
  amount: majorNumber(dispute.amountMinor, dispute.currency),
  currency: dispute.currency,
  reason: dispute.reason,
  evidenceDueTime: dispute.dueTime,
  providerUrl: dispute.url,
  openedTime: dispute.openedTime,
  decidedTime: dispute.decidedTime,
  answer: dispute.answer,
  answeredBy: dispute.answeredBy,
  answeredTime: dispute.answeredTime,
})

export const detailsView = (app: App, details: DisputeDetails, canRefund: boolean) => ({
  ...disputeView(app, details.dispute),
  canRefund,
  texts: details.texts,
  files: details.files.map(({ kind, mediaType, size, digest, savedBy, savedTime, isSent }) => ({
    ...{ kind, mediaType, size, savedBy, savedTime, isSent },
    sha256: Buffer.from(digest).toString('hex'),
  })),
  limits: details.limits ? { totalText: null, ...details.limits } : null,
  problem: details.answer?.problem ?? null,
})
