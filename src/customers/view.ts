import { type App, findProfile } from '../merchants/app.ts'
import type { Method } from './method-store.ts'
import type { Customer } from './store.ts'

export function customerView(app: App, customer: Customer) {
  const { customerId, firstName, lastName, email, mobileNumber, fraudPolicyId, isBlocked, extras } = customer
  const { appId, friendlyName, isSandbox } = app
  const createdTime = customer.createdTime.toISOString()
  return {
    ...extras,
    customerId,
    firstName,
    lastName,
    email,
    mobileNumber,
    fraudPolicyId,
    isBlocked,
    createdTime,
    erasedTime: customer.erasedTime?.toISOString() ?? null,
    app: { appId, friendlyName, isSandbox, isBlocked, createdTime },
  }
}

export function methodView(app: App, method: Method) {
  const { card, nickname } = method
  return {
    paymentMethodId: method.paymentMethodId,
    paymentMethodType: method.kind,
    paymentMethodNumber: method.label,
    isDefault: method.isDefault,
    ...(card?.brand === undefined ? {} : { cardBrand: card.brand }),
    ...(card?.type === undefined ? {} : { cardType: card.type }),
    ...(card?.expiryMonth === undefined ? {} : { cardExpiryMonth: card.expiryMonth }),
    ...(card?.expiryYear === undefined ? {} : { cardExpiryYear: card.expiryYear }),
    ...(nickname === null ? {} : { nickname }),
    verificationState: method.verificationState,
    createdTime: method.createdTime.toISOString(),
    ...(method.importedTime === null ? {} : { importedTime: method.importedTime.toISOString() }),
    providerProfiles: method.tokens.map(({ tokenId, profileId }) => {
      const profile = findProfile(app, profileId)
      return {
        paymentMethodProviderProfileId: tokenId,
        profileId,
        profileName: profile?.name ?? '',
        provider: profile?.provider ?? '',
      }
    }),
  }
}
