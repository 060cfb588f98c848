-- Imports of customers, stored methods and past payments.

create table imports (
  app_id        text not null references apps (app_id),
  import_id     text not null,
  state         text not null check (state in ('waiting', 'running', 'done', 'cancelled')),
  is_dry_run    boolean not null,
  file_name     text,
  digest        bytea not null,
  requested_by  json not null,
  created_time  timestamptz not null,
  ended_time    timestamptz,
  line_count    integer not null,
  done_count    integer not null default 0,
  added_count   integer not null default 0,
  wrong_count   integer not null default 0,
  chunk_count   integer not null,
  chunk         integer not null default 1,     -- the next to be done
  tries         integer not null default 0,     -- of this chunk
  due_time      timestamptz,
  lease_token   text,
  primary key (app_id, import_id),
  check ((due_time is not null) = (state in ('waiting', 'running'))),
  check ((ended_time is null) = (state in ('waiting', 'running'))),
  check (done_count <= line_count and added_count + wrong_count <= done_count)
);
create index imports_due on imports (due_time) where due_time is not null;
create index imports_ended on imports (ended_time) where ended_time is not null;

-- Lines that are to be done, sealed because they have tokens. Removed when they are done.
create table import_chunks (
  app_id     text not null,
  import_id  text not null,
  chunk      integer not null,
  sealed     bytea not null,
  primary key (app_id, import_id, chunk),
  foreign key (app_id, import_id) references imports (app_id, import_id) on delete cascade
);

create table import_problems (
  app_id     text not null,
  import_id  text not null,
  line       integer not null,
  problem    json not null,
  primary key (app_id, import_id, line),
  foreign key (app_id, import_id) references imports (app_id, import_id) on delete cascade
);

-- Payments that another service has made: fraud rules count them, and nothing else does.
create table past_payments (
  app_id        text not null references apps (app_id),
  reference_id  text not null,
  customer_id   text not null,
  payment_time  timestamptz not null,
  currency      text not null check (currency ~ '^[A-Z]{3}$'),
  amount_minor  bigint not null check (amount_minor > 0),
  outcome       text not null check (outcome in ('paid', 'declined')),
  profile_id    bigint,
  primary key (app_id, reference_id),
  foreign key (app_id, customer_id) references customers (app_id, customer_id)
);
create index past_payments_of_customer on past_payments (app_id, customer_id, payment_time);

alter table payment_methods
  add column imported_time timestamptz,
  add column import_id text;
