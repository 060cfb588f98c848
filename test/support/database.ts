import pg from 'pg'

/** Of services and contexts in tests: a busy machine once needed more than three seconds for a connection. */
export const PATIENCE = 20

/** Creates a database on the server, cloned from another when one is named, and gives its address. */
export async function createDatabase(serverUrl: string, name: string, template?: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(`create database ${name}${template ? ` template ${template}` : ''}`)
  } finally {
    await client.end()
  }
  return withDatabase(serverUrl, name)
}

/** The same server, another database: `postgres://…/postgres?host=…` → `postgres://…/name?host=…`. */
function withDatabase(serverUrl: string, name: string): string {
  return serverUrl.replace(/\/[^/?]*(\?|$)/, `/${name}$1`)
}
