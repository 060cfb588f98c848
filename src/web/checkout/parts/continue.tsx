import type { ComponentChildren } from 'preact'
import { Button, Hidden, LinkButton } from '../../kit/html/controls.tsx'
import { Card } from '../../kit/html/layout.tsx'
import type { PageTexts } from '../../kit/i18n/languages.ts'
import type { ProviderPage } from '../provider-page.ts'

interface ContinueProps {
  readonly texts: PageTexts
  readonly provider: string
  readonly to: ProviderPage
  readonly children?: ComponentChildren
}

/** Leads to the provider's page. The script sends the form; a link is followed by a refresh. */
export function ContinuePage({ texts, provider, to, children }: ContinueProps) {
  const { status, buttons } = texts
  const label = buttons.continueTo({ provider })
  return (
    <div class="narrow">
      <Card>
        <div class="statement">
          <h1>{status.toProvider({ provider })}</h1>
          {children}
          <p>{status.toProviderBody}</p>
        </div>
        {to.fields ? (
          <form class="pay-form" method="post" action={to.url} autocomplete="off" data-pay>
            <Hidden values={to.fields} />
            <Button busyText={buttons.working} id="continue">
              {label}
            </Button>
          </form>
        ) : (
          <LinkButton href={to.url}>{label}</LinkButton>
        )}
      </Card>
    </div>
  )
}
