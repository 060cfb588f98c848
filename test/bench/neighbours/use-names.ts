import { Resolver } from 'node:dns/promises'

/**
 * Loaded into each service process before its program: every resolver uses the benchmark's name server.
 * `dns.lookup` still uses the system's.
 */
function useNameServer(server: string): void {
  const configured = new WeakSet<Resolver>()
  for (const name of ['resolve4', 'resolve6'] as const) {
    const asked = Resolver.prototype[name] as (...args: unknown[]) => unknown
    Object.assign(Resolver.prototype, {
      [name](this: Resolver, ...args: unknown[]): unknown {
        if (!configured.has(this)) this.setServers([server])
        configured.add(this)
        return asked.apply(this, args)
      },
    })
  }
}

if (process.env.BENCH_NAME_SERVER) useNameServer(process.env.BENCH_NAME_SERVER)
