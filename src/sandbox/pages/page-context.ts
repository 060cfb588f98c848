import type { Context } from '../../context.ts'
import type { PageAssets } from '../../pages/assets.ts'
import type { Sandbox } from '../sandbox.ts'

/** What the pages of the bank need: the bank, reached as a browser reaches it, and their style. */
export interface SandboxPageContext {
  readonly ctx: Context
  readonly sandbox: Sandbox
  readonly assets: PageAssets
}
