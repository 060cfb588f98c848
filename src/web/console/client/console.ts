import { addAmounts } from './amount.ts'
import { addCopying } from './copy.ts'
import { addDialogs } from './dialog.ts'
import { addDock } from './dock.ts'
import { addDragging } from './drag.ts'
import { addFilters } from './filters.ts'
import { addPalette } from './keyboard/palette.ts'
import { addShortcuts } from './keyboard/shortcuts.ts'
import { addLive } from './live.ts'
import { addLoading } from './loading.ts'
import { addNewer } from './newer.ts'
import { addPasskeys } from './passkeys.ts'
import { addPolling } from './poll.ts'
import { addPreview } from './preview.ts'
import { addRows } from './rows.ts'
import { addSelectAll } from './select.ts'
import { addZone } from './zone.ts'

// Every page works without this script. Each part adds one behaviour to elements that the server marked.
addLoading()
addCopying()
addDialogs()
addDragging()
addPolling()
addPreview()
addPasskeys()
addRows()
addNewer()
addSelectAll()
addFilters()
addAmounts()
addLive()
addDock()
addPalette()
addShortcuts()
addZone()

/** The menu is open for pages without script; on a phone it starts folded. */
const menu = document.querySelector<HTMLDetailsElement>('.rail-menu')
if (menu && matchMedia('(max-width: 820px)').matches) menu.open = false

/** Menus such as "More" close when the person goes elsewhere. */
document.addEventListener('click', ({ target }) => {
  for (const open of document.querySelectorAll<HTMLDetailsElement>('details.more[open]'))
    if (!open.contains(target as Node)) open.open = false
})
document.addEventListener('keydown', ({ key }) => {
  const open = key === 'Escape' ? document.querySelector<HTMLDetailsElement>('details.more[open]') : null
  if (!open) return
  open.open = false
  open.querySelector('summary')?.focus()
})
