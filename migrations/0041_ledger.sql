-- The ledger: double entry for each app, derived from payments, settlement lines and payouts
-- (docs/decisions/0159-ledger.md).

-- Where the derivation stands. Its row is locked while entries are written and while a month is closed.
create table ledger_progress (
  app_id text primary key references apps,
  next_entry_id bigint not null default 1,
  event_time timestamptz not null,
  event_payment_id bigint not null default 0,
  event_sequence integer not null default 0,
  -- The second pass finds rows that were committed after later ones.
  late_event_time timestamptz not null,
  late_event_payment_id bigint not null default 0,
  late_event_sequence integer not null default 0,
  line_id bigint not null default 0,
  late_line_id bigint not null default 0,
  -- Unknown lines are checked again and again for a match that came later.
  unknown_line_id bigint not null default 0,
  due_time timestamptz not null
);
create index ledger_progress_due on ledger_progress (due_time);

-- Entries and postings are never changed. A correction is an entry of its own.
create table ledger_entries (
  app_id text not null,
  -- Without gaps in an app.
  entry_id bigint not null,
  -- What the entry is derived from, so that it is written once.
  entry_key text not null,
  -- A day of the app's time zone, in a month that was open.
  booking_day date not null,
  occurred_time timestamptz not null,
  kind text not null check (kind in (
    'capture', 'capture-failure', 'refund', 'refund-correction', 'dispute', 'dispute-reversal',
    'line', 'unknown-line', 'match', 'payout')),
  payment_id bigint,
  line_id bigint,
  payout_id bigint,
  -- The first day of the closed month to which a late entry belongs.
  late_for date check (late_for < booking_day),
  primary key (app_id, entry_id),
  unique (app_id, entry_key)
);
create index ledger_entries_day on ledger_entries (app_id, booking_day, entry_id);
create index ledger_entries_payment on ledger_entries (app_id, payment_id) where payment_id is not null;
create index ledger_entries_line on ledger_entries (app_id, line_id) where line_id is not null;
create index ledger_entries_unknown on ledger_entries (app_id, line_id) where kind = 'unknown-line';

-- Debits are positive, credits negative.
create table ledger_postings (
  app_id text not null,
  entry_id bigint not null,
  place integer not null,
  account text not null check (account in (
    'clearing', 'reserves', 'bank', 'sales', 'refunds', 'fees', 'disputes', 'adjustments', 'conversion',
    'differences')),
  -- Of clearing, reserves and fees; the other accounts are of the whole app.
  profile_id bigint check ((profile_id is not null) = (account in ('clearing', 'reserves', 'fees'))),
  currency text not null,
  amount_minor bigint not null check (amount_minor <> 0),
  primary key (app_id, entry_id, place),
  foreign key (app_id, entry_id) references ledger_entries
);

-- The sum of each day, so that a balance needs no postings.
create table ledger_days (
  app_id text not null,
  account text not null,
  -- 0: of the whole app.
  profile_id bigint not null,
  currency text not null,
  booking_day date not null,
  amount_minor bigint not null,
  primary key (app_id, account, profile_id, currency, booking_day)
);

-- A month that is closed. So are all months before it.
create table ledger_months (
  app_id text not null,
  month date not null check (extract(day from month) = 1),
  closed_time timestamptz not null,
  primary key (app_id, month)
);

-- What the entries of a payment add up to, so that the next one needs only the difference.
create table ledger_payments (
  app_id text not null,
  payment_id bigint not null,
  -- The newest event that is booked.
  sequence integer not null,
  profile_id bigint not null,
  currency text not null,
  -- By Tender.
  captured_minor bigint not null,
  refunded_minor bigint not null,
  disputed_minor bigint not null,
  -- By settlement lines, with the merchant's sign.
  line_sales_minor bigint not null,
  line_refunds_minor bigint not null,
  line_disputes_minor bigint not null,
  primary key (app_id, payment_id)
);

create table ledger_payouts (
  app_id text not null,
  payout_id bigint not null,
  currency text not null,
  booked_minor bigint not null,
  entries integer not null,
  primary key (app_id, payout_id)
);

create function check_ledger_postings() returns trigger language plpgsql as $$
begin
  if exists (select from added group by app_id, entry_id, currency having sum(amount_minor) <> 0) then
    raise exception 'a ledger entry must sum to zero in each currency'
      using errcode = 'check_violation', constraint = 'ledger_postings_zero';
  end if;
  return null;
end
$$;
create trigger ledger_postings_zero after insert on ledger_postings
  referencing new table as added for each statement execute function check_ledger_postings();

create function check_ledger_entries() returns trigger language plpgsql as $$
begin
  if exists (select from added a join ledger_months m
      on m.app_id = a.app_id and a.booking_day < m.month + interval '1 month') then
    raise exception 'a closed month takes no ledger entries'
      using errcode = 'check_violation', constraint = 'ledger_entries_open_month';
  end if;
  return null;
end
$$;
create trigger ledger_entries_open_month after insert on ledger_entries
  referencing new table as added for each statement execute function check_ledger_entries();

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  -- A sandbox app can be emptied.
  if tg_op = 'DELETE' and exists (select from apps a where a.app_id = old.app_id and a.is_sandbox) then
    return old;
  end if;
  raise exception 'the ledger is append-only';
end
$$;
create trigger ledger_entries_append_only before update or delete on ledger_entries
  for each row execute function refuse_ledger_change();
create trigger ledger_postings_append_only before update or delete on ledger_postings
  for each row execute function refuse_ledger_change();
create trigger ledger_months_append_only before update or delete on ledger_months
  for each row execute function refuse_ledger_change();
create trigger ledger_entries_no_truncate before truncate on ledger_entries
  for each statement execute function refuse_ledger_change();
create trigger ledger_postings_no_truncate before truncate on ledger_postings
  for each statement execute function refuse_ledger_change();
