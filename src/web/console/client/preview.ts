import { verdictOf } from '../settings/verdict.ts'

const PAUSE_MS = 200

/** Fields that the frame's address does not carry. */
const NOT_SHOWN = ['form', 'logo', 'removeLogo', 'preview', 'screen']

/** The checkout editor: the frame and the verdict about the colour follow what is typed. */
export function addPreview(): void {
  const form = document.querySelector<HTMLFormElement>('#checkout-editor')
  const frame = form?.querySelector<HTMLIFrameElement>('#preview')
  if (!form || !frame) return
  form.querySelector<HTMLButtonElement>('button[name=preview]')?.setAttribute('hidden', '')
  addPicker(form)
  let timer: ReturnType<typeof setTimeout> | undefined
  form.addEventListener('input', () => {
    showVerdict(form)
    form.querySelector<HTMLElement>('.preview')?.setAttribute('data-screen', fieldValue(form, 'screen'))
    clearTimeout(timer)
    timer = setTimeout(() => showDraft(form, frame), PAUSE_MS)
  })
}

const fieldValue = (form: HTMLFormElement, name: string): string => String(new FormData(form).get(name) ?? '')

/** Replaces the frame's page, so that "Back" leaves the editor. */
function showDraft(form: HTMLFormElement, frame: HTMLIFrameElement): void {
  const query = new URLSearchParams()
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && !NOT_SHOWN.includes(name)) query.set(name, value.trim())
  const url = new URL(frame.src)
  url.search = query.toString()
  frame.contentWindow?.location.replace(url.href)
}

/** The field of the browser writes into the text field, and follows it. */
function addPicker(form: HTMLFormElement): void {
  const picker = form.querySelector<HTMLInputElement>('[data-picks]')
  const field = form.querySelector<HTMLInputElement>(`#${picker?.dataset.picks}`)
  if (!picker || !field) return
  picker.hidden = false
  picker.addEventListener('input', () => {
    field.value = picker.value
  })
  field.addEventListener('input', () => {
    if (verdictOf(field.value)) picker.value = field.value.trim().toLowerCase()
  })
}

function showVerdict(form: HTMLFormElement): void {
  const place = form.querySelector<HTMLElement>('.verdict')
  if (!place) return
  const verdict = verdictOf(fieldValue(form, 'color'))
  const kind = verdict ? (verdict.isKept ? 'good' : 'changed') : ''
  const text = kind ? (place.dataset[kind] ?? '') : ''
  place.dataset.verdict = kind
  place.textContent = text.replace('{colour}', verdict?.shown ?? '').replace('{ratio}', verdict?.ratio ?? '')
}
