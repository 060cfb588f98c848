import { notFound } from '../../../base/errors.ts'
import type { Route } from '../../../http/route.ts'
import { readId } from '../../../http/wire.ts'
import type { PageAnswer } from '../../kit/request/page-route.tsx'
import { heldPayments } from '../../../payments/search/search.ts'
import type { Screens } from '../frame/screens.tsx'
import { drawScreen, type ScreenProps } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { findHeld, type HeldPayment } from './held.ts'
import { Reviews } from './list.tsx'
import { askReject, askRelease, reject, release } from './verdict.tsx'

/** Each row needs the verdict of its payment, so a page is short. */
const PAGE_SIZE = 20

export const reviewsScreens = (screens: Screens): Route[] => [
  screens.app('GET', '/reviews', show),
  screens.app('GET', '/reviews/{paymentId}/release', askRelease),
  screens.app('POST', '/reviews/{paymentId}/release', release),
  screens.app('GET', '/reviews/{paymentId}/reject', askReject),
  screens.app('POST', '/reviews/{paymentId}/reject', reject),
]

async function show(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, call, texts } = visit
  const { payments, next } = await heldPayments(ctx, app, { cursor: call.query.cursor, pageSize: PAGE_SIZE })
  const found = await Promise.all(payments.map(({ paymentId }) => findHeld(visit, paymentId)))
  const held = found.filter((each) => each !== undefined)
  return drawScreen(visit, {
    name: 'reviews',
    title: texts.reviews.title,
    flash: flashOf(visit),
    children: <Reviews visit={visit} held={held} selected={await selectedOf(visit, held)} next={next} />,
  })
}

/** The one that the address names, else the oldest. */
async function selectedOf(visit: AppVisit, held: readonly HeldPayment[]): Promise<HeldPayment | undefined> {
  const { payment: named } = visit.call.query
  if (named === undefined) return held[0]
  const paymentId = readId(named)
  if (paymentId === undefined) throw notFound('The payment')
  return held.find(({ payment }) => payment.paymentId === paymentId) ?? (await findHeld(visit, paymentId))
}

function flashOf({ call, texts }: AppVisit): ScreenProps['flash'] {
  const { notes } = texts.reviews
  const note = call.query.note ?? ''
  return Object.hasOwn(notes, note) ? { kind: 'ok', text: notes[note as keyof typeof notes] } : undefined
}
