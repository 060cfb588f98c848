import { notFound } from '../base/errors.ts'
import type { Context } from '../context.ts'
import type { Route } from '../http/route.ts'
import { readUnsubscription, unsubscribe } from '../mail/opt-outs.ts'
import { payerLanguage } from '../mail/texts/languages.ts'
import type { PageAssets } from './kit/assets/assets.ts'
import { brandOf } from './kit/html/brand.ts'
import { Button } from './kit/html/controls.tsx'
import { pageHeaders } from './kit/html/headers.ts'
import { Card } from './kit/html/layout.tsx'
import { pageHtml } from './kit/html/page.tsx'
import { chooseLanguage } from './kit/i18n/languages.ts'
import type { PageAnswer } from './kit/request/answer.ts'
import type { PageCall } from './kit/request/call.ts'
import { createPageRoutes } from './kit/request/page-route.ts'

/**
 * Where the link of a reminder leads. Only the button, or the one-click request of a mail program (RFC 8058),
 * unsubscribes: scanners open links.
 */
export function unsubscribeRoutes(ctx: Context, assets: PageAssets): Route[] {
  const page = createPageRoutes(ctx, assets, 'unsubscribe')
  const path = '/unsubscribe/{token}'
  const summary = 'No more reminders by e-mail'
  const handler = (call: PageCall) => answer(ctx, assets, call)
  return [page({ method: 'GET', path, summary, handler }), page({ method: 'POST', path, summary, handler })]
}

async function answer(ctx: Context, assets: PageAssets, call: PageCall): Promise<PageAnswer> {
  const { token = '' } = call.params
  const found = await readUnsubscription(ctx, token)
  if (!found) throw notFound('The link')
  call.admit(token)
  if (call.isPost) await unsubscribe(ctx, found)
  const { app } = found
  const language = chooseLanguage({
    chosen: call.lang,
    app: app.branding.locale,
    acceptLanguage: call.acceptLanguage,
  })
  const { stop } = payerLanguage(language.locale).texts
  const brand = brandOf(app)
  const title = call.isPost ? stop.done : stop.heading
  const children = (
    <Card>
      <h1>{title}</h1>
      {!call.isPost && (
        <form method="post" class="stack">
          <p>{stop.body({ shop: app.mails.fromName ?? app.friendlyName })}</p>
          <Button>{stop.button}</Button>
        </form>
      )}
    </Card>
  )
  const html = pageHtml({ language, brand, title, page: 'unsubscribe', style: assets.style.path, children })
  return { html, headers: pageHeaders({ brand }) }
}
