import { after } from '../base/clock.ts'
import { ApiError, invalid, notFound, wrongField } from '../base/errors.ts'
import { newOperationKey } from '../base/ids.ts'
import { openJson, sealJson, sha256 } from '../base/secret.ts'
import type { Context } from '../context.ts'
import { type App, appNow, findProfile, type Profile } from '../merchants/app.ts'
import { auditApp } from '../merchants/app-audit.ts'
import { findAdapter } from '../merchants/profiles/adapter.ts'
import { flushSearch } from '../payments/search/writing/writer.ts'
import type { EvidenceFileKind, EvidenceLimits, EvidenceTexts } from '../providers/disputes.ts'
import {
  type AnswerKey,
  type Author,
  beginAnswer,
  type DisputeOperation,
  filesOf,
  findAnswer,
  removeStoredFile,
  type StoredFile,
  saveDraft,
  saveStoredFile,
} from './answers-store.ts'
import type { DisputeState, DisputeTotal, ListedDispute } from './dispute.ts'
import { DISPUTES } from './limits.ts'
import { boundedLimits, keptTexts, mediaTypeOf, textErrors } from './rules.ts'
import { readCase, sendAnswer } from './send.ts'
import { countOpenDisputes, type DisputePlace, findDispute, pageOfDisputes, sumsOfDisputes } from './store.ts'

/** A dispute with what the merchant has prepared or sent. */
export interface DisputeDetails {
  readonly dispute: ListedDispute
  readonly answer: DisputeOperation | undefined
  readonly texts: EvidenceTexts
  readonly files: readonly StoredFile[]
  /** Undefined: it cannot be answered through this service. */
  readonly limits: EvidenceLimits | undefined
}

interface ListWish {
  readonly state?: DisputeState | undefined
  readonly after?: DisputePlace | undefined
  readonly limit: number
}

/** Like other lists, it shows what was done before on this node. */
export async function listDisputes(ctx: Context, { appId }: App, wish: ListWish) {
  await flushSearch(ctx, appId)
  return pageOfDisputes(ctx.db, appId, wish)
}

export async function disputeSums(ctx: Context, { appId }: App): Promise<DisputeTotal[]> {
  await flushSearch(ctx, appId)
  return sumsOfDisputes(ctx.db, appId)
}

const MAX_COUNTED = 100

/** How many disputes are open, at most 100. */
export async function countOpen(ctx: Context, { appId }: App): Promise<number> {
  await flushSearch(ctx, appId)
  return countOpenDisputes(ctx.db, appId, MAX_COUNTED)
}

export async function getDispute(ctx: Context, app: App, disputeId: string): Promise<DisputeDetails> {
  await flushSearch(ctx, app.appId)
  const dispute = await findDispute(ctx.db, app.appId, disputeId)
  if (!dispute) throw notFound('The dispute')
  const key = keyOf(app, dispute)
  const [answer, files] = await Promise.all([findAnswer(ctx.db, key), filesOf(ctx.db, key)])
  return {
    dispute,
    answer,
    texts: answer?.sealed ? openJson<EvidenceTexts>(ctx.vault, answer.sealed) : {},
    files,
    limits: limitsOf(ctx, app, dispute),
  }
}

const keyOf = ({ appId }: App, { paymentId, disputeId }: ListedDispute): AnswerKey => ({
  appId,
  paymentId,
  disputeId,
})

const isMarked = ({ disputeId, paymentId }: ListedDispute): boolean => disputeId === `marked-${paymentId}`

const profileOf = (app: App, { profileId }: ListedDispute): Profile | undefined =>
  profileId === null ? undefined : findProfile(app, profileId)

function limitsOf(
  ctx: Pick<Context, 'providers'>,
  app: App,
  dispute: ListedDispute,
): EvidenceLimits | undefined {
  const profile = isMarked(dispute) ? undefined : profileOf(app, dispute)
  const limits = profile && findAdapter(ctx, profile)?.disputes?.limits
  return limits && boundedLimits(limits)
}

/** What a change of the answer needs. Throws if the dispute cannot be answered here. */
function answerable(ctx: Context, app: App, { dispute, limits }: DisputeDetails) {
  const profile = profileOf(app, dispute)
  if (!profile || !limits)
    throw new ApiError('not_possible', 'This dispute can only be answered in the dashboard of its provider.')
  if (dispute.state !== 'open') throw new ApiError('not_possible', 'The dispute is decided.')
  return { profile, limits, key: keyOf(app, dispute), author: authorOf(ctx, app) }
}

const authorOf = (ctx: Context, app: App): Author => ({
  by: ctx.actor?.name ?? 'service',
  time: appNow(ctx, app),
})

const alreadySent = (): ApiError =>
  new ApiError('not_possible', 'The answer to this dispute was sent and cannot be changed.')

/** Whether the provider asks once more after an answer was submitted. */
async function isAskedAgain(ctx: Context, app: App, { answer }: DisputeDetails): Promise<boolean> {
  if (answer?.state !== 'submitted') return false
  const seen = await readCase(ctx, app, answer)
  return seen.kind === 'case' && seen.canSubmit
}

