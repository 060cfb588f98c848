-- The ground. Every table that belongs to an app carries app_id first in its primary key and unique indexes,
-- so that the same schema can be distributed by app. Ids and references compare by code point (collate "C").
-- Instants called *_time are the app's own time (a sandbox app's clock can be moved); due_time is real time.

create table licenses (
  license_id    text collate "C" primary key,
  name          text not null,
  code_hash     bytea not null,
  created_time  timestamptz not null
);

create table apps (
  app_id                  text collate "C" primary key,
  license_id              text collate "C" not null references licenses,
  is_sandbox              boolean not null,
  is_active               boolean not null default true,
  friendly_name           text not null,
  created_time            timestamptz not null,
  payment_webhook_url     text,
  webhook_auth_scheme     text,
  webhook_auth_parameter  bytea,              -- sealed
  webhook_secret          bytea not null,     -- sealed
  default_fraud_policy_id bigint,
  checkout_methods        text[] not null,
  first_capture_time      timestamptz,
  clock_offset_ms         bigint not null default 0,
  unique (license_id, is_sandbox),
  check (is_sandbox or clock_offset_ms = 0)
);

create table api_keys (
  app_id         text collate "C" not null references apps,
  key_id         text collate "C" not null,
  key_hash       bytea not null,
  name           text not null,
  kind           text not null check (kind in ('app', 'license')),
  hint           text not null,               -- the last four characters, to tell keys apart
  created_time   timestamptz not null,
  expires_time   timestamptz,
  revoked_time   timestamptz,
  last_used_time timestamptz,
  primary key (app_id, key_id),
  unique (app_id, key_hash)
);

create table payment_profiles (
  app_id       text collate "C" not null references apps,
  profile_id   bigint generated always as identity,
  name         text not null,
  provider     text collate "C" not null,
  methods      text[] not null check (cardinality(methods) > 0),
  currency     text not null,                 -- what a charge without a currency is made in
  currencies   text[],                        -- null: every currency the provider takes
  is_active    boolean not null,
  settings     bytea not null,                -- sealed
  webhook_key  text collate "C" not null,
  created_time timestamptz not null,
  primary key (app_id, profile_id)
);
-- Notifications name a profile without its app.
create index payment_profiles_by_id on payment_profiles (profile_id);

create table customers (
  app_id           text collate "C" not null references apps,
  customer_id      text collate "C" not null,
  first_name       text,
  last_name        text,
  email            text,
  mobile_number    text,
  fraud_policy_id  bigint,
  is_blocked       boolean not null default false,
  extras           json,                      -- address, accountCreatedTime, customId as they were sent
  created_time     timestamptz not null,
  primary key (app_id, customer_id)
);
-- Search by the beginning of id, name, e-mail or phone. Each word carries its app, so one merchant's search
-- never walks another's words; one index instead of five keeps the first payment of a new customer cheap.
create index customers_search on customers using gin (array_to_tsvector(array[
  app_id || ':' || lower(customer_id), app_id || ':' || lower(coalesce(first_name, '')),
  app_id || ':' || lower(coalesce(last_name, '')), app_id || ':' || lower(coalesce(email, '')),
  app_id || ':' || coalesce(mobile_number, '')]));

-- The list's filters: few customers are blocked or pinned to a policy, so both stay small.
create index customers_blocked on customers (app_id, customer_id) where is_blocked;
create index customers_of_policy on customers (app_id, fraud_policy_id, customer_id)
  where fraud_policy_id is not null;

create table payment_methods (
  app_id             text collate "C" not null,
  payment_method_id  bigint generated always as identity,
  customer_id        text collate "C" not null,
  kind               text not null check (kind in ('CreditCard', 'ElectronicCheck', 'Crypto', 'Paypal')),
  label              text not null,           -- masked: "Visa •••• 4242"
  fingerprint        text collate "C",        -- the provider's name for the same card; never the number
  card               json,                    -- brand, type, expiry, last four digits
  nickname           text,
  is_default         boolean not null default false,
  verification_state text not null,
  created_time       timestamptz not null,
  removed_time       timestamptz,
  primary key (app_id, payment_method_id),
  foreign key (app_id, customer_id) references customers
);
create index payment_methods_of_customer on payment_methods (app_id, customer_id) where removed_time is null;
create unique index payment_methods_one_default on payment_methods (app_id, customer_id)
  where is_default and removed_time is null;

create table payment_method_tokens (
  app_id             text collate "C" not null,
  token_id           bigint generated always as identity,   -- paymentMethodProviderProfileId
  payment_method_id  bigint not null,
  profile_id         bigint not null,
  token              bytea not null,          -- sealed: what the provider wants back to charge the method
  created_time       timestamptz not null,
  removed_time       timestamptz,             -- the registration was stopped
  primary key (app_id, token_id),
  foreign key (app_id, payment_method_id) references payment_methods,
  foreign key (app_id, profile_id) references payment_profiles
);
create unique index payment_method_tokens_one_per_profile
  on payment_method_tokens (app_id, payment_method_id, profile_id) where removed_time is null;

-- Handed out in blocks of 100: the id is known before the row is written, so its event can be built with it.
create sequence payment_ids increment by 100 start with 10001;

