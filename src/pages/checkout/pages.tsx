import type { ComponentChildren } from 'preact'
import { SECOND } from '../../base/clock.ts'
import type { Context } from '../../context.ts'
import { adapterOf } from '../../merchants/app.ts'
import type { PageAssets } from '../assets.ts'
import type { PageAnswer } from '../page-route.tsx'
import { originsOf, pageHeaders } from '../ui/headers.ts'
import { type PageProps, pageHtml } from '../ui/page.tsx'
import { newAttemptId } from './attempt-id.ts'
import { CheckoutForm, firstChoice } from './form.tsx'
import { ReceiptPage } from './receipt.tsx'
import { ResultPage } from './result.tsx'
import { ChallengePage, StatusPage } from './status.tsx'
import { amountOf, type Visit } from './visit.ts'
import { savedOf, type Way, waysOf } from './ways.ts'

/** Visits as documents, each with the headers it needs and no more. */
export interface Pages {
  form(
    visit: Visit,
    told: { problems: readonly string[]; way: string | undefined; removed: boolean },
  ): Promise<PageAnswer>
  status(visit: Visit): PageAnswer
  challenge(visit: Visit, url: string): PageAnswer
  result(visit: Visit): PageAnswer
  receipt(visit: Visit): PageAnswer
  /** Stands in a frame and leads the whole window on. */
  leaveFrame(visit: Visit, to: string): PageAnswer
}

type Extra = Partial<Pick<PageProps, 'refresh' | 'data'>>

/** A page without script looks again this often. */
const REFRESH_SECONDS = 5
/** Longer than anybody lets a page stand: a refresh that far ahead is not worth it. */
const MAX_REFRESH_SECONDS = 3_600

export function createPages(ctx: Context, assets: PageAssets): Pages {
  function html(visit: Visit, page: string, children: ComponentChildren, extra: Extra = {}): string {
    const { words } = visit.language
    return pageHtml({
      language: visit.language,
      brand: visit.brand,
      title: words.buttons.pay(amountOf(visit)),
      page,
      style: assets.style.path,
      script: assets.script.path,
      here: visit.base,
      children,
      ...extra,
      data: { 'data-base': visit.base, ...extra.data },
    })
  }

  return {
    async form(visit, { problems, way, removed }) {
      const ways = waysOf(ctx, visit)
      if (ways.length === 0)
        ctx.log.warn('checkout.no_method', { appId: visit.app.appId, paymentId: visit.payment.paymentId })
      const saved = await savedOf(ctx, visit)
      const chosen = ways.some(({ id }) => id === way) ? (way as string) : firstChoice(visit, ways, saved)
      const attemptId = newAttemptId(ctx, visit.payment.paymentKey)
      const { publicUrl } = ctx.config
      const props = { visit, ways, saved, attemptId, chosen, problems, publicUrl, removed }
      return {
        html: html(visit, 'form', <CheckoutForm {...props} />, refreshAtEnd(visit)),
        headers: pageHeaders({ brand: visit.brand, formOrigins: formOrigins(ctx, ways) }),
      }
    },
    status: (visit) => ({
      html: html(visit, 'status', <StatusPage visit={visit} />, { refresh: { seconds: REFRESH_SECONDS } }),
      headers: pageHeaders({ brand: visit.brand }),
    }),
    challenge: (visit, url) => ({
      html: html(visit, 'challenge', <ChallengePage visit={visit} url={url} />, {
        refresh: { seconds: 0, url },
      }),
      headers: pageHeaders({ brand: visit.brand, frameOrigins: originsOf(url) }),
    }),
    result: (visit) => ({
      html: html(visit, 'result', <ResultPage visit={visit} />),
      headers: pageHeaders({ brand: visit.brand }),
    }),
    receipt: (visit) => ({
      html: html(visit, 'receipt', <ReceiptPage visit={visit} />),
      headers: pageHeaders({ brand: visit.brand }),
    }),
    leaveFrame: (visit, to) => ({
      html: html(
        visit,
        'leave',
        <p class="narrow">
          <a href={to} target="_top" id="leave">
            {visit.language.words.common.refresh}
          </a>
        </p>,
      ),
      headers: pageHeaders({ brand: visit.brand, framable: true }),
    }),
  }
}

/** Without script the page becomes the expired one by itself too. */
function refreshAtEnd({ payment, now }: Visit): Extra {
  if (payment.expirationTime === null) return {}
  const seconds = Math.ceil((payment.expirationTime.getTime() - now.getTime()) / SECOND) + 1
  return seconds > 0 && seconds <= MAX_REFRESH_SECONDS ? { refresh: { seconds } } : {}
}

/** A form may lead to the providers on offer, directly or by redirection; to nobody else. */
const formOrigins = (ctx: Context, ways: readonly Way[]): string[] => [
  ...new Set(
    ways.flatMap(({ offer, fields }) => [
      ...originsOf(fields?.action),
      ...(adapterOf(ctx, offer.profile).manifest.pageOrigins ?? []),
    ]),
  ),
]
