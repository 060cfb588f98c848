import { LIMITS } from '../../../base/limits.ts'
import type { Route } from '../../../http/route.ts'
import type { Clear } from '../../../merchants/app-rows.ts'
import type { PageAssets } from '../../kit/assets/assets.ts'
import type { Screens } from '../frame/screens.tsx'
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

export function settingsScreens({ app }: Screens, { clearers, pageAssets }: SettingsTools): Route[] {
  return [
    app('GET', '/settings', showGeneral),
    app('POST', '/settings', postGeneral),
    app('GET', '/settings/checkout', showCheckout),
    app('POST', '/settings/checkout', postCheckout, { formBytes: LIMITS.bodyBytes, takesFiles: true }),
    app('GET', '/settings/preview', createPreview(pageAssets)),
    app('GET', '/settings/host', showHost),
    app('POST', '/settings/host', postHost),
    app('POST', '/settings/host/check', postCheckHost),
    app('GET', '/settings/host/remove', askRemoveHost),
    app('POST', '/settings/host/remove', postRemoveHost),
    app('GET', '/settings/e-mails', showEmails),
    app('POST', '/settings/e-mails', postEmails),
    app('GET', '/settings/data', showData),
    app('POST', '/settings/data', postData),
    app('GET', '/settings/danger', showDanger),
    app('GET', '/settings/danger/clear', askClear),
    app('POST', '/settings/danger/clear', createClear(clearers)),
    ...(['block', 'unblock'] as const).flatMap((verb) => [
      app('GET', `/settings/danger/${verb}`, (visit) => askBlock(visit, verb)),
      app('POST', `/settings/danger/${verb}`, (visit) => postBlock(visit, verb)),
    ]),
  ]
}
