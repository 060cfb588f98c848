import { isCurrency } from '../../../base/currencies.ts'
import { invalid, wrongField } from '../../../base/errors.ts'
import { decimalText, parseMinor } from '../../../base/money.ts'
import { decimalSign, plainDecimal, typedDecimal } from '../../../base/presentation/typed-amount.ts'
import { isOwnRole, isRole, ROLES, type RoleId } from '../../../people/access/roles.ts'
import { inviteMember, urlToPassOn, withdrawInvitation } from '../../../people/members/invitations.ts'
import { changeRole } from '../../../people/members/members.ts'
import { listOwnRoles } from '../../../people/members/own-roles.ts'
import { mayManage } from '../../../people/members/rules.ts'
import type { RefundLimits } from '../../../people/person.ts'
import { mayHaveLimits } from '../../../people/refunds/rules.ts'
import { codeOptions } from '../../kit/form.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Field, Select } from '../../kit/html/controls.tsx'
import { TextArea } from '../../kit/html/forms.tsx'
import { question } from '../../kit/question.tsx'
import type { FormErrors } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { proof, type ScreenRoute } from '../../kit/route.ts'
import { useRequest } from '../../kit/screen.tsx'
import { crumbs, MEMBER, managerOf, memberOf, renderLink } from './parts.tsx'

/** Invitations and changes of a role: both forms have a role and the daily limits of its refunds. */

const LINE = /^([A-Za-z]{3})[ \t]{1,9}([\d.,'\u00a0\u202f]{1,30})$/
/** More than a team refunds in. */
const MAX_LINES = 50

/** Reads lines such as `EUR 100.00`. Throws 400 for any other. */
function readLimits({ texts, language }: AppRequest, text: string): RefundLimits | null {
  const message = texts.team.limitsWrong
  const lines = text
    .slice(0, 2_000)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const limits = lines.slice(0, MAX_LINES).map((line) => {
    const [, code = '', amount = ''] = LINE.exec(line) ?? []
    const currency = code.toUpperCase()
    const plain = plainDecimal(amount, decimalSign(language.intl)) ?? ''
    const minor = isCurrency(currency) ? parseMinor(plain, currency) : undefined
    if (minor === undefined || minor === 0n) throw invalid([{ field: 'refundLimits', message }])
    return [currency, String(minor)] as const
  })
  return limits.length > 0 ? Object.fromEntries(limits) : null
}

/** The limits as lines that `readLimits` accepts. */
export const limitLines = ({ language }: Pick<AppRequest, 'language'>, limits: RefundLimits | null): string =>
  Object.entries(limits ?? {})
    .map(
      ([currency, minor]) =>
        `${currency} ${typedDecimal(decimalText(BigInt(minor), currency), language.intl)}`,
    )
    .join('\n')

/** The role and limits of a form. Limits count for Support and own roles only. */
function readRole(request: AppRequest) {
  const { call } = request
  const role = call.form.get('role') ?? ''
  if (!isRole(role) && !isOwnRole(role)) throw invalid([wrongField('role', 'is no role')])
  const lines = call.form.get('refundLimits') ?? ''
  return { role, refundLimits: mayHaveLimits(role) ? readLimits(request, lines) : null }
}

interface RoleFieldsProps {
  readonly role: RoleId
  readonly ownRoles: Awaited<ReturnType<typeof listOwnRoles>>
  readonly limits: RefundLimits | null
  readonly errors: FormErrors
}

/** The role, of those that the person may give, and the limits of its refunds. */
function RoleFields({ role, ownRoles, limits, errors }: RoleFieldsProps) {
  const request = useRequest()
  const { team } = request.texts
  return (
    <>
      <Select
        id="role"
        name="role"
        label={team.role}
        value={role}
        options={[
          ...codeOptions(ROLES.filter((one) => mayManage(request.role, one))),
          ...ownRoles.map(({ roleId, name }) => ({ value: roleId, label: name })),
        ]}
      />
      <TextArea
        id="limits"
        name="refundLimits"
        label={team.limits}
        hint={team.limitsHint}
        value={request.call.form.get('refundLimits') ?? limitLines(request, limits)}
        rows={2}
        maxLength={1_000}
        error={errors.of('refundLimits')}
      />
    </>
  )
}

export const roleQuestions: readonly ScreenRoute[] = [
  ...question('/team/invite', proof('RoleWrite'), {
    texts: ({ team }) => ({ title: team.inviteTitle, button: team.invite }),
    fields: async ({ ctx, app, call, texts }, _, errors) => {
      const role = call.form.get('role') ?? ''
      const ownRoles = await listOwnRoles(ctx, app.licenseId)
      return (
        <>
          <Field
            id="email"
            name="email"
            type="email"
            label={texts.team.email}
            value={call.form.get('email') ?? ''}
            required
            ltr
            {...errors.for('email')}
          />
          <RoleFields
            role={isRole(role) || isOwnRole(role) ? role : 'Viewer'}
            limits={null}
            {...{ ownRoles, errors }}
          />
        </>
      )
    },
    run: async (request) => {
      const { ctx, app, call, texts } = request
      const { licenseId } = app
      const invitation = { licenseId, email: call.form.get('email') ?? '', ...readRole(request) }
      const shown = await inviteMember(ctx, managerOf(request), invitation)
      const url = urlToPassOn(shown)
      return url === undefined
        ? 'invited'
        : renderLink(request, url, texts.team.inviteLinkBody({ email: shown.link.email }))
    },
  }),
  ...question(`${MEMBER}/role`, proof('RoleWrite'), {
    subject: memberOf,
    crumbs,
    texts: ({ team }, { person }) => ({
      title: team.changeTitle({ name: person.name }),
      button: team.changeRole,
    }),
    fields: async ({ ctx, app }, { role, refundLimits }, errors) => {
      const ownRoles = await listOwnRoles(ctx, app.licenseId)
      return <RoleFields role={role} limits={refundLimits} {...{ ownRoles, errors }} />
    },
    run: async (request, { person: { personId } }) => {
      const { licenseId } = request.app
      await changeRole(request.ctx, managerOf(request), { licenseId, personId, ...readRole(request) })
      return 'changed'
    },
  }),
]

export async function postWithdraw(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call, base } = request
  await withdrawInvitation(ctx, managerOf(request), app.licenseId, call.params.linkId ?? '')
  return seeOther(`${base}/team?note=withdrawn`)
}
