-- The sandbox provider's bank. It plays another company: nothing outside this schema refers to it, and it
-- refers to nothing outside. Accounts carry no secret (their keys are derived), so a row exists only for
-- one that was changed by a test: its clock moved, or a fault armed. As elsewhere *_time is the account's
-- own time, due_time real time.

create schema sandbox_bank;

-- What all keys of all accounts are derived from: made once, so that
-- rotating SECRET_KEY changes no account's keys.
create table sandbox_bank.secret (
  only_row  boolean primary key default true check (only_row),
  sealed    bytea not null
);

create table sandbox_bank.accounts (
  account          text collate "C" primary key,
  version          integer not null,
  clock_offset_ms  bigint not null check (clock_offset_ms >= 0),
  faults           json not null
);

create table sandbox_bank.payments (
  account         text collate "C" not null,
  payment_id      text collate "C" not null,
  version         integer not null,
  reference       text collate "C" not null,   -- the merchant's
  status          text not null check (status in ('needs-customer', 'approved', 'in-review', 'processing',
                    'authorised', 'captured', 'declined', 'cancelled', 'expired')),
  amount_minor    bigint not null check (amount_minor > 0),
  captured_minor  bigint not null,
  refunded_minor  bigint not null,
  currency        text not null,
  due_time        timestamptz,                 -- when time alone changes it next
  document        json not null,               -- the whole payment; never a card number or code
  primary key (account, payment_id),
  constraint payments_reference unique (account, reference),
  constraint payments_sums check (
    0 <= refunded_minor and refunded_minor <= captured_minor and captured_minor <= amount_minor)
) with (fillfactor = 80);
create index payments_due on sandbox_bank.payments (due_time) where due_time is not null;

-- What the bank really did: one row for each movement, whatever was answered.
create table sandbox_bank.ledger (
  account        text collate "C" not null,
  payment_id     text collate "C" not null,
  entry          integer not null,
  kind           text not null check (kind in ('authorise', 'sale', 'capture', 'void', 'refund')),
  amount_minor   bigint not null check (amount_minor >= 0),
  status         text not null check (status in ('done', 'pending', 'declined')),
  operation_key  text collate "C" not null,
  entry_time     timestamptz not null,
  primary key (account, payment_id, entry)
);

-- The first answer to each idempotency key, given again for ever.
create table sandbox_bank.requests (
  account      text collate "C" not null,
  request_key  text collate "C" not null,
  fingerprint  text collate "C" not null,
  status       integer not null,
  answer       text not null,
  primary key (account, request_key)
);

create table sandbox_bank.stored_methods (
  account       text collate "C" not null,
  token         text collate "C" not null,
  document      json not null,
  is_forgotten  boolean not null default false,
  primary key (account, token)
);

create table sandbox_bank.notifications (
  account          text collate "C" not null,
  notification_id  bigint generated always as identity,
  url              text not null,
  body             text not null,
  is_forged        boolean not null,
  tries            integer not null default 0,
  due_time         timestamptz not null,
  primary key (account, notification_id)
) with (fillfactor = 80);
create index notifications_due on sandbox_bank.notifications (due_time);
