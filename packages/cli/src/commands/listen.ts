import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Event, type Tender, TenderError } from '../../../sdk/src/tender.ts'
import { type Command, type CommandCall, type Connection, UsageError } from '../command.ts'
import { eventRow } from './webhooks.ts'

const INTERVAL_MS = 1_000
/** Events of concurrent changes can become visible in another order than that of their times. */
const OVERLAP_MS = 10_000
const ANSWER_MS = 15_000

export const LISTEN: Command = {
  name: 'listen',
  description:
    'Send the events of the app to a program on this machine, signed, as they happen. Ends with Ctrl-C.',
  options: {
    'forward-to': {
      value: 'url',
      description: 'Where the program takes webhooks, such as localhost:3000/hooks.',
    },
    secret: { value: 'secret', description: 'Signs the events; by default one that belongs to the API key.' },
  },
  async run(call) {
    const { tender, io, values, connection } = call
    const target = targetOf(values['forward-to'])
    const secret = values.secret ?? secretOf(connection)
    const known = await newestEvents(tender)
    io.err(`Ready. WEBHOOK_SECRET=${secret}`)
    while (!io.signal.aborted) {
      for (const event of await eventsAfter(known, call)) await forward(event, target, secret, call)
      await pause(INTERVAL_MS, undefined, { signal: io.signal }).catch(() => {})
    }
    return undefined
  },
}

function targetOf(given: string | undefined): string {
  if (given === undefined) throw new UsageError('Option --forward-to is missing.')
  const text = /^https?:\/\//.test(given) ? given : `http://${given}`
  try {
    return new URL(text).href
  } catch {
    throw new UsageError(`'${given}' is not an address.`)
  }
}

/** The same on each run, so that it is set in the program once. The API key cannot be found from it. */
const secretOf = ({ appId, apiKey }: Connection): string =>
  `whsec_${createHmac('sha256', apiKey).update(`tender listen ${appId}`).digest('base64')}`

/** The events of the last seconds by their ids, with their times. */
interface Known {
  newestMs: number
  readonly times: Map<string, number>
}

async function newestEvents(tender: Tender): Promise<Known> {
  const known: Known = { newestMs: 0, times: new Map() }
  for await (const { eventId, createdTime } of tender.events.list()) {
    const time = Date.parse(createdTime)
    known.newestMs ||= time
    if (time < known.newestMs - OVERLAP_MS) break
    known.times.set(eventId, time)
  }
  return known
}

/** Events that are not known yet, the oldest first. An outage is reported, and the next call catches up. */
async function eventsAfter(known: Known, { tender, io }: CommandCall): Promise<Event[]> {
  const oldestMs = known.newestMs - OVERLAP_MS
  const query = known.newestMs === 0 ? {} : { since: new Date(oldestMs).toISOString() }
  const found: Event[] = []
  try {
    for await (const event of tender.events.list(query))
      if (!known.times.has(event.eventId)) found.push(event)
  } catch (error) {
    const isOutage = error instanceof TenderError && (error.status === undefined || error.status >= 500)
    if (!isOutage) throw error
    io.err(error.message)
    return []
  }
  for (const { eventId, createdTime } of found) {
    known.times.set(eventId, Date.parse(createdTime))
    known.newestMs = Math.max(known.newestMs, Date.parse(createdTime))
  }
  for (const [eventId, time] of known.times)
    if (time < known.newestMs - OVERLAP_MS) known.times.delete(eventId)
  return found.reverse()
}

async function forward(event: Event, target: string, secret: string, { show }: CommandCall): Promise<void> {
  const body = JSON.stringify(event)
  const timestamp = Math.floor(Date.now() / 1_000)
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signed = `${event.eventId}.${timestamp}.${body}`
  const answer = await fetch(target, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_MS),
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': event.eventId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    },
  }).then(
    ({ status }) => status,
    () => 'no answer',
  )
  const { eventId, payment } = event
  const data = { eventId, paymentId: payment?.paymentId, paymentState: payment?.paymentState, answer }
  show({ data, lines: [`${eventRow(event).join('  ')}  → ${answer}`] })
}
