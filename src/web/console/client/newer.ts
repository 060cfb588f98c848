const EVERY_MS = 10_000

/**
 * A hidden link with `data-newer` names an address that answers `{ "count": n }`. It is shown with the number
 * in place of `{count}` of `data-newer-text`, and leads to the list as it is now.
 */
export function addNewer(): void {
  const link = document.querySelector<HTMLElement>('[data-newer]')
  if (!link) return
  const poll = async () => {
    if (!document.hidden) await ask(link)
    setTimeout(poll, EVERY_MS)
  }
  setTimeout(poll, EVERY_MS)
}

async function ask(link: HTMLElement): Promise<void> {
  try {
    const answer = await fetch(link.dataset.newer ?? '', { headers: { accept: 'application/json' } })
    const { count } = (answer.ok ? await answer.json() : { count: 0 }) as { count: number }
    if (count > 0) {
      link.textContent = (link.dataset.newerText ?? '{count}').replace('{count}', String(count))
      link.hidden = false
    }
  } catch {
    // Offline: the next poll tries again.
  }
}
