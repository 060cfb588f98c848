import { parseArgs } from 'node:util'

/**
 * Reads the arguments of a script. `--help` prints what it does and exits with 0. An option or argument that
 * it does not know is answered in one line, with exit code 2.
 *
 * `usage` is the command as it is typed, `does` a sentence or two, `names` what arguments without dashes are
 * (without it there are none). An option has the `type` of parseArgs, `says` for the help text, `value` for
 * the name of its value there, and `integer` when that must be a whole number.
 */
export function readOptions({ usage, does, options = {}, names }, args = process.argv.slice(2)) {
  const known = { ...options, help: { type: 'boolean', short: 'h', says: 'Show this text.' } }
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
    // Node explains further sentences long how to pass such an argument all the same.
    return refuse(usage, `${error.message.split(/\. |\n/)[0].replace(/\.$/, '')}.`)
  }
}

/** One line, and the exit code of a wrong call. */
export function refuse(usage, problem) {
  const command = usage.split(' -- ')[0].split(' [')[0]
  console.error(`${problem} Try: ${command} -- --help`)
  return process.exit(2)
}

export function helpText({ usage, does, options, names }) {
  const rows = Object.entries(options).map(([name, { short, value, says }]) => [
    `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`,
    says,
  ])
  const width = Math.max(...rows.map(([option]) => option.length))
  const lines = rows.map(([option, says]) => `  ${option.padEnd(width)}  ${says}`)
  return [`Usage: ${usage}`, '', does, ...(names ? ['', names] : []), '', 'Options:', ...lines].join('\n')
}
