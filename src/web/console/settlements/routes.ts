import { SETTLEMENTS } from '../../../settlements/limits.ts'
import { app, proof, type ScreenRoute } from '../../kit/route.ts'
import { accept, closeRoutes, keepForeign, readAgain, recheckNow, showExceptions } from './exceptions.tsx'
import { downloadLines, showPayout } from './payout.tsx'
import { exportLines, showPayouts } from './payouts.tsx'
import { showReport, showReports, upload } from './reports.tsx'
import { readSource, showSources, turnOff, turnOn } from './sources.tsx'

/** A report and the fields beside it. */
const UPLOAD_BYTES = SETTLEMENTS.fileBytes + 64 * 1024

export function settlementsScreens(): ScreenRoute[] {
  const exception = '/payouts/exceptions/{exceptionId}'
  const source = '/payouts/sources/{profileId}'
  return [
    app('GET', '/payouts', 'SettlementRead', showPayouts),
    app('GET', '/payouts/export', proof('SettlementRead'), exportLines),
    app('GET', '/payouts/{payoutId}', 'SettlementRead', showPayout),
    app('GET', '/payouts/{payoutId}/lines', proof('SettlementRead'), downloadLines),
    app('GET', '/payouts/exceptions', 'SettlementRead', showExceptions),
    app('POST', `${exception}/recheck`, 'SettlementWrite', recheckNow),
    app('POST', `${exception}/foreign`, 'SettlementWrite', keepForeign),
    app('POST', `${exception}/read`, 'SettlementWrite', readAgain),
    app('POST', `${exception}/accept`, 'SettlementWrite', accept),
    ...closeRoutes,
    app('GET', '/payouts/reports', 'SettlementRead', showReports),
    app('POST', '/payouts/reports', 'SettlementWrite', upload, {
      formBytes: UPLOAD_BYTES,
      takesFiles: true,
    }),
    app('GET', '/payouts/reports/{reportId}', 'SettlementRead', showReport),
    app('GET', '/payouts/sources', 'SettlementRead', showSources),
    app('POST', `${source}/on`, 'SettlementWrite', turnOn),
    app('POST', `${source}/off`, 'SettlementWrite', turnOff),
    app('POST', `${source}/read`, 'SettlementWrite', readSource),
  ]
}
