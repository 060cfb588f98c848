import { type ApiError, notFound } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import { appIdsOfLicense, licenseName } from '../../../merchants/licenses/commands.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { Button, Field } from '../../kit/html/controls.tsx'
import { readName } from '../../../people/accounts/settings.ts'
import { createMerchant, inviteOwner } from '../../../people/licenses/commands.ts'
import { enterLicense, REASON, VISIT_ROLE } from '../../../people/licenses/visits.ts'
import { urlToPassOn } from '../../../people/members/invitations.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import type { PersonRequest } from '../../kit/frame/request.ts'
import { errorsByField, retryForm } from '../../kit/refusal.ts'
import { Question, TextArea } from '../../kit/html/forms.tsx'
import { CopyText } from '../../kit/html/text.tsx'
import { usePersonRequest } from '../../kit/screen.tsx'

const SYSTEM = '/console/system'
export const NEW_LICENSE = `${SYSTEM}/licenses/new`

const crumbs = ({ texts }: PersonRequest) => [{ label: texts.system.title, href: SYSTEM }]

const licenseOf = ({ call }: PersonRequest): string => call.params.licenseId ?? ''
const invitePage = (request: PersonRequest): string => `${SYSTEM}/licenses/${licenseOf(request)}/invite`
const enterPage = (request: PersonRequest): string => `${SYSTEM}/licenses/${licenseOf(request)}/enter`

async function nameOf(request: PersonRequest): Promise<string> {
  const name = await licenseName(request.ctx, licenseOf(request))
  if (name === undefined) throw notFound('The licence')
  return name
}

/** The status and message of a refused form. */
const refusalOf = (problem: ApiError | undefined) => ({
  status: problem?.status ?? 200,
  flash:
    problem && errorsByField(problem).size === 0
      ? ({ kind: 'bad', text: problem.message } as const)
      : undefined,
})

interface EmailFieldProps {
  readonly name: 'email' | 'ownerEmail'
  readonly problem: ApiError | undefined
}

const EmailField = ({ name, problem }: EmailFieldProps) => {
  const request = usePersonRequest()
  return (
    <Field
      id="owner-email"
      name={name}
      type="email"
      label={request.texts.system.ownerEmail}
      hint={request.texts.system.ownerEmailHint}
      value={request.call.form.get(name) ?? ''}
      maxLength={LIMITS.emailLength}
      required
      ltr
      {...errorsByField(problem).for(name)}
    />
  )
}

export function askNewLicense(request: PersonRequest, problem?: ApiError): PageAnswer {
  const { system } = request.texts
  return renderScreen(request, {
    name: 'system',
    title: system.newLicense,
    crumbs: crumbs(request),
    ...refusalOf(problem),
    children: (
      <Question action={NEW_LICENSE} button={system.newLicenseButton} back={SYSTEM}>
        <p>{system.newLicenseIntro}</p>
        <Field
          id="license-name"
          name="name"
          label={system.licenseName}
          value={request.call.form.get('name') ?? ''}
          maxLength={LIMITS.nameLength}
          required
          {...errorsByField(problem).for('name')}
        />
        <EmailField name="ownerEmail" problem={problem} />
      </Question>
    ),
  })
}

export const postNewLicense = (request: PersonRequest): Promise<PageAnswer> =>
  retryForm(
    async () => {
      const { ctx, call } = request
      const input = {
        licenseName: readName(call.form.get('name') ?? ''),
        ownerEmail: call.form.get('ownerEmail') ?? '',
      }
      const { invitation } = await createMerchant(ctx, input)
      return invited(request, invitation, input.licenseName)
    },
    (problem) => askNewLicense(request, problem),
  )

export async function askInviteOwner(request: PersonRequest, problem?: ApiError): Promise<PageAnswer> {
  const { system } = request.texts
  return renderScreen(request, {
    name: 'system',
    title: system.inviteTitle(await nameOf(request)),
    crumbs: crumbs(request),
    ...refusalOf(problem),
    children: (
      <Question action={invitePage(request)} button={system.inviteOwner} back={SYSTEM}>
        <EmailField name="email" problem={problem} />
      </Question>
    ),
  })
}

export const postInviteOwner = (request: PersonRequest): Promise<PageAnswer> =>
  retryForm(
    async () => {
      const { ctx, call } = request
      const shown = await inviteOwner(ctx, licenseOf(request), call.form.get('email') ?? '')
      return invited(request, shown, await nameOf(request))
    },
    (problem) => askInviteOwner(request, problem),
  )

/** Where e-mails are set up, only the owner gets the link. */
function invited(
  request: PersonRequest,
  shown: Parameters<typeof urlToPassOn>[0] | undefined,
  business: string,
): PageAnswer {
  const url = shown && urlToPassOn(shown)
  const { texts } = request
  if (!shown || url === undefined) return seeOther(`${SYSTEM}?note=invited`)
  return renderScreen(request, {
    name: 'system',
    title: texts.team.linkTitle,
    crumbs: crumbs(request),
    children: (
      <section class="card form-card">
        <p>{texts.system.ownerLink(shown.link.email, business)}</p>
        <p class="one-time-link">
          <CopyText text={url} label={texts.team.link} />
        </p>
        <form method="get" action={SYSTEM}>
          <Button>{texts.team.linkStored}</Button>
        </form>
      </section>
    ),
  })
}

export async function askEnter(request: PersonRequest, problem?: ApiError): Promise<PageAnswer> {
  const { system } = request.texts
  const { error } = errorsByField(problem).for('reason')
  return renderScreen(request, {
    name: 'system',
    title: system.enterTitle(await nameOf(request)),
    crumbs: crumbs(request),
    ...refusalOf(problem),
    children: (
      <Question action={enterPage(request)} button={system.enter} back={SYSTEM}>
        <p>{system.enterBody(VISIT_ROLE)}</p>
        <TextArea
          id="reason"
          name="reason"
          label={system.reason}
          hint={system.reasonHint}
          value={request.call.form.get('reason') ?? ''}
          rows={3}
          maxLength={REASON.most}
          required
          error={error && system.reasonWrong(String(REASON.least), String(REASON.most))}
        />
      </Question>
    ),
  })
}

export const postEnter = (request: PersonRequest): Promise<PageAnswer> =>
  retryForm(
    async () => {
      const { ctx, call, person } = request
      const licenseId = licenseOf(request)
      const reason = call.form.get('reason') ?? ''
      await enterLicense(ctx, { licenseId, personId: person.personId, reason })
      const [appId] = await appIdsOfLicense(ctx, licenseId)
      return seeOther(appId === undefined ? SYSTEM : `/console/${appId}/overview`)
    },
    (problem) => askEnter(request, problem),
  )
