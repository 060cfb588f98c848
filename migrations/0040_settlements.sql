-- What providers report about money that they have settled: reports, lines, payouts, and what does not agree.

-- A profile whose settlements are read, or for which a file has come. Times are of the app.
create table settlement_sources (
  app_id text not null,
  profile_id bigint not null,
  -- Whether the provider's API is read. Files may come at any time.
  is_active boolean not null,
  -- What was captured before is not missed.
  begin_time timestamptz not null,
  -- Lines up to this time have come: what has none by then is missing.
  covered_until timestamptz,
  -- Lines up to this time have been checked for a payout.
  unpaid_until timestamptz not null,
  -- The end of the last window that was read to its end.
  read_until timestamptz,
  -- The window that is being read, and the page where it goes on.
  window_until timestamptz,
  page_cursor text,
  tries integer not null default 0,
  due_time timestamptz,
  lease_token text,
  last_read_time timestamptz,
  problem json,
  primary key (app_id, profile_id),
  foreign key (app_id, profile_id) references payment_profiles (app_id, profile_id)
);
create index settlement_sources_due on settlement_sources (due_time) where is_active;

-- How far the events of an app with a source have been read.
create table settlement_progress (
  app_id text not null primary key references apps,
  -- Earlier events are not read.
  from_time timestamptz not null,
  event_time timestamptz not null,
  payment_id bigint not null,
  sequence integer not null,
  due_time timestamptz not null
);
create index settlement_progress_due on settlement_progress (due_time);

-- The ids by which providers name payments of apps with a source. Derived from operations, so that these need
-- no further index: payments are written far more often than lines.
create table settlement_keys (
  app_id text not null,
  profile_id bigint not null,
  key text not null,
  payment_id bigint not null,
  attempt integer not null,
  -- The refund that the id names; null: the attempt.
  refund_id text,
  primary key (app_id, profile_id, key, payment_id)
);

-- A file, or a page of an API window. The digest makes reading the same one again change nothing.
create table settlement_reports (
  app_id text not null,
  report_id bigint generated always as identity,
  profile_id bigint not null,
  source text not null check (source in ('api', 'file')),
  digest bytea not null,
  line_count integer not null,
  bad_rows json,
  received_time timestamptz not null,
  primary key (app_id, report_id),
  unique (app_id, profile_id, digest)
);

create table payouts (
  app_id text not null,
  payout_id bigint generated always as identity,
  profile_id bigint not null,
  provider_payout_id text not null,
  -- Null until the provider has reported the payout itself and not only a line of it.
  amount_minor bigint,
  currency text,
  state text not null check (state in ('pending', 'paid', 'failed')),
  payout_time timestamptz not null,
  arrival_time timestamptz,
  bank_reference text,
  -- It or its lines have changed since they were compared.
  is_changed boolean not null default true,
  primary key (app_id, payout_id),
  unique (app_id, profile_id, provider_payout_id)
);
create index payouts_changed on payouts (app_id, profile_id, payout_id) where is_changed;
create index payouts_time on payouts (app_id, payout_time, payout_id);

-- Never changed, except that a line that was reported before its payout gets it later. Amounts have the
-- merchant's sign.
create table settlement_lines (
  app_id text not null,
  line_id bigint generated always as identity,
  profile_id bigint not null,
  provider_line_id text not null,
  report_id bigint not null,
  kind text not null,
  provider_ids text[] not null,
  reference text,
  gross_minor bigint not null,
  currency text not null,
  fee_minor bigint,
  net_minor bigint,
  settlement_currency text,
  rate text,
  line_time timestamptz not null,
  received_time timestamptz not null,
  payout_id bigint,
  primary key (app_id, line_id),
  unique (app_id, profile_id, provider_line_id)
);
create index settlement_lines_payout on settlement_lines (app_id, payout_id) where payout_id is not null;
create index settlement_lines_time on settlement_lines (app_id, line_time, line_id);

-- The row as it came, sealed. Removed after 13 months.
create table settlement_rows (
  app_id text not null,
  line_id bigint not null,
  received_time timestamptz not null,
  sealed bytea not null,
  primary key (app_id, line_id)
);
create index settlement_rows_age on settlement_rows using brin (received_time);

-- The payment of a line. A line without a row here has not been matched.
create table settlement_matches (
  app_id text not null,
  line_id bigint not null,
  payment_id bigint not null,
  match text not null check (match in ('exact', 'suggested')),
  -- Null: the payment as a whole.
  attempt integer,
  -- The refund that the line is about, where its id or reference names it.
  refund_id text,
  primary key (app_id, line_id)
);
create index settlement_matches_payment on settlement_matches (app_id, payment_id);

-- Lines without a payment that are matched again later. Times are of the app.
create table settlement_waiting (
  app_id text not null,
  profile_id bigint not null,
  line_id bigint not null,
  tries integer not null default 0,
  due_time timestamptz not null,
  primary key (app_id, line_id)
);
create index settlement_waiting_due on settlement_waiting (app_id, due_time);

-- What the lines say about a payment of an app with a source. Times are of the app.
create table settlement_states (
  app_id text not null,
  payment_id bigint not null,
  profile_id bigint not null,
  state text not null check (state in ('unsettled', 'settled', 'difference')),
  -- The payout of its last sale line.
  payout_id bigint,
  difference_minor bigint not null,
  -- When a line that has not come is missing. Null: none is awaited.
  due_time timestamptz,
  primary key (app_id, payment_id)
);
create index settlement_states_due on settlement_states (app_id, profile_id, due_time)
  where due_time is not null;

create table settlement_exceptions (
  app_id text not null,
  exception_id bigint generated always as identity,
  profile_id bigint not null,
  kind text not null check (kind in
    ('missing', 'unknown', 'amount', 'currency', 'doubled', 'unseen', 'fee', 'payout', 'unpaid')),
  payment_id bigint,
  line_id bigint,
  payout_id bigint,
  -- What it is about, so that the same one is not opened twice.
  subject text not null,
  details json not null,
  opened_time timestamptz not null,
  closed_time timestamptz,
  -- Null while open, and when it closed by itself.
  closed_by text,
  reason text,
  primary key (app_id, exception_id)
);
create unique index settlement_exceptions_open on settlement_exceptions (app_id, profile_id, kind, subject)
  where closed_time is null;
create index settlement_exceptions_subject on settlement_exceptions (app_id, profile_id, kind, subject);
create index settlement_exceptions_payment on settlement_exceptions (app_id, payment_id)
  where payment_id is not null and closed_time is null;
create index settlement_exceptions_list
  on settlement_exceptions (app_id, (closed_time is null), exception_id);

-- The service closes exceptions by itself.
alter table audit_log drop constraint audit_log_actor_kind_check;
alter table audit_log add constraint audit_log_actor_kind_check
  check (actor_kind in ('person', 'key', 'operator', 'service')) not valid;
