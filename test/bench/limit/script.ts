import type pg from 'pg'
import type { Captured, Sent } from './capture.ts'

/**
 * The script of pgbench for the statements of one payment, with its own identifiers in each run. What differs
 * between two captured payments and is long is an identifier; times stay as they were captured.
 */
export interface Script {
  readonly text: string
  readonly defines: readonly (readonly [string, string])[]
}

/** Digits that replace the end of an identifier; a payment has a number of them. */
const DIGITS = 12
const ID_LENGTH = 16
const TOKEN = /[A-Za-z0-9]+/g

export async function scriptOf(db: pg.Client, first: Captured, second: Captured): Promise<Script> {
  const isOwn = identifiersOf(first, second)
  const defines: [string, string][] = [['n', '0']]
  const lines = ['\\set n :n + 1', '\\set id :first + :client_id * 1000000000 + :n']
  for (const [place, sent] of second.statements.entries()) {
    const types = await typesOf(db, sent, place)
    const values = sent.values.map((value, index) => {
      if (value === null) return `null::${types[index]}`
      const terms = piecesOf(value, isOwn).map((piece) => {
        if (piece === ID) return ':id::text'
        const name = `v${defines.length}`
        defines.push([name, piece])
        return `:${name}::text`
      })
      return `(${terms.join(' || ') || `''`})::${types[index]}`
    })
    const text = sent.text.replace(/\$(\d+)/g, (_all, number) => values[Number(number) - 1] ?? 'null')
    lines.push(`${text.replace(/\s+/g, ' ').trim()};`)
  }
  return { text: lines.join('\n'), defines }
}

/** The types of the parameters, as PostgreSQL infers them. */
async function typesOf(db: pg.Client, { text, values }: Sent, place: number): Promise<readonly string[]> {
  if (values.length === 0) return []
  await db.query(`prepare limit_${place} as ${text}`)
  const { rows } = await db.query<{ types: string }>(
    'select parameter_types::text[]::text as types from pg_prepared_statements where name = $1',
    [`limit_${place}`],
  )
  await db.query(`deallocate limit_${place}`)
  return (rows[0]?.types.slice(1, -1) ?? '').split(',').map((type) => type.replaceAll('"', ''))
}

/** Of the tokens that the second payment has and the first one does not, the long ones. */
function identifiersOf(first: Captured, second: Captured): (token: string) => boolean {
  const tokensOf = ({ statements }: Captured) =>
    new Set(statements.flatMap(({ values }) => values.flatMap((value) => value?.match(TOKEN) ?? [])))
  const before = tokensOf(first)
  const own = new Set([...tokensOf(second)].filter((token) => !before.has(token)))
  return (token) => token === second.paymentId || (token.length >= ID_LENGTH && own.has(token))
}

/** In the place of the number that is different in each run. */
const ID = Symbol('id')

function piecesOf(value: string, isOwn: (token: string) => boolean): (string | typeof ID)[] {
  const pieces: (string | typeof ID)[] = []
  let from = 0
  for (const { 0: token, index } of value.matchAll(TOKEN)) {
    if (!isOwn(token)) continue
    const kept = token.length > DIGITS ? token.length - DIGITS : 0
    pieces.push(value.slice(from, index + kept), ID)
    from = index + token.length
  }
  pieces.push(value.slice(from))
  return pieces.filter((piece) => piece !== '')
}
