import type { HttpReply } from '../../net/http.ts'
import type { DisputeAnswered, DisputeReference, Disputes, EvidenceText } from '../../providers/disputes.ts'
import { EVIDENCE_FILES, EVIDENCE_TEXTS } from '../../providers/disputes.ts'
import type { ProviderContext } from '../../providers/port.ts'
import type { SandboxSettings } from './manifest.ts'
import { readReply } from './outcomes.ts'

type Context = ProviderContext<SandboxSettings>

interface Calls {
  post(ctx: Context, op: { readonly key: string }, path: string, json: object): Promise<HttpReply>
  call(ctx: Context, method: 'GET', path: string): Promise<HttpReply>
}

const TEXT_LENGTH = 2_000
const MEGABYTE = 1_000_000

/** The bank takes every text and file, and keeps none of them. */
export function disputeCalls({ post, call }: Calls): Disputes<Context> {
  const pathOf = ({ reference, handles }: DisputeReference): string =>
    `payments/${encodeURIComponent(handles.payment ?? `reference:${reference}`)}`
  const answer = async (ctx: Context, dispute: DisputeReference, key: string, json: object) =>
    answered(await post(ctx, { key }, `${pathOf(dispute)}/dispute-answers`, { dispute: dispute.id, ...json }))
  return {
    limits: {
      texts: Object.fromEntries(EVIDENCE_TEXTS.map((name: EvidenceText) => [name, TEXT_LENGTH])),
      files: EVIDENCE_FILES,
      fileBytes: 2 * MEGABYTE,
      totalBytes: 5 * MEGABYTE,
    },
    async read(ctx, dispute) {
      const read = readReply(await call(ctx, 'GET', pathOf(dispute)))
      if (read.kind !== 'payment') return read
      const found = read.payment.disputes?.find(({ id }) => id === dispute.id)
      if (!found) return { kind: 'not-done', why: 'not-found' }
      const { state, submissions = 0, evidenceDue } = found
      const isInTime = evidenceDue === undefined || new Date(evidenceDue) > ctx.now()
      const isAwaited = state === 'open' && submissions === 0 && isInTime
      return {
        kind: 'case',
        canSubmit: isAwaited,
        canAccept: isAwaited,
        submissions,
        isLost: state === 'lost',
      }
    },
    submit: (ctx, dispute, { key, evidence: { texts, files } }) =>
      answer(ctx, dispute, key, {
        explanation: texts.explanation ?? '',
        texts: Object.keys(texts),
        files: files.map(({ kind, mediaType, bytes }) => ({ kind, mediaType, size: bytes.length })),
      }),
    accept: (ctx, dispute, key) => answer(ctx, dispute, key, { accept: true }),
  }
}

function answered(reply: HttpReply): DisputeAnswered {
  const read = readReply(reply)
  return read.kind === 'payment' ? { kind: 'done' } : read
}
