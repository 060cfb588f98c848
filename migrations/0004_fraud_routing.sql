-- Fraud policies and their verdicts, routing, and the undoing of attempts that were given up. As elsewhere
-- *_time is the app's own time, due_time real time.

create table fraud_policies (
  app_id        text collate "C" not null references apps,
  policy_id     bigint generated always as identity,
  version       integer not null,             -- grows with every change
  name          text not null,
  rules         json not null,
  firewall      json not null,
  created_time  timestamptz not null,
  primary key (app_id, policy_id)
);

-- Every version ever in force, those of deleted policies too: old verdicts are explained by them.
create table fraud_policy_versions (
  app_id        text collate "C" not null,
  policy_id     bigint not null,
  version       integer not null,
  change        text not null check (change in ('Created', 'Changed', 'Deleted')),
  name          text not null,
  rules         json not null,
  firewall      json not null,
  changed_time  timestamptz not null,
  changed_by    text,                         -- an API key's id
  changed_name  text,                         -- and its name then
  primary key (app_id, policy_id, version)
);

-- There were no policies before, so an id written until now names nothing.
update apps set default_fraud_policy_id = null where default_fraud_policy_id is not null;
update customers set fraud_policy_id = null where fraud_policy_id is not null;
alter table apps add constraint apps_default_fraud_policy
  foreign key (app_id, default_fraud_policy_id) references fraud_policies;
alter table customers add constraint customers_fraud_policy
  foreign key (app_id, fraud_policy_id) references fraud_policies on delete set null (fraud_policy_id);

-- A customer whom a policy has looked at. The version orders verdicts: who decided on an old one decides
-- again.
create table fraud_customers (
  app_id       text collate "C" not null,
  customer_id  text collate "C" not null,
  version      integer not null,
  reset_time   timestamptz,                   -- nothing before is counted
  primary key (app_id, customer_id)
) with (fillfactor = 80);

-- One row for each attempt that a policy judged: why it passed or not, and what velocity rules count.
create table fraud_verdicts (
  app_id          text collate "C" not null,
  payment_id      bigint not null,
  attempt         integer not null,
  customer_id     text collate "C" not null,
  verdict_time    timestamptz not null,
  policy_id       bigint not null,
  policy_version  integer not null,
  currency        text not null,
  amount_minor    bigint not null,
  profile_id      bigint not null,
  card            text,                       -- brand, last digits, expiry: tells cards apart
  decision        text not null check (decision in ('Accept', 'Hold', 'Reject', 'Block')),
  outcome         text not null check (outcome in ('open', 'paid', 'declined', 'ended', 'rejected')),
  checks          json not null,
  primary key (app_id, payment_id, attempt)
) with (fillfactor = 80);
create index fraud_verdicts_of_customer on fraud_verdicts (app_id, customer_id, verdict_time);

alter table apps add column routing json;     -- null: profiles in the order they were added

-- Profiles in trouble; one that works has no row. Written when that changes, read by every node.
create table profile_health (
  app_id      text collate "C" not null,
  profile_id  bigint not null,
  failures    integer not null,               -- in a row, counted in probes
  says        text not null,
  due_time    timestamptz not null,           -- when it is probed
  primary key (app_id, profile_id),
  foreign key (app_id, profile_id) references payment_profiles
);

-- Attempts that were given up while their provider might still succeed: closed, voided or refunded there.
create table undos (
  app_id        text collate "C" not null,
  attempt_key   text collate "C" not null,    -- our reference at the provider
  payment_id    bigint not null,
  attempt       integer not null,
  profile_id    bigint not null,
  method        text not null,
  handles       json,
  status        text not null check (status in ('open', 'done', 'refused')),
  result        text check (result in ('nothing', 'closed', 'voided', 'refunded')),
  tries         integer not null default 0,
  created_time  timestamptz not null,
  closed_time   timestamptz,
  due_time      timestamptz,
  lease_token   text,
  outcome       json,
  primary key (app_id, attempt_key),
  check ((status = 'open') = (due_time is not null)),
  check ((status = 'done') = (result is not null))
) with (fillfactor = 80);
create index undos_of_payment on undos (app_id, payment_id);
create index undos_due on undos (due_time) where status = 'open';
