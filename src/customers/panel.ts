import { after } from '../base/clock.ts'
import { LIMITS } from '../base/limits.ts'
import { hmacSha256, sameBytes } from '../base/secret.ts'
import type { Context } from '../context.ts'
import { type App, appNow } from '../merchants/app.ts'
import { loadApp } from '../merchants/directory.ts'

export const PANEL_SCOPES = ['CreditCard', 'ElectronicCheck', 'All'] as const
type PanelScope = (typeof PANEL_SCOPES)[number]

/** What the holder of a panel link may do: look after one customer's stored methods, for an hour. */
export interface PanelGrant {
  readonly customerId: string
  readonly scope: PanelScope
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
  const payload: Payload = { appId: app.appId, ...grant, expiresMs }
  const text = Buffer.from(JSON.stringify(payload)).toString('base64url')
  return `${ctx.config.publicUrl}/p/${text}.${signature(ctx, text).toString('base64url')}`
}

/** The grant of a link that we signed and that has not expired, with its app. */
export async function verifyPanelToken(
  ctx: Context,
  token: string,
): Promise<{ readonly app: App; readonly grant: PanelGrant } | undefined> {
  const payload = readPayload(ctx, token)
  const app = payload && (await loadApp(ctx, payload.appId))
  if (!payload || !app?.isActive || appNow(ctx, app).getTime() >= payload.expiresMs) return undefined
  const { appId: _appId, expiresMs: _expiresMs, ...grant } = payload
  return { app, grant }
}

function readPayload(ctx: Ctx, token: string): Payload | undefined {
  const [text, mac, ...rest] = token.split('.')
  if (!text || !mac || rest.length > 0) return undefined
  // Nothing is parsed before it is known to be ours.
  if (!sameBytes(Buffer.from(mac, 'base64url'), signature(ctx, text))) return undefined
  return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
}
