import type { Context } from '../../context.ts'
import { type PanelGrant, type PanelLink, verifyPanelToken } from '../../customers/panel.ts'
import { endPanelSession, openPanelSession, wasOpenedBy } from '../../customers/panel-sessions.ts'
import type { App } from '../../merchants/app.ts'
import type { PageAssets } from '../kit/assets/assets.ts'
import { brandOf } from '../kit/html/brand.ts'
import { Button, Hidden } from '../kit/html/controls.tsx'
import { chooseLanguage } from '../kit/i18n/languages.ts'
import { type PageAnswer, seeOther } from '../kit/request/answer.ts'
import type { PageCall } from '../kit/request/call.ts'
import { standalonePage } from './parts/render.tsx'
import { currentSession, languageOf, type PanelVisitor, sessionCookie } from './session.ts'

/** Sign-in and sign-out. A signed link is exchanged for a session once and leaves the address bar. */

export interface KnownLink {
  readonly app: App
  readonly grant: PanelGrant
}

/** The link or session has ended: redirects to the merchant's URL, or shows a 401 page. */
export function refuseAccess(assets: PageAssets, call: PageCall, known: KnownLink | undefined): PageAnswer {
  const redirectUrl = known?.grant.unauthorizedRedirectUrl
  if (redirectUrl) return seeOther(redirectUrl)
  const language = known ? languageOf(known.app, call) : chooseLanguage({ ...call, chosen: call.lang })
  const { panel } = language.texts
  return standalonePage(assets, {
    brand: known && brandOf(known.app),
    language,
    icon: 'clock',
    title: panel.ended,
    body: known ? panel.endedBody({ merchant: known.app.friendlyName }) : panel.endedUnknown,
    status: 401,
    returnUrl: known?.grant.returnUrl,
  })
}

export async function openLink(ctx: Context, assets: PageAssets, call: PageCall): Promise<PageAnswer> {
  const token = call.params.token ?? ''
  const link = await verifyPanelToken(ctx, token)
  if (!link) return refuseAccess(assets, call, undefined)
  call.admit(token)
  const current = await currentSession(ctx, call)
  if (current?.kind === 'open' && wasOpenedBy(current, token)) return seeOther('/p')
  if (link.hasExpired) return refuseAccess(assets, call, link)
  // Mail scanners and link previews follow links too and must not consume the token.
  return call.isVisit
    ? startSession(ctx, assets, call, { link, token })
    : confirmationPage(assets, call, link)
}

function confirmationPage(assets: PageAssets, call: PageCall, { app }: PanelLink): PageAnswer {
  const language = languageOf(app, call)
  const { panel } = language.texts
  return standalonePage(assets, {
    brand: brandOf(app),
    language,
    icon: 'lock',
    title: panel.title,
    body: panel.openBody({ merchant: app.friendlyName }),
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
  if (!link || link.hasExpired) return refuseAccess(assets, call, link)
  return startSession(ctx, assets, call, { link, token })
}

interface VerifiedLink {
  readonly link: PanelLink
  readonly token: string
}

async function startSession(
  ctx: Context,
  assets: PageAssets,
  call: PageCall,
  { link, token }: VerifiedLink,
): Promise<PageAnswer> {
  const key = await openPanelSession(ctx, link.app, link.grant, token)
  if (key === undefined) return refuseAccess(assets, call, link)
  return { location: '/p', headers: sessionCookie(ctx, key) }
}

export async function signOut(ctx: Context, assets: PageAssets, visitor: PanelVisitor): Promise<PageAnswer> {
  const { session, brand, language, grant } = visitor
  await endPanelSession(ctx, session)
  const { panel } = language.texts
  const page = standalonePage(assets, {
    brand,
    language,
    icon: 'lock',
    title: panel.signedOut,
    body: panel.signedOutBody({ merchant: brand.name }),
    status: 200,
    returnUrl: grant.returnUrl,
  })
  return { ...page, headers: { ...page.headers, ...sessionCookie(ctx, '') } }
}
