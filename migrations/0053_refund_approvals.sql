-- Refunds of people above an amount wait for the yes of a second person. Minor units by currency.
alter table apps add column refund_approval_above jsonb not null default '{}';

create table refund_approvals (
  approval_id    text primary key,
  app_id         text not null references apps on delete cascade,
  payment_id     bigint not null,
  currency       text not null,
  amount_minor   bigint not null,
  reason         text,
  asked_by       text not null,
  asked_name     text not null,
  asked_time     timestamptz not null,
  state          text not null default 'open' check (state in ('open', 'approved', 'refused')),
  decided_by     text,
  decided_name   text,
  decided_time   timestamptz,
  check ((state = 'open') = (decided_time is null))
);
create unique index refund_approvals_open on refund_approvals (app_id, payment_id) where state = 'open';
create index refund_approvals_newest on refund_approvals (app_id, asked_time desc, approval_id);
