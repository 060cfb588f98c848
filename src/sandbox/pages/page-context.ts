import type { Context } from '../../context.ts'
import type { PageAssets } from '../../web/kit/assets/assets.ts'
import type { Sandbox } from '../sandbox.ts'

/** Dependencies of the sandbox pages. */
export interface SandboxPageContext {
  readonly ctx: Context
  readonly sandbox: Sandbox
  readonly assets: PageAssets
}
