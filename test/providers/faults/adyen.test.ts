import { createAdyenSimulator } from '../adyen/simulator.ts'
import { describeFaults } from './matrix.ts'

describeFaults({
  provider: 'adyen',
  method: 'CreditCard',
  simulator: (now) => createAdyenSimulator({ now }),
  authorises: true,
  stores: true,
  confirmsLater: false,
})
