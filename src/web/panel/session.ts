import { folded } from '../../base/text.ts'
import type { Context } from '../../context.ts'
import { type Customer, getCustomer } from '../../customers/commands.ts'
import type { PanelGrant } from '../../customers/panel.ts'
import { findPanelSession, type PanelSession } from '../../customers/panel-sessions.ts'
import { cookieText } from '../../http/client/cookie.ts'
import { type App, appNow } from '../../merchants/app.ts'
import { type Brand, brandOf } from '../kit/html/brand.ts'
import { chooseLanguage, type Language } from '../kit/i18n/languages.ts'
import type { PageCall } from '../kit/request/call.ts'
import { newFormId, readFormId } from '../kit/request/form-id.ts'

/** The customer of a panel request, with the session and everything needed to render a page. */
export interface PanelVisitor {
  readonly app: App
  readonly grant: PanelGrant
  readonly session: PanelSession
  readonly customer: Customer
  readonly brand: Brand
  readonly language: Language
  /** The app's time. */
  readonly now: Date
  /** Signed id for the forms of this page. */
  readonly formId: string
}

const COOKIE = 'panel'

/** A session cookie for the panel only, not readable by scripts. An empty key deletes it. */
export const sessionCookie = (ctx: Pick<Context, 'config'>, key: string): Record<string, string> => ({
  'set-cookie': cookieText(ctx, { name: COOKIE, value: key, path: '/p' }),
})

export async function currentSession(ctx: Context, call: PageCall) {
  const key = call.cookie(COOKIE) ?? ''
  const session = await findPanelSession(ctx, key)
  if (session) call.admit(key)
  return session
}

const ownerOf = ({ key }: PanelSession): string => `panel.${key}`

export const languageOf = (app: App, { lang, acceptLanguage }: PageCall): Language =>
  chooseLanguage({ chosen: lang, app: app.branding.locale, acceptLanguage, isSandbox: app.isSandbox })

export async function visitorOf(ctx: Context, session: PanelSession, call: PageCall): Promise<PanelVisitor> {
  const { app, grant } = session
  return {
    app,
    grant,
    session,
    customer: await getCustomer(ctx, app, grant.customerId),
    brand: brandOf(app),
    language: languageOf(app, call),
    now: appNow(ctx, app),
    formId: newFormId(ctx, ownerOf(session)),
  }
}

/** The nonce of a form id of this session; undefined for any other id. */
export const formNonceOf = (
  ctx: Context,
  { session }: PanelVisitor,
  id: string | undefined,
): string | undefined => readFormId(ctx, ownerOf(session), id ?? '')

/** Undefined for a customer without a name: the greeting never shows an id. */
export const nameOf = ({ customer }: PanelVisitor): string | undefined =>
  folded([customer.firstName, customer.lastName].filter(Boolean).join(' ')) || undefined
