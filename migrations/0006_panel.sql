-- The customer panel: sessions that a signed link was exchanged for, and methods that are kept without a
-- payment.

create table panel_sessions (
  app_id        text collate "C" not null,
  session_hash  bytea not null,               -- of the cookie: who reads this table can open nothing
  link_hash     bytea not null,               -- a link opens one session
  customer_id   text collate "C" not null,
  link_grant    json not null,                -- scope, task and ways back, as they were signed
  tries         integer not null default 0,   -- methods that were tried to be added
  expires_time  timestamptz not null,
  primary key (app_id, session_hash),
  constraint panel_sessions_link unique (app_id, link_hash),
  foreign key (app_id, customer_id) references customers
);
create index panel_sessions_ended on panel_sessions (expires_time);

-- Written before the provider is asked: whoever the customer comes back to finds it, after a crash too.
create table method_keepings (
  app_id        text collate "C" not null,
  keeping_key   text collate "C" not null,    -- the provider's idempotency key
  customer_id   text collate "C" not null,
  profile_id    bigint not null,
  kind          text not null,
  handles       json,
  consent_text  text not null,
  consent_time  timestamptz not null,
  consent_ip    text,
  created_time  timestamptz not null,
  primary key (app_id, keeping_key),
  foreign key (app_id, customer_id) references customers,
  foreign key (app_id, profile_id) references payment_profiles
);
create index method_keepings_old on method_keepings (created_time);

-- What a customer has paid, newest first.
create index payments_of_customer on payments (app_id, customer_id, payment_id);

-- The bank changes methods too, once it keeps them without a payment.
alter table sandbox_bank.stored_methods add column version integer not null default 0;
