import { Socket } from 'node:net'
import pg from 'pg'
import type { Database, Queryable, Statement } from '../../src/db/database.ts'
import { type Answer, createReader, createWriter, type Shape } from './protocol.ts'

/**
 * As in the service, see src/db/pool.ts: a plan that depended on how often its statement ran before might
 * show a replay its rows in another order.
 */
const SETTINGS = '-c enable_seqscan=off -c jit=off -c plan_cache_mode=force_generic_plan'

/**
 * The simulation's way to the database. Everything passes the turnstile one by one, so it needs no pool, no
 * timers and no lanes of its own; the service's are around it. Nor does it need most of what the driver does
 * for each query, which was a quarter of our time: the driver opens the connection, then we talk ourselves.
 */
export async function connect(url: string): Promise<Database> {
  const socket = new Socket()
  const client = new pg.Client({ connectionString: url, options: SETTINGS, stream: () => socket })
  await client.connect()
  const { query, begin } = takeOver(socket)
  const unused = () => {
    throw new Error('a node brings its own')
  }
  return {
    query,
    async transaction(work, opening) {
      await begin()
      try {
        if (opening) await query(opening)
        const result = await work({ query })
        await query(COMMIT)
        return result
      } catch (error) {
        await query(ROLLBACK)
        throw error
      }
    },
    batch: unused,
    listen: unused,
    close: () => client.end(),
  }
}

const BEGIN: Statement<never> = { name: 'simulate.begin', text: 'begin' }
const COMMIT: Statement<never> = { name: 'simulate.commit', text: 'commit' }
const ROLLBACK: Statement<never> = { name: 'simulate.rollback', text: 'rollback' }

/** One question at a time. */
function takeOver(socket: Socket): Queryable & { begin(): Promise<void> } {
  const writer = createWriter()
  const shapes = new Map<string, Shape | undefined>()
  let waiting: ((answer: Answer) => void) | undefined
  const reader = createReader((answer) => waiting?.(answer))
  socket.removeAllListeners('data')
  socket.on('data', reader.push)

  async function query<Row>({ name, text }: Statement<Row>, values: readonly unknown[] = []): Promise<Row[]> {
    const isKnown = name !== '' && shapes.has(name)
    if (!isKnown) writer.prepare(name, text)
    writer.execute(name, values)
    reader.expect(isKnown ? shapes.get(name) : undefined)
    const answer = await ask()
    if (answer.isPrepared) shapes.set(name, answer.shape)
    if (answer.error) throw answer.error
    return answer.rows as Row[]
  }

  function ask(): Promise<Answer> {
    if (waiting) throw new Error('two questions at once')
    return new Promise((resolve) => {
      waiting = (answer) => {
        waiting = undefined
        resolve(answer)
      }
      socket.write(writer.sync())
    })
  }

  return {
    query,
    /** Goes out together with what follows. */
    async begin() {
      if (shapes.has(BEGIN.name)) writer.execute(BEGIN.name, [])
      else await query(BEGIN)
    },
  }
}
