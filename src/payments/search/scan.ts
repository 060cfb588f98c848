import type { Context } from '../../context.ts'
import { customersMeant } from '../../customers/commands.ts'
import type { Queryable } from '../../db/database.ts'
import type { App } from '../../merchants/app.ts'
import { STATES } from '../machine.ts'
import { stillMatches } from './conditions.ts'
import type { Conditions } from './filter.ts'
import type { Residual } from './residual-store.ts'
import { FEW, idsByAmount, idsByAssigned, idsByLink, idsByReference, idsByText } from './resolve-store.ts'
import { type Driver, INDEXED_FIELDS, scannedBy } from './rows-store.ts'
import {
  type Position,
  placeAt,
  placeOfMatch,
  type Scan,
  type SizedPayment,
  selectPayments,
} from './store.ts'

/** How a search is done: which rows are scanned in order, and what is checked on each. */
export interface SearchPlan {
  readonly driver: Driver
  readonly residual: Residual
  /** The scan finds what is meant, and nothing else has to be checked. */
  readonly isPlain: boolean
  /** A text means more customers than the search looks for. */
  readonly isSample: boolean
}

const EVERYTHING: Driver = { by: 'time', values: [] }
/** Customers that are named one by one; more are found by the words again in each statement. */
const CUSTOMERS = 200

interface PlanOptions {
  /** Of a text that means very many customers, the first ones are enough. */
  readonly isSample?: boolean
}

/** Chooses the scan: the condition with the fewest rows. Undefined: nothing can match. */
export async function planSearch(
  ctx: Context,
  app: App,
  conditions: Conditions,
  options: PlanOptions = {},
): Promise<SearchPlan | undefined> {
  const { isSample, isEverywhere, ...residual } = await withCustomers(ctx, app, conditions, options)
  const { is, ids, references, text } = residual
  if (isImpossible(residual)) return undefined
  const { db } = ctx
  const sets = await Promise.all([
    ids && [...new Set(ids)].map(String),
    references && idsByReference(db, app.appId, references),
    is.assigned && idsByAssigned(db, app.appId, is.assigned),
    is.link && idsByLink(db, app.appId, is.link),
    text === undefined || isEverywhere
      ? undefined
      : idsByText(db, app.appId, {
          text,
          customers: residual.textCustomers ?? [],
          words: residual.textWords,
        }),
  ])
  const smallest = sets.filter((set) => set !== undefined).sort((a, b) => a.length - b.length)[0]
  const driver: Driver = smallest ? { by: 'ids', values: smallest } : await rarest(ctx, app, residual)
  const checked = smallest !== undefined && smallest === sets[3] ? withoutText(residual) : residual
  return { driver, residual: checked, isPlain: isPlain(driver, checked), isSample }
}

/** What was found by the text is not compared with it again: that may read very many customers. */
function withoutText({ text: _, textCustomers, textWords, ...residual }: Residual): Residual {
  return residual
}

/** Whether the rows of a scan need no check: its values are all that is asked for, beside times. */
function isPlain({ by, values }: Driver, residual: Residual): boolean {
  const { is, not, ids, references, notReferences, min, max, text, customerWords } = residual
  const others = [ids, references, notReferences, min, max, text, customerWords]
  if (others.some((each) => each !== undefined) || Object.keys(not).length > 0) return false
  const asked = Object.values(is)
  if (by === 'time' || by === 'ids') return by === 'time' && asked.length === 0
  // A word for how payments stand has a scan of states with other payments too.
  const wanted = by === 'state' ? (is.state ?? is.stateToo) : is[by]
  return (
    asked.length === 1 && wanted?.length === values.length && wanted.every((each) => values.includes(each))
  )
}

/** Whether a condition has no value that a payment could have. */
const isImpossible = ({ is, customerWords }: Residual): boolean =>
  Object.entries(is).some(
    ([field, values]) => values.length === 0 && !(field === 'customer' && customerWords !== undefined),
  )

/** Looks up the customers that a text or the beginning of a name means. */
async function withCustomers(
  ctx: Context,
  app: App,
  conditions: Conditions,
  { isSample = false }: PlanOptions,
): Promise<Residual & Pick<SearchPlan, 'isSample'> & { readonly isEverywhere: boolean }> {
  const { customerSearches = [], text, is, onlyCustomer: only } = conditions
  const find = (search: string, one?: string) =>
    customersMeant(ctx, app, search, { only: one, most: CUSTOMERS, many: FEW })
  const [searched, meant] = await Promise.all([
    Promise.all(customerSearches.map((search) => find(search, only))),
    text === undefined ? undefined : find(text),
  ])
  const few = searched.flatMap(({ ids, words: many }) => (many === undefined ? ids : []))
  const named = is.customer && [...new Set([...is.customer, ...few])]
  const customer = only === undefined ? named : !named || named.includes(only) ? [only] : []
  const textWords = isSample ? undefined : meant?.words
  const words = searched.flatMap((each) => each.words ?? []).map((each) => `(${each})`)
  return {
    ...conditions,
    ...(customer ? { is: { ...is, customer } } : {}),
    ...(words.length > 0 ? { customerWords: words.join(' | ') } : {}),
    textCustomers: text === undefined ? [] : [...new Set([text, ...(textWords ? [] : (meant?.ids ?? []))])],
    ...(textWords ? { textWords } : {}),
    isSample: isSample && meant?.words !== undefined,
    // Their payments are too many to be a set, so they are not collected for it.
    isEverywhere: textWords !== undefined && meant?.isMany === true,
  }
}

