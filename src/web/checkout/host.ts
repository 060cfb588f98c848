import type { FastifyInstance } from 'fastify'
import { notFound } from '../../base/errors.ts'
import { appIdFromPart } from '../../base/ids.ts'
import type { Context } from '../../context.ts'
import { type Route, route } from '../../http/route.ts'
import { HOST_CHECK_PATH, hostCheckAnswer } from '../../merchants/apps/host-check.ts'
import { appOfHost } from '../../merchants/directory.ts'
import { ownNames } from '../../merchants/hosts/own-names.ts'

/**
 * On the host name of an app's checkout only the checkout and the payment links of that app are served, with
 * the files that they need, and health. The proxy passes the Host header on. Other names are those of the
 * installation.
 */
export function limitCheckoutHosts(server: FastifyInstance, ctx: Context): void {
  const own = ownNames(ctx.config)
  server.addHook('onRequest', async (request) => {
    const host = nameOf(request.headers.host ?? '')
    // Probes of load balancers use any name.
    if (own.has(host) || HEALTH.test(request.url)) return
    const appId = await appOfHost(ctx, host)
    if (appId !== undefined && !isCheckoutOf(appId, request.url)) throw notFound('The path')
  })
}

const HEALTH = /^\/health\/(?:live|ready)(?:\?|$)/

/** Without port and final dot. */
const nameOf = (host: string): string => host.toLowerCase().replace(/\.?(?::\d+)?$/, '')

/** Says which installation answers, and by which host name it was asked. */
export const hostCheckRoute = (ctx: Context): Route =>
  route({
    method: 'GET',
    tag: 'Pages',
    auth: 'none',
    hidden: true,
    path: HOST_CHECK_PATH,
    summary: 'Check of a host name',
    status: 200,
    handler: (_caller, { headers }) => hostCheckAnswer(ctx, nameOf(String(headers.host ?? ''))),
  })

function isCheckoutOf(appId: string, url: string): boolean {
  const [, first, second = '', third] = url.split(/[/?]/)
  if (first === 'c' || first === 'l') return appIdFromPart(second) === appId
  if (first !== 'assets') return false
  return second !== 'logos' || third === appId
}
