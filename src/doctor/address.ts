import { connect } from 'node:tls'
import { type Clock, systemClock } from '../base/clock.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const WAIT_MS = 10_000
const DAY_MS = 24 * 60 * 60 * 1_000
const CERTIFICATE_DAYS = 14
const CLOCK_SECONDS = 30

/** PUBLIC_URL as customers reach it: the answer, the clock in its `date`, and the certificate. */
export async function checkAddress(publicUrl: string, clock: Clock = systemClock): Promise<Finding[]> {
  let reply: Response
  try {
    reply = await fetch(`${publicUrl}/health/live`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(WAIT_MS),
    })
  } catch (error) {
    const todo = 'Start the service, and check the name, the proxy, the certificate and the firewall.'
    return [problem('address', `PUBLIC_URL ${publicUrl} cannot be reached: ${reasonOf(error)}.`, todo)]
  }
  if (!reply.ok) {
    const todo = 'Let the proxy pass all paths below PUBLIC_URL to the service.'
    return [problem('address', `${publicUrl}/health/live answers with ${reply.status}.`, todo)]
  }
  const date = reply.headers.get('date')
  return [
    ok('address', `PUBLIC_URL ${publicUrl} answers.`),
    ...clockFindings(date, clock),
    ...(await certificateFindings(publicUrl, clock)),
  ]
}

function clockFindings(date: string | null, clock: Clock): Finding[] {
  const theirs = Date.parse(date ?? '')
  if (Number.isNaN(theirs)) return []
  const seconds = Math.round(Math.abs(clock.now().getTime() - theirs) / 1_000)
  if (seconds <= CLOCK_SECONDS) return []
  const message = `The clocks of this machine and of the server of PUBLIC_URL differ by ${seconds} s.`
  return [problem('clock', message, 'Synchronise both (NTP).')]
}

/** Findings about the certificate of an https address. */
export async function certificateFindings(publicUrl: string, clock: Clock = systemClock): Promise<Finding[]> {
  const { protocol, hostname, port } = new URL(publicUrl)
  if (protocol !== 'https:') return []
  const end = await certificateEnd(hostname, Number(port || 443))
  if (end === undefined) return []
  const days = Math.floor((end.getTime() - clock.now().getTime()) / DAY_MS)
  const message = `The certificate of ${hostname} ends in ${days} days.`
  if (days >= CERTIFICATE_DAYS) return [ok('certificate', message)]
  return [warning('certificate', message, 'Renew it, and check what should renew it.')]
}

/** Trust is not checked here: the request before has done it. */
function certificateEnd(host: string, port: number): Promise<Date | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, servername: host, rejectUnauthorized: false, timeout: WAIT_MS })
    const end = (date?: Date) => {
      socket.destroy()
      resolve(date)
    }
    socket.on('secureConnect', () => end(new Date(socket.getPeerCertificate().valid_to)))
    socket.on('error', () => end())
    socket.on('timeout', () => end())
  })
}

/** `fetch failed` has its cause inside. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error
  const inner = cause instanceof AggregateError ? cause.errors[0] : cause
  return inner instanceof Error ? inner.message : message
}
