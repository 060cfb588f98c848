import { type Gate, parsed, retryAfter, takeArmed } from '../kit/gate.ts'
import { type Answer, error, HANDLERS, operationOf, type Site } from './handlers.ts'
import { problemOf, REQUESTS } from './schemas.ts'

/** Checks a request as Authorize.Net does, then carries it out. All answers have status 200. */

export interface Credentials {
  readonly apiLoginId: string
  readonly transactionKey: string
}

export interface Account {
  readonly site: Site
  readonly credentials: Credentials
  readonly gate: Gate
}

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: Answer | string
}

export function answerTo({ site, credentials, gate }: Account, body: string): Reply {
  const request = parsed(body) as Record<string, unknown> | undefined
  const [name = '', ...others] = Object.keys(request ?? {})
  const schema = REQUESTS[name]
  if (!request || !schema || others.length > 0) {
    site.violate(`not a request: ${body.slice(0, 200)}`)
    return ok(error('E00003', 'Root element is missing.'))
  }
  const content = request[name] as Record<string, unknown>
  const problem = problemOf(name, schema, content)
  if (problem) {
    site.violate(`${name}: ${problem}`)
    return ok(error('E00003', problem))
  }
  if (!isKnown(credentials, content.merchantAuthentication as Record<string, unknown>))
    return ok(error('E00007', 'User authentication failed due to invalid authentication values.'))
  const armed = takeArmed(gate, operationOf(name, content))
  if (armed?.kind === 'error' && armed.status !== 200)
    return { status: armed.status, body: armed.code ?? 'error', headers: retryAfter(armed) }
  const answer =
    armed?.kind === 'error'
      ? error(armed.code ?? 'E00001', 'An error occurred during processing.')
      : HANDLERS[name]?.(site, content, armed?.kind === 'decline' ? Number(armed.code) : undefined)
  const refId = typeof content.refId === 'string' ? { refId: content.refId } : {}
  return ok({ ...(answer ?? error('E00045', 'The root node is not recognised.')), ...refId })
}

const ok = (body: Answer): Reply => ({ status: 200, body })

const isKnown = ({ apiLoginId, transactionKey }: Credentials, given: Record<string, unknown>): boolean =>
  given.name === apiLoginId && given.transactionKey === transactionKey
