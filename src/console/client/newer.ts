const POLL_MS = 10_000

/** A link with `data-newer` appears when the address there tells of newer payments. */
export function addNewer(): void {
  const link = document.querySelector<HTMLAnchorElement>('a[data-newer]')
  if (link) setInterval(() => void ask(link), POLL_MS)
}

async function ask(link: HTMLAnchorElement): Promise<void> {
  if (document.hidden) return
  const answer = await fetch(link.dataset.newer ?? '', {
    headers: { accept: 'application/json' },
    redirect: 'error',
  }).catch(() => undefined)
  if (!answer?.ok) return
  const { count, text } = (await answer.json()) as { count: number; text: string }
  if (count === 0) return
  link.textContent = text
  link.hidden = false
}
