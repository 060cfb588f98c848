import { ModuleProvider, Modules } from '@medusajs/framework/utils'
import { TenderPaymentProvider } from './provider.ts'

export type { TenderProviderOptions } from './options.ts'

const provider: ReturnType<typeof ModuleProvider> = ModuleProvider(Modules.PAYMENT, {
  services: [TenderPaymentProvider],
})

export default provider
