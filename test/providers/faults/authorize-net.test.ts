import { createAuthorizeNetSimulator } from '../authorize-net/simulator.ts'
import { describeFaults } from './matrix.ts'

/** Before this a refund of everything is a void, and one of a part waits. */
const SETTLEMENT_MS = 20 * 60_000

describeFaults({
  provider: 'authorize-net',
  method: 'CreditCard',
  simulator: (now) => createAuthorizeNetSimulator({ now, settlementMs: SETTLEMENT_MS }),
  authorises: true,
  stores: true,
  confirmsLater: false,
  disturb: { name: 'after the settlement', act: (simulator) => simulator.settleAll() },
})
