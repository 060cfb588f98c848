import { createStripeSimulator } from '../stripe/simulator.ts'
import { describeFaults } from './matrix.ts'

describeFaults({
  provider: 'stripe',
  method: 'CreditCard',
  simulator: (now) => createStripeSimulator({ now }),
  authorises: true,
  stores: true,
  confirmsLater: false,
})
