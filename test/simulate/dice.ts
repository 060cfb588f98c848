import type { Random } from '../../src/base/ids.ts'

/** Seeded chance: the same seed throws the same dice. */
export interface Dice extends Random {
  /** 0 ≤ x < 1. */
  next(): number
  chance(probability: number): boolean
  below(limit: number): number
  pick<T>(from: readonly T[]): T
}

/** xoshiro128**: small, fast, and good enough to look like the world. */
export function createDice(seed: number): Dice {
  const state = new Uint32Array(4)
  let mixed = seed >>> 0
  for (let n = 0; n < 4; n++) {
    mixed = (mixed + 0x9e3779b9) >>> 0
    let z = mixed
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b)
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35)
    state[n] = (z ^ (z >>> 16)) >>> 0
  }
  const at = (n: number): number => state[n] ?? 0
  function word(): number {
    const result = Math.imul(rotated(Math.imul(at(1), 5), 7), 9) >>> 0
    const t = at(1) << 9
    state[2] = at(2) ^ at(0)
    state[3] = at(3) ^ at(1)
    state[1] = at(1) ^ at(2)
    state[0] = at(0) ^ at(3)
    state[2] = at(2) ^ t
    state[3] = rotated(at(3), 11)
    return result
  }
  const next = () => word() / 2 ** 32
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (from) => from[below(from.length)] as never,
    bytes: (count) => Uint8Array.from({ length: count }, () => word() & 255),
  }
}

const rotated = (value: number, by: number): number => (value << by) | (value >>> (32 - by))
