import type { Context } from '../../context.ts'
import { type PanelGrant, type PanelLink, verifyPanelToken } from '../../customers/panel.ts'
import { endPanelSession, openPanelSession, wasOpenedBy } from '../../customers/panel-sessions.ts'
import type { App } from '../../merchants/app.ts'
import type { PageAssets } from '../assets.ts'
import { chooseLanguage } from '../i18n/languages.ts'
import { type PageAnswer, type PageCall, seeOther } from '../page-route.tsx'
import { brandOf } from '../ui/brand.ts'
import { Button, Hidden } from '../ui/controls.tsx'
import { closingPage } from './parts/draw.tsx'
import { type Guest, languageOf, sessionCookie, sessionOf } from './session.ts'

/** In and out of the panel: the signed link is exchanged for a session once, and leaves the address bar. */

export interface Known {
  readonly app: App
  readonly grant: PanelGrant
}

/** Link or session are over: on to where the merchant wants such customers, or a page that says so. */
export function turnAway(assets: PageAssets, call: PageCall, known: Known | undefined): PageAnswer {
  const elsewhere = known?.grant.unauthorizedRedirectUrl
  if (elsewhere) return seeOther(elsewhere)
  const language = known ? languageOf(known.app, call) : chooseLanguage({ ...call, chosen: call.lang })
  const { panel } = language.words
  return closingPage(assets, {
    brand: known && brandOf(known.app),
    language,
    icon: 'clock',
    title: panel.ended,
    body: known ? panel.endedBody(known.app.friendlyName) : panel.endedUnknown,
    status: 401,
    returnUrl: known?.grant.returnUrl,
  })
}

export async function openLink(ctx: Context, assets: PageAssets, call: PageCall): Promise<PageAnswer> {
  const token = call.params.token ?? ''
  const link = await verifyPanelToken(ctx, token)
  if (!link) return turnAway(assets, call, undefined)
  call.admit(token)
  const current = await sessionOf(ctx, call)
  if (current?.kind === 'open' && wasOpenedBy(current, token)) return seeOther('/p')
  if (link.hasExpired) return turnAway(assets, call, link)
  // What scans mail and what shows previews follows links too: it must not use them up.
  return call.isVisit ? exchange(ctx, assets, call, { link, token }) : askFirst(assets, call, link)
}

function askFirst(assets: PageAssets, call: PageCall, { app }: PanelLink): PageAnswer {
  const language = languageOf(app, call)
  const { panel } = language.words
  return closingPage(assets, {
    brand: brandOf(app),
    language,
    icon: 'lock',
    title: panel.title,
    body: panel.openBody(app.friendlyName),
    status: 200,
    children: (
      <form method="post" action="/p/open" class="pay-form">
        <Hidden values={{ token: call.params.token ?? '' }} />
        <Button>{panel.open}</Button>
      </form>
    ),
  })
}

export async function openByButton(ctx: Context, assets: PageAssets, call: PageCall): Promise<PageAnswer> {
  const token = call.form.get('token') ?? ''
  const link = await verifyPanelToken(ctx, token)
  if (link) call.admit(token)
  if (!link || link.hasExpired) return turnAway(assets, call, link)
  return exchange(ctx, assets, call, { link, token })
}

interface Exchange {
  readonly link: PanelLink
  readonly token: string
}

async function exchange(
  ctx: Context,
  assets: PageAssets,
  call: PageCall,
  { link, token }: Exchange,
): Promise<PageAnswer> {
  const key = await openPanelSession(ctx, link.app, link.grant, token)
  if (key === undefined) return turnAway(assets, call, link)
  return { location: '/p', headers: sessionCookie(ctx, key) }
}

export async function signOut(ctx: Context, assets: PageAssets, guest: Guest): Promise<PageAnswer> {
  const { session, brand, language, grant } = guest
  await endPanelSession(ctx, session)
  const { panel } = language.words
  const page = closingPage(assets, {
    brand,
    language,
    icon: 'lock',
    title: panel.signedOut,
    body: panel.signedOutBody(brand.name),
    status: 200,
    returnUrl: grant.returnUrl,
  })
  return { ...page, headers: { ...page.headers, ...sessionCookie(ctx, '') } }
}
