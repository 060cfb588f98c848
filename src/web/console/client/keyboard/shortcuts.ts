import { isDialogOpen, openDialog } from '../dialog.ts'
import { toggleDock } from '../dock.ts'
import { type Command, readPress } from './keys.ts'
import { openPalette } from './palette.ts'

/** The keyboard: nothing here acts, it only opens, moves and focuses. A person can turn it off. */
export function addShortcuts(): void {
  let waitingSince: number | undefined
  document.addEventListener('keydown', (event) => {
    if (document.body.dataset.shortcuts !== 'on' || event.defaultPrevented || event.isComposing) return
    const press = {
      key: event.key,
      hasControl: event.ctrlKey || event.metaKey,
      hasAlt: event.altKey,
      isTyping: isTyping(event.target as Element),
      isDialogOpen: isDialogOpen(),
    }
    const pressed = readPress(press, performance.now(), waitingSince)
    // A held modifier is a key press too.
    if (event.key.length === 1) waitingSince = pressed.waitingSince
    if (pressed.command && run(pressed.command)) event.preventDefault()
  })
}

const isTyping = (target: Element): boolean =>
  target.matches(
    'textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=button])',
  )

/** Whether the command did something. */
function run(command: Command): boolean {
  switch (command.name) {
    case 'palette':
      return openPalette()
    case 'search':
      // The search of the page itself, else the one of every page.
      return focus('input[data-search]') || focus('#find')
    case 'dock':
      return toggleDock()
    case 'help':
      void openDialog('/console/shortcuts')
      return true
    case 'move':
      return move(command.by)
    case 'select':
      return select()
    case 'go':
      return click(`a[data-go="${CSS.escape(command.key)}"]`)
    case 'press':
      return click(`[data-key="${CSS.escape(command.key)}"]:not(:disabled)`)
  }
}

function focus(selector: string): boolean {
  const field = document.querySelector<HTMLInputElement>(selector)
  field?.focus()
  field?.select()
  return field !== null
}

function click(selector: string): boolean {
  const element = document.querySelector<HTMLElement>(selector)
  // A dialog gives the focus back to where it was.
  element?.focus()
  element?.click()
  return element !== null
}

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('main tr[data-href]')]

const isCurrent = (row: HTMLElement): boolean => row.contains(document.activeElement)

/** The focus moves to the link of the row, so Enter opens it as everywhere. */
function move(by: 1 | -1): boolean {
  const all = rows()
  const at = all.findIndex(isCurrent)
  const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by]
  const link = next?.querySelector<HTMLElement>(`a[href="${CSS.escape(next.dataset.href ?? '')}"], a[href]`)
  if (!next || !link) return false
  link.focus()
  next.scrollIntoView({ block: 'nearest' })
  return true
}

function select(): boolean {
  const box = rows().find(isCurrent)?.querySelector<HTMLInputElement>('input[type=checkbox]')
  box?.click()
  return box !== undefined && box !== null
}
