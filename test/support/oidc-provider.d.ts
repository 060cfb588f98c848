declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  type Middleware = (ctx: { body: unknown }, next: () => Promise<void>) => Promise<void>
  interface Instance {
    use(middleware: Middleware): void
    callback(): RequestListener
  }
  const Provider: new (issuer: string, configuration: object) => Instance
  export default Provider
}
