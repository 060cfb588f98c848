import type { CallOptions } from '../../../sdk/src/send.ts'
import { type Command, type CommandCall, type Shown, UsageError } from '../command.ts'

/** The token comes from the environment only, like the API key. */
function asOperator({ io }: CommandCall): CallOptions {
  const apiKey = io.env.TENDER_OPERATOR_TOKEN
  if (!apiKey) throw new UsageError('Set TENDER_OPERATOR_TOKEN.')
  return { apiKey }
}

function needed(value: string | undefined, option: string): string {
  if (!value) throw new UsageError(`Give --${option}.`)
  return value
}

/** The link to pass on, or who got it by e-mail. */
const invitationLines = (email: string | undefined, link: string | undefined): string[] => {
  if (email === undefined) return []
  return link ? [`Pass this link on to ${email}:`, link] : [`The invitation is sent to ${email}.`]
}

const OWNER = { value: 'e-mail', description: 'Who is invited to be its owner.' }

/** For the operator of the installation: merchants, their owners, and a look into their licences. */
export const LICENSES: readonly Command[] = [
  {
    name: 'licenses create',
    description: 'Create a licence, one merchant, and invite its owner. For operators.',
    isWithoutApp: true,
    options: { name: { value: 'name', description: 'Of the business.' }, owner: OWNER },
    async run(call): Promise<Shown> {
      const { name, owner } = call.values
      const licenseName = needed(name, 'name')
      const body = { licenseName, ...(owner !== undefined && { ownerEmail: owner }) }
      const data = await call.tender.licenses.create(body, asOperator(call))
      return {
        data,
        lines: [
          `${data.licenseId}  ${data.licenseName}`,
          ...data.apps.map(({ appId, friendlyName, apiKey }) => `${appId}  ${friendlyName}  ${apiKey}`),
          'Store the keys now: they are not shown again.',
          ...invitationLines(data.ownerEmail, data.invitationLink),
        ],
      }
    },
  },
  {
    name: 'licenses invite-owner',
    description: 'Invite an owner to a licence that has none. For operators.',
    args: ['licenseId'],
    isWithoutApp: true,
    options: { owner: OWNER },
    async run(call): Promise<Shown> {
      const [licenseId = ''] = call.args
      const email = needed(call.values.owner, 'owner')
      const data = await call.tender.licenses.inviteOwner(licenseId, { email }, asOperator(call))
      return { data, lines: invitationLines(data.email, data.invitationLink) }
    },
  },
  {
    name: 'licenses enter',
    description: 'Read a licence in the console for an hour. Its owners see the reason. For operators.',
    args: ['licenseId'],
    isWithoutApp: true,
    options: {
      operator: { value: 'e-mail', description: 'The operator who enters.' },
      reason: { value: 'text', description: 'Why; the owners see it in their audit log.' },
    },
    async run(call): Promise<Shown> {
      const [licenseId = ''] = call.args
      const body = {
        email: needed(call.values.operator, 'operator'),
        reason: needed(call.values.reason, 'reason'),
      }
      const data = await call.tender.licenses.enter(licenseId, body, asOperator(call))
      const [appId] = data.appIds
      return {
        data,
        lines: [
          `${data.email} reads ${licenseId} until ${data.expiresTime}.`,
          ...(appId ? [`${call.connection.url}/console/${appId}/overview`] : []),
        ],
      }
    },
  },
]
