import { createBtcpaySimulator } from '../btcpay/simulator.ts'
import { describeFaults } from './matrix.ts'

describeFaults({
  provider: 'btcpay',
  method: 'Crypto',
  simulator: (now) => createBtcpaySimulator({ now }),
  authorises: false,
  stores: false,
  confirmsLater: true,
})
