import type { TSchema } from 'typebox'

/** The bounded arrays of a schema, by their position. */
interface Bounds {
  /** The most items that any alternative takes; undefined where it is no array. */
  readonly maxItems: number | undefined
  readonly items: Bounds | undefined
  readonly members: ReadonlyMap<string, Bounds>
}

interface Shape {
  readonly maxItems?: number
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
  readonly anyOf?: readonly Shape[]
}

type Path = readonly (string | number)[]

export interface Clipped {
  /** The value with every array that is too long replaced by an empty one. */
  readonly value: unknown
  readonly tooLong: readonly { readonly path: Path; readonly maxItems: number }[]
}

/**
 * The validator checks every item of an array before its length, and checks each again to list the errors.
 * So arrays that are too long are removed first, and their items are never validated.
 */
export function createClip(schema: TSchema): (value: unknown) => Clipped {
  const bounds = boundsOf(schema as Shape)
  return (value) => {
    const tooLong: { path: Path; maxItems: number }[] = []
    const visit = (at: unknown, within: Bounds, path: Path): unknown => {
      if (Array.isArray(at)) {
        const { maxItems, items } = within
        if (maxItems !== undefined && at.length > maxItems) {
          tooLong.push({ path, maxItems })
          return []
        }
        return items ? at.map((item, index) => visit(item, items, [...path, index])) : at
      }
      return isObject(at) ? visitMembers(at, within, (key, one) => visit(at[key], one, [...path, key])) : at
    }
    const clipped = bounds ? visit(value, bounds, []) : value
    return { value: tooLong.length > 0 ? clipped : value, tooLong }
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Copies the object only when a member is replaced. */
function visitMembers(
  object: Record<string, unknown>,
  { members }: Bounds,
  visit: (key: string, bounds: Bounds) => unknown,
): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined
  for (const [key, bounds] of members) {
    if (object[key] === undefined) continue
    const visited = visit(key, bounds)
    if (visited !== object[key]) copy = { ...(copy ?? object), [key]: visited }
  }
  return copy ?? object
}

/** Undefined where there is no bounded array anywhere inside. */
function boundsOf(shape: Shape): Bounds | undefined {
  const alternatives = (shape.anyOf ?? []).map(boundsOf).filter((one) => one !== undefined)
  const items = shape.items && boundsOf(shape.items)
  const members = new Map<string, Bounds>()
  for (const [key, member] of Object.entries(shape.properties ?? {})) {
    const bounds = boundsOf(member)
    if (bounds) members.set(key, bounds)
  }
  const own: Bounds = { maxItems: shape.maxItems, items, members }
  const all = alternatives.reduce(merged, own)
  return all.maxItems === undefined && !all.items && all.members.size === 0 ? undefined : all
}

/** An array too long for one alternative may be valid for another, so the larger bound counts. */
function merged(one: Bounds, other: Bounds): Bounds {
  const members = new Map(one.members)
  for (const [key, bounds] of other.members) {
    const known = members.get(key)
    members.set(key, known ? merged(known, bounds) : bounds)
  }
  const bounds = [one.maxItems, other.maxItems].filter((bound) => bound !== undefined)
  const items = one.items && other.items ? merged(one.items, other.items) : (one.items ?? other.items)
  return { maxItems: bounds.length > 0 ? Math.max(...bounds) : undefined, items, members }
}
