import { assert } from '../base/assert.ts'
import type { Clock } from '../base/clock.ts'
import type { Random } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import type { Vault } from '../base/secret.ts'
import type { Database } from '../db/database.ts'
import { createHttp, type Http } from '../net/http.ts'
import type { ProviderAdapter } from '../providers/port.ts'
import { createAdapter } from './adapter/adapter.ts'
import type { SandboxSettings } from './adapter/manifest.ts'
import { type Bank, createBank } from './bank/bank.ts'
import { createBankCache } from './bank/context.ts'
import { createKeys } from './bank/keys.ts'
import { bankSecret } from './bank/secret-store.ts'
import { createViews } from './bank/view.ts'
import type { Browser } from './helpers/browser.ts'
import { type Control, createControl } from './helpers/control.ts'

export interface SandboxOptions {
  readonly db: Database
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly vault: Vault
  /** Public base URL of the bank's pages, without a trailing slash. */
  readonly publicUrl: string
  /** HTTP client for the bank's notifications. */
  readonly http?: Http
  /** URL of the bank for the transport. If set, the bank starts no HTTP server. */
  readonly address?: string
}

/**
 * The built-in provider: the adapter that the service uses, and the bank that the adapter calls.
 * Decision 0020.
 */
export interface Sandbox {
  readonly adapter: ProviderAdapter<SandboxSettings>
  readonly bank: Bank
  /** Settings for a profile of this app. All profiles of an app share one account. */
  openAccount(appId: string): SandboxSettings
  /** Key for the customer's browser. It can only create tokens. */
  publishableKey(appId: string): string
  /** Client for calls that a customer's browser makes. */
  browser(http: Http): Browser
  control(http: Http, appId: string): Control
}

/** Tokens belong to an account, and all profiles of an app share one account. */
const sharesTokens = (one: SandboxSettings, other: SandboxSettings): boolean => one.account === other.account

export function createSandbox(options: SandboxOptions): Sandbox {
  const { db, vault, random, publicUrl, log } = options
  let secret: Uint8Array | undefined
  const keys = createKeys(() => {
    assert(secret, 'the sandbox bank has not been started')
    return secret
  })
  const ownHttp = options.http ? undefined : createHttp(log)
  const http = options.http ?? (ownHttp as Http)
  const bank = createBank({
    ...options,
    http,
    keys,
    views: createViews(keys, publicUrl),
    cache: createBankCache(),
    onWork: new Set(),
  })
  let url: string | undefined
  const bankUrl = (): string => {
    assert(url !== undefined, 'the sandbox bank has not been started')
    return url
  }
  const openAccount = (appId: string): SandboxSettings => ({
    account: appId,
    apiKey: keys.secretKey(appId),
    magicAmounts: false,
  })
  return {
    adapter: {
      ...createAdapter(bankUrl, { publicUrl, publishableKey: keys.publishableKey }),
      openAccount,
      sharesTokens,
    },
    bank: {
      ...bank,
      async start() {
        secret ??= await bankSecret(db, vault, random)
        url = options.address ?? (await bank.start())
        return url
      },
      async stop() {
        await bank.stop()
        await ownHttp?.close()
      },
    },
    openAccount,
    publishableKey: (appId) => keys.publishableKey(appId),
    browser: (viaHttp) => ({ http: viaHttp, bankUrl: bankUrl() }),
    control: (viaHttp, appId) => createControl(viaHttp, bankUrl(), keys.secretKey(appId)),
  }
}
