import type { ApiError } from '../../../base/errors.ts'
import { canSend } from '../../../mail/queue.ts'
import { changeApp } from '../../../merchants/apps/commands.ts'
import { PAYER_MAILS, TEAM_MAILS } from '../../../merchants/apps/mail-kinds.ts'
import { AppPatch } from '../../../merchants/apps/schema.ts'
import type { PageAnswer } from '../../kit/request/page-route.tsx'
import { Checkbox, Field } from '../../kit/html/controls.tsx'
import { Card } from '../../kit/html/layout.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { checked } from '../parts/checked.ts'
import { Form, TextArea } from '../parts/forms.tsx'
import { drawTab, Editable, saved, settingErrors, tabUrl } from './tabs.tsx'

/** The fields as texts, named like the members of the API. */
interface Values {
  readonly payer: readonly string[]
  readonly team: readonly string[]
  readonly fromName: string
  readonly replyTo: string
  readonly teamAddresses: string
}

export function showEmails(visit: AppVisit): PageAnswer {
  const { payer, team, fromName, replyTo, teamAddresses } = visit.app.mails
  return draw(visit, {
    payer,
    team,
    fromName: fromName ?? '',
    replyTo: replyTo ?? '',
    teamAddresses: teamAddresses.join('\n'),
  })
}

export function postEmails(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, call } = visit
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
  return saved(visit, 'e-mails', save, (problem) => draw(visit, values, problem))
}

function draw(visit: AppVisit, values: Values, problem?: ApiError): PageAnswer {
  const { ctx, app, base, texts } = visit
  const { emails } = texts
  const props = { visit, values, problem }
  return drawTab(visit, {
    tab: 'e-mails',
    problem,
    children: (
      <>
        {!canSend(ctx) && <p class="muted">{emails.noServer}</p>}
        <Form visit={visit} action={tabUrl(base, 'e-mails')}>
          <Editable visit={visit} button={emails.save}>
            <div class="columns">
              <ToPayers {...props} />
              <ToTeam {...props} />
            </div>
          </Editable>
        </Form>
        {app.isSandbox && visit.can('DeveloperRead') && (
          <p>
            <a href={`${base}/developers/e-mails`}>{emails.showPreview}</a>
          </p>
        )}
      </>
    ),
  })
}

interface PartProps {
  readonly visit: AppVisit
  readonly values: Values
  readonly problem: ApiError | undefined
}

function ToPayers({ visit, values, problem }: PartProps) {
  const { emails } = visit.texts
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

function ToTeam({ visit, values, problem }: PartProps) {
  const { emails } = visit.texts
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
