import { frame, isDialogOpen } from '../dialog.ts'
import {
  foundItems,
  movedPlace,
  type PaletteItem,
  readRecent,
  shownItems,
  withRecent,
} from './palette-items.ts'

const KEY = 'tender-recent'
/** Typing is not searched letter by letter. */
const PAUSE_MS = 120

const isApple = /^(?:Mac|iP)/.test(navigator.platform)

/** The palette: `<template id="palette">` of the page has its dialog, its texts and its actions. */
export function addPalette(): void {
  rememberPage()
  for (const button of document.querySelectorAll<HTMLElement>('[data-palette-open]')) {
    button.hidden = false
    const key = button.querySelector('kbd')
    if (key && isApple) key.textContent = '⌘K'
    button.addEventListener('click', () => openPalette())
  }
}

/** Pages of one object are offered again. */
function rememberPage(): void {
  if (!document.body.dataset.object) return
  const label = document.querySelector('.crumbs [aria-current]')?.textContent ?? document.title
  store({ label, href: location.pathname })
}

const recent = () => readRecent(read())

/** Storage may be turned off. */
function read(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return null
  }
}

function store(visited: { label: string; href: string }): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(withRecent(recent(), visited)))
  } catch {
    // Nothing is remembered then.
  }
}

export function openPalette(): boolean {
  const template = document.querySelector<HTMLTemplateElement>('template#palette')
  if (!template || isDialogOpen()) return false
  const dialog = template.content.querySelector('dialog')?.cloneNode(true) as HTMLDialogElement
  frame().append(dialog)
  dialog.addEventListener('close', () => dialog.remove())
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close()
  })
  drive(dialog, template)
  dialog.showModal()
  return true
}

interface Parts {
  readonly dialog: HTMLDialogElement
  readonly input: HTMLInputElement
  readonly list: HTMLElement
  readonly status: HTMLElement
  readonly texts: Readonly<Record<PaletteItem['group'] | 'none', string>>
}

/** A combobox with a list, as the ARIA practices describe it. */
function drive(dialog: HTMLDialogElement, { dataset, content }: HTMLTemplateElement): void {
  const parts: Parts = {
    dialog,
    input: dialog.querySelector('input') as HTMLInputElement,
    list: dialog.querySelector('[role=listbox]') as HTMLElement,
    status: dialog.querySelector('[role=status]') as HTMLElement,
    texts: JSON.parse(dataset.texts ?? '{}') as Parts['texts'],
  }
  const kinds = JSON.parse(dataset.kinds ?? '{}') as Record<string, string>
  const own = [...recentItems(), ...goItems(), ...actItems(content)]
  let found: readonly PaletteItem[] = []
  let shown: PaletteItem[] = []
  let place = 0
  const draw = () => {
    shown = shownItems([...own, ...found], parts.input.value)
    place = shown.length === 0 ? -1 : 0
    drawList(parts, shown)
    mark(parts, place)
  }
  const search = searching(dataset.search ?? '', (answer) => {
    found = foundItems(answer, kinds)
    draw()
  })
  parts.input.addEventListener('input', () => {
    search(parts.input.value.trim())
    draw()
  })
  parts.input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') return void choose(shown[place], event)
    const next = movedPlace(place, event.key, shown.length)
    if (next === place) return
    event.preventDefault()
    place = next
    mark(parts, place)
  })
  parts.list.addEventListener('click', (event) => {
    const option = (event.target as Element).closest<HTMLElement>('[role=option]')
    if (option) choose(shown[Number(option.dataset.place)], event)
  })
  draw()
}

const recentItems = (): PaletteItem[] =>
  recent()
    .filter(({ href }) => href !== location.pathname)
    .map((each) => ({ group: 'recent', ...each }))

const goItems = (): PaletteItem[] =>
  [...document.querySelectorAll<HTMLAnchorElement>('.rail nav a[href]')].map((link) => ({
    group: 'goTo',
    label: link.textContent ?? '',
    href: link.href,
    ...(link.dataset.go ? { detail: `g ${link.dataset.go}` } : {}),
  }))

/** Actions of the page that is open, then those that are everywhere. */
const actItems = (content: DocumentFragment): PaletteItem[] => [
  ...[...document.querySelectorAll<HTMLButtonElement>('main [data-key]:not(:disabled)')].map(
    (button): PaletteItem => ({
      group: 'act',
      label: button.textContent ?? '',
      detail: button.dataset.key ?? '',
      run: () => button.click(),
    }),
  ),
  ...[...content.querySelectorAll<HTMLAnchorElement>('a[data-act]')].map(
    (link): PaletteItem => ({ group: 'act', label: link.textContent ?? '', href: link.href }),
  ),
]

function drawList({ list, status, texts, input }: Parts, items: readonly PaletteItem[]): void {
  list.replaceChildren()
  let group: Element | undefined
  items.forEach((item, place) => {
    if (item.group !== group?.getAttribute('data-group')) {
      group = newGroup(item.group, texts[item.group])
      list.append(group)
    }
    const option = document.createElement('div')
    option.id = `palette-${place}`
    option.dataset.place = String(place)
    option.setAttribute('role', 'option')
    const label = document.createElement('bdi')
    label.textContent = item.label
    const detail = document.createElement('span')
    detail.className = 'muted small'
    detail.textContent = item.detail ?? ''
    option.append(label, detail)
    group.append(option)
  })
  input.setAttribute('aria-expanded', String(items.length > 0))
  status.textContent = items.length === 0 ? texts.none : ''
}

function newGroup(name: string, label: string): Element {
  const group = document.createElement('div')
  group.setAttribute('role', 'group')
  group.setAttribute('aria-label', label)
  group.setAttribute('data-group', name)
  const title = document.createElement('div')
  title.className = 'palette-group'
  title.setAttribute('aria-hidden', 'true')
  title.textContent = label
  group.append(title)
  return group
}

function mark({ list, input }: Parts, place: number): void {
  for (const option of list.querySelectorAll('[aria-selected]')) option.removeAttribute('aria-selected')
  const option = list.querySelector(`#palette-${place}`)
  input.removeAttribute('aria-activedescendant')
  if (!option) return
  option.setAttribute('aria-selected', 'true')
  option.scrollIntoView({ block: 'nearest' })
  input.setAttribute('aria-activedescendant', option.id)
}

function choose(item: PaletteItem | undefined, event: KeyboardEvent | MouseEvent): void {
  event.preventDefault()
  if (!item) return
  document.querySelector<HTMLDialogElement>('dialog.palette')?.close()
  const href = item.href ?? ''
  if (item.group === 'found') store({ label: item.label, href })
  if (item.run) item.run()
  else if (event.ctrlKey || event.metaKey) open(href)
  else location.assign(href)
}

/** Asks the server after a pause; an answer that is overtaken is dropped. */
function searching(address: string, answered: (answer: unknown) => void): (query: string) => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let running = new AbortController()
  const ask = async (query: string, { signal }: AbortController) => {
    try {
      const headers = { accept: 'application/json' }
      const reply = await fetch(`${address}?q=${encodeURIComponent(query)}`, { headers, signal })
      const answer: unknown = reply.ok ? await reply.json() : []
      if (!signal.aborted) answered(answer)
    } catch {
      // Aborted or offline: what was shown stays.
    }
  }
  return (query) => {
    clearTimeout(timer)
    running.abort()
    running = new AbortController()
    if (!address || query === '') return answered([])
    timer = setTimeout(ask, PAUSE_MS, query, running)
  }
}
