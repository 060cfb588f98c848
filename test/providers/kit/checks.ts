/** Checks of which the schemas of simulators are made. They name each problem with its place. */

export type Check = (value: unknown, path: string) => string[]

export const wrong = (path: string, what: string): string[] => [`${path} ${what}`]

interface TextRule {
  /** 1, if absent. */
  readonly min?: number
  readonly max?: number
  readonly pattern?: RegExp
  readonly of?: readonly string[]
}

export const text =
  ({ min = 1, max = 10_000, pattern, of }: TextRule = {}): Check =>
  (value, path) => {
    if (typeof value !== 'string') return wrong(path, 'is not a text')
    if (value.length < min || value.length > max) return wrong(path, `has ${value.length} characters`)
    if (pattern && !pattern.test(value)) return wrong(path, 'has another form')
    return of && !of.includes(value) ? wrong(path, 'has an unknown value') : []
  }

export const bool: Check = (value, path) =>
  typeof value === 'boolean' ? [] : wrong(path, 'is not a boolean')

export const integerFrom =
  (least: number): Check =>
  (value, path) =>
    Number.isSafeInteger(value) && Number(value) >= least ? [] : wrong(path, 'is not an amount')

export const list =
  (of: Check): Check =>
  (value, path) =>
    Array.isArray(value) && value.length > 0
      ? value.flatMap((item, index) => of(item, `${path}[${index}]`))
      : wrong(path, 'is not a list')

interface Members {
  readonly required?: Readonly<Record<string, Check>>
  readonly optional?: Readonly<Record<string, Check>>
}

/** Unknown members are refused. */
export const object =
  ({ required = {}, optional = {} }: Members): Check =>
  (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return wrong(path, 'is no object')
    const known = { ...required, ...optional }
    const given = value as Readonly<Record<string, unknown>>
    const missing = Object.keys(required).filter((name) => !(name in given))
    return [
      ...missing.flatMap((name) => wrong(`${path}.${name}`, 'is missing')),
      ...Object.entries(given).flatMap(([name, member]) => {
        const check = known[name]
        return check ? check(member, `${path}.${name}`) : wrong(`${path}.${name}`, 'is unknown')
      }),
    ]
  }
