import type { Handles } from './outcome.ts'

/** Where an operator finds a payment at the provider. */
interface DashboardLink {
  readonly url: string
  /** The id to search for, and what the provider calls it. */
  readonly field: string
  readonly value: string
}

/** How requests to the provider are logged and shown. */
export interface Traces<Config> {
  /**
   * What its log must not show beside the usual secrets, such as tokens of stored methods: names of members,
   * in lower case, or `parent.name` for one place; and texts that match, with the flag `g`.
   */
  readonly hides?: { readonly names?: readonly string[]; readonly texts?: RegExp }
  /** The payment in the provider's dashboard. Undefined while its id is not known. */
  dashboardLink?(handles: Handles, config: Config, isSandbox: boolean): DashboardLink | undefined
}
