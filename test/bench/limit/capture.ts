import { allArrived } from '../life.ts'
import { order } from '../load/scenarios.ts'
import { type BenchApp, pause, type Rig, readServerLog } from '../rig.ts'

/** A statement as the service has sent it: its text, and its parameters as texts. */
export interface Sent {
  /** `begin` and `commit` have none. */
  readonly name: string | undefined
  readonly text: string
  readonly values: readonly (string | null)[]
}

/** The statements of one payment in their order, and what it was called. */
export interface Captured {
  readonly statements: readonly Sent[]
  readonly paymentId: string
}

export type Scenario = 'life' | 'twoSteps'

/** Idle time in which the statements are seen that run without a payment. */
const IDLE_MS = 12_000

/** Has PostgreSQL log every statement with its parameters. The service connects anew. A value is quoted. */
export async function logStatements(rig: Rig): Promise<void> {
  for (const setting of ['log_min_duration_statement = 0', "log_error_verbosity = 'default'"])
    await rig.db.query(`alter role current_user set ${setting}`)
  await rig.db.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid()`)
  await pause(3_000)
}

export async function stopLog(rig: Rig): Promise<void> {
  await rig.db.query('alter role current_user reset all')
  await rig.db.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid()`)
  await pause(3_000)
}

/** Names of statements that the service's jobs send when nothing happens. */
export async function idleNames(rig: Rig): Promise<ReadonlySet<string>> {
  const sent = await during(rig, () => pause(IDLE_MS))
  return new Set(sent.flatMap(({ name }) => name ?? []))
}

/** One payment alone, until its last webhook has arrived. */
export async function capture(
  rig: Rig,
  app: BenchApp,
  options: { scenario: Scenario; from: number; idle: ReadonlySet<string> },
): Promise<Captured> {
  let paymentId = ''
  const sent = await during(rig, async () => {
    paymentId = await live(app, options)
    await allArrived(rig)
    // The list and the logs are written shortly after.
    await pause(2_500)
  })
  return { paymentId, statements: withoutIdle(sent, options.idle) }
}

/** As the load of `life` does it. The answers say when a payment is ready for its next step. */
async function live(
  app: BenchApp,
  { scenario, from }: { scenario: Scenario; from: number },
): Promise<string> {
  const creation = { ...order(`order-${from}`, 'customer-1'), autoCapture: scenario === 'life' }
  const id = idOf(await called(app, '/payments/hosted-page', creation))
  const paid = await called(app, `/test-helpers/payments/${id}/pay`, {})
  const captured = scenario === 'life' ? paid : await called(app, `/payments/${id}/capture`, {})
  if (!captured.includes('"paymentState":"Captured"')) throw new Error(captured.slice(0, 300))
  return id
}

async function called(app: BenchApp, path: string, body: object): Promise<string> {
  const { status, text } = await app.call('POST', path, body)
  if (status >= 300) throw new Error(`${path}: ${status} ${text.slice(0, 300)}`)
  return text
}

const idOf = (text: string): string => /"paymentId":(\d+)/.exec(text)?.[1] ?? ''

/** What PostgreSQL has logged meanwhile. */
async function during(rig: Rig, act: () => Promise<unknown>): Promise<Sent[]> {
  const before = (await readServerLog(rig)).length
  await act()
  return readLog((await readServerLog(rig)).slice(before))
}

const ENTRY = /^\d{4}-\d\d-\d\d [\d:.]+ UTC \[(\d+)\] (\w+): {2}/
const SENT = /^duration: [\d.]+ ms {2}(?:execute ([^:]+)|statement): (.*)$/s

/** Statements in the order of their ends, those of a transaction together. A `parse` or `bind` is none. */
function readLog(log: string): Sent[] {
  const done: Sent[] = []
  const open = new Map<string, Sent[]>()
  let last: { -readonly [Name in keyof Sent]: Sent[Name] } | undefined
  for (const entry of log.split(/\n(?=\d{4}-\d\d-\d\d [\d:.]+ UTC \[)/)) {
    const [head, pid = '', level] = ENTRY.exec(entry) ?? []
    const text = entry
      .slice(head?.length ?? 0)
      .replaceAll('\n\t', '\n')
      .trimEnd()
    if (level === 'DETAIL' && last) last.values = readValues(text)
    if (level !== 'LOG') continue
    const [, name, sql] = SENT.exec(text) ?? []
    last = sql === undefined ? undefined : { name, text: sql, values: [] }
    if (!last) continue
    const transaction = open.get(pid) ?? []
    if (/^begin\b/i.test(last.text)) open.set(pid, transaction)
    if (!open.has(pid)) done.push(last)
    else transaction.push(last)
    if (!/^(commit|rollback)\b/i.test(last.text)) continue
    done.push(...transaction)
    open.delete(pid)
  }
  return done
}

/** `Parameters: $1 = 'it''s', $2 = NULL` */
const readValues = (text: string): (string | null)[] =>
  [...text.matchAll(/\$\d+ = (?:NULL|'((?:[^']|'')*)')/g)].map(([, value]) =>
    value === undefined ? null : value.replaceAll("''", "'"),
  )

/** Jobs that do their work once for very many payments: figures, statistics, the comparison of lists. */
const RARE = /rollups\.|^statistics\.|^search\.(begin|claim|compareEvents|saveProgress|backfill)$/i

/** Without those of the jobs, and without transactions of which nothing else is left. */
function withoutIdle(sent: readonly Sent[], idle: ReadonlySet<string>): Sent[] {
  const kept: Sent[] = []
  for (const each of sent) {
    if (each.name !== undefined && (idle.has(each.name) || RARE.test(each.name))) continue
    if (/^(commit|rollback)\b/i.test(each.text) && /^begin\b/i.test(kept.at(-1)?.text ?? '')) kept.pop()
    else kept.push(each)
  }
  return kept
}
