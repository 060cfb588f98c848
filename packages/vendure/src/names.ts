/** The code of the payment method handler. */
export const HANDLER_CODE = 'tender'

/** The token under which the settings are injected. */
export const SETTINGS = Symbol('TenderSettings')
