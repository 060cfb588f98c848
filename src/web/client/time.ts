import { all } from './page.ts'

const SECOND = 1_000

const clock = (seconds: number): string => {
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/** Countdown to expiry: shown near the end, announced at three moments; reloads at the end. */
export function timeLeft(): void {
  const part = document.querySelector<HTMLElement>('[data-left]')
  const shown = part?.querySelector<HTMLElement>('[data-clock]')
  if (!part || !shown) return
  const announcements = JSON.parse(part.dataset.said ?? '{}') as Record<string, string>
  const ends = performance.now() + Number(part.dataset.left) * SECOND
  const status = part.querySelector('[role=status]')
  const tick = () => {
    const seconds = Math.max(0, Math.round((ends - performance.now()) / SECOND))
    if (seconds <= 300) shown.hidden = false
    shown.textContent = (shown.dataset.clock ?? '').replace('{time}', clock(seconds))
    if (status && announcements[seconds]) status.textContent = announcements[seconds]
    if (seconds > 0) setTimeout(tick, SECOND)
    // One second later, in case the server's clock is behind.
    else setTimeout(() => location.reload(), SECOND)
  }
  tick()
}

/** Shows texts after a delay, when waiting takes long. */
export function revealDelayed(): void {
  for (const element of all<HTMLElement>('[data-after]'))
    setTimeout(() => {
      element.hidden = false
    }, Number(element.dataset.after) * SECOND)
}

/** Returns to the merchant after a few seconds, unless the payer chooses to stay. */
export function returnAutomatically(): void {
  const part = document.querySelector<HTMLElement>('[data-leaving]')
  const link = document.querySelector<HTMLAnchorElement>('#return')
  const [text, stay] = [part?.querySelector('span'), part?.querySelector('button')]
  if (!part || !link || !text || !stay) return
  const texts = JSON.parse(part.dataset.leaving ?? '[]') as string[]
  part.hidden = false
  let timer = 0
  const tick = () => {
    const next = texts.shift()
    if (next === undefined) return location.assign(link.href)
    text.textContent = next
    timer = window.setTimeout(tick, SECOND)
  }
  stay.onclick = () => {
    clearTimeout(timer)
    part.hidden = true
    link.focus()
  }
  tick()
}
