-- The first try of a delivery, if the endpoint accepted it: nearly every delivery has just this one. Others
-- are rows of delivery_attempts.
alter table deliveries
  add column first_time timestamptz,
  add column first_ms integer,
  add column first_status integer,
  add column first_response text;
