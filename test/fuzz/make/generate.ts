import { METHOD_KINDS } from '../../../src/providers/outcome.ts'
import { outcomesOf } from '../../../src/sandbox/helpers/choices.ts'
import type { Dice } from '../../simulate/dice.ts'
import type { Shape } from '../document.ts'
import type { World } from '../world.ts'
import { AMOUNTS, ODD_DATES, ODD_NUMBERS, ODD_TEXTS, ODD_URLS, oddValue } from './values.ts'

/** A value that matches the schema; members with known names get meaningful values. */
export function validValue(world: World, shape: Shape, name = '', depth = 0): unknown {
  const { dice, document } = world
  const schema = document.resolve(shape)
  const known = dice.chance(0.85) ? namedValue(world, name) : undefined
  if (known !== undefined && acceptsScalar(world, schema)) return known
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return dice.pick(schema.enum)
  if (schema.anyOf) return validValue(world, dice.pick(schema.anyOf), name, depth)
  if (schema.examples && dice.chance(0.3)) return dice.pick(schema.examples)
  switch (schema.type) {
    case 'object':
      return validObject(world, schema, depth)
    case 'array':
      return validArray(world, schema, { name, depth })
    case 'integer':
      return Math.round(between(dice, schema))
    case 'number':
      return Math.round(between(dice, schema) * 100) / 100
    case 'boolean':
      return dice.chance(0.5)
    case 'null':
      return null
    case 'string':
      return validText(dice, schema)
    default:
      return oddValue(dice)
  }
}

/** Whether the schema accepts a string or number. */
function acceptsScalar(world: World, { type, anyOf = [], ...schema }: Shape): boolean {
  if (schema.enum || schema.const !== undefined) return false
  if (type === 'string' || type === 'number' || type === 'integer') return true
  return anyOf.some((one) => acceptsScalar(world, world.document.resolve(one)))
}

const DEEPEST = 6

function validObject(world: World, { properties = {}, required = [] }: Shape, depth: number): object {
  const isDeep = depth >= DEEPEST
  const members = Object.entries(properties)
    .filter(([name]) => required.includes(name) || (!isDeep && world.dice.chance(0.4)))
    .map(([name, shape]) => [name, validValue(world, shape, name, depth + 1)])
  return Object.fromEntries(members)
}

function validArray(
  world: World,
  { items }: Shape,
  { name, depth }: { name: string; depth: number },
): unknown[] {
  const length = world.dice.pick([0, 1, 1, 2, 5])
  return Array.from({ length }, () => (items ? validValue(world, items, name, depth + 1) : null))
}

const between = (dice: Dice, { minimum = 0, maximum = 1_000 }: Shape): number =>
  minimum + dice.next() * (Math.min(maximum, minimum + 100_000) - minimum)

function validText(dice: Dice, { pattern, minLength = 0, maxLength = 40 }: Shape): string {
  if (pattern?.startsWith('^\\d')) return dice.pick(['1', '25.50', '10001', '42'])
  if (pattern?.includes('[1-9]')) return dice.pick(['1', '2', '20', '500'])
  if (pattern?.includes('[A-Z]{3}')) return dice.pick(CURRENCIES)
  if (pattern?.includes('{2}')) return dice.pick(['PL', 'de', 'US'])
  const lengths = [minLength, Math.max(1, minLength), Math.min(8, maxLength), Math.min(maxLength, 2_000)]
  const text = dice.pick(['order', 'Zażółć ', '漢字', 'a b', '🛒', "O'Neil <b>", 'x\ty\n'])
  return text.repeat(1 + Math.ceil(maxLength / text.length)).slice(0, dice.pick(lengths))
}

const CURRENCIES = ['EUR', 'USD', 'JPY', 'KWD', 'PLN', 'XXX']

