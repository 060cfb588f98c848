import type { ComponentChildren } from 'preact'
import type { PersonRequest } from './frame/request.ts'
import { renderScreen, type ScreenProps } from './frame/shell.tsx'
import { Button } from './html/controls.tsx'
import { CopyText } from './html/text.tsx'
import type { PageAnswer } from './request/answer.ts'

interface SecretPage extends Pick<ScreenProps, 'name' | 'title' | 'crumbs'> {
  /** Above the secret. */
  readonly intro: ComponentChildren
  readonly secret: string
  /** What it is, for screen readers. */
  readonly label: string
  /** Below the secret. */
  readonly more?: ComponentChildren
  /** The button that leads on, and where to. */
  readonly button: string
  readonly next: string
}

/** The only page that shows a key, a secret or a link. */
export const renderSecret = (request: PersonRequest, page: SecretPage): PageAnswer => {
  const { intro, secret, label, more, button, next, ...screen } = page
  return renderScreen(request, {
    ...screen,
    children: (
      <section class="card form-card stack">
        {intro}
        <p class="one-time-link">
          <CopyText text={secret} label={label} />
        </p>
        {more}
        <form method="get" action={next}>
          <Button>{button}</Button>
        </form>
      </section>
    ),
  })
}
