import { assert } from '../base/assert.ts'
import { adyen } from './adyen/adapter.ts'
import { authorizeNet } from './authorize-net/adapter.ts'
import { btcpay } from './btcpay/adapter.ts'
import { mollie } from './mollie/adapter.ts'
import { paypal } from './paypal/adapter.ts'
import type { ProviderAdapter, Providers } from './port.ts'
import { square } from './square/adapter.ts'
import { stripe } from './stripe/adapter.ts'

/** The adapters of src/providers, one line each: import the adapter and add it here. */
const ADAPTERS: readonly ProviderAdapter[] = [adyen, authorizeNet, btcpay, mollie, paypal, square, stripe]

/** All providers of a node by id: `builtIn` are adapters that are created at start, such as the sandbox. */
export function createProviders(builtIn: readonly ProviderAdapter[]): Providers {
  const providers = new Map<string, ProviderAdapter>()
  for (const adapter of [...builtIn, ...ADAPTERS]) {
    const { id } = adapter.manifest
    assert(!providers.has(id), `two providers have the id ${id}`)
    providers.set(id, adapter)
  }
  return providers
}
