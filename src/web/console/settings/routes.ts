import type { Clear } from '../../../merchants/app-rows.ts'
import type { PageAssets } from '../../kit/assets/assets.ts'
import { app, type ScreenRoute } from '../../kit/route.ts'
import { checkoutRoutes, createPreview } from './checkout.tsx'
import { dangerRoutes, showDanger } from './danger.tsx'
import { dataRoutes, emailsRoutes, generalRoutes } from './forms.tsx'
import { hostRoutes } from './host.tsx'

/** What the settings need from other features. */
export interface SettingsTools {
  /** Remove the rows of a sandbox app that is emptied, in this order. */
  readonly clearers: readonly Clear[]
  /** Style sheet of the checkout, for its preview. */
  readonly pageAssets: PageAssets
}

export const settingsScreens = ({ clearers, pageAssets }: SettingsTools): ScreenRoute[] => [
  ...generalRoutes,
  ...checkoutRoutes,
  app('GET', '/settings/preview', 'AppSettingRead', createPreview(pageAssets)),
  ...hostRoutes,
  ...emailsRoutes,
  ...dataRoutes,
  app('GET', '/settings/danger', 'AppSettingRead', showDanger),
  ...dangerRoutes(clearers),
]
