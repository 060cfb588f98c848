import type { Context } from '../../context.ts'
import { type App, appNow } from '../../merchants/app.ts'

export interface Secrets {
  /** Newest first. */
  readonly signing: readonly string[]
  readonly authorization: string | undefined
  /** Masked in the stored excerpt of a reply. */
  readonly hidden: readonly string[]
}

interface OpenedSecrets {
  readonly current: string
  readonly previous: string | undefined
  readonly authorization: string | undefined
  readonly hidden: readonly string[]
}

/**
 * Decrypted secrets by app. An app object is reused until its row changes, possibly for the life of the
 * process, so nothing that depends on the time may be cached here.
 */
const openedSecrets = new WeakMap<App, OpenedSecrets>()

function open(ctx: Context, app: App): OpenedSecrets {
  const cached = openedSecrets.get(app)
  if (cached) return cached
  const current = ctx.vault.open(app.webhookSecret)
  const previous = app.webhookPreviousSecret ? ctx.vault.open(app.webhookPreviousSecret) : undefined
  const parameter = app.webhookAuthParameter ? ctx.vault.open(app.webhookAuthParameter) : ''
  const authorization = [app.webhookAuthScheme ?? '', parameter].filter((part) => part !== '').join(' ')
  const hidden = [current, previous ?? '', parameter].filter((text) => text !== '')
  const texts = { current, previous, authorization: authorization || undefined, hidden }
  openedSecrets.set(app, texts)
  return texts
}

/** The previous secret signs until it expires, which is checked on every try. */
export function secretsOf(ctx: Context, app: App): Secrets {
  const { current, previous, authorization, hidden } = open(ctx, app)
  const until = app.webhookPreviousUntil
  const isValid = previous !== undefined && until !== null && until > appNow(ctx, app)
  const signing = !app.isSigningEnabled ? [] : isValid ? [current, previous] : [current]
  return { signing, authorization, hidden }
}