/** How far apart the rows of a condition are is seen from the place of this one. */
const PROBED = 500
/** A condition with more values than this is only checked row by row. */
const MAX_WALKED = 200

/** The states in which payments that stand like this are. Undefined: too many to scan each. */
function statesOf(standings: readonly string[] | undefined): readonly string[] | undefined {
  const states = standings?.map((standing) => (Object.hasOwn(STATES, standing) ? [standing] : IN[standing]))
  return states?.every((each) => each !== undefined) ? [...new Set(states.flat())] : undefined
}

const IN: Readonly<Record<string, readonly string[]>> = {
  declined: ['Created', 'Failed'],
  blocked: ['Failed'],
}

async function rarest(ctx: Context, app: App, residual: Residual): Promise<Driver> {
  const { is, min, max, from, to, customerWords } = residual
  const drivers = INDEXED_FIELDS.flatMap((by): Driver[] => {
    if (by === 'customer' && customerWords !== undefined) return []
    const values = by === 'state' ? statesOf(is.state ?? is.stateToo) : is[by]
    return values && values.length <= MAX_WALKED ? [{ by, values }] : []
  })
  const hasAmount = min !== undefined || max !== undefined
  const [only] = drivers
  if (drivers.length === 1 && only && !hasAmount) return only
  const amounts = hasAmount ? await idsByAmount(ctx.db, app.appId, { min, max }) : undefined
  if (amounts && drivers.length === 0) return { by: 'ids', values: amounts }
  if (drivers.length === 0) return EVERYTHING
  const below = startOf(to)
  const places = await Promise.all(
    drivers.map((driver) => placeAt(ctx.db, app.appId, { driver, below, from }, PROBED - 1)),
  )
  const time = (place: Position | undefined): number => place?.time.getTime() ?? Number.NEGATIVE_INFINITY
  const ranked = drivers
    .map((driver, index) => ({ driver, place: places[index] }))
    .sort((a, b) => time(a.place) - time(b.place))
  const [best] = ranked
  // A condition with few rows needs no other; else a small set of amounts is read as a whole.
  if (amounts && best?.place) return { by: 'ids', values: amounts }
  return best?.driver ?? EVERYTHING
}

/** No payment is newer: PostgreSQL and JavaScript both write this year with four digits. */
const LATEST = new Date('9999-12-31T00:00:00Z')

/** The place before the first row created before `to`. */
export const startOf = (to: Date | undefined): Position => ({ time: to ?? LATEST, paymentId: 0 })

export interface Scanned {
  readonly payments: readonly SizedPayment[]
  /** Where to go on; undefined at the end. */
  readonly next: Position | undefined
  readonly isPartial: boolean
}

/** Statements that a page may need when rows that match are far apart. */
const ROUNDS = 2

interface Wanted {
  readonly below: Position
  readonly limit: number
  /** Rows to leave out first. */
  readonly skip?: number
  readonly db?: Queryable
}

/** The next page of a search. It reads a bounded number of rows: a page may be partial, even empty. */
export async function scan(
  ctx: Pick<Context, 'db'>,
  app: App,
  plan: SearchPlan,
  { below, limit, skip = 0, db = ctx.db }: Wanted,
): Promise<Scanned> {
  const { driver, residual } = plan
  const found: SizedPayment[] = []
  const start = earlierOf(below, startOf(residual.to))
  let place = skip > 0 ? await placeAfterMatches(db, app, plan, { below: start, count: skip }) : start
  for (let round = 0; round < ROUNDS && place; round++) {
    const here: Scan = { driver, below: place, from: residual.from }
    // One row more than wanted tells whether there is a next page.
    const most = limit + 1 - found.length
    const rows = await selectPayments(db, app.appId, here, { residual, limit: most })
    found.push(...rows.filter((row) => !row.isChanged || stillMatches(residual, row)))
    place = rows.length === most ? placeOf(rows.at(-1)) : await placeAfter(db, app, here)
    if (found.length > limit) break
  }
  const payments = found.slice(0, limit)
  const hasMore = found.length > limit
  return {
    payments,
    next: hasMore ? placeOf(payments.at(-1)) : place,
    isPartial: !hasMore && place !== undefined,
  }
}

/** Statements that may be needed to leave out rows: enough for 10,000 rows of several values. */
const SKIP_ROUNDS = 12

/** The place after so many rows that match; undefined when there are not more. */
async function placeAfterMatches(
  db: Queryable,
  { appId }: App,
  { driver, residual }: SearchPlan,
  { below, count }: { below: Position; count: number },
): Promise<Position | undefined> {
  let left = count
  let place: Position | undefined = below
  for (let round = 0; round < SKIP_ROUNDS && place; round++) {
    const here: Scan = { driver, below: place, from: residual.from }
    const last = await placeOfMatch(db, appId, here, { residual, offset: left - 1 })
    if (last) return last
    place = await placeAfter(db, { appId }, here)
    if (place) left -= (await selectPayments(db, appId, here, { residual, limit: left })).length
  }
  return undefined
}

/** Where the rows that one statement reads end; undefined when it has read all. */
const placeAfter = (
  db: Queryable,
  { appId }: Pick<App, 'appId'>,
  here: Scan,
): Promise<Position | undefined> =>
  here.driver.by === 'ids' ? Promise.resolve(undefined) : placeAt(db, appId, here, scannedBy(here.driver) - 1)

const placeOf = (payment: SizedPayment | undefined): Position | undefined =>
  payment && { time: payment.createdTime, paymentId: payment.paymentId }

const earlierOf = (a: Position, b: Position): Position =>
  a.time < b.time || (a.time.getTime() === b.time.getTime() && a.paymentId < b.paymentId) ? a : b
