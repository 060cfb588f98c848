import { createSquareSimulator } from '../square/simulator.ts'
import { describeFaults } from './matrix.ts'

describeFaults({
  provider: 'square',
  method: 'CreditCard',
  simulator: (now) => createSquareSimulator({ now }),
  authorises: false,
  stores: true,
  reservesStored: true,
  takesParts: true,
  confirmsLater: false,
  forgetsMs: 26 * 3_600_000,
})
