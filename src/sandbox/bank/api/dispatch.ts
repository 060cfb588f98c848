import { type BankAnswer, errorAnswer } from '../answer.ts'
import type { BankContext } from '../context.ts'
import { badRequest, RefusedError } from '../rules/refused.ts'
import { sessionOwner } from './pages.ts'
import type { Body } from './read.ts'
import { type Caller, ROUTES } from './routes.ts'

/** A request to the bank, independent of the transport. */
export interface RawRequest {
  readonly method: string
  readonly url: string
  readonly authorization: string | undefined
  readonly idempotencyKey: string | undefined
  body(): Promise<string>
}

/** Routes a request and returns the answer. Refusals become error answers. */
export async function dispatch(bank: BankContext, request: RawRequest): Promise<BankAnswer> {
  try {
    const { pathname, searchParams: query } = new URL(request.url, 'http://bank')
    const [version, resource = '', id = '', verb = ''] = pathname.slice(1).split('/')
    const route = version === 'v1' ? findRoute(request.method, resource, id, verb) : undefined
    if (!route) throw new RefusedError(404, 'not_found', 'There is no such address.')
    const owner = ownerOf(bank, request, route.caller, decoded(id))
    const rawBody = await request.body()
    return await route.handle(bank, {
      ...owner,
      path: pathname,
      query,
      key: request.idempotencyKey,
      rawBody,
      body: parsed(rawBody),
    })
  } catch (error) {
    if (error instanceof RefusedError) return errorAnswer(error.status, error.code, error.message)
    throw error
  }
}

function findRoute(method: string, resource: string, id: string, verb: string) {
  if (id === '') return ROUTES.get(`${method} ${resource}`)
  if (resource === 'test') return ROUTES.get(`${method} test/${id}`)
  return ROUTES.get(`${method} ${resource}/*${verb === '' ? '' : `/${verb}`}`)
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw badRequest('The address is not well-formed.')
  }
}

function ownerOf(
  bank: BankContext,
  request: RawRequest,
  caller: Caller,
  id: string,
): { account: string; id: string } {
  if (caller === 'session') {
    const { account, paymentId } = sessionOwner(bank, id)
    return { account, id: paymentId }
  }
  const key = /^Bearer (\S+)$/.exec(request.authorization ?? '')?.[1]
  const owner = key === undefined ? undefined : bank.keys.ownerOf(key)
  if (!owner || (caller === 'secret-key' && !owner.secret))
    throw new RefusedError(401, 'bad_key', 'This is not a key that may do this.')
  return { account: owner.account, id }
}

function parsed(text: string): Body {
  if (text === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Body
  } catch {
    // Handled below, like every value that is not an object.
  }
  throw badRequest('The body must be a JSON object.')
}
