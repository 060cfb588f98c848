/** What the API description shows for the details of a payment. */
export const DETAIL_EXAMPLES = {
  states: [
    {
      paymentStateLogId: 1,
      paymentState: 'Created',
      createdTime: '2026-11-15T12:00:00.000Z',
      lastError: null,
    },
    {
      paymentStateLogId: 2,
      paymentState: 'Authorizing',
      createdTime: '2026-11-15T12:01:10.000Z',
      lastError: null,
    },
  ],
  webhook: {
    eventId: 'evt_10001_2',
    type: 'payment.authorizing',
    paymentId: 10001,
    paymentState: 'Authorizing',
    sequence: 2,
    createdTime: '2026-11-15T12:01:10.000Z',
    queuedTime: '2026-11-15T12:01:10.000Z',
    url: 'https://shop.example.com/webhooks',
    status: 'delivered',
    nextTryTime: null,
    attempts: [
      {
        attempt: 1,
        time: '2026-11-15T12:01:10.020Z',
        httpStatus: 200,
        latencyMs: 31,
        error: null,
        response: 'ok',
        nextTryTime: null,
      },
    ],
  },
  providerLog: [
    {
      paymentId: '10001',
      method: 'start',
      createdTime: '2026-11-15T12:01:10.000Z',
      paymentGateway: 'stripe',
      message: {
        attempt: 1,
        request: {
          method: 'POST',
          url: 'https://api.stripe.com/v1/checkout/sessions',
          headers: { authorization: '***', 'idempotency-key': '7H2M0W9E4T6R8Y1V3P5D' },
          body: { mode: 'payment' },
        },
        response: { outcome: 'reply', status: 200, body: { object: 'checkout.session' } },
        ms: 240,
      },
      error: null,
    },
  ],
  rawInfo: { providerInfo: '{"object":"checkout.session","status":"open"}' },
  linkInfo: {
    orderUrl: 'https://dashboard.stripe.com/test/payments/pi_3ABC',
    orderField: 'ID',
    orderValue: 'pi_3ABC',
  },
} as const
