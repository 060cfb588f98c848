import { hasCardNumber } from '../../src/base/cards/find.ts'
import type { Bench, Figure } from './bench.ts'

const BYTES = 250_000
const TARGET_MS = 5
const ROUNDS = 5
/** Searches of a round: CPU time is counted in steps of up to some milliseconds. */
const SEARCHES = 20

/** Repeated pieces without a card number, each costly in its own way. */
const SHAPES: Readonly<Record<string, string>> = {
  'digits alone': '4',
  'groups of four': '5018 ',
  'groups of one': '4 ',
  'groups with dashes': '0-0 ',
  'numbers with a wrong check digit': '4242424242424241 ',
  'starts of account numbers': 'DE12 ',
  'account numbers with wrong check digits': 'AT12 3456 7890 1234 5678 ',
  'UUIDs of digits': '41111111-1111-1111-1111-111111111111 ',
  'escaped digits': '%34',
  'escaped digits and spaces': '%34%20',
  'full-width digits': '\uff14',
  'full-width digits and spaces': '\uff14 ',
  'digits and letters': 'a1',
}

/**
 * The search for card numbers, in this process. It is CPU time, so that other work of the machine
 * counts less.
 */
export const cards: Bench = {
  name: 'cards',
  onlyByName: true,
  async run(_rig, say) {
    const texts = Object.entries(SHAPES).map(
      ([name, piece]) => [name, piece.repeat(Math.floor(BYTES / Buffer.byteLength(piece)))] as const,
    )
    // Compiled code differs with what it has seen, so each shape is seen before the first is measured.
    for (const [, text] of [...texts, ...texts]) searchMs(text)
    return texts.map(([name, text]) => {
      const ms = Math.min(...Array.from({ length: ROUNDS }, () => searchMs(text)))
      say(`${name}: ${ms.toFixed(1)} ms`)
      return figure(name, ms)
    })
  },
}

function searchMs(text: string): number {
  const before = process.cpuUsage()
  for (let count = 0; count < SEARCHES; count++) hasCardNumber(text)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / SEARCHES
}

const figure = (name: string, ms: number): Figure => ({
  what: `250 KB of ${name}`,
  value: `${ms.toFixed(1)} ms`,
  target: `≤ ${TARGET_MS} ms`,
  ok: ms <= TARGET_MS,
  numbers: { ms },
})
