import Type, { type Static } from 'typebox'
import { LIMITS } from '../../base/limits.ts'
import { LINKED_MAILBOX } from '../../base/mailbox.ts'
import { maybe, patchOf, readPatch, text } from '../../http/wire.ts'
import type { AppMails } from '../app.ts'
import { PAYER_MAILS, TEAM_MAILS } from './mail-kinds.ts'
import type { MailChanges } from './mails-store.ts'

/** E-mails of an app: to payers, off by default, and to its team. */

const Nullable = Type.Union([Type.String(), Type.Null()])

export const MailsAnswer = Type.Object(
  {
    payer: Type.Array(Type.Enum([...PAYER_MAILS]), { description: 'Sent to payers. None by default.' }),
    team: Type.Array(Type.Enum([...TEAM_MAILS]), { description: 'Sent to the team. All by default.' }),
    fromName: Type.Union([Type.String(), Type.Null()], { description: 'Null: the name of the app.' }),
    replyTo: Nullable,
    teamAddresses: Type.Array(Type.String(), {
      description: 'Empty: the owners of the licence. A sandbox app without addresses sends none.',
    }),
  },
  { title: 'Emails', description: 'Sent only where the operator has set up a mail server.' },
)

export const Email = Type.String({
  maxLength: LIMITS.emailLength,
  pattern: `^${LINKED_MAILBOX}$`,
  expected: 'email',
})

const SENDER_LENGTH = 100

export const MailsPatch = maybe(
  Type.Object({
    payer: patchOf(Type.Array(Type.Enum([...PAYER_MAILS]), { maxItems: PAYER_MAILS.length })),
    team: patchOf(Type.Array(Type.Enum([...TEAM_MAILS]), { maxItems: TEAM_MAILS.length })),
    fromName: patchOf(text(SENDER_LENGTH, { pattern: '^[^<>"\\x00-\\x1f\\x7f]*$', expected: 'senderName' })),
    replyTo: patchOf(
      Type.String({
        maxLength: LIMITS.emailLength,
        pattern: `^(?:${LINKED_MAILBOX})?$`,
        expected: 'email',
      }),
    ),
    teamAddresses: patchOf(
      Type.Array(Email, {
        maxItems: LIMITS.refundEmails,
        expected: { code: 'emails', values: { most: LIMITS.refundEmails } },
      }),
    ),
  }),
)
export type MailsPatch = Static<typeof MailsPatch>

/** `{ "value": null }` and an empty text return a setting to its default. */
export function mailChanges(patch: MailsPatch | null | undefined): MailChanges {
  if (!patch) return {}
  const listed = <Item>(items: readonly Item[] | null | undefined, standard: readonly Item[] = []) =>
    items === null ? standard : items && [...new Set(items)]
  return {
    payer: listed(readPatch(patch.payer)),
    team: listed(readPatch(patch.team), TEAM_MAILS),
    fromName: emptyIsNull(readPatch(patch.fromName)),
    replyTo: emptyIsNull(readPatch(patch.replyTo)),
    teamAddresses: listed(readPatch(patch.teamAddresses)),
  }
}

const emptyIsNull = (value: string | null | undefined): string | null | undefined =>
  value?.trim() === '' ? null : value

export const mailsView = ({ payer, team, fromName, replyTo, teamAddresses }: AppMails) => ({
  payer: [...payer],
  team: [...team],
  fromName,
  replyTo,
  teamAddresses: [...teamAddresses],
})
