import type { Queryable } from '../../db/database.ts'
import { hasMember } from './recipients-store.ts'

/** Domains of mail services: who has an address there knows no other who has one. */
const PUBLIC_DOMAINS: ReadonlySet<string> = new Set([
  ...['gmail.com', 'googlemail.com', 'outlook.com', 'hotmail.com', 'hotmail.co.uk', 'hotmail.fr', 'live.com'],
  ...['msn.com', 'yahoo.com', 'yahoo.co.uk', 'yahoo.co.jp', 'yahoo.fr', 'ymail.com', 'aol.com', 'icloud.com'],
  ...['me.com', 'mac.com', 'proton.me', 'protonmail.com', 'pm.me', 'gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch'],
  ...['gmx.com', 'web.de', 't-online.de', 'freenet.de', 'mail.com', 'mail.ru', 'yandex.ru', 'yandex.com'],
  ...['zoho.com', 'fastmail.com', 'tutanota.com', 'tuta.com', 'hey.com', 'qq.com', '163.com', '126.com'],
  ...['naver.com', 'orange.fr', 'free.fr', 'laposte.net', 'libero.it', 'wp.pl', 'o2.pl', 'ziggo.nl'],
  ...['comcast.net', 'verizon.net', 'att.net', 'btinternet.com', 'rediffmail.com', 'uol.com.br'],
])

/**
 * Whether a sandbox app may write to an address: that of a member of its licence, also with a `+tag`, or one
 * of the same domain, unless that is a mail service's. `to` as `readAddress` returns it.
 */
export function mayTestWith(
  db: Queryable,
  { licenseId }: { readonly licenseId: string },
  to: string,
): Promise<boolean> {
  const [local = '', domain = ''] = to.toLowerCase().split('@')
  const addresses = [`${local}@${domain}`, `${withoutTag(local)}@${domain}`]
  return hasMember(db, licenseId, { addresses, domain: PUBLIC_DOMAINS.has(domain) ? null : domain })
}

/** `dana+shop` is the mailbox of `dana`. */
function withoutTag(local: string): string {
  const at = local.indexOf('+')
  return at > 0 ? local.slice(0, at) : local
}
