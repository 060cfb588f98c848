-- Which kinds of events an endpoint receives; null: all. As with the states, the first endpoint is in `apps`.
alter table app_endpoints add column kinds text[];

-- Acknowledged webhooks are removed after 30 days, so the time of the first one is kept, as the app's time.
alter table apps
  add column webhook_kinds text[],
  add column first_webhook_time timestamptz;

update apps a set first_webhook_time = (
  select d.start_time from delivery_attempts d
  where d.app_id = a.app_id and d.http_status between 200 and 299
  order by d.payment_id, d.sequence, d.endpoint_id, d.attempt limit 1);
