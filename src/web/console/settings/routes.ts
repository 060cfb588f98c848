import { LIMITS } from '../../../base/limits.ts'
import type { Clear } from '../../../merchants/app-rows.ts'
import type { PageAssets } from '../../kit/assets/assets.ts'
import { app, proof, type ScreenRoute } from '../../kit/route.ts'
import { askBlock, postBlock } from './block.tsx'
import { createPreview, postCheckout, showCheckout } from './checkout.tsx'
import { askClear, createClear, showDanger } from './danger.tsx'
import { postData, showData } from './data.tsx'
import { postEmails, showEmails } from './e-mails.tsx'
import { postGeneral, showGeneral } from './general.tsx'
import { askRemoveHost, postCheckHost, postHost, postRemoveHost, showHost } from './host.tsx'

/** What the settings need from other features. */
export interface SettingsTools {
  /** Remove the rows of a sandbox app that is emptied, in this order. */
  readonly clearers: readonly Clear[]
  /** Style sheet of the checkout, for its preview. */
  readonly pageAssets: PageAssets
}

export function settingsScreens({ clearers, pageAssets }: SettingsTools): ScreenRoute[] {
  return [
    app('GET', '/settings', 'AppSettingRead', showGeneral),
    app('POST', '/settings', proof('AppSettingWrite'), postGeneral),
    app('GET', '/settings/checkout', 'AppSettingRead', showCheckout),
    app('POST', '/settings/checkout', 'AppSettingWrite', postCheckout, {
      formBytes: LIMITS.bodyBytes,
      takesFiles: true,
    }),
    app('GET', '/settings/preview', 'AppSettingRead', createPreview(pageAssets)),
    app('GET', '/settings/host', 'AppSettingRead', showHost),
    app('POST', '/settings/host', proof('AppSettingWrite'), postHost),
    app('POST', '/settings/host/check', 'AppSettingWrite', postCheckHost),
    app('GET', '/settings/host/remove', proof('AppSettingWrite'), askRemoveHost),
    app('POST', '/settings/host/remove', proof('AppSettingWrite'), postRemoveHost),
    app('GET', '/settings/e-mails', 'AppSettingRead', showEmails),
    app('POST', '/settings/e-mails', 'AppSettingWrite', postEmails),
    app('GET', '/settings/data', 'AppSettingRead', showData),
    app('POST', '/settings/data', proof('AppSettingWrite'), postData),
    app('GET', '/settings/danger', 'AppSettingRead', showDanger),
    app('GET', '/settings/danger/clear', 'AppSettingWrite', askClear),
    app('POST', '/settings/danger/clear', 'AppSettingWrite', createClear(clearers)),
    ...(['block', 'unblock'] as const).flatMap((verb) => [
      app('GET', `/settings/danger/${verb}`, proof('AppSettingWrite'), (request) => askBlock(request, verb)),
      app('POST', `/settings/danger/${verb}`, proof('AppSettingWrite'), (request) =>
        postBlock(request, verb),
      ),
    ]),
  ]
}
