import type { Context } from '../../context.ts'
import { type App, appNow } from '../../merchants/app.ts'
import { logs } from '../state.ts'
import { visitsOfPayment } from './store.ts'
import type { PageVisit, VisitStep } from './visit.ts'

export interface NotedVisit {
  readonly paymentId: number
  readonly step: VisitStep
  readonly language: string
  /** From a header that any client may send. */
  readonly country?: string | undefined
  readonly isMobile: boolean
  readonly method?: string | undefined
}

/** About the size of a row. */
const VISIT_BYTES = 200
const COUNTRY = /^[A-Z]{2}$/

/** Adds a visit to those that are written next. The first one of a payment, step and day counts. */
export function noteVisit(ctx: Pick<Context, 'node' | 'clock'>, app: App, visit: NotedVisit): void {
  const { paymentId, step, language, country = '', isMobile, method = null } = visit
  const state = logs(ctx)
  const noted: PageVisit = {
    appId: app.appId,
    paymentId,
    step,
    visitTime: appNow(ctx, app),
    language,
    country: COUNTRY.test(country) ? country : null,
    device: isMobile ? 'mobile' : 'desktop',
    method,
  }
  if (!state.visits.add(noted, VISIT_BYTES)) state.leftOut++
}

/** The visits of a payment, the newest first. */
export const listVisits = (
  ctx: Pick<Context, 'db'>,
  app: App,
  wanted: { readonly paymentId: number; readonly limit: number },
): Promise<PageVisit[]> => visitsOfPayment(ctx.db, app.appId, wanted)