/** Replaces the texts of the draft. Empty ones are left out. */
export async function saveEvidence(
  ctx: Context,
  app: App,
  details: DisputeDetails,
  given: Readonly<Record<string, string | null | undefined>>,
): Promise<void> {
  const { profile, limits, key, author } = answerable(ctx, app, details)
  const texts = keptTexts(given)
  const errors = textErrors(limits, texts)
  if (errors.length > 0) throw invalid(errors)
  const draft = {
    profileId: profile.profileId,
    sealed: sealJson(ctx.vault, texts),
    isAgain: await isAskedAgain(ctx, app, details),
  }
  await ctx.db.transaction(async (tx) => {
    if (!(await saveDraft(tx, key, draft, author))) throw alreadySent()
    await auditApp(ctx, tx, app, auditOf(details, 'dispute.evidence-saved', { texts: Object.keys(texts) }))
  })
}

/** The names of what is sent, never the evidence itself. */
const auditOf = ({ dispute }: DisputeDetails, action: string, facts: object) => ({
  action,
  target: `dispute:${dispute.disputeId}`,
  after: { paymentId: dispute.paymentId, ...facts },
})

/** Adds a file to the draft, or replaces the one of the same kind. */
export async function saveFile(
  ctx: Context,
  app: App,
  details: DisputeDetails,
  { kind, bytes }: { readonly kind: EvidenceFileKind; readonly bytes: Uint8Array },
): Promise<void> {
  const { profile, limits, key, author } = answerable(ctx, app, details)
  const mediaType = mediaTypeOf(bytes)
  const problem = fileProblem(limits, kind, bytes)
  if (problem || !mediaType) throw invalid([wrongField(kind, problem ?? 'must be a PDF, JPEG or PNG file')])
  const draft = {
    profileId: profile.profileId,
    sealed: null,
    isAgain: await isAskedAgain(ctx, app, details),
  }
  const file = {
    ...{ kind, mediaType, size: bytes.length, digest: sha256(bytes) },
    sealed: ctx.vault.seal(Buffer.from(bytes).toString('base64')),
  }
  await ctx.db.transaction(async (tx) => {
    if (!(await saveDraft(tx, key, draft, author))) throw alreadySent()
    await saveStoredFile(tx, key, file, author)
    // The row of the draft is locked now, so no other file can be added at the same time.
    const waiting = (await filesOf(tx, key)).filter(({ isSent }) => !isSent)
    if (waiting.reduce((sum, { size }) => sum + size, 0) > limits.totalBytes)
      throw invalid([wrongField(kind, `must be at most ${limits.totalBytes} bytes with all others`)])
    await auditApp(ctx, tx, app, auditOf(details, 'dispute.file-saved', { kind, size: bytes.length }))
  })
}

function fileProblem(limits: EvidenceLimits, kind: EvidenceFileKind, bytes: Uint8Array): string | undefined {
  if (!limits.files.includes(kind)) return 'is not taken by this provider'
  if (bytes.length === 0) return 'must not be empty'
  return bytes.length > limits.fileBytes ? `must be at most ${limits.fileBytes} bytes` : undefined
}

export async function removeFile(
  ctx: Context,
  app: App,
  details: DisputeDetails,
  kind: EvidenceFileKind,
): Promise<void> {
  const { profile, key, author } = answerable(ctx, app, details)
  const draft = { profileId: profile.profileId, sealed: null, isAgain: false }
  await ctx.db.transaction(async (tx) => {
    if (!(await saveDraft(tx, key, draft, author))) throw alreadySent()
    if (!(await removeStoredFile(tx, key, kind))) throw notFound('The file')
    await auditApp(ctx, tx, app, auditOf(details, 'dispute.file-removed', { kind }))
  })
}

/** Submits the draft once: a repeated request finds the operation running or done. */
export async function submitEvidence(ctx: Context, app: App, details: DisputeDetails): Promise<void> {
  const { answer, texts, files } = details
  if (answer?.state === 'submitting' || answer?.state === 'submitted') return
  const waiting = files.filter(({ isSent }) => !isSent).map(({ kind }) => kind)
  if (Object.keys(texts).length + waiting.length === 0)
    throw new ApiError('not_possible', 'There is no evidence to submit: save a text or a file first.')
  await begin(ctx, app, details, 'submitting')
}

/** Gives the dispute up: the payer keeps the money. */
export async function acceptDispute(ctx: Context, app: App, details: DisputeDetails): Promise<void> {
  const { answer } = details
  if (answer?.state === 'accepting' || answer?.state === 'accepted') return
  await begin(ctx, app, details, 'accepting')
}

async function begin(
  ctx: Context,
  app: App,
  details: DisputeDetails,
  state: 'submitting' | 'accepting',
): Promise<void> {
  const { profile, key, author } = answerable(ctx, app, details)
  const operation = {
    profileId: profile.profileId,
    state,
    operationKey: newOperationKey(ctx.random),
    leaseUntil: after(ctx.clock.now(), DISPUTES.leaseMs),
  }
  const action = state === 'submitting' ? 'dispute.submitted' : 'dispute.accepted'
  const begun = await ctx.db.transaction(async (tx) => {
    const one = await beginAnswer(tx, key, operation, author)
    if (one) await auditApp(ctx, tx, app, auditOf(details, action, {}))
    return one
  })
  // Another request was faster: its result is the answer.
  if (begun) await sendAnswer(ctx, app, begun)
}
