import type { Actor } from '../base/actor.ts'

/** A change to be recorded. Neither side of it holds a secret. */
export interface NewEntry {
  readonly licenseId: string
  /** Absent for a change of the licence itself. */
  readonly appId?: string
  /** `noun.verb`, such as `profile.changed`. */
  readonly action: string
  /** `noun:id`, such as `profile:3`. */
  readonly target: string
  readonly before?: object
  readonly after?: object
}

export interface AuditEntry {
  readonly entryId: number
  readonly appId: string | null
  readonly time: Date
  readonly actor: Actor
  readonly action: string
  readonly target: string
  readonly before: object | null
  readonly after: object | null
}

export interface AuditFilter {
  /** Entries older than this one. */
  readonly before?: number | undefined
  /** Entries of this app and of the licence itself. */
  readonly appId?: string | undefined
  readonly actorId?: string | undefined
  /** An action, or the noun that all actions of a kind begin with. */
  readonly action?: string | undefined
  readonly target?: string | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly limit: number
}

export interface AuditActor {
  readonly id: string
  readonly name: string
}
