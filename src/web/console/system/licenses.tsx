import { notFound } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import { appIdsOfLicense, licenseName } from '../../../merchants/licenses/commands.ts'
import { readName } from '../../../people/accounts/settings.ts'
import { createMerchant, inviteOwner } from '../../../people/licenses/commands.ts'
import { enterLicense, REASON, VISIT_ROLE } from '../../../people/licenses/visits.ts'
import { urlToPassOn } from '../../../people/members/invitations.ts'
import type { PersonRequest } from '../../kit/frame/request.ts'
import { Field } from '../../kit/html/controls.tsx'
import { TextArea } from '../../kit/html/forms.tsx'
import { personQuestion } from '../../kit/question.tsx'
import type { FormErrors } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import type { ScreenRoute } from '../../kit/route.ts'
import { usePersonRequest } from '../../kit/screen.tsx'
import { renderSecret } from '../../kit/secret-page.tsx'

const SYSTEM = '/console/system'
const LICENSE = '/system/licenses/{licenseId}'
const RULE = { operator: true, proof: true } as const

const licenseOf = ({ call }: PersonRequest): string => call.params.licenseId ?? ''

async function nameOf(request: PersonRequest): Promise<string> {
  const name = await licenseName(request.ctx, licenseOf(request))
  if (name === undefined) throw notFound('The licence')
  return name
}

interface EmailFieldProps {
  readonly name: 'email' | 'ownerEmail'
  readonly errors: FormErrors
}

const EmailField = ({ name, errors }: EmailFieldProps) => {
  const { call, texts } = usePersonRequest()
  return (
    <Field
      id="owner-email"
      name={name}
      type="email"
      label={texts.system.ownerEmail}
      hint={texts.system.ownerEmailHint}
      value={call.form.get(name) ?? ''}
      maxLength={LIMITS.emailLength}
      required
      ltr
      {...errors.for(name)}
    />
  )
}

/** A new licence, an owner for it, and a visit of the operator. */
export const licenseQuestions: readonly ScreenRoute[] = [
  ...personQuestion('/system/licenses/new', RULE, {
    back: '/system',
    texts: ({ system }) => ({
      title: system.newLicense,
      body: system.newLicenseIntro,
      button: system.newLicenseButton,
    }),
    fields: ({ call, texts }, _, errors) => (
      <>
        <Field
          id="license-name"
          name="name"
          label={texts.system.licenseName}
          value={call.form.get('name') ?? ''}
          maxLength={LIMITS.nameLength}
          required
          {...errors.for('name')}
        />
        <EmailField name="ownerEmail" errors={errors} />
      </>
    ),
    run: async (request) => {
      const { ctx, call } = request
      const name = readName(call.form.get('name') ?? '')
      const ownerEmail = call.form.get('ownerEmail') ?? ''
      const { invitation } = await createMerchant(ctx, { licenseName: name, ownerEmail })
      return invited(request, invitation, name)
    },
  }),
  ...personQuestion(`${LICENSE}/invite`, RULE, {
    back: '/system',
    subject: nameOf,
    texts: ({ system }, business) => ({
      title: system.inviteTitle({ business }),
      button: system.inviteOwner,
    }),
    fields: (_request, _name, errors) => <EmailField name="email" errors={errors} />,
    run: async (request, name) => {
      const { ctx, call } = request
      return invited(request, await inviteOwner(ctx, licenseOf(request), call.form.get('email') ?? ''), name)
    },
  }),
  ...personQuestion(`${LICENSE}/enter`, RULE, {
    back: '/system',
    subject: nameOf,
    texts: ({ system }, business) => ({
      title: system.enterTitle({ business }),
      body: [system.enterBody({ role: VISIT_ROLE })],
      button: system.enter,
    }),
    fields: ({ call, texts: { system } }, _name, errors) => (
      <TextArea
        id="reason"
        name="reason"
        label={system.reason}
        hint={system.reasonHint}
        value={call.form.get('reason') ?? ''}
        rows={3}
        maxLength={REASON.most}
        required
        error={
          errors.of('reason') &&
          system.reasonWrong({ least: String(REASON.least), most: String(REASON.most) })
        }
      />
    ),
    run: async (request) => {
      const { ctx, call, person } = request
      const licenseId = licenseOf(request)
      const reason = call.form.get('reason') ?? ''
      await enterLicense(ctx, { licenseId, personId: person.personId, reason })
      const [appId] = await appIdsOfLicense(ctx, licenseId)
      return seeOther(appId === undefined ? SYSTEM : `/console/${appId}/overview`)
    },
  }),
]

/** Where e-mails are set up, only the owner gets the link. */
function invited(
  request: PersonRequest,
  shown: Parameters<typeof urlToPassOn>[0] | undefined,
  business: string,
): PageAnswer | string {
  const url = shown && urlToPassOn(shown)
  const { system, team } = request.texts
  if (!shown || url === undefined) return 'invited'
  return renderSecret(request, {
    name: 'system',
    title: team.linkTitle,
    crumbs: [{ label: system.title, href: SYSTEM }],
    intro: <p>{system.ownerLink({ email: shown.link.email, business })}</p>,
    secret: url,
    label: team.link,
    button: team.linkStored,
    next: SYSTEM,
  })
}
