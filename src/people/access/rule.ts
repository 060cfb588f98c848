import type { Permission } from './roles.ts'

/** What a route asks of the session of a person. */
export interface SessionRule {
  /**
   * A fresh proof that the person is present: a complete sign-in, password, code or passkey of the last five
   * minutes. For whatever changes who has access or where money goes.
   */
  readonly proof?: true
  /** For operators of the installation. To others the route does not exist, whatever their proof is. */
  readonly operator?: true
  /** The page to which the proof leads back, for a form whose own address is no page. */
  readonly page?: string
  /** The proof is asked for only with this parameter of the query. */
  readonly onlyWith?: string
}

/** What a route of an app asks of a member of its licence. */
export interface AppRule extends SessionRule {
  readonly permission: Permission
}

/** A row of a table of routes; a permission alone asks for no proof. */
export type RouteRow = Permission | AppRule