/** A meaningful value for a member or parameter by its name, or undefined. */
function namedValue(world: World, name: string): unknown {
  const { dice, known, mark } = world
  if (name === 'referenceId') return dice.chance(0.8) ? `${mark}-${world.next()}` : known.any(name, dice)
  if (name === 'customerId') return dice.chance(0.4) ? known.any(name, dice) : `customer-${dice.below(60)}`
  if (name === 'currency') return dice.pick(['EUR', 'EUR', 'EUR', 'USD', 'JPY'])
  if (/^(?:amount|total|threshold|minAmount|maxAmount)$/.test(name))
    return dice.pick([25.5, 10, '25.00', 0.01, 7, 1_000])
  if (name === 'quantity') return dice.pick([1, 2, 3])
  if (/webhookurl$/i.test(name)) return `${world.hooks}/${dice.pick(['200', '200', '500', '410'])}`
  if (/url$/i.test(name)) return dice.pick(['https://shop.example/back?order=1', 'http://127.0.0.1:9/zurück'])
  if (/(?:time|since|until|from|to)$/i.test(name))
    return dice.pick(['2030-01-31T12:00:00Z', '2031-06-01T00:00:00.5+02:00', '2027-01-01T00:00:00Z'])
  if (name === 'email') return dice.pick(['dana@shop.example', 'ż@shop.example'])
  if (name === 'advance') return dice.pick(['30s', '90m', '12h', '1d'])
  if (name === 'outcome') return dice.pick(OUTCOMES)
  if (name === 'provider') return 'sandbox'
  if (/countr/i.test(name)) return dice.pick(['PL', 'DE', 'US'])
  if (/addresses$/i.test(name)) return dice.pick(['203.0.113.0/24', '2001:db8::1', '127.0.0.1'])
  if (name === 'delayMs') return dice.below(30)
  if (name === 'times') return 1 + dice.below(2)
  return known.any(name, dice)
}

/** Every outcome of the test helper; half of the entries are the usual one. */
const ALL_OUTCOMES = [...METHOD_KINDS.flatMap(outcomesOf), 'abandon']
export const OUTCOMES: readonly string[] = [...ALL_OUTCOMES, ...ALL_OUTCOMES.map(() => 'approved')]

/** The same value with one defect. */
export function broken(world: World, value: unknown): unknown {
  const places = placesOf(value)
  const preferred = places.filter((place) => PARSED_FURTHER.test(String(place.at(-1))))
  const place = world.dice.pick(preferred.length > 0 && world.dice.chance(0.5) ? preferred : places)
  return place === undefined ? oddValue(world.dice) : withPlace(value, place, world)
}

/** Members with validation beyond their schema. */
const PARSED_FURTHER = /url$|time$|amount|threshold|advance|addresses|countries|currency/i

type Place = readonly (string | number)[]

const MAX_PLACES = 200

function placesOf(value: unknown, path: Place = [], found: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return found
  for (const key of Object.keys(value)) {
    if (found.length >= MAX_PLACES) return found
    const place = [...path, Array.isArray(value) ? Number(key) : key]
    found.push(place)
    placesOf((value as Record<string, unknown>)[key], place, found)
  }
  return found
}

/** A copy in which the value at this place is removed, doubled or replaced. */
function withPlace(value: unknown, [key, ...rest]: Place, world: World): unknown {
  if (key === undefined || typeof value !== 'object' || value === null) return value
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string | number, unknown>
  if (rest.length > 0) {
    copy[key] = withPlace(copy[key], rest, world)
    return copy
  }
  const { dice } = world
  const way = dice.below(10)
  if (way === 0) delete copy[key]
  else if (way === 1) Object.defineProperty(copy, '__proto__', { value: { a: 1 }, enumerable: true })
  else if (way === 2) copy[`${key}\u0000`] = copy[key]
  else if (way === 3) copy[key] = swapped(copy[key])
  else copy[key] = dice.chance(0.6) ? oddLike(dice, String(key), copy[key]) : oddValue(dice)
  // Webhooks must only be sent to this machine.
  if (/webhookurl$/i.test(String(key)) && dice.chance(0.5)) copy[key] = dice.pick(ODD_URLS)
  return copy
}

/** The same value with another type. */
function swapped(value: unknown): unknown {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? 'true' : 0
  return Array.isArray(value) ? { 0: value[0] } : [value]
}

/** A hostile value of the type that the member expects. */
function oddLike(dice: Dice, name: string, value: unknown): unknown {
  if (/url$/i.test(name)) return dice.pick(ODD_URLS)
  if (/time$/i.test(name)) return dice.pick(ODD_DATES)
  if (/amount|threshold|total/i.test(name)) return dice.pick([...AMOUNTS, ...ODD_NUMBERS])
  if (typeof value === 'number') return dice.pick(ODD_NUMBERS)
  return typeof value === 'string' ? dice.pick(ODD_TEXTS) : oddValue(dice)
}

export const oddText = (dice: Dice): string =>
  dice.pick([...ODD_TEXTS, ...ODD_DATES, ...ODD_URLS, ...AMOUNTS])
