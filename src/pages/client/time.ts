import { all } from './page.ts'

const SECOND = 1_000

const clock = (seconds: number): string => {
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/** The link runs out: shown near its end, read out three times, and then the page is another. */
export function timeLeft(): void {
  const part = document.querySelector<HTMLElement>('[data-left]')
  const shown = part?.querySelector<HTMLElement>('[data-clock]')
  if (!part || !shown) return
  const said = JSON.parse(part.dataset.said ?? '{}') as Record<string, string>
  const ends = performance.now() + Number(part.dataset.left) * SECOND
  const status = part.querySelector('[role=status]')
  const tick = () => {
    const seconds = Math.max(0, Math.round((ends - performance.now()) / SECOND))
    if (seconds <= 300) shown.hidden = false
    shown.textContent = (shown.dataset.clock ?? '').replace('{time}', clock(seconds))
    if (status && said[seconds]) status.textContent = said[seconds]
    if (seconds > 0) setTimeout(tick, SECOND)
    // A moment later, so that the server's clock agrees.
    else setTimeout(() => location.reload(), SECOND)
  }
  tick()
}

/** Sentences that appear when waiting takes long. */
export function countdowns(): void {
  for (const element of all<HTMLElement>('[data-after]'))
    setTimeout(() => {
      element.hidden = false
    }, Number(element.dataset.after) * SECOND)
}

/** Back to the shop after a few seconds, unless one wants to stay. */
export function leaveByItself(): void {
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
