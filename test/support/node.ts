import type { Context, Ports } from '../../src/context.ts'
import { declaredSlots, type NodeSlot } from '../../src/node/slot.ts'

/** The context with another part in this slot. It shares all other parts with the given one. */
export function withPart<Ctx extends Pick<Context, 'node'>, Part>(
  ctx: Ctx,
  slot: NodeSlot<Ports, Part>,
  part: Part,
): Ctx {
  // A part that is made later would not be shared.
  for (const { read } of declaredSlots()) (read as NodeSlot<Ports, object>)(ctx)
  const parts = [...ctx.node.parts]
  parts[slot.place] = part
  return { ...ctx, node: { ...ctx.node, parts } }
}
