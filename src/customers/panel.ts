import { after } from '../base/clock.ts'
import { LIMITS } from '../base/limits.ts'
import { hmacSha256, sameBytes } from '../base/secret.ts'
import type { Context } from '../context.ts'
import { type App, appNow } from '../merchants/app.ts'
import { loadApp } from '../merchants/directory.ts'

/** The methods a link gives access to; `All` also opens payments and details. */
export const PANEL_SCOPES = ['CreditCard', 'ElectronicCheck', 'All'] as const
type PanelScope = (typeof PANEL_SCOPES)[number]

/** A link may be for a single task: the panel then shows only that task. */
export const PANEL_TASKS = ['add-method', 'verify-method', 'pay'] as const
type PanelTask = (typeof PANEL_TASKS)[number]

/** The permissions of a panel link for one customer. */
export interface PanelGrant {
  readonly customerId: string
  readonly scope: PanelScope
  readonly task?: PanelTask | undefined
  /** Id of the method to verify or of the payment to pay. */
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

/** `validMs` is longer for a link that is sent by e-mail. */
export function panelLink(
  ctx: Context,
  app: App,
  grant: PanelGrant,
  validMs: number = LIMITS.panelLinkMs,
): string {
  const expiresMs = after(appNow(ctx, app), Math.min(validMs, LIMITS.panelLinkMaxMs)).getTime()
  // A link opens one session, so every link is unique.
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

/** Verifies a link; undefined when the signature is invalid. */
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
  // Parse only after the signature is verified.
  if (!sameBytes(Buffer.from(mac, 'base64url'), signature(ctx, text))) return undefined
  return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
}
