/** Texts of messages to payers. */
export const en = {
  labels: {
    amount: 'Amount',
    refunded: 'Refunded',
    reference: 'Order',
    description: 'Description',
    method: 'Paid with',
    date: 'Date',
    expires: 'Expires',
  },
  receipt: {
    subject: (shop: string) => `Your receipt from ${shop}`,
    heading: (amount: string) => `You paid ${amount}`,
    body: (shop: string) => `Thank you. ${shop} has received your payment.`,
  },
  refund: {
    subject: (shop: string) => `Your refund from ${shop}`,
    heading: (amount: string) => `You get ${amount} back`,
    body: (shop: string) =>
      `${shop} has refunded your payment. It can take a few days until the money is in your account.`,
  },
  failed: {
    subject: (shop: string) => `Your payment to ${shop} did not succeed`,
    heading: (amount: string) => `${amount} could not be charged`,
    body: (shop: string) =>
      `${shop} could not charge your stored payment method. You can pay with another one here.`,
    button: 'Pay now',
  },
  added: {
    subject: (shop: string) => `A payment method was added at ${shop}`,
    heading: (method: string) => `${method} was added`,
    body: (shop: string) => `This payment method is now stored for your payments to ${shop}.`,
  },
  removed: {
    subject: (shop: string) => `A payment method was removed at ${shop}`,
    heading: (method: string) => `${method} was removed`,
    body: (shop: string) => `${shop} can no longer charge this payment method.`,
  },
  notYou: 'If this was not you, please contact us.',
  expiring: {
    subject: (shop: string) => `Your card at ${shop} expires soon`,
    heading: (method: string) => `${method} expires soon`,
    body: (shop: string) => `Add another payment method so that your payments to ${shop} continue.`,
    button: 'Add a payment method',
  },
  linkOnce: 'The link works for seven days and can be opened once.',
  storedMethod: 'Payment method',
  why: (shop: string) => `You receive this e-mail because of your payments to ${shop}.`,
  support: 'Contact',
  unsubscribe: 'No more reminders',
  stop: {
    heading: 'No more reminders?',
    body: (shop: string) => `You get no more e-mails about failed payments and expiring cards from ${shop}.`,
    button: 'Stop reminders',
    done: 'You get no more reminders.',
  },
  test: 'Test: no money was moved.',
  testMark: 'Test',
}

export type PayerTexts = typeof en
