import { LIMITS } from '../../base/limits.ts'

/** RFC 7240: how long the client is ready to wait. What it says wrongly, it did not say. */
export function waitMsOf(prefer: string | string[] | undefined): number {
  const words = String(prefer ?? '')
    .toLowerCase()
    .split(',')
    .map((word) => word.trim())
  if (words.includes('respond-async')) return 0
  const wait = words
    .map((word) => /^wait=(\d{1,6})$/.exec(word)?.[1])
    .find((seconds) => seconds !== undefined)
  return wait === undefined ? LIMITS.actionWaitMs : Math.min(Number(wait) * 1000, LIMITS.actionWaitMaxMs)
}
