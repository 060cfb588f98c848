import { after } from '../base/clock.ts'
import { LIMITS } from '../base/limits.ts'
import { hmacSha256, sameBytes } from '../base/secret.ts'
import type { Context } from '../context.ts'
import { type App, appNow } from '../merchants/app.ts'
import { loadApp } from '../merchants/directory.ts'

/** Which methods a link is about; `All` also opens payments and details. */
export const PANEL_SCOPES = ['CreditCard', 'ElectronicCheck', 'All'] as const
type PanelScope = (typeof PANEL_SCOPES)[number]

/** A link may be for one thing to do: the panel then shows that, says that it is done, and nothing else. */
export const PANEL_TASKS = ['add-method', 'verify-method', 'pay'] as const
type PanelTask = (typeof PANEL_TASKS)[number]

/** What the holder of a panel link may do for one customer. */
export interface PanelGrant {
  readonly customerId: string
  readonly scope: PanelScope
  readonly task?: PanelTask | undefined
  /** Of the method to verify, or of the payment to pay. */
  readonly targetId?: number | undefined
  readonly returnUrl?: string | undefined
  readonly unauthorizedRedirectUrl?: string | undefined
}

interface Payload extends PanelGrant {
  readonly appId: string
  readonly expiresMs: number
}

type Ctx = Pick<Context, 'vault'>

const signature = (ctx: Ctx, payload: string): Buffer => hmacSha256(ctx.vault.derive('panel-link'), payload)

export function panelLink(ctx: Context, app: App, grant: PanelGrant): string {
  const expiresMs = after(appNow(ctx, app), LIMITS.panelLinkMs).getTime()
  // A link opens one session, so no two are alike.
  const link = Buffer.from(ctx.random.bytes(9)).toString('base64url')
  const payload: Payload & { link: string } = { appId: app.appId, ...grant, expiresMs, link }
  const text = Buffer.from(JSON.stringify(payload)).toString('base64url')
  return `${ctx.config.publicUrl}/p/${text}.${signature(ctx, text).toString('base64url')}`
}

export interface PanelLink {
  readonly app: App
  readonly grant: PanelGrant
  readonly hasExpired: boolean
}

/** What a link says that we signed; undefined for every other text. */
export async function verifyPanelToken(ctx: Context, token: string): Promise<PanelLink | undefined> {
  const payload = readPayload(ctx, token)
  const app = payload && (await loadApp(ctx, payload.appId))
  if (!payload || !app?.isActive) return undefined
  const { customerId, scope, task, targetId, returnUrl, unauthorizedRedirectUrl, expiresMs } = payload
  const grant = { customerId, scope, task, targetId, returnUrl, unauthorizedRedirectUrl }
  return { app, grant, hasExpired: appNow(ctx, app).getTime() >= expiresMs }
}

function readPayload(ctx: Ctx, token: string): Payload | undefined {
  const [text, mac, ...rest] = token.split('.')
  if (!text || !mac || rest.length > 0) return undefined
  // Nothing is parsed before it is known to be ours.
  if (!sameBytes(Buffer.from(mac, 'base64url'), signature(ctx, text))) return undefined
  return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
}
