import { type App, type PaymentProfileCheck, type Tender, TenderError } from '../../../sdk/src/tender.ts'
import { type Command, type Connection, type Shown, table } from '../command.ts'

export interface Finding {
  readonly subject: string
  readonly status: 'ok' | 'warning' | 'problem'
  readonly message: string
  /** What to do about it. */
  readonly todo?: string
}

const ONCE = { maxRetries: 0, timeoutMs: 10_000 }
/** Webhooks are refused at a difference of 300 s. */
const CLOCK_SECONDS = 30

export const DOCTOR: Command = {
  name: 'doctor',
  description: 'Check the service, its database and clock, and the key, providers and webhooks of the app.',
  async run({ tender, connection }) {
    return report(await examine(tender, connection))
  },
}

/** Problems make the exit code 1, warnings do not. */
export function report(findings: readonly Finding[]): Shown {
  const rows = findings.map(({ status, subject, message, todo }) => [
    status.toUpperCase(),
    subject,
    todo ? `${message} ${todo}` : message,
  ])
  return {
    data: findings,
    lines: table(rows),
    hasProblems: findings.some(({ status }) => status === 'problem'),
  }
}

/** Later checks need what earlier ones found to work. */
export async function examine(tender: Tender, connection: Connection): Promise<Finding[]> {
  const service = await serviceFinding(tender, connection)
  if (service.status === 'problem') return [service]
  const { app, finding } = await readApp(tender)
  const first = [service, await clockFinding(connection), finding]
  if (!app) return first
  return [...first, ...addressFindings(app), ...(await profileFindings(tender)), ...webhookFindings(app)]
}

const ok = (subject: string, message: string): Finding => ({ subject, status: 'ok', message })

const problem = (subject: string, message: string, todo: string): Finding => ({
  subject,
  status: 'problem',
  message,
  todo,
})

const warning = (subject: string, message: string, todo: string): Finding => ({
  subject,
  status: 'warning',
  message,
  todo,
})

async function serviceFinding(tender: Tender, { url }: Connection): Promise<Finding> {
  try {
    await tender.service.ready(ONCE)
    return ok('service', `${url} answers and reaches its database.`)
  } catch (error) {
    if (!(error instanceof TenderError)) throw error
    if (error.status === 503)
      return problem(
        'database',
        'The service answers, but it cannot use its database, or it is stopping.',
        'Its log says why; check DATABASE_URL, and that PostgreSQL runs.',
      )
    const todo = 'Start the service, or set TENDER_URL to its address.'
    return problem('service', `${url}: ${error.message}`, todo)
  }
}

async function clockFinding({ url }: Connection): Promise<Finding> {
  const response = await fetch(`${url.replace(/\/+$/, '')}/health/live`, {
    signal: AbortSignal.timeout(10_000),
  })
  const theirs = Date.parse(response.headers.get('date') ?? '')
  if (Number.isNaN(theirs))
    return warning('clock', 'The answer has no date.', 'A proxy removes it; compare the clocks by hand.')
  const seconds = Math.round(Math.abs(Date.now() - theirs) / 1_000)
  if (seconds <= CLOCK_SECONDS) return ok('clock', 'This machine and the service have the same time.')
  return problem(
    'clock',
    `The clocks of this machine and of the service differ by ${seconds} s.`,
    'Synchronise both (NTP): webhooks are refused when they differ by more than 300 s.',
  )
}

const KEY_ADVICE: Readonly<Record<string, string>> = {
  unauthorized: 'Create a key in the console under Developers, and set TENDER_API_KEY.',
  forbidden: 'Set TENDER_APP_ID to the app of the key; sandbox and live apps have separate keys.',
  app_blocked: 'An owner or admin can unblock it in the console: Settings › Danger zone.',
}

async function readApp(tender: Tender): Promise<{ app?: App; finding: Finding }> {
  try {
    const app = await tender.app.get(ONCE)
    const kind = app.isSandbox ? 'sandbox' : 'live'
    return { app, finding: ok('key', `The key works for the ${kind} app '${app.friendlyName}'.`) }
  } catch (error) {
    if (!(error instanceof TenderError)) throw error
    const todo = KEY_ADVICE[error.code] ?? 'See docs/reference/errors.md.'
    return { finding: problem('key', `${error.message} (${error.code})`, todo) }
  }
}

function addressFindings({ isSandbox, hostedPageBaseUrl }: App): Finding[] {
  if (isSandbox || hostedPageBaseUrl.startsWith('https://'))
    return [ok('address', `Customers pay at ${hostedPageBaseUrl}.`)]
  const todo = 'Put a proxy with TLS in front of the service and set PUBLIC_URL to its https address.'
  return [
    problem('address', `Customers of a live app pay at ${hostedPageBaseUrl}, without encryption.`, todo),
  ]
}

const PROFILE_ADVICE: Readonly<Record<NonNullable<PaymentProfileCheck['code']>, string>> = {
  credentials: 'Enter the keys again in the console under Providers.',
  permission: 'Give the keys the missing permission at the provider.',
  unreachable: 'Check the network of the service and its way to the provider.',
  busy: 'Try again in a minute.',
  'no-answer': 'Try again in a minute; if it stays, check the network of the service.',
  'not-found': 'Check the account and the ids in the settings of the profile.',
  refused: 'Read the message of the provider and correct the settings of the profile.',
  'other-account': 'Use credentials of the same account, or add a profile for the other one.',
  'not-ready': 'Do what the sentence says, then check again.',
}

async function profileFindings(tender: Tender): Promise<Finding[]> {
  const profiles = (await tender.paymentProfiles.list()).filter(({ isActive }) => isActive)
  if (profiles.length === 0)
    return [
      problem(
        'provider',
        'The app has no active provider profile.',
        'Add one in the console under Providers.',
      ),
    ]
  const findings: Finding[] = []
  for (const { paymentProfileId, paymentProfileName, provider } of profiles) {
    const {
      ok: works,
      problem: message = 'The check failed.',
      code = 'refused',
    } = await tender.paymentProfiles.check(paymentProfileId)
    const name = `${paymentProfileName} (${provider})`
    findings.push(
      works
        ? ok('provider', `${name}: the keys work.`)
        : problem('provider', `${name}: ${message}`, PROFILE_ADVICE[code]),
    )
  }
  return findings
}

function webhookFindings({ webhookSettings, webhookHealth }: App): Finding[] {
  const { paymentWebhookUrl, isSigningEnabled } = webhookSettings
  const { endpoints = [], exhaustedCount = 0 } = webhookHealth ?? {}
  const found = endpoints.map(({ url, status, lastError }) =>
    problem('webhooks', `${url} is ${status}: ${lastError}.`, 'Correct it, then run: tender webhooks test'),
  )
  if (!paymentWebhookUrl) {
    const todo = 'Set paymentWebhookUrl, or give each payment a webhookUrl.'
    found.push(warning('webhooks', 'The app has no address for webhooks.', todo))
  }
  if (!isSigningEnabled) {
    const todo = 'Create a signing secret in the console under Developers.'
    found.push(warning('webhooks', 'Webhooks are not signed.', todo))
  }
  if (exhaustedCount > 0)
    found.push(problem('webhooks', `${exhaustedCount} were given up.`, 'Run: tender webhooks resend-failed'))
  return found.length > 0 ? found : [ok('webhooks', `They go to ${paymentWebhookUrl}, signed.`)]
}
