import type { Configuration } from 'openid-client'
import { type Clock, HOUR } from '../../base/clock.ts'
import { Secret } from '../../base/secret.ts'
import type { Config } from '../../config.ts'
import { type Cache, createCache } from '../../merchants/cache.ts'
import { slot } from '../../node/slot.ts'

/** The provider's endpoints and keys, by issuer. */
export type OidcProviders = Cache<Configuration>

const TIMEOUT_S = 10

/** Loaded when it is used: most installations have no OpenID provider. */
export const loadOpenid = () => import('openid-client')

interface Needs {
  readonly clock: Clock
  readonly config: Config
}

/** The issuer is a setting of the operator, so its address is not guarded like those of merchants. */
export const createOidcProviders = ({ clock, config }: Needs): OidcProviders =>
  createCache({
    clock,
    maxAgeMs: HOUR,
    maxSize: 1,
    async load(issuer) {
      const { discovery, allowInsecureRequests, enableNonRepudiationChecks } = await loadOpenid()
      const { clientId = '', clientSecret = new Secret('') } = config.oidc ?? {}
      // Only in development: the settings refuse it in production.
      const insecure = issuer.startsWith('http:') ? [allowInsecureRequests] : []
      // Without it the library accepts an ID token by its TLS connection and does not verify the signature.
      const execute = [...insecure, enableNonRepudiationChecks]
      const options = { execute, timeout: TIMEOUT_S }
      return discovery(new URL(issuer), clientId, clientSecret.reveal(), undefined, options)
    },
  })

export const oidcProviders = slot('oidcProviders', createOidcProviders, {
  holds: 'endpoints of the OpenID provider',
  until: 'an hour',
  restart: 'nothing: it is read again',
})
