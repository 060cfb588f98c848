import type { BatchStatement, Database, Statement } from '../../src/db/database.ts'
import type { ProviderAdapter } from '../../src/providers/port.ts'

/** A way to break the service from outside, so that the simulator can show that it would notice. */
export interface Mutation {
  statement<Row>(statement: Statement<Row>): Statement<Row>
  batch(batch: Database['batch']): Database['batch']
  adapter<Config>(adapter: ProviderAdapter<Config>): ProviderAdapter<Config>
  /** Done to the database first. */
  readonly schema?: string
}

export const NONE: Mutation = {
  statement: (statement) => statement,
  batch: (batch) => batch,
  adapter: (adapter) => adapter,
}

const replacing = (name: string, what: string, by: string): Mutation => ({
  ...NONE,
  statement(statement) {
    if (statement.name !== name) return statement
    if (!statement.text.includes(what)) throw new Error(`${name} no longer says "${what}"`)
    return { ...statement, name: `${name}.mutated`, text: statement.text.replaceAll(what, by) }
  },
})

/** The caller hears "written" before it is; a crash in between loses it. */
const early = (name: string): Mutation => ({
  ...NONE,
  batch: (batch) =>
    function write<Input, Row>(statement: BatchStatement<Input, Row>, input: Input) {
      const written = batch(statement, input)
      if (statement.name !== name) return written
      written.catch(() => {})
      return Promise.resolve({ n: 0 } as Row)
    },
})

/** The five planted bugs. Only the self-test uses them. */
export const BUGS: Readonly<Record<string, Mutation>> = {
  'an unknown outcome is treated as a decline': {
    ...NONE,
    adapter: (adapter) => ({
      ...adapter,
      async start(...call) {
        const outcome = await adapter.start(...call)
        if (outcome.kind !== 'unknown') return outcome
        return { kind: 'declined', reason: 'processing-error', retry: 'later', raw: {} }
      },
    }),
  },
  'the version is not checked': replacing('payments.change', 'and p.version = i.was_version', ''),
  'the provider is called before the operation is committed': early('payments.change'),
  'a reference is not unique': { ...NONE, schema: 'alter table payments drop constraint payments_reference' },
  'a payment is acknowledged before it is committed': early('payments.create'),
}
