import { describeFaults } from '../faults/matrix.ts'
import { createAcornPaySimulator } from './simulator.ts'

describeFaults({
  provider: 'acorn-pay',
  method: 'CreditCard',
  simulator: (now) => createAcornPaySimulator({ now }),
  authorises: true,
  stores: false,
  confirmsLater: false,
})
