import { type Queryable, sql } from '../../db/database.ts'
import type { AppMails } from '../app.ts'

/** Absent fields stay unchanged; null clears. */
export type MailChanges = { readonly [Field in keyof AppMails]?: AppMails[Field] | undefined }

const UPDATE = sql<never>(
  'apps.updateMails',
  `update apps set
     payer_mails = case when $2 then $3::text[] else payer_mails end,
     team_mails = case when $4 then $5::text[] else team_mails end,
     mail_from_name = case when $6 then $7 else mail_from_name end,
     mail_reply_to = case when $8 then $9 else mail_reply_to end,
     team_addresses = case when $10 then $11::text[] else team_addresses end
   where app_id = $1`,
)

export async function updateMails(tx: Queryable, appId: string, changes: MailChanges): Promise<void> {
  const { payer, team, fromName, replyTo, teamAddresses } = changes
  const fields = [payer, team, fromName, replyTo, teamAddresses]
  await tx.query(UPDATE, [appId, ...fields.flatMap((value) => [value !== undefined, value ?? null])])
}
