import { addCopying } from './copy.ts'
import { addDialogs } from './dialog.ts'
import { addPasskeys } from './passkeys.ts'
import { addRows } from './rows.ts'

// Every page works without this script. Each part adds one behaviour to elements that the server marked.
addCopying()
addDialogs()
addPasskeys()
addRows()

/** The menu is open for pages without script; on a phone it starts folded. */
const menu = document.querySelector<HTMLDetailsElement>('.rail-menu')
if (menu && matchMedia('(max-width: 820px)').matches) menu.open = false
