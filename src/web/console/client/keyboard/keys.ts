/** Pure: which command a key press is. */

export interface Press {
  readonly key: string
  readonly hasControl: boolean
  readonly hasAlt: boolean
  /** The focus is in a field, which takes letters itself. */
  readonly isTyping: boolean
  readonly isDialogOpen: boolean
}

export type Command =
  | { readonly name: 'palette' | 'search' | 'dock' | 'help' | 'select' }
  | { readonly name: 'move'; readonly by: 1 | -1 }
  | { readonly name: 'go'; readonly key: string }
  /** An element of the page with this `data-key`. */
  | { readonly name: 'press'; readonly key: string }

export interface Pressed {
  readonly command?: Command
  /** `g` was pressed at this time and waits for a second key. */
  readonly waitingSince?: number
}

const SECOND_KEY_MS = 1_500

const FIXED: Readonly<Record<string, Command>> = {
  '/': { name: 'search' },
  '.': { name: 'dock' },
  '?': { name: 'help' },
  j: { name: 'move', by: 1 },
  k: { name: 'move', by: -1 },
  x: { name: 'select' },
}

export function readPress(press: Press, nowMs: number, waitingSince?: number): Pressed {
  const { key, hasControl, hasAlt, isTyping, isDialogOpen } = press
  if (isDialogOpen) return {}
  if (hasControl) return !hasAlt && key.toLowerCase() === 'k' ? { command: { name: 'palette' } } : {}
  if (hasAlt || isTyping || key.length !== 1) return {}
  if (waitingSince !== undefined && nowMs - waitingSince <= SECOND_KEY_MS)
    return { command: { name: 'go', key } }
  if (key === 'g') return { waitingSince: nowMs }
  if (Object.hasOwn(FIXED, key)) return { command: FIXED[key] as Command }
  return /^[a-z]$/.test(key) ? { command: { name: 'press', key } } : {}
}
