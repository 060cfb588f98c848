import { notFound } from '../../../base/errors.ts'
import { readId } from '../../../http/wire.ts'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { heldPayments } from '../../../payments/search/search.ts'
import { app, type ScreenRoute } from '../../kit/route.ts'
import { renderScreen, type ScreenProps } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { findHeld, type HeldPayment } from './held.ts'
import { Reviews } from './list.tsx'
import { askReject, askRelease, reject, release } from './verdict.tsx'

/** Each row needs the verdict of its payment, so a page is short. */
const PAGE_SIZE = 20

export const reviewsScreens = (): ScreenRoute[] => [
  app('GET', '/reviews', 'PaymentReview', show),
  app('GET', '/reviews/{paymentId}/release', 'PaymentReview', askRelease),
  app('POST', '/reviews/{paymentId}/release', 'PaymentReview', release),
  app('GET', '/reviews/{paymentId}/reject', 'PaymentReview', askReject),
  app('POST', '/reviews/{paymentId}/reject', 'PaymentReview', reject),
]

async function show(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call, texts } = request
  const { payments, next } = await heldPayments(ctx, app, { cursor: call.query.cursor, pageSize: PAGE_SIZE })
  const found = await Promise.all(payments.map(({ paymentId }) => findHeld(request, paymentId)))
  const held = found.filter((each) => each !== undefined)
  return renderScreen(request, {
    name: 'reviews',
    title: texts.reviews.title,
    flash: flashOf(request),
    children: <Reviews held={held} selected={await selectedOf(request, held)} next={next} />,
  })
}

/** The one that the address names, else the oldest. */
async function selectedOf(
  request: AppRequest,
  held: readonly HeldPayment[],
): Promise<HeldPayment | undefined> {
  const { payment: named } = request.call.query
  if (named === undefined) return held[0]
  const paymentId = readId(named)
  if (paymentId === undefined) throw notFound('The payment')
  return held.find(({ payment }) => payment.paymentId === paymentId) ?? (await findHeld(request, paymentId))
}

function flashOf({ call, texts }: AppRequest): ScreenProps['flash'] {
  const { notes } = texts.reviews
  const note = call.query.note ?? ''
  return Object.hasOwn(notes, note) ? { kind: 'ok', text: notes[note as keyof typeof notes] } : undefined
}
