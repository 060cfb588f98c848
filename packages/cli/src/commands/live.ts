import { type Command, table } from '../command.ts'

/** Open items do not make the exit code 1: they block nothing. */
export const LIVE: Command = {
  name: 'live',
  description: 'Show what the app has and lacks for real customers.',
  async run({ tender }) {
    const data = await tender.app.goingLive()
    const rows = data.items.map(({ item, isDone, missing }) => [
      isDone ? 'DONE' : 'OPEN',
      item,
      missing.length > 0 ? `missing: ${missing.join(', ')}` : '',
    ])
    return { data, lines: table(rows) }
  },
}
