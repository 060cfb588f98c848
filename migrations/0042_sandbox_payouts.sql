-- The sandbox's bank settles and pays out. It does so when an account's settlements are read, so an account
-- that has no reader has no rows here.

-- The version of the payment whose movements are among the lines.
alter table sandbox_bank.payments add column settled_version integer not null default 0;

create table sandbox_bank.settlements (
  account       text collate "C" primary key,
  time_zone     text not null,                 -- payouts are made at its midnight
  paid_until    timestamptz,                   -- the last midnight at which there was money to look at
  payout_count  integer not null default 0,
  told_count    integer not null default 0,    -- payouts that a test has been answered with
  reported      json not null default '{}',    -- by shop: until when its lines were reported
  faults        json not null default '[]'     -- what the next report has wrong
);

-- What really happened on the account's balance, and in `lie` how the report differs from it.
create table sandbox_bank.lines (
  account         text collate "C" not null,
  line_id         text collate "C" not null,
  shop            text collate "C" not null,   -- one of the account's addresses for notifications
  kind            text not null check (kind in
                    ('sale', 'refund', 'dispute', 'dispute-reversal', 'return', 'reserve', 'payout')),
  payment_id      text collate "C",
  movement_id     text collate "C",            -- of the capture, refund or dispute
  reference       text collate "C",            -- the merchant's, of the attempt or the refund
  amount_minor    bigint not null,
  fee_minor       bigint not null,
  currency        text not null,
  line_time       timestamptz not null,
  available_time  timestamptz not null,        -- from when it can be paid out
  first_time      timestamptz not null,        -- its first place in the reports
  report_time     timestamptz not null,        -- its place now: a payout moves it
  payout_id       text collate "C",
  lie             text check (lie in ('missing', 'doubled', 'altered', 'currency')),
  recorded_time   timestamptz not null,        -- real time
  primary key (account, line_id),
  check ((kind = 'payout') = (payment_id is null)),
  check (kind <> 'payout' or payout_id = line_id)
) with (fillfactor = 80);
create index lines_report on sandbox_bank.lines (account, shop, report_time, line_id);
create index lines_unpaid on sandbox_bank.lines (account, available_time) where payout_id is null;
create index lines_recorded on sandbox_bank.lines (recorded_time);
