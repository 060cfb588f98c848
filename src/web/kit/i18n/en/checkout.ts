import { panel } from './panel.ts'

/**
 * The English catalogue. Its type is required of all other languages. Sentence case; a button has a verb and
 * an object; an error tells the next step. Parameters are ready to show: formatted money, names as text.
 */
export const en = {
  common: {
    language: 'Language',
    contact: (merchant: string) => `Contact ${merchant}`,
    returnTo: (merchant: string) => `Return to ${merchant}`,
    terms: 'Terms',
    privacy: 'Privacy',
    poweredBy: 'Powered by Tender',
    sandbox: 'Sandbox: no money moves',
    testValues: 'Test cards and accounts',
    skip: 'Skip to the payment',
    amount: 'Amount',
    merchant: 'Paid to',
    method: 'Method',
    reference: 'Reference',
    order: 'Order',
    date: 'Date',
    state: 'State',
    back: 'Back',
    refresh: 'Refresh this page',
    copy: 'Copy',
    copied: 'Copied',
  },

  order: {
    title: (merchant: string) => `Pay ${merchant}`,
    number: (orderId: string) => `Order ${orderId}`,
    details: (items: number) => (items === 1 ? 'Order details (1 item)' : `Order details (${items} items)`),
    breakdown: 'Order details',
    quantity: (count: string) => `Quantity ${count}`,
    subtotal: 'Subtotal',
    shipping: 'Shipping',
    handling: 'Handling',
    insurance: 'Insurance',
    discount: 'Discount',
    tax: 'Tax',
    total: 'Total',
    expiresIn: (time: string) => `This page is valid for ${time} more.`,
    minutesLeft: (minutes: number) =>
      minutes === 1 ? '1 minute left to pay.' : `${minutes} minutes left to pay.`,
    secondsLeft: (seconds: number) => `${seconds} seconds left to pay.`,
  },

  methods: {
    saved: 'Saved for you',
    choose: 'Pay with',
    CreditCard: 'Card',
    ElectronicCheck: 'Bank account',
    Paypal: 'PayPal',
    Crypto: 'Crypto',
    onProviderPage: (provider: string) => `You continue at ${provider}.`,
    cryptoHint: 'You get an address and a QR code to pay to.',
    expires: (expiry: string) => `Expires ${expiry}`,
    expired: 'Expired',
    defaultMethod: 'Default',
    remove: 'Remove',
    removeConfirm: (method: string) => `Remove ${method} for good?`,
    removeButton: (method: string) => `Remove ${method}`,
    none: (merchant: string) => `${merchant} cannot take payments right now`,
    noneBody: (merchant: string) =>
      `You have not been charged. Please contact ${merchant}, or try again later.`,
  },

  buttons: {
    pay: (amount: string) => `Pay ${amount}`,
    payWith: (amount: string, method: string) => `Pay ${amount} with ${method}`,
    authorise: (amount: string) => `Authorise ${amount}`,
    continueTo: (provider: string) => `Continue to ${provider}`,
    showAddress: (amount: string) => `Pay ${amount} in crypto`,
    chargedLater: (merchant: string) => `You will be charged when ${merchant} confirms your order.`,
    cancel: (merchant: string) => `Cancel and return to ${merchant}`,
    cancelOnly: 'Cancel this payment',
    cancelConfirm: 'Cancel this payment? You can no longer pay on this page afterwards.',
    cancelYes: 'Yes, cancel it',
    tryAgain: 'Try again',
    receipt: 'Receipt',
    print: 'Print',
    working: 'One moment…',
  },

  card: {
    number: 'Card number',
    expiry: 'Expiry',
    expiryHint: 'MM / YY',
    code: 'Security code',
    codeHint: '3 or 4 digits on the card',
    name: 'Name on card',
    accepted: (brands: string) => `Accepted: ${brands}`,
    problems: 'Please correct these fields',
    numberEmpty: 'Enter the card number.',
    numberIncomplete: 'The card number is too short. Enter all its digits.',
    numberWrong: 'This is not a valid card number. Check the digits.',
    brandRefused: (brand: string) => `${brand} cards are not accepted here. Use another card.`,
    expiryEmpty: 'Enter the expiry as MM / YY, for example 04 / 29.',
    expiryWrong: 'Enter the expiry as MM / YY, for example 04 / 29.',
    expiryPast: 'This card has expired. Use another card.',
    codeEmpty: 'Enter the security code.',
    codeWrong: (digits: number) => `The security code of this card has ${digits} digits.`,
    nameEmpty: 'Enter the name as it is printed on the card.',
    testCards: 'Test cards',
    testCardUse: (number: string) => `Use ${number}`,
  },

  bank: {
    routing: 'Routing number',
    account: 'Account number',
    type: 'Account type',
    checking: 'Checking',
    savings: 'Savings',
    name: 'Account holder',
    routingWrong: 'A routing number has 9 digits.',
    accountWrong: 'An account number has 4 to 17 digits.',
    nameEmpty: 'Enter the name of the account holder.',
    mandate: (merchant: string) =>
      `By continuing you authorise ${merchant} to debit your bank account for this amount.`,
  },

  /** A change of meaning needs a new version in `consent.ts`: the version is stored with the method. */
  consent: {
    save: (merchant: string) =>
      `Save this method and let ${merchant} charge it for future payments. You can remove it at any time.`,
    mandate: (merchant: string) =>
      `By paying you let ${merchant} save this method and charge it for future payments without asking you ` +
      'each time. You can remove it at any time.',
  },

  notices: {
    partArrived: (received: string, amount: string) => `Only ${received} of ${amount} has arrived`,
    partArrivedBody: (until: string | undefined) =>
      until === undefined
        ? 'Send the rest soon, or choose another way to pay. What has arrived is then given back.'
        : `Send the rest by ${until}, or choose another way to pay. What has arrived is then given back.`,
    declined: 'That did not work',
    notCharged: 'You have not been charged.',
    cameBack: (provider: string) => `You came back from ${provider} without paying`,
    cameBackBody: 'You have not been charged. Go on where you left, or choose another way to pay.',
    resume: (provider: string) => `Resume ${provider}`,
    notReached: (provider: string) => `${provider} cannot be reached right now`,
    notReachedBody: (provider: string) =>
      `Your payment page at ${provider} is still open. So that you are never charged twice, you cannot pay ` +
      'another way yet. Try again in a minute, or go on there.',
    otherTab: 'This payment is being completed in another tab',
    otherTabBody: 'Nothing more is needed here.',
    removed: 'The method was removed.',
  },

  declines: {
    insufficient: 'There is not enough money on this card or account. Try another card or method.',
    expired: 'This card has expired. Use another card.',
    code: 'The security code was not right. Check it and try again.',
    number: 'The card number was not right. Check it and try again.',
    limit: 'The amount is over the limit of this card or account. Try another card or method.',
    unsupported: 'This card cannot be used here. Try another card or method.',
    identity: 'Your bank could not confirm that it is you. Try again, or choose another way to pay.',
    account: 'The bank did not accept this account. Check the numbers, or choose another way to pay.',
    refused: 'Your bank declined the payment. Try another card or method, or ask your bank.',
    trouble: 'Something went wrong on the way to your bank. Try again.',
    cancelled: 'You cancelled at the provider. Choose how you want to pay.',
    late: 'It took too long to confirm the payment. Try again.',
    underpaid: (merchant: string) =>
      `Less than the amount arrived. Contact ${merchant} about what you sent, or choose another way to pay.`,
    removed: 'This saved method can no longer be used. Choose another way to pay.',
  },

  challenge: {
    another: 'Pay another way',
    title: 'Your bank wants to confirm it is you',
    body: 'Answer your bank’s question to finish the payment.',
    open: 'Continue to your bank',
    ownWindow: 'Open in this window',
    slow: 'Your bank’s page does not appear?',
    frame: 'Your bank’s page',
  },

  crypto: {
    title: (amount: string) => `Send ${amount} in crypto`,
  },

  status: {
    title: 'Confirming your payment…',
    slow: 'Still working. This can take a minute.',
    close: (merchant: string) => `You may close this page. ${merchant} will be told the result.`,
    toProvider: (provider: string) => `You continue at ${provider}`,
    toProviderBody: 'If the page does not open by itself, use the button.',
  },

  result: {
    received: 'Payment received',
    receivedBody: (merchant: string) => `You paid ${merchant}. Keep the reference for your records.`,
    authorised: 'Payment authorised',
    authorisedBody: (merchant: string) => `You will be charged when ${merchant} confirms your order.`,
    review: 'Payment under review',
    reviewBody: (merchant: string) => `${merchant} is checking this order. You have not done anything wrong.`,
    failed: 'Payment not completed',
    failedBody: (merchant: string) => `You have not been charged. Return to ${merchant} to order again.`,
    tooMany: 'Too many attempts',
    tooManyBody: (merchant: string) =>
      `This payment was tried too often. You have not been charged. Return to ${merchant} to start again.`,
    expired: 'This link has expired',
    expiredBody: (merchant: string) => `You have not been charged. Ask ${merchant} for a new link.`,
    expiredSince: (date: string) => `It was valid until ${date}.`,
    cancelled: 'Payment cancelled',
    cancelledBody: 'You have not been charged.',
    cancelling: 'Payment is being cancelled',
    refunding: 'Refund on its way',
    refundingBody: (amount: string) => `${amount} is going back to the method you paid with.`,
    claim: 'Claim your refund',
    claimBody: 'To receive the money, enter where it should be sent.',
    refunded: 'Refunded',
    refundedBody: (amount: string) => `${amount} went back to the method you paid with.`,
    disputed: (merchant: string) => `Contact ${merchant}`,
    disputedBody: (merchant: string) =>
      `Your bank has asked about this payment. ${merchant} can tell you more.`,
    countdown: (merchant: string, seconds: number) =>
      seconds === 1
        ? `Returning to ${merchant} in 1 second.`
        : `Returning to ${merchant} in ${seconds} seconds.`,
    stay: 'Stay on this page',
    shopSees: 'What the shop sees',
  },

  receipt: {
    title: 'Receipt',
    paidOn: 'Paid on',
    refunded: 'Refunded',
    paymentNumber: 'Payment',
    payer: 'Paid by',
    note: (merchant: string) => `Issued for ${merchant}. This is not a tax invoice.`,
  },

  states: {
    Created: 'Open',
    Authorized: 'Authorised',
    Authorizing: 'Authorising',
    Approved: 'Approved',
    Capturing: 'Capturing',
    Captured: 'Paid',
    Failed: 'Failed',
    Disputed: 'Disputed',
    SaleInProgress: 'In progress',
    ProviderAuthorizedHold: 'Held',
    Cancelling: 'Cancelling',
    CapturedHold: 'Held',
    Refunded: 'Refunded',
    Refunding: 'Refunding',
    cancelled: 'Cancelled',
    expired: 'Expired',
  },

  panel,

  errors: {
    unknown: 'We cannot find this payment',
    unknownBody: 'Check that the link is complete, or ask the shop that sent it to you.',
    busy: 'Too many requests',
    busyBody: 'Please wait a moment, then try again. You have not been charged twice.',
    broken: 'Something went wrong on our side',
    brokenBody: 'Nothing is lost. Refresh this page to see where your payment stands.',
    away: 'We will be right back',
    awayBody: 'The payment service does not answer just now. Refresh this page in a moment.',
    elsewhere: 'This request came from another site',
    elsewhereBody: 'For your safety nothing was done. Open the payment page again.',
  },
}

export type PageTexts = typeof en
