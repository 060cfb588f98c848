import pg from 'pg'
import type { Ask } from './invariants.ts'

/** A connection for each question: the server may have been another one a moment ago. */
export const asking =
  (url: string): Ask =>
  async (text) => {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  }
