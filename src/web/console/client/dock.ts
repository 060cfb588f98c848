import { showCopyButtons } from './copy.ts'

/** The dock: a line at the bottom whose tabs load a list about the object on screen. */
export function addDock(): void {
  const dock = dockOf()
  if (!dock) return
  dock.hidden = false
  dock.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest<HTMLElement>('button')
    if (button?.dataset.dockTab) void show(dock, button.dataset.dockTab)
    else if (button?.dataset.dockClose) close(dock)
  })
}

const dockOf = (): HTMLElement | null => document.querySelector<HTMLElement>('[data-dock]')

const tabsOf = (dock: HTMLElement): HTMLElement[] => [
  ...dock.querySelectorAll<HTMLElement>('button[data-dock-tab]'),
]

const bodyOf = (dock: HTMLElement): HTMLElement => dock.querySelector('.dock-body') as HTMLElement

/** Opens the first tab, or closes the dock. Whether there is one. */
export function toggleDock(): boolean {
  const dock = dockOf()
  const [first] = dock ? tabsOf(dock) : []
  if (!dock || !first) return false
  if (!bodyOf(dock).hidden) close(dock)
  else {
    first.focus()
    void show(dock, first.dataset.dockTab ?? '')
  }
  return true
}

function close(dock: HTMLElement): void {
  const tab = tabsOf(dock).find((each) => each.getAttribute('aria-expanded') === 'true')
  bodyOf(dock).hidden = true
  dock.classList.remove('is-open')
  for (const each of tabsOf(dock)) each.setAttribute('aria-expanded', 'false')
  if (dock.contains(document.activeElement)) tab?.focus()
}

async function show(dock: HTMLElement, tab: string): Promise<void> {
  const body = bodyOf(dock)
  const chosen = tabsOf(dock).find(({ dataset }) => dataset.dockTab === tab)
  if (chosen?.getAttribute('aria-expanded') === 'true') return close(dock)
  for (const each of tabsOf(dock)) each.setAttribute('aria-expanded', String(each === chosen))
  body.hidden = false
  dock.classList.add('is-open')
  body.setAttribute('aria-busy', 'true')
  const query = new URLSearchParams({ for: document.body.dataset.object ?? 'app', tab })
  const html = await load(`${dock.dataset.dock}?${query}`)
  body.removeAttribute('aria-busy')
  if (chosen?.getAttribute('aria-expanded') !== 'true') return
  if (html === undefined) body.textContent = dock.dataset.failed ?? ''
  else body.replaceChildren(...new DOMParser().parseFromString(html, 'text/html').body.childNodes)
  showCopyButtons(body)
}

async function load(url: string): Promise<string | undefined> {
  try {
    const answer = await fetch(url, { headers: { accept: 'text/html' } })
    return answer.ok && !answer.redirected ? await answer.text() : undefined
  } catch {
    return undefined
  }
}
