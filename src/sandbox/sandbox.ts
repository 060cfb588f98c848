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
  /** Where browsers reach the bank's pages, without a slash at its end. */
  readonly publicUrl: string
  /** The bank's own way out, for its notifications. */
  readonly http?: Http
  /** Where the transport finds the bank; given: it opens no door of its own. */
  readonly address?: string
}

/** The built-in provider: the adapter that the service uses, and the bank that the adapter speaks to. */
export interface Sandbox {
  readonly adapter: ProviderAdapter<SandboxSettings>
  readonly bank: Bank
  /** Settings for a profile of this app: one account for all its profiles. */
  openAccount(appId: string): SandboxSettings
  /** For the customer's browser: good for tokens and nothing else. */
  publishableKey(appId: string): string
  /** What a customer's browser needs to reach the bank. */
  browser(http: Http): Browser
  control(http: Http, appId: string): Control
}

/** A token belongs to the account, and all profiles of an app share one. */
const sharesTokens = (one: SandboxSettings, other: SandboxSettings): boolean => one.account === other.account

export function createSandbox(options: SandboxOptions): Sandbox {
  const { db, vault, random, publicUrl, log } = options
  let secret: Uint8Array | undefined
  const keys = createKeys(() => {
    assert(secret, 'the sandbox bank has not been started')
    return secret
  })
  const own = options.http ? undefined : createHttp(log)
  const http = options.http ?? (own as Http)
  const bank = createBank({
    ...options,
    http,
    keys,
    views: createViews(keys, publicUrl),
    cache: createBankCache(),
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
        await own?.close()
      },
    },
    openAccount,
    publishableKey: (appId) => keys.publishableKey(appId),
    browser: (viaHttp) => ({ http: viaHttp, bankUrl: bankUrl() }),
    control: (viaHttp, appId) => createControl(viaHttp, bankUrl(), keys.secretKey(appId)),
  }
}
