import { type ApiError, notFound } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import { appIdsOfLicense, licenseName } from '../../../merchants/licenses/commands.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import { Button, Field } from '../../kit/html/controls.tsx'
import { readName } from '../../../people/accounts/settings.ts'
import { createMerchant, inviteOwner } from '../../../people/licenses/commands.ts'
import { enterLicense, REASON, VISIT_ROLE } from '../../../people/licenses/visits.ts'
import { urlToPassOn } from '../../../people/members/invitations.ts'
import { drawScreen } from '../frame/shell.tsx'
import type { Visit } from '../frame/visit.ts'
import { errorsByField } from '../parts/form-errors.ts'
import { Ask, TextArea } from '../parts/forms.tsx'
import { CopyText } from '../parts/text.tsx'
import { orAgain } from '../team/parts.tsx'

const SYSTEM = '/console/system'
export const NEW_LICENSE = `${SYSTEM}/licenses/new`

const crumbs = ({ texts }: Visit) => [{ label: texts.system.title, href: SYSTEM }]

const licenseOf = ({ call }: Visit): string => call.params.licenseId ?? ''
const invitePage = (visit: Visit): string => `${SYSTEM}/licenses/${licenseOf(visit)}/invite`
const enterPage = (visit: Visit): string => `${SYSTEM}/licenses/${licenseOf(visit)}/enter`

async function nameOf(visit: Visit): Promise<string> {
  const name = await licenseName(visit.ctx, licenseOf(visit))
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
  readonly visit: Visit
  readonly name: 'email' | 'ownerEmail'
  readonly problem: ApiError | undefined
}

const EmailField = ({ visit, name, problem }: EmailFieldProps) => (
  <Field
    id="owner-email"
    name={name}
    type="email"
    label={visit.texts.system.ownerEmail}
    hint={visit.texts.system.ownerEmailHint}
    value={visit.call.form.get(name) ?? ''}
    maxLength={LIMITS.emailLength}
    required
    ltr
    {...errorsByField(problem).at(name)}
  />
)

export function askNewLicense(visit: Visit, problem?: ApiError): PageAnswer {
  const { system } = visit.texts
  return drawScreen(visit, {
    name: 'system',
    title: system.newLicense,
    crumbs: crumbs(visit),
    ...refusalOf(problem),
    children: (
      <Ask visit={visit} action={NEW_LICENSE} button={system.newLicenseButton} back={SYSTEM}>
        <p>{system.newLicenseIntro}</p>
        <Field
          id="license-name"
          name="name"
          label={system.licenseName}
          value={visit.call.form.get('name') ?? ''}
          maxLength={LIMITS.nameLength}
          required
          {...errorsByField(problem).at('name')}
        />
        <EmailField visit={visit} name="ownerEmail" problem={problem} />
      </Ask>
    ),
  })
}

export const postNewLicense = (visit: Visit): Promise<PageAnswer> =>
  orAgain(
    async () => {
      const { ctx, call } = visit
      const input = {
        licenseName: readName(call.form.get('name') ?? ''),
        ownerEmail: call.form.get('ownerEmail') ?? '',
      }
      const { invitation } = await createMerchant(ctx, input)
      return invited(visit, invitation, input.licenseName)
    },
    (problem) => askNewLicense(visit, problem),
  )

export async function askInviteOwner(visit: Visit, problem?: ApiError): Promise<PageAnswer> {
  const { system } = visit.texts
  return drawScreen(visit, {
    name: 'system',
    title: system.inviteTitle(await nameOf(visit)),
    crumbs: crumbs(visit),
    ...refusalOf(problem),
    children: (
      <Ask visit={visit} action={invitePage(visit)} button={system.inviteOwner} back={SYSTEM}>
        <EmailField visit={visit} name="email" problem={problem} />
      </Ask>
    ),
  })
}

export const postInviteOwner = (visit: Visit): Promise<PageAnswer> =>
  orAgain(
    async () => {
      const { ctx, call } = visit
      const shown = await inviteOwner(ctx, licenseOf(visit), call.form.get('email') ?? '')
      return invited(visit, shown, await nameOf(visit))
    },
    (problem) => askInviteOwner(visit, problem),
  )

/** Where e-mails are set up, only the owner gets the link. */
function invited(
  visit: Visit,
  shown: Parameters<typeof urlToPassOn>[0] | undefined,
  business: string,
): PageAnswer {
  const url = shown && urlToPassOn(shown)
  const { texts } = visit
  if (!shown || url === undefined) return seeOther(`${SYSTEM}?note=invited`)
  return drawScreen(visit, {
    name: 'system',
    title: texts.team.linkTitle,
    crumbs: crumbs(visit),
    children: (
      <section class="card form-card">
        <p>{texts.system.ownerLink(shown.link.email, business)}</p>
        <p class="one-time-link">
          <CopyText visit={visit} text={url} label={texts.team.link} />
        </p>
        <form method="get" action={SYSTEM}>
          <Button>{texts.team.linkStored}</Button>
        </form>
      </section>
    ),
  })
}

export async function askEnter(visit: Visit, problem?: ApiError): Promise<PageAnswer> {
  const { system } = visit.texts
  const { error } = errorsByField(problem).at('reason')
  return drawScreen(visit, {
    name: 'system',
    title: system.enterTitle(await nameOf(visit)),
    crumbs: crumbs(visit),
    ...refusalOf(problem),
    children: (
      <Ask visit={visit} action={enterPage(visit)} button={system.enter} back={SYSTEM}>
        <p>{system.enterBody(VISIT_ROLE)}</p>
        <TextArea
          id="reason"
          name="reason"
          label={system.reason}
          hint={system.reasonHint}
          value={visit.call.form.get('reason') ?? ''}
          rows={3}
          maxLength={REASON.most}
          required
          error={error && system.reasonWrong(String(REASON.least), String(REASON.most))}
        />
      </Ask>
    ),
  })
}

export const postEnter = (visit: Visit): Promise<PageAnswer> =>
  orAgain(
    async () => {
      const { ctx, call, person } = visit
      const licenseId = licenseOf(visit)
      const reason = call.form.get('reason') ?? ''
      await enterLicense(ctx, { licenseId, personId: person.personId, reason })
      const [appId] = await appIdsOfLicense(ctx, licenseId)
      return seeOther(appId === undefined ? SYSTEM : `/console/${appId}/overview`)
    },
    (problem) => askEnter(visit, problem),
  )
