import { addCopying } from './copy.ts'
import { addDialogs } from './dialog.ts'
import { addDragging } from './drag.ts'
import { addNewer } from './newer.ts'
import { addPolling } from './poll.ts'
import { addRows } from './rows.ts'
import { addSelectAll } from './select.ts'

// Every page works without this script. Each part adds one behaviour to elements that the server marked.
addCopying()
addDialogs()
addDragging()
addPolling()
addRows()
addNewer()
addSelectAll()

/** The menu is open for pages without script; on a phone it starts folded. */
const menu = document.querySelector<HTMLDetailsElement>('.rail-menu')
if (menu && matchMedia('(max-width: 820px)').matches) menu.open = false
