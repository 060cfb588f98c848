import { assert } from '../base/assert.ts'

/**
 * What one process keeps in memory for later requests. Each context has its own, because several services may
 * run in one process. A restart may lose all of it. See docs/decisions/0157-node-state-by-slots.md.
 */
export interface NodeState<out Ports> {
  /** What the parts are made of: database, clock, log, settings. */
  readonly ports: Ports
  /** By the number of the slot; undefined until a part is read for the first time. */
  readonly parts: unknown[]
}

/** Reads a part of the state; makes it at the first read. */
export interface NodeSlot<in Ports, out Part> {
  (ctx: { readonly node: NodeState<Ports> }): Part
  /** Its place in `parts`. */
  readonly place: number
}

/** A row of the table in ARCHITECTURE.md. */
export interface SlotNotes {
  /** What is kept. */
  readonly holds: string
  /** What removes or renews it. */
  readonly until: string
  /** What is gone after a restart, and what follows from that. */
  readonly restart: string
}

export interface DeclaredSlot extends SlotNotes {
  readonly name: string
  readonly read: NodeSlot<never, object>
}

/** A set of slots. The service has one; a test may make its own. */
export function createSlots() {
  const declared: DeclaredSlot[] = []
  return {
    /** Declares a part of the state. The constant that holds the slot has the same name. */
    slot<Ports, Part extends object>(
      name: string,
      create: (ports: Ports) => Part,
      notes: SlotNotes,
    ): NodeSlot<Ports, Part> {
      assert(!declared.some((other) => other.name === name), `two slots are called ${name}`)
      const read = slotAt(declared.length, create)
      declared.push({ name, ...notes, read })
      return read
    },
    /** Those of all modules that are loaded. */
    declaredSlots: (): readonly DeclaredSlot[] => declared,
    createNodeState: <Ports>(ports: Ports): NodeState<Ports> => ({
      ports,
      parts: declared.map(() => undefined),
    }),
  }
}

/** Payments read several slots: a number finds the part as fast as a member with a name. */
function slotAt<Ports, Part extends object>(
  place: number,
  create: (ports: Ports) => Part,
): NodeSlot<Ports, Part> {
  function read({ node }: { readonly node: NodeState<Ports> }): Part {
    const known = node.parts[place]
    return known === undefined ? make(node) : (known as Part)
  }
  function make(node: NodeState<Ports>): Part {
    const part = create(node.ports)
    node.parts[place] = part
    return part
  }
  return Object.assign(read, { place })
}

export const { slot, declaredSlots, createNodeState } = createSlots()
