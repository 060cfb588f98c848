import { createMollieSimulator } from '../mollie/simulator.ts'
import { describeFaults } from './matrix.ts'

describeFaults({
  provider: 'mollie',
  method: 'CreditCard',
  simulator: (now) => createMollieSimulator({ now }),
  authorises: true,
  stores: true,
  confirmsLater: false,
  forgetsMs: 2 * 3_600_000,
})
