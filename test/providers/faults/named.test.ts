import { createMollieSimulator } from '../mollie/simulator.ts'
import { createStripeSimulator } from '../stripe/simulator.ts'
import { describeFaults } from './matrix.ts'

/** Methods by name: a debit that is confirmed days later, and a redirect that takes the money at once. */

describeFaults({
  provider: 'stripe',
  method: 'sepa-debit',
  simulator: (now) => createStripeSimulator({ now }),
  ...{ authorises: false, stores: false, confirmsLater: true },
})

describeFaults({
  provider: 'mollie',
  method: 'ideal',
  simulator: (now) => createMollieSimulator({ now }),
  ...{ authorises: false, stores: false, confirmsLater: false },
})
