import Type from 'typebox'
import type { Clock } from '../base/clock.ts'
import { SECOND } from '../base/clock.ts'
import { ApiError } from '../base/errors.ts'
import { type Route, route } from './route.ts'

interface Health {
  readonly clock: Clock
  readonly ready: () => Promise<unknown>
}

const Status = Type.Object({ status: Type.Literal('ok') }, { title: 'Health' })
/** Load balancers probe every few seconds with a short timeout. */
const READY_MS = SECOND

export function healthRoutes(health: Health, isStopping: () => boolean): Route[] {
  const common = { method: 'GET', tag: 'Service', auth: 'none', status: 200, response: Status } as const
  return [
    route({
      ...common,
      path: '/health/live',
      summary: 'Is the process up?',
      handler: () => ({ status: 'ok' }),
    }),
    route({
      ...common,
      path: '/health/ready',
      summary: 'Can it take requests? Not while the database is away or the service stops.',
      errors: ['unavailable'],
      handler: async () => {
        if (isStopping() || !(await isReady(health))) throw notReady()
        return { status: 'ok' }
      },
    }),
  ]
}

async function isReady({ clock, ready }: Health): Promise<boolean> {
  const answered = new AbortController()
  const attempt = ready().then(
    () => true,
    () => false,
  )
  const timeout = clock.sleep(READY_MS, answered.signal).then(() => false)
  const result = await Promise.race([attempt, timeout])
  answered.abort()
  return result
}

const notReady = (): ApiError => new ApiError('unavailable', 'The service cannot take requests now.')
