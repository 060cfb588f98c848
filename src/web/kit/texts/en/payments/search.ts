export const search = {
  title: 'Search',
  result: 'Result',
  kind: 'Kind',
  detail: 'Details',
  results: (text: string) => `Results for “${text}”`,
  empty: 'Nothing found',
  emptyBody:
    'Search by payment id, reference, customer, e-mail address, last four digits of a card, ' +
    'event id or request id.',
  inPayments: 'Search the payments with filters',
  kinds: {
    payment: 'Payment',
    customer: 'Customer',
    event: 'Event',
    request: 'API request',
    screen: 'Screen',
  },
  newLink: 'Create payment link',
}
