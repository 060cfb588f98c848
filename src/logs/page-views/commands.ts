import type { Context } from '../../context.ts'
import { type App, appNow } from '../../merchants/app.ts'
import { logs } from '../state.ts'
import type { PageStep, PaymentPageView } from './page-view.ts'
import { pageViewsOfPayment } from './store.ts'

export interface NotedPageView {
  readonly paymentId: number
  readonly step: PageStep
  readonly language: string
  /** From a header that any client may send. */
  readonly country?: string | undefined
  readonly isMobile: boolean
  readonly method?: string | undefined
}

/** About the size of a row. */
const VISIT_BYTES = 200
const COUNTRY = /^[A-Z]{2}$/

/** Adds a page view to those that are written next. The first one of a payment, step and day counts. */
export function notePageView(ctx: Pick<Context, 'node' | 'clock'>, app: App, visit: NotedPageView): void {
  const { paymentId, step, language, country = '', isMobile, method = null } = visit
  const state = logs(ctx)
  const noted: PaymentPageView = {
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

/** The views of a payment, the newest first. */
export const listPageViews = (
  ctx: Pick<Context, 'db'>,
  app: App,
  wanted: { readonly paymentId: number; readonly limit: number },
): Promise<PaymentPageView[]> => pageViewsOfPayment(ctx.db, app.appId, wanted)
