import { createPaypalSimulator } from '../paypal/simulator.ts'
import { describeFaults } from './matrix.ts'

describeFaults({
  provider: 'paypal',
  method: 'Paypal',
  simulator: (now) => createPaypalSimulator({ now }),
  authorises: true,
  stores: true,
  confirmsLater: false,
  forgetsMs: 7 * 3_600_000,
  disturb: {
    name: 'with a token that PayPal no longer accepts',
    act: (simulator) => simulator.revokeTokens(),
  },
})
