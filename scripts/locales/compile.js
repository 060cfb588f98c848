import { parse, TYPE } from '@formatjs/icu-messageformat-parser'

/** What a message may consist of. Amounts, numbers and dates are inserted as formatted text. */
const UNUSED = {
  [TYPE.number]: 'number',
  [TYPE.date]: 'date',
  [TYPE.time]: 'time',
  [TYPE.tag]: 'tag',
}

/** The name is a member of the values that the program passes. */
const PARAMETER = /^[a-z][A-Za-z0-9]*$/

/** Parses an ICU message; throws an error that says what is wrong. */
export function parseMessage(text) {
  const message = readMessage(text)
  for (const element of elementsIn(message)) checkElement(element)
  return message
}

function readMessage(text) {
  try {
    return parse(text, { ignoreTag: true, captureLocation: false })
  } catch (error) {
    // Its message is a code such as EXPECT_ARGUMENT_CLOSING_BRACE.
    throw new Error(`${error.message} in “${text}”`)
  }
}

function checkElement({ type, value, pluralType, offset }) {
  if (UNUSED[type]) throw new Error(`the format “${UNUSED[type]}” is not used here: pass formatted text`)
  if (pluralType === 'ordinal') throw new Error('“selectordinal” is not used here')
  if (offset) throw new Error('“offset” is not used here')
  if (isNamed(type) && !PARAMETER.test(value)) throw new Error(`“${value}” is no name of a parameter`)
}

const isNamed = (type) => type === TYPE.argument || type === TYPE.plural || type === TYPE.select

/** All elements of a message, those in the branches of plurals and selections too. */
export function elementsIn(message) {
  return message.flatMap((element) => [
    element,
    ...Object.values(element.options ?? {}).flatMap(({ value }) => elementsIn(value)),
  ])
}

/**
 * The parameters of a message with their kinds, in the order of their first use. `text` may be a number too,
 * which is inserted as it is; `count` selects a plural form; `flag` and `choice` select a branch.
 */
export function parametersOf(message) {
  const kinds = new Map()
  for (const element of elementsIn(message).filter(({ type }) => isNamed(type))) {
    const kind = kindOf(element)
    if (kind !== 'text' || !kinds.has(element.value)) kinds.set(element.value, kind)
  }
  return kinds
}

function kindOf({ type, options }) {
  if (type === TYPE.plural) return 'count'
  if (type !== TYPE.select) return 'text'
  const isFlag = Object.keys(options).every((key) => ['true', 'false', 'other'].includes(key))
  return isFlag ? 'flag' : 'choice'
}

/** Source of a JavaScript module whose default export has the texts of a catalogue, in its nesting. */
export function compileCatalogue(catalogue, locale) {
  const texts = entrySource(catalogue, '')
  // Made at the first use: most languages of a process are never shown.
  const plurals = texts.includes('form(')
    ? `let rules\nconst form = (count) => (rules ??= new Intl.PluralRules(${JSON.stringify(locale)}))` +
      '.select(count)\n'
    : ''
  return `${plurals}export default ${texts}\n`
}

function entrySource(entry, path) {
  if (typeof entry === 'string') return messageSource(entry, path)
  if (!isGroup(entry)) throw new Error(`${path}: neither a text nor a group of texts`)
  const members = Object.entries(entry).map(
    ([key, value]) => `${JSON.stringify(key)}: ${entrySource(value, path ? `${path}.${key}` : key)}`,
  )
  return `{${members.join(',\n')}}`
}

export const isGroup = (entry) => typeof entry === 'object' && entry !== null && !Array.isArray(entry)

function messageSource(text, path) {
  try {
    const message = parseMessage(text)
    if (parametersOf(message).size > 0) return `(values) => ${templateSource(message)}`
    return JSON.stringify(message.map(({ value }) => value).join(''))
  } catch (error) {
    throw new Error(`${path}: ${error.message}`)
  }
}

/** `count` is the parameter of the plural around it, which `#` stands for. */
function templateSource(message, count) {
  return `\`${message.map((element) => elementSource(element, count)).join('')}\``
}

function elementSource({ type, value, options }, count) {
  if (type === TYPE.literal) return value.replace(/[\\`]|\$(?=\{)/g, '\\$&')
  if (type === TYPE.pound) return `\${values.${count}}`
  if (type === TYPE.argument) return `\${values.${value}}`
  if (type === TYPE.select) return branchesSource(`String(values.${value})`, options, count)
  return branchesSource(`form(values.${value})`, options, value)
}

/** `=1` compares the number, other names the plural form or the selected value. */
function branchesSource(selected, options, count) {
  const { other, ...named } = options
  const chain = Object.entries(named).map(([name, { value }]) => {
    const test = name.startsWith('=')
      ? `values.${count} === ${name.slice(1)}`
      : `it === ${JSON.stringify(name)}`
    return `${test} ? ${templateSource(value, count)} : `
  })
  return `\${((it) => ${chain.join('')}${templateSource(other.value, count)})(${selected})}`
}
