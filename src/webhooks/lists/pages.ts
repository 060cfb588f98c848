import { LIMITS } from '../../base/limits.ts'
import type { Context } from '../../context.ts'
import { mayLag } from '../../db/database.ts'
import type { Page } from '../../db/page.ts'
import { inPieces } from '../../http/content/stream.ts'
import type { App } from '../../merchants/app.ts'
import { withAttempts } from '../commands.ts'
import type { Delivery } from '../list-store.ts'
import { deliveryView } from '../view.ts'
import {
  type Cursor,
  type DeliveryFilter,
  type Filter,
  type ListedEvent,
  pageOfDeliveries,
  pageOfEvents,
  type Sized,
  selectBodies,
} from './store.ts'

/** A page with its items, and their JSON read in chunks. */
export interface StreamedPage<Item> extends Page<Item> {
  readonly pieces: AsyncIterable<readonly string[]>
}

export async function eventPage(ctx: Context, app: App, filter: Filter): Promise<StreamedPage<ListedEvent>> {
  const page = await pageOfEvents(mayLag(ctx.db), app.appId, filter)
  return { ...page, pieces: bodiesOf(ctx, app, page.items) }
}

async function* bodiesOf(ctx: Context, app: App, events: readonly Sized<ListedEvent>[]) {
  for (const piece of inPieces(events, LIMITS.pieceBytes))
    yield await selectBodies(mayLag(ctx.db), app.appId, piece)
}

export async function deliveryPage(
  ctx: Context,
  app: App,
  filter: DeliveryFilter,
): Promise<StreamedPage<Delivery>> {
  const page = await pageOfDeliveries(mayLag(ctx.db), app.appId, filter)
  return { ...page, pieces: viewsOf(ctx, app, page.items) }
}

async function* viewsOf(ctx: Context, app: App, deliveries: readonly Sized<Delivery>[]) {
  for (const piece of inPieces(deliveries, LIMITS.pieceBytes)) {
    const tried = await withAttempts(ctx, app, piece, { responses: false })
    yield tried.map((delivery) => JSON.stringify(deliveryView(app, delivery, { responses: false })))
  }
}

/** The body of one event, as it is sent. */
export const eventBody = async (
  ctx: Context,
  app: App,
  key: Pick<Cursor, 'paymentId' | 'sequence'>,
): Promise<string | undefined> => (await selectBodies(ctx.db, app.appId, [{ ...key, time: new Date(0) }]))[0]
