import type { Actor } from '../base/actor.ts'
import { type Random, randomText } from '../base/ids.ts'

/** A person who may use the console. Secrets are not part of it. */
export interface Person {
  readonly personId: string
  /** In lower case. */
  readonly email: string
  readonly name: string
  readonly theme: 'light' | 'dark' | null
  readonly language: string | null
  readonly timeZone: string | null
  readonly hasShortcuts: boolean
  /** May see the state of the whole installation. */
  readonly isOperator: boolean
  readonly isDisabled: boolean
  /** False for a person who signs in by OpenID Connect or passkey only. */
  readonly hasPassword: boolean
  readonly hasTotp: boolean
  /** The person has proved the address, by a link that went by e-mail alone or at the OpenID provider. */
  readonly isVerified: boolean
  /** Grows when all sessions end. */
  readonly accessVersion: number
  readonly createdTime: Date
  readonly lastSeenTime: Date | null
}

/** Minor units a day by currency, of a Support member. A currency without an amount allows no refund. */
export type RefundLimits = Readonly<Record<string, string>>

/** The client of a request, as it is recorded with a session and in the audit log. */
export interface SignInClient {
  readonly address: string
  /** The subject of limits, see `networkOf`. */
  readonly network: string
  readonly userAgent?: string | undefined
  readonly requestId: string
}

export const newPersonId = (random: Random): string => `usr_${randomText(random, 16)}`

/** The person as an actor, for a request without a session. */
export const actorOf = (
  { personId, email }: Pick<Person, 'personId' | 'email'>,
  { address, requestId }: SignInClient,
): Actor => ({ kind: 'person', id: personId, name: email, address, requestId })
