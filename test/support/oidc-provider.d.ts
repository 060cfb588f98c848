declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  const Provider: new (issuer: string, configuration: object) => { callback(): RequestListener }
  export default Provider
}
