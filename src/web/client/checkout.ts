import { cardForm } from './card.ts'
import { challenge } from './challenge.ts'
import { followPagePath } from './live.ts'
import { all, onRestore } from './page.ts'
import { returnAutomatically, revealDelayed, timeLeft } from './time.ts'

/** Progressive enhancement: validation while typing, live updates, fewer clicks. Pages work without it. */

// Validation is registered first: an invalid form is not sent, and so not locked.
for (const form of all<HTMLFormElement>('form[data-card]')) cardForm(form)
for (const form of all<HTMLFormElement>('form[data-pay]')) lockWhenSent(form)
for (const button of all<HTMLButtonElement>('[data-fill]')) fillIn(button)
for (const button of all<HTMLButtonElement>('[data-copy]')) copy(button)
const print = document.querySelector<HTMLButtonElement>('#print')
if (print) {
  print.hidden = false
  print.onclick = () => window.print()
}

// A page from the back/forward cache may be out of date.
onRestore(() => location.reload())

switch (document.body.dataset.page) {
  case 'form':
    timeLeft()
    // Delayed, so it does not compete with the loading of the page.
    setTimeout(() => followPagePath((at) => at !== document.body.dataset.base && showOtherTabNotice()), 1_000)
    break
  case 'status':
    revealDelayed()
    followPagePath((at) => at !== location.pathname && location.replace(at))
    break
  case 'challenge':
    challenge()
    followPagePath((at) => at !== location.pathname && location.replace(at))
    break
  case 'continue':
    // Before the page has loaded, so the provider's page replaces it in the history.
    document.querySelector<HTMLButtonElement>('button#continue')?.click()
    break
  case 'result':
    returnAutomatically()
    break
  case 'leave':
    // Inside the bank's frame: navigate the top window.
    window.top?.location.replace((document.querySelector('#leave') as HTMLAnchorElement).href)
}

/** The payment was paid, or is being paid, in another tab. */
function showOtherTabNotice(): void {
  const notice = document.querySelector<HTMLElement>('#other-tab')
  if (!notice || submitting) return
  notice.hidden = false
  for (const button of all<HTMLButtonElement>('form[data-pay] button.primary')) button.disabled = true
}

let submitting = false

/** Prevents double submission. The server does too. */
function lockWhenSent(form: HTMLFormElement): void {
  form.addEventListener('submit', (event) => {
    if (event.defaultPrevented) return
    if (form.dataset.sent) return event.preventDefault()
    form.dataset.sent = 'yes'
    submitting = true
    const button = form.querySelector<HTMLButtonElement>('button[data-busy]')
    if (!button) return
    button.setAttribute('aria-disabled', 'true')
    button.textContent = button.dataset.busy ?? ''
  })
}

function fillIn(button: HTMLButtonElement): void {
  button.hidden = false
  button.onclick = () => {
    const fields = JSON.parse(button.dataset.fill ?? '{}') as Record<string, string>
    for (const [name, value] of Object.entries(fields)) {
      const input = button.form?.elements.namedItem(name) as HTMLInputElement | null
      if (!input) continue
      input.value = value
      input.dispatchEvent(new Event('input', { bubbles: true }))
    }
  }
}

function copy(button: HTMLButtonElement): void {
  if (!navigator.clipboard) return
  button.hidden = false
  button.onclick = () =>
    navigator.clipboard.writeText(button.dataset.copy ?? '').then(() => button.classList.add('done'))
}