create table payments (
  app_id            text collate "C" not null,
  payment_id        bigint not null,
  version           integer not null,         -- grows with every write
  sequence          integer not null,         -- of the last event
  state             text not null check (state in ('Created', 'Authorized', 'Authorizing', 'Approved',
                      'Capturing', 'Captured', 'Failed', 'Disputed', 'SaleInProgress',
                      'ProviderAuthorizedHold', 'Cancelling', 'CapturedHold', 'Refunded', 'Refunding')),
  flow              text not null
                      check (flow in ('HostedPage', 'Direct', 'ProviderHostedPage', 'AutoPayment')),
  reference_id      text collate "C" not null,
  payment_key       text collate "C" not null,
  amount_minor      bigint not null check (amount_minor > 0),
  captured_minor    bigint not null default 0,
  refunded_minor    bigint not null default 0,
  currency          text not null check (currency ~ '^[A-Z]{3}$'),
  auto_capture      boolean not null,
  auto_payment      text not null check (auto_payment in ('None', 'Register', 'Use')),
  fraud_status      text not null,
  customer_id       text collate "C" not null,
  return_url        text,
  webhook_url       text,
  created_time      timestamptz not null,
  state_time        timestamptz not null,
  expiration_time   timestamptz,
  details           json not null,            -- what the merchant asked for, frozen at creation
  attempt           integer not null default 0,
  attempt_key       text collate "C",         -- our reference at the provider
  profile_id        bigint,
  method            text,
  payment_method_id bigint,
  token_id          bigint,
  handles           json,                     -- the provider's ids
  pay_info          json,                     -- payer, card, fee, risk: what the provider told us
  authorised_until  timestamptz,
  redirect_url      text,
  failure           json,
  last_error        text,
  primary key (app_id, payment_id),
  constraint payments_reference unique (app_id, reference_id),
  constraint payments_key unique (app_id, payment_key),
  constraint payments_sums check (
    0 <= refunded_minor and refunded_minor <= captured_minor and captured_minor <= amount_minor),
  constraint payments_failed_says_why check ((state = 'Failed') = (failure is not null)),
  constraint payments_refunded_all check (state <> 'Refunded' or refunded_minor = captured_minor)
) with (fillfactor = 80);                     -- room for HOT updates: no index holds a column that changes

-- One row for each thing asked of a provider, committed before the first byte is sent.
create table operations (
  app_id          text collate "C" not null,
  operation_key   text collate "C" not null,  -- the provider's idempotency key
  payment_id      bigint not null,
  step            text not null check (step in ('start', 'resume', 'charge', 'capture', 'cancel', 'refund')),
  attempt         integer not null,
  profile_id      bigint not null,
  method          text,
  amount_minor    bigint not null,
  status          text not null
                    check (status in ('open', 'waiting', 'done', 'declined', 'not-done', 'abandoned')),
  tries           integer not null default 0,
  created_time    timestamptz not null,
  closed_time     timestamptz,
  due_time        timestamptz,                -- when a worker may take it over; also the end of the lease
  lease_token     text,
  handles         json,
  outcome         json,
  description     text,
  request_key     text,                       -- the client's Idempotency-Key: a repeat after a crash finds it
  primary key (app_id, operation_key),
  check ((status in ('open', 'waiting')) = (due_time is not null))
) with (fillfactor = 80);
create unique index operations_one_open on operations (app_id, payment_id)
  where status in ('open', 'waiting');
create unique index operations_request on operations (app_id, payment_id, request_key)
  where request_key is not null;
create index operations_of_payment on operations (app_id, payment_id);
create index operations_due on operations (due_time) where status in ('open', 'waiting');

create table refunds (
  app_id         text collate "C" not null,
  payment_id     bigint not null,
  refund_id      text collate "C" not null,   -- our operation key, or the provider's id if made elsewhere
  amount_minor   bigint not null check (amount_minor > 0),
  state          text not null check (state in ('pending', 'done', 'failed')),
  description    text,
  created_time   timestamptz not null,
  primary key (app_id, payment_id, refund_id)
);

-- Link expiry and authorisation windows: one alarm for each payment, set and cleared by the state change.
create table timers (
  app_id      text collate "C" not null,
  payment_id  bigint not null,
  due_time    timestamptz not null,
  tries       integer not null default 0,
  primary key (app_id, payment_id)
);
create index timers_due on timers (due_time);

-- One row for each state entered. body is the webhook, byte for byte.
create table events (
  app_id        text collate "C" not null,
  payment_id    bigint not null,
  sequence      integer not null,
  type          text not null,
  state         text not null,
  created_time  timestamptz not null,
  body          text not null,
  primary key (app_id, payment_id, sequence)
);

create table provider_notifications (
  app_id         text collate "C" not null,
  profile_id     bigint not null,
  digest         bytea not null,              -- of the raw body: the same call again is the same row
  received_time  timestamptz not null,
  headers        json not null,
  url            text not null,
  body           bytea not null,
  status         text not null check (status in ('new', 'done', 'forged', 'ignored')),
  tries          integer not null default 0,
  due_time       timestamptz,
  primary key (app_id, profile_id, digest),
  check ((status = 'new') = (due_time is not null))
);
create index provider_notifications_due on provider_notifications (due_time) where status = 'new';

create table idempotency_keys (
  app_id           text collate "C" not null,
  idempotency_key  text collate "C" not null,
  fingerprint      bytea not null,
  status           integer,                   -- null while the first request runs
  headers          json,
  body             text,
  created_time     timestamptz not null,
  locked_until     timestamptz not null,
  primary key (app_id, idempotency_key)
);
create index idempotency_keys_created on idempotency_keys (created_time);
