import type { ApiError } from '../../../base/errors.ts'
import { canSend } from '../../../mail/queue.ts'
import { changeApp } from '../../../merchants/apps/commands.ts'
import { PAYER_MAILS, TEAM_MAILS } from '../../../merchants/apps/mail-kinds.ts'
import { AppPatch } from '../../../merchants/apps/schema.ts'
import type { PageAnswer } from '../../kit/request/page-route.tsx'
import { Checkbox, Field } from '../../kit/html/controls.tsx'
import { Card } from '../../kit/html/layout.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { checked } from '../../kit/checked.ts'
import { Form, TextArea } from '../../kit/html/forms.tsx'
import { renderTab, Editable, saved, settingErrors, tabUrl } from './tabs.tsx'
import { useRequest } from '../../kit/screen.tsx'

/** The fields as texts, named like the members of the API. */
interface Values {
  readonly payer: readonly string[]
  readonly team: readonly string[]
  readonly fromName: string
  readonly replyTo: string
  readonly teamAddresses: string
}

export function showEmails(request: AppRequest): PageAnswer {
  const { payer, team, fromName, replyTo, teamAddresses } = request.app.mails
  return render(request, {
    payer,
    team,
    fromName: fromName ?? '',
    replyTo: replyTo ?? '',
    teamAddresses: teamAddresses.join('\n'),
  })
}

export function postEmails(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call } = request
  const text = (name: string) => (call.form.get(name) ?? '').trim()
  const values: Values = {
    payer: PAYER_MAILS.filter((kind) => call.form.has(kind)),
    team: TEAM_MAILS.filter((kind) => call.form.has(kind)),
    fromName: text('fromName'),
    replyTo: text('replyTo'),
    teamAddresses: text('teamAddresses'),
  }
  const teamAddresses = values.teamAddresses.split(/[\s,;]+/).filter(Boolean)
  const save = () => changeApp(ctx, app, checked(AppPatch, { emails: { ...values, teamAddresses } }), {})
  return saved(request, 'e-mails', save, (problem) => render(request, values, problem))
}

function render(request: AppRequest, values: Values, problem?: ApiError): PageAnswer {
  const { ctx, app, base, texts } = request
  const { emails } = texts
  const props = { request, values, problem }
  return renderTab(request, {
    tab: 'e-mails',
    problem,
    children: (
      <>
        {!canSend(ctx) && <p class="muted">{emails.noServer}</p>}
        <Form action={tabUrl(base, 'e-mails')}>
          <Editable button={emails.save}>
            <div class="columns">
              <ToPayers {...props} />
              <ToTeam {...props} />
            </div>
          </Editable>
        </Form>
        {app.isSandbox && request.can('DeveloperRead') && (
          <p>
            <a href={`${base}/developers/e-mails`}>{emails.showPreview}</a>
          </p>
        )}
      </>
    ),
  })
}

interface PartProps {
  readonly values: Values
  readonly problem: ApiError | undefined
}

function ToPayers({ values, problem }: PartProps) {
  const request = useRequest()
  const { emails } = request.texts
  const wrong = settingErrors(problem)
  return (
    <Card title={emails.payer}>
      <div class="stack">
        <p>{emails.payerIntro}</p>
        {PAYER_MAILS.map((kind) => (
          <Checkbox id={kind} name={kind} checked={values.payer.includes(kind)}>
            {emails.kinds[kind]}
          </Checkbox>
        ))}
        <Field
          id="from-name"
          name="fromName"
          label={emails.fromName}
          hint={emails.fromNameHint}
          value={values.fromName}
          maxLength={100}
          {...wrong.at('emails.fromName')}
        />
        <Field
          id="reply-to"
          name="replyTo"
          type="email"
          label={emails.replyTo}
          hint={emails.replyToHint}
          value={values.replyTo}
          ltr
          {...wrong.at('emails.replyTo')}
        />
      </div>
    </Card>
  )
}

function ToTeam({ values, problem }: PartProps) {
  const request = useRequest()
  const { emails } = request.texts
  return (
    <Card title={emails.team}>
      <div class="stack">
        <p>{emails.teamIntro}</p>
        {TEAM_MAILS.map((kind) => (
          <Checkbox id={kind} name={kind} checked={values.team.includes(kind)}>
            {emails.kinds[kind]}
          </Checkbox>
        ))}
        <TextArea
          id="team-addresses"
          name="teamAddresses"
          label={emails.addresses}
          hint={emails.addressesHint}
          value={values.teamAddresses}
          {...settingErrors(problem).at('emails.teamAddresses')}
        />
      </div>
    </Card>
  )
}
