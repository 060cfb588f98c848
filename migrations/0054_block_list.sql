-- What an app does not take payments from. `match_key` is compared with payments; cards and e-mail addresses
-- have a hash there, so that an entry still works after its value was erased.
create table block_entries (
  app_id       text not null references apps,
  entry_id     bigint generated always as identity,
  kind         text not null
    check (kind in ('Card', 'Email', 'EmailDomain', 'Address', 'Customer', 'Country')),
  match_key    text not null,
  value        text,
  reason       text,
  customer_id  text,
  payment_id   bigint,
  created_time timestamptz not null,
  created_by   text,
  end_time     timestamptz,
  primary key (app_id, entry_id)
);
create unique index block_entries_key on block_entries (app_id, kind, match_key);
create index block_entries_of_customer on block_entries (app_id, customer_id) where customer_id is not null;

-- Null: only the block list was checked.
alter table fraud_verdicts alter column policy_id drop not null, alter column policy_version drop not null;
