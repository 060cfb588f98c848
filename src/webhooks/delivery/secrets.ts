import type { Context } from '../../context.ts'
import { type App, appNow } from '../../merchants/app.ts'
import type { FurtherEndpoint } from '../endpoint-store.ts'

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

function openOnce(ctx: Context, app: App): OpenedSecrets {
  const cached = openedSecrets.get(app)
  if (cached) return cached
  const texts = open(ctx, {
    secret: app.webhookSecret,
    previousSecret: app.webhookPreviousSecret,
    authScheme: app.webhookAuthScheme,
    authParameter: app.webhookAuthParameter,
  })
  openedSecrets.set(app, texts)
  return texts
}

type Sealed = Pick<FurtherEndpoint, 'secret' | 'previousSecret' | 'authScheme' | 'authParameter'>

function open(ctx: Context, { secret, previousSecret, authScheme, authParameter }: Sealed): OpenedSecrets {
  const current = ctx.vault.open(secret)
  const previous = previousSecret ? ctx.vault.open(previousSecret) : undefined
  const parameter = authParameter ? ctx.vault.open(authParameter) : ''
  const authorization = [authScheme ?? '', parameter].filter((part) => part !== '').join(' ')
  const hidden = [current, previous ?? '', parameter].filter((text) => text !== '')
  return { current, previous, authorization: authorization || undefined, hidden }
}

/** The previous secret signs until it expires, which is checked on every try. */
function valid({ current, previous }: OpenedSecrets, until: Date | null, now: Date): readonly string[] {
  return previous !== undefined && until !== null && until > now ? [current, previous] : [current]
}

/** Of the first endpoint. */
export function secretsOf(ctx: Context, app: App): Secrets {
  const texts = openOnce(ctx, app)
  const signing = app.isSigningEnabled ? valid(texts, app.webhookPreviousUntil, appNow(ctx, app)) : []
  return { signing, authorization: texts.authorization, hidden: texts.hidden }
}

export function furtherSecrets(ctx: Context, app: App, endpoint: FurtherEndpoint): Secrets {
  const texts = open(ctx, endpoint)
  const signing = valid(texts, endpoint.previousUntil, appNow(ctx, app))
  return { signing, authorization: texts.authorization, hidden: texts.hidden }
}
