import type { ScreenProps } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import type { AskedAction } from './actions.ts'
import type { LoadedPayment } from './load.ts'
import { amountText } from './words.ts'

type Flash = NonNullable<ScreenProps['flash']>

const ok = (text: string): Flash => ({ kind: 'ok', text })
const bad = (text: string): Flash => ({ kind: 'bad', text })
const info = (text: string): Flash => ({ kind: 'info', text })

type NoteCode = AskedAction | 'recheck' | 'resend' | 'no-webhook' | 'unavailable'

/**
 * The message after a form. The address names only the action; what came of it is read from the payment, so
 * that a reload never shows an old result.
 */
export function flashOf(request: AppRequest, page: LoadedPayment): Flash | undefined {
  const make = NOTES[request.call.query.note as NoteCode] as (typeof NOTES)[NoteCode] | undefined
  return make?.(request, page)
}

const NOTES: Readonly<Record<NoteCode, (request: AppRequest, page: LoadedPayment) => Flash>> = {
  refund: refundNote,
  capture(request, { payment }) {
    const { notes } = request.texts.actions
    if (payment.state === 'Capturing') return info(notes.capturing)
    if (payment.capturedMinor === 0n) return bad(notes.captureFailed)
    return ok(notes.captured(amountText(request, payment.capturedMinor, payment)))
  },
  cancel({ texts }, { payment }) {
    const { notes } = texts.actions
    if (payment.state === 'Cancelling') return info(notes.cancelling)
    return payment.state === 'Failed' ? ok(notes.cancelled) : bad(notes.cancelFailed)
  },
  release: ({ texts }) => ok(texts.actions.notes.released),
  'mark-refunded': ({ texts }) => ok(texts.actions.notes.markedRefunded),
  'mark-disputed': ({ texts }) => ok(texts.actions.notes.markedDisputed),
  recheck: ({ texts }) => info(texts.actions.notes.rechecked),
  resend: ({ texts }) => ok(texts.actions.notes.resent),
  'no-webhook': ({ texts }) => bad(texts.actions.errors.webhook),
  unavailable: ({ texts }) => bad(texts.actions.notes.unavailable),
}

/** The newest refund is the one that the form asked for. */
function refundNote(request: AppRequest, { payment, timeline }: LoadedPayment): Flash {
  const { notes } = request.texts.actions
  if (payment.state === 'Refunding') return info(notes.refunding)
  const last = timeline.items.filter((item) => item.kind === 'refund').at(-1)
  if (!last || last.state === 'failed') return bad(notes.refundFailed)
  return ok(notes.refunded(amountText(request, last.amountMinor, payment)))
}
