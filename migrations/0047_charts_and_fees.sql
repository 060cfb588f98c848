-- Payments by the country of the payer or the card, beside payment_rollups: as a column there it would
-- multiply the rows of every quarter.
create table country_rollups (
  app_id text not null,
  bucket_time timestamptz not null,
  currency text not null,
  profile_id bigint not null,
  outcome text not null check (outcome in ('paid', 'approved', 'declined', 'blocked', 'ended', 'open')),
  -- '': unknown.
  country text not null,
  payments bigint not null,
  captured_minor bigint not null,
  primary key (app_id, bucket_time, currency, profile_id, outcome, country)
);

-- Quarters that were counted before are counted again.
insert into rollup_queue (app_id, bucket_time, due_time)
select distinct app_id, bucket_time, now() from payment_rollups
on conflict do nothing;

-- What settlement lines cost, by booking day: derived from the entries of the ledger.
create table ledger_fees (
  app_id text not null,
  booking_day date not null,
  profile_id bigint not null,
  -- Of the payment; '' for a line without one.
  method text not null,
  country text not null,
  -- Of the balance at the provider.
  currency text not null,
  fee_minor bigint not null,
  -- Of sales, in the same currency.
  gross_minor bigint not null,
  primary key (app_id, booking_day, profile_id, method, country, currency)
);

-- The last entry of each app that is counted.
create table ledger_fee_progress (
  app_id text primary key references apps,
  entry_id bigint not null
);

-- The oldest open exceptions, for metrics and the daily e-mail.
create index settlement_exceptions_age on settlement_exceptions (opened_time) where closed_time is null;
create index settlement_exceptions_opened on settlement_exceptions (app_id, opened_time);

-- The team gets an e-mail about settlements, unless it has turned off all of its e-mails.
alter table apps alter column team_mails
  set default '{endpoint-failing,provider-degraded,authorisations-ending,settlements}'::text[];
update apps set team_mails = array_append(team_mails, 'settlements') where team_mails <> '{}';
alter table mail_walks drop constraint mail_walks_source_check, add constraint mail_walks_source_check check (
  source in ('events', 'late-events', 'activity', 'late-activity', 'cards', 'authorisations', 'settlements'));
