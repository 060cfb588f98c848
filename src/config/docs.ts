import { SETTINGS } from './settings.ts'
import type { Setting } from './values.ts'

const all = Object.entries(SETTINGS) as [string, Setting<unknown>][]

/** The text of docs/reference/config.md. */
export function configReference(): string {
  const rows = all.map(
    ([name, { description, mustBe, ...it }]) =>
      `| \`${name}\` | ${description} | ${mustBe} | ${defaultOf(it)} |`,
  )
  return `# Settings

Tender is configured by environment variables alone. An empty value counts as not set. When a setting is wrong
or missing, the service names every such setting, a line each, and ends with exit code 1.

| Name | What it does | Must be | Default |
|---|---|---|---|
${rows.join('\n')}
`
}

/** The text of .env.example: every setting, commented out, with its default. */
export function envExample(): string {
  const entries = all.map(([name, { description, ...it }]) => {
    const value = typeof it.byDefault === 'string' ? it.byDefault.replace('{PORT}', '8080') : ''
    const comment = value ? description : `${description} Default: ${defaultOf(it).replaceAll('`', '')}.`
    return `${commented(comment)}\n# ${name}=${value}\n`
  })
  const how = '# Copy this to .env, set what you need, and start with: node --env-file=.env scripts/start.js'
  return `${how}\n\n${entries.join('\n')}`
}

/** Comment lines of at most 110 columns. */
const commented = (text: string): string => text.replace(/(.{1,108})(?: |$)/g, '# $1\n').trimEnd()

function defaultOf({ byDefault, defaultSays }: Pick<Setting<unknown>, 'byDefault' | 'defaultSays'>): string {
  if (typeof byDefault === 'string') return `\`${byDefault.replace('{PORT}', 'PORT')}\``
  if (byDefault) return `development: \`${byDefault.development}\`; production: \`${byDefault.production}\``
  return defaultSays ?? 'none'
}
