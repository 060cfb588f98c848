import { headerName, hostNames, type Setting, trustedProxies } from './values.ts'

/** How requests reach the service. */
export const NETWORK_SETTINGS = {
  OWN_HOSTS: {
    says:
      'Further host names of this installation beside that of `PUBLIC_URL`, such as an alias or the name ' +
      'in a cluster. No checkout can take them, and they always serve everything.',
    mustBe: 'host names without scheme and port, separated by commas',
    parse: hostNames,
    defaultSays: 'none',
  },
  TRUSTED_PROXIES: {
    says:
      'The reverse proxies in front of the service. The client address header is trusted only from ' +
      'them. Behind a proxy that is not listed, every client has the address of the proxy.',
    mustBe: 'IP addresses and ranges such as 10.0.0.0/8, separated by commas, and not every address',
    parse: trustedProxies,
    defaultSays: 'none',
  },
  CLIENT_ADDRESS_HEADER: {
    says:
      'The header in which those proxies send the client address: the rightmost address in it ' +
      'that is not a trusted proxy. `Forwarded` is parsed as RFC 7239, any other as a list of addresses.',
    mustBe: 'the name of a header, such as X-Forwarded-For, X-Real-IP, CF-Connecting-IP or Forwarded',
    parse: headerName,
    byDefault: 'X-Forwarded-For',
  },
} as const satisfies Record<string, Setting<unknown>>
