import { notFound } from '../../../base/errors.ts'
import { isReminder, MAIL_KINDS, type MailKind } from '../../../mail/kinds.ts'
import { unsubscribeUrl } from '../../../mail/opt-outs.ts'
import { composeMail } from '../../../mail/render/compose.ts'
import { sampleMail } from '../../../mail/render/samples.ts'
import { brandingView } from '../../../merchants/apps/branding.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Button, Select } from '../../kit/html/controls.tsx'
import { Card } from '../../kit/html/layout.tsx'
import { LANGUAGES } from '../../kit/i18n/languages.ts'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { renderTab } from './tabs.tsx'

/** The wanted e-mail, from the query. */
function chosen({ call }: AppRequest): { readonly kind: MailKind; readonly locale: string } {
  return {
    kind: MAIL_KINDS.find((kind) => kind === call.query.kind) ?? 'receipt',
    locale: LANGUAGES.find(({ locale }) => locale === call.query.locale)?.locale ?? 'en',
  }
}

/** An e-mail with made-up content, in the look of the app. */
async function composed(request: AppRequest) {
  const { ctx, app } = request
  const { kind, locale } = chosen(request)
  const { logoUrl } = brandingView(ctx, app)
  const ofPerson = ['invitation', 'password-reset', 'sign-in', 'access-added'].includes(kind)
  return composeMail(ctx, sampleMail(kind, ctx.config.publicUrl), {
    app: ofPerson ? undefined : app,
    locale,
    unsubscribe: isReminder(kind) ? await unsubscribeUrl(ctx, app.appId, 'payer@example.com') : undefined,
    ...(logoUrl && !ofPerson && { logo: new URL(logoUrl).pathname }),
  })
}

function onlySandbox({ app }: AppRequest): void {
  if (!app.isSandbox) throw notFound('The page')
}

export async function showEmailPreview(request: AppRequest): Promise<PageAnswer> {
  onlySandbox(request)
  const { texts, base } = request
  const { emails } = texts
  const { kind, locale } = chosen(request)
  const { subject, text } = await composed(request)
  return renderTab(request, {
    tab: 'e-mails',
    frameOrigins: ["'self'"],
    children: (
      <>
        <p class="muted">{emails.previewIntro}</p>
        <form method="get" action={`${base}/developers/e-mails`} class="mail-choice">
          <Select
            id="kind"
            name="kind"
            label={emails.kind}
            value={kind}
            options={MAIL_KINDS.map((value) => ({ value, label: emails.kinds[value] }))}
          />
          <Select
            id="locale"
            name="locale"
            label={emails.language}
            value={locale}
            options={LANGUAGES.map((language) => ({ value: language.locale, label: language.name }))}
          />
          <Button kind="quiet">{emails.show}</Button>
        </form>
        <p>
          {emails.subject}:{' '}
          <strong>
            <bdi>{subject}</bdi>
          </strong>
        </p>
        <div class="columns">
          <Card title={emails.asHtml}>
            <iframe
              class="mail-frame"
              title={emails.asHtml}
              src={`${base}/developers/e-mails/preview?kind=${kind}&locale=${locale}`}
              sandbox=""
            />
          </Card>
          <Card title={emails.asText}>
            <pre class="mail-text" dir="auto">
              {text}
            </pre>
          </Card>
        </div>
      </>
    ),
  })
}

/** The HTML in the frame. Its styles are inline, as mail programs want them; nothing else is allowed. */
export async function emailPreviewHtml(request: AppRequest): Promise<PageAnswer> {
  onlySandbox(request)
  const { html } = await composed(request)
  return {
    html,
    headers: {
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; frame-ancestors 'self'; sandbox",
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    },
  }
}
