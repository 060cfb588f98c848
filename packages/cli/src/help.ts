import type { Command } from './command.ts'

const START = `Usage: tender <command> [options]

TENDER_APP_ID and TENDER_API_KEY name the app and its key; TENDER_URL the service, http://localhost:8080 by
default. Commands for operators need TENDER_OPERATOR_TOKEN instead of a key.`

const COMMON: readonly (readonly [string, string])[] = [
  ['--json', 'Print JSON.'],
  ['--url url', 'The service.'],
  ['--app appId', 'The app.'],
  ['-h, --help', 'Show this text.'],
]

const END = `Exit codes: 0 done, 1 refused by the service or problems found, 2 wrong usage, 3 no answer.`

/** About one command, about those that begin with the word, or about all. */
export function helpText(commands: readonly Command[], one: Command | undefined, word = ''): string {
  const own = Object.entries(one?.options ?? {}).map(
    ([name, { value, description }]) => [value ? `--${name} ${value}` : `--${name}`, description] as const,
  )
  const group = commands.filter(({ name }) => name.split(' ')[0] === word)
  const shown = one && one.name !== `${word} list` ? [one] : group.length > 0 ? group : commands
  const list = aligned(
    shown.map(({ name, args = [], description }) => [[name, ...args].join(' '), description]),
  )
  return [START, '', 'Commands:', ...list, '', 'Options:', ...aligned([...own, ...COMMON]), '', END].join(
    '\n',
  )
}

function aligned(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([start]) => start.length))
  return rows.map(([start, description]) => `  ${start.padEnd(width)}  ${description}`)
}

/** Completes the words of a command and its options. */
export function completionScript(commands: readonly Command[]): string {
  const first = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))]
  const words = first.join(' ')
  const cases = first.map((word) => {
    const own = commands.filter(({ name }) => name.split(' ')[0] === word)
    const next = own.flatMap(({ name }) => name.split(' ').slice(1))
    const options = new Set(own.flatMap((command) => Object.keys(command.options ?? {})))
    const all = [...next, ...[...options, 'json', 'url', 'app', 'help'].map((name) => `--${name}`)]
    return `    ${word}) words="${all.join(' ')}" ;;`
  })
  return [
    '_tender() {',
    '  local words',
    '  case "$' + '{COMP_WORDS[1]}" in',
    ...cases,
    `    *) words="${words}" ;;`,
    '  esac',
    `  [ "$COMP_CWORD" = 1 ] && words="${words}"`,
    '  COMPREPLY=($(compgen -W "$words" -- "$' + '{COMP_WORDS[COMP_CWORD]}"))',
    '}',
    'complete -F _tender tender',
  ].join('\n')
}
