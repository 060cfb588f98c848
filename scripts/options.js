import { parseArgs } from 'node:util'

/**
 * Parses the arguments of a script. `--help` prints the help text and exits with 0. An unknown option or
 * argument prints one line and exits with 2.
 *
 * `usage` is the command line, `does` a short description, `names` describes positional arguments (without
 * it none are allowed). An option has the `type` of parseArgs, `description` as its help text, `value` as the
 * name of its value in the help text, and `integer` if the value must be an integer.
 */
export function readOptions({ usage, does, options = {}, names }, args = process.argv.slice(2)) {
  const known = { ...options, help: { type: 'boolean', short: 'h', description: 'Show this text.' } }
  const { values, positionals } = parsed(usage, () =>
    parseArgs({ args, options: known, allowPositionals: names !== undefined }),
  )
  if (values.help) {
    console.log(helpText({ usage, does, options: known, names }))
    process.exit(0)
  }
  for (const [name, { integer }] of Object.entries(options))
    if (integer && values[name] !== undefined && !/^\d{1,9}$/.test(values[name]))
      refuse(usage, `Option '--${name}' takes a whole number, not '${values[name]}'.`)
  return { values, positionals }
}

function parsed(usage, parse) {
  try {
    return parse()
  } catch (error) {
    // Node adds sentences about how to pass such an argument anyway.
    return refuse(usage, `${error.message.split(/\. |\n/)[0].replace(/\.$/, '')}.`)
  }
}

/** Prints one line and exits with 2. */
export function refuse(usage, problem) {
  const command = usage.split(' -- ')[0].split(' [')[0]
  console.error(`${problem} Try: ${command} -- --help`)
  return process.exit(2)
}

export function helpText({ usage, does, options, names }) {
  const rows = Object.entries(options).map(([name, { short, value, description }]) => [
    `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`,
    description,
  ])
  const width = Math.max(...rows.map(([option]) => option.length))
  const lines = rows.map(([option, description]) => `  ${option.padEnd(width)}  ${description}`)
  return [`Usage: ${usage}`, '', does, ...(names ? ['', names] : []), '', 'Options:', ...lines].join('\n')
}
