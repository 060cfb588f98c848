import { Secret } from '../base/secret.ts'
import { publicUrl, type Setting } from './values.ts'

/** The OpenID provider that people may sign in with. */
export interface OidcConfig {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Secret
  /** On the button of the sign-in page. */
  readonly name: string
  /** In lower case; absent: addresses of every domain. */
  readonly emailDomain?: string
}

export const OIDC_SETTINGS = {
  OIDC_ISSUER: {
    description:
      'The issuer of an OpenID provider that people sign in to the console with. Its redirect URI is ' +
      '`PUBLIC_URL/console/oidc/callback`.',
    mustBe: 'an https address (in development also http) without user, query or fragment',
    parse: publicUrl,
    defaultSays: 'people sign in with a password or a passkey',
  },
  OIDC_CLIENT_ID: {
    description: 'The client id that the provider assigned.',
    mustBe: 'visible characters without spaces',
    parse: (text: string) => (/^[\x21-\x7e]{1,500}$/.test(text) ? text : undefined),
  },
  OIDC_CLIENT_SECRET: {
    description: 'The client secret that the provider assigned.',
    mustBe: 'visible characters without spaces',
    parse: (text: string) => (/^[\x21-\x7e]+$/.test(text) ? new Secret(text) : undefined),
    isSecret: true,
  },
  OIDC_NAME: {
    description: 'The name of the provider on the sign-in page.',
    mustBe: 'up to 40 characters',
    parse: (text: string) => (text.length <= 40 && text !== '' ? text : undefined),
    byDefault: 'single sign-on',
  },
  OIDC_EMAIL_DOMAIN: {
    description: 'The domain that the verified e-mail address of a person must have.',
    mustBe: 'a domain such as example.com',
    parse: (text: string) => (/^[a-z0-9.-]+\.[a-z0-9-]+$/i.test(text) ? text.toLowerCase() : undefined),
    defaultSays: 'every domain',
  },
} as const satisfies Record<string, Setting<unknown>>

interface OidcValues {
  readonly OIDC_ISSUER: string | undefined
  readonly OIDC_CLIENT_ID: string | undefined
  readonly OIDC_CLIENT_SECRET: Secret | undefined
  readonly OIDC_NAME: string
  readonly OIDC_EMAIL_DOMAIN: string | undefined
}

/** Undefined without an issuer. Adds a problem when only some of the settings are there. */
export function readOidc(
  values: OidcValues,
  production: boolean,
  problems: string[],
): { readonly oidc: OidcConfig } | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = values
  const given = [issuer, clientId, clientSecret].filter((value) => value !== undefined).length
  if (given > 0 && given < 3)
    problems.push('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together')
  if (production && issuer?.startsWith('http:')) problems.push('OIDC_ISSUER must be https in production')
  if (!issuer || !clientId || !clientSecret) return undefined
  const emailDomain = values.OIDC_EMAIL_DOMAIN
  return {
    oidc: { issuer, clientId, clientSecret, name: values.OIDC_NAME, ...(emailDomain && { emailDomain }) },
  }
}
