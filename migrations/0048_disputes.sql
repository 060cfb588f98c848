-- Disputes as a list. `payments.pay_info` stays the source: the writer of payment_search copies them, so
-- that the statements of payments cost the same. Decision 0167.
-- Some disputes were reported or marked: the writer looks no further at a payment with 0.
alter table payment_search add column dispute_count smallint not null default 0;

create table disputes (
  app_id        text not null collate "C" references apps,
  payment_id    bigint not null,
  dispute_id    text not null collate "C",   -- the provider's; 'marked-…' for one that the merchant recorded
  state         text not null check (state in ('open', 'won', 'lost')),
  amount_minor  bigint not null check (amount_minor >= 0),
  currency      text not null,
  profile_id    bigint,
  reason        text,                        -- the provider's code
  due_time      timestamptz,                 -- in the app's time, like the times below
  url           text,
  is_refundable boolean not null,
  opened_time   timestamptz not null,
  decided_time  timestamptz check ((decided_time is null) = (state = 'open')),
  notices       smallint not null default 0, -- e-mails to the team: 1 opened, 2 a week before, 4 a day before
  primary key (app_id, payment_id, dispute_id)
);
create index disputes_by_id on disputes (app_id, dispute_id);
create index disputes_open on disputes (app_id, due_time) where state = 'open';

-- What the merchant answers: a draft, then one operation that is committed before it is sent.
create table dispute_answers (
  app_id        text not null collate "C" references apps,
  payment_id    bigint not null,
  dispute_id    text not null collate "C",
  profile_id    bigint not null,
  state         text not null check (state in ('draft', 'submitting', 'submitted', 'accepting', 'accepted')),
  sealed        bytea,                       -- the texts; removed when the provider has them
  operation_key text collate "C",
  submissions   integer,                     -- how many the provider had before this one
  sendings      integer not null default 0,  -- fences off the worker before
  due_time      timestamptz,                 -- real time: when the operation is tried or read again
  problem       text,                        -- a code: why it did not succeed
  saved_by      text,
  saved_time    timestamptz,
  sent_by       text,
  sent_time     timestamptz,
  primary key (app_id, payment_id, dispute_id),
  check ((state in ('submitting', 'accepting')) = (due_time is not null)),
  check (state = 'draft' or operation_key is not null)
);
create index dispute_answers_due on dispute_answers (due_time) where due_time is not null;

create table dispute_files (
  app_id       text not null collate "C" references apps,
  payment_id   bigint not null,
  dispute_id   text not null collate "C",
  kind         text not null collate "C",
  media_type   text not null check (media_type in ('application/pdf', 'image/jpeg', 'image/png')),
  size         integer not null check (size > 0),
  digest       bytea not null,               -- SHA-256: shows later which file was sent
  sealed       bytea,                        -- removed when the provider has it
  saved_by     text not null,
  saved_time   timestamptz not null,
  primary key (app_id, payment_id, dispute_id, kind)
);

with counted as (
  update payment_search s
  set dispute_count = greatest((s.state = 'Disputed')::integer, json_array_length(coalesce(
    p.pay_info -> 'disputes', '[]')))
  from payments p
  where p.app_id = s.app_id and p.payment_id = s.payment_id
    and (s.state = 'Disputed' or p.pay_info::text like '%"disputes":%')
  returning s.app_id, s.payment_id
)
insert into disputes (app_id, payment_id, dispute_id, state, amount_minor, currency, profile_id, reason,
  due_time, url, is_refundable, opened_time, decided_time, notices)
select p.app_id, p.payment_id, d.id, d.state, coalesce(d."amountMinor", p.captured_minor), p.currency,
  p.profile_id, left(d.reason, 100), d."evidenceDue", d.url, coalesce(d."isRefundable", false), p.state_time,
  case when d.state = 'open' then null else p.state_time end, 1
from counted c
  join payments p on p.app_id = c.app_id and p.payment_id = c.payment_id
  cross join lateral (
    select * from json_to_recordset(coalesce(p.pay_info -> 'disputes', '[]')) as one (id text, state text,
      "amountMinor" bigint, reason text, "evidenceDue" timestamptz, url text, "isRefundable" boolean)
    where one.id <> ''
    union all
    select 'marked-' || p.payment_id, 'open', p.captured_minor - p.refunded_minor, null, null, null, false
    where p.state = 'Disputed' and not exists (
      select from json_array_elements(coalesce(p.pay_info -> 'disputes', '[]')) o
      where o ->> 'state' = 'open' and o ->> 'id' <> '')
  ) d
on conflict do nothing;

-- The team is told of disputes unless an app has turned it off.
alter table apps alter column team_mails
  set default '{endpoint-failing,provider-degraded,authorisations-ending,settlements,dispute}';
update apps set team_mails = array_append(team_mails, 'dispute') where team_mails <> '{}';
