import type { Context } from '../../../context.ts'
import type { App } from '../../../merchants/app.ts'
import type { Permission, RoleId } from '../../../people/access/roles.ts'
import type { SignedIn } from '../../../people/signed-in.ts'
import type { PageCall } from '../request/call.ts'
import type { ConsoleLanguage } from '../texts/languages.ts'
import type { ConsoleTexts } from '../texts/texts.ts'
import type { ConsoleAssets } from './assets.ts'

/** A request by anyone, signed in or not. */
export interface OpenRequest {
  readonly ctx: Context
  readonly call: PageCall
  readonly assets: ConsoleAssets
  readonly language: ConsoleLanguage
  readonly texts: ConsoleTexts
  readonly now: Date
}

/** A request by a person with a session. `ctx` acts on behalf of the person. */
export interface PersonRequest extends OpenRequest {
  readonly person: SignedIn
  /** Signed id for the forms of this page. */
  readonly formId: string
  /** The app whose menu is shown; on pages of the person or the operator their first one, if any. */
  readonly app: App | undefined
  /** The apps of the person's licences, by name, sandbox first. */
  readonly apps: readonly App[]
  /** Numbers beside entries of the menu, by screen. */
  readonly badges: Readonly<Record<string, number>>
  /** Whether the person may do this in the licence of `app`. */
  can(permission: Permission): boolean
  /** Whether the person may use this route of `app`, by what the route declares. */
  mayUse(method: 'GET' | 'POST', path: string): boolean
}

/** A request to a page of an app, by a member of its licence with the permission of the page. */
export interface AppRequest extends PersonRequest {
  readonly app: App
  readonly role: RoleId
  /** `/console/{appId}` */
  readonly base: string
}
