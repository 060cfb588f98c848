-- A node may hold some of an endpoint's slots for a while: it leases the deliveries that it writes to itself
-- and sends them without a claim. Claims leave these slots free. Rows are renewed while they are used.
create table delivery_permits (
  app_id text not null,
  endpoint text collate "C" not null,
  lease_token text not null,
  slots integer not null check (slots >= 0),
  until_time timestamptz not null,
  primary key (app_id, endpoint, lease_token)
);
create index delivery_permits_until on delivery_permits (until_time);
