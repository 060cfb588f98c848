/**
 * Payments of the past, as many as wanted, written straight into the tables: of 500 customers with two cards
 * each, one in ten declined, one in fifty refunded, every score from 0 to 99.
 */
export const PAST_PAYMENTS = [
  `insert into payments (app_id, payment_id, version, sequence, state, flow, reference_id, payment_key,
     amount_minor, captured_minor, refunded_minor, currency, auto_capture, auto_payment, fraud_status,
     customer_id, created_time, state_time, details, attempt, attempt_key, profile_id, method, pay_info)
   select $1, $2::bigint + $4 - n, 1, 4, case when n % 10 = 9 then 'Created' else 'Captured' end,
     'HostedPage', 'past ' || n, 'past ' || n, 1000 + n % 100,
     case when n % 10 = 9 then 0 else 1000 + n % 100 end,
     case when n % 50 = 0 then 500 else 0 end, case when n % 4 = 0 then 'USD' else 'EUR' end, true, 'None',
     'Unknown', 'customer ' || n % 500, $3::timestamptz - n * interval '1 minute', $3,
     '{"customerOrder":{"customer":{"customerId":"x","address":{"countryCode":"DE"}}}}', 1, 'PAST' || n, 1,
     'CreditCard', json_build_object('risk', json_build_object('score', n % 100, 'level', 'low'), 'card',
       json_build_object('brand', 'Visa', 'last4', lpad((n % 1000)::text, 4, '0'), 'country', 'DE'))
   from generate_series(0, $4::integer - 1) n`,
  `insert into operations (app_id, operation_key, payment_id, step, attempt, profile_id, method, amount_minor,
     status, created_time, closed_time)
   select $1, 'PAST' || n, $2::bigint + $4 - n, 'start', 1, 1, 'CreditCard', 1000,
     case when n % 10 = 9 then 'declined' else 'done' end, $3::timestamptz - n * interval '1 minute', $3
   from generate_series(0, $4::integer - 1) n`,
] as const
