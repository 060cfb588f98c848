import type { ShownKey } from '../../merchants/keys/commands.ts'
import { isRole, type Role, type RoleId } from '../access/roles.ts'
import type { Person } from '../person.ts'
import type { PersonLink } from '../store/links.ts'
import type { Member } from '../store/memberships.ts'

export const BOT_ROLE = 'Bot'

const DESCRIPTIONS: Readonly<Record<Role | typeof BOT_ROLE, string>> = {
  Owner: 'Everything, including other owners.',
  Admin: 'Everything except owners.',
  Manager: 'Payments, customers, providers and fraud policies.',
  Support: 'Payments and customers, with refunds up to a daily amount.',
  Developer: 'Reads everything; API keys that read, webhooks and test tools; no money.',
  Finance: 'Reads and exports money; settlements and payouts; no refunds.',
  Risk: 'Held payments, customers and fraud policies; no refunds.',
  Viewer: 'Reads payments, customers, providers and fraud policies.',
  Bot: 'An API key of the app.',
}

/** An own role has a name of its own and no description. */
export const roleView = (role: RoleId | typeof BOT_ROLE, ownName?: string | null) => ({
  roleId: role,
  roleName: ownName ?? role,
  description: isRole(role) || role === BOT_ROLE ? DESCRIPTIONS[role] : null,
})

const iso = (time: Date | null): string | null => time?.toISOString() ?? null

const NOT_A_BOT = { isPhoneVerified: false, isBot: false, description: null }

export const personView = (person: Person) => ({
  userId: person.personId,
  email: person.email,
  name: person.name,
  createdTime: person.createdTime.toISOString(),
  accessedTime: iso(person.lastSeenTime),
  isDisabled: person.isDisabled,
  isEmailVerified: person.isVerified,
  ...NOT_A_BOT,
})

export const memberView = (
  appId: string,
  { person, ...access }: Pick<Member, 'person' | 'role' | 'ownRole'>,
) => ({
  resourceId: appId,
  userId: person.personId,
  role: roleView(access.role, access.ownRole?.name),
  user: personView(person),
})

/** An invited person has no account yet: the id is that of the invitation. */
export const invitationView = (appId: string, link: PersonLink) => ({
  resourceId: appId,
  userId: link.linkId,
  role: roleView(link.role ?? 'Viewer', link.ownRoleName),
  user: {
    userId: link.linkId,
    email: link.email,
    name: null,
    createdTime: link.createdTime.toISOString(),
    accessedTime: null,
    isDisabled: false,
    ...NOT_A_BOT,
    isEmailVerified: false,
    description: 'Invited',
  },
})

export const botView = (appId: string, key: ShownKey['row']) => ({
  resourceId: appId,
  userId: key.keyId,
  role: roleView(BOT_ROLE),
  user: {
    userId: key.keyId,
    email: null,
    name: key.name,
    createdTime: key.createdTime.toISOString(),
    accessedTime: iso(key.lastUsedTime),
    isDisabled: false,
    isEmailVerified: false,
    isPhoneVerified: false,
    isBot: true,
    description: `Ends with ${key.hint}`,
  },
})

export const botKeyView = ({ row, apiKey }: ShownKey) => ({
  accessToken: {
    value: apiKey,
    expirationTime: iso(row.expiresTime),
    scheme: 'Bearer',
    issuedTime: row.createdTime.toISOString(),
  },
  refreshToken: null,
  userId: row.keyId,
})
