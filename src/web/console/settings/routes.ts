import { LIMITS } from '../../../base/limits.ts'
import type { Clear } from '../../../merchants/app-rows.ts'
import type { PageAssets } from '../../kit/assets/assets.ts'
import { app, proof, type ScreenRoute } from '../../kit/route.ts'
import { createPreview, postCheckout, showCheckout } from './checkout.tsx'
import { dangerRoutes, showDanger } from './danger.tsx'
import { dataRoutes, emailsRoutes, generalRoutes } from './forms.tsx'
import { postCheckHost, postHost, removeHostRoutes, showHost } from './host.tsx'

/** What the settings need from other features. */
export interface SettingsTools {
  /** Remove the rows of a sandbox app that is emptied, in this order. */
  readonly clearers: readonly Clear[]
  /** Style sheet of the checkout, for its preview. */
  readonly pageAssets: PageAssets
}

export const settingsScreens = ({ clearers, pageAssets }: SettingsTools): ScreenRoute[] => [
  ...generalRoutes,
  app('GET', '/settings/checkout', 'AppSettingRead', showCheckout),
  app('POST', '/settings/checkout', 'AppSettingWrite', postCheckout, {
    formBytes: LIMITS.bodyBytes,
    takesFiles: true,
  }),
  app('GET', '/settings/preview', 'AppSettingRead', createPreview(pageAssets)),
  app('GET', '/settings/host', 'AppSettingRead', showHost),
  app('POST', '/settings/host', proof('AppSettingWrite'), postHost),
  app('POST', '/settings/host/check', 'AppSettingWrite', postCheckHost),
  ...removeHostRoutes,
  ...emailsRoutes,
  ...dataRoutes,
  app('GET', '/settings/danger', 'AppSettingRead', showDanger),
  ...dangerRoutes(clearers),
]
