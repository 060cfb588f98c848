-- Lines are written and booked in batches of a thousand. What was done for each row is done for the batch.

-- One value has the rows of a batch, by line id. Null: a value of before, with the row of one line.
alter table settlement_rows add column report_id bigint;
-- Sealed bytes cannot be compressed.
alter table settlement_rows alter column sealed set storage external;

-- The trigger of the statement checks what the foreign key checked row by row.
alter table ledger_postings drop constraint ledger_postings_app_id_entry_id_fkey;
create or replace function check_ledger_postings() returns trigger language plpgsql as $$
begin
  if exists (select from added group by app_id, entry_id, currency having sum(amount_minor) <> 0) then
    raise exception 'a ledger entry must sum to zero in each currency'
      using errcode = 'check_violation', constraint = 'ledger_postings_zero';
  end if;
  if exists (select from added a where not exists (
      select from ledger_entries e where e.app_id = a.app_id and e.entry_id = a.entry_id)) then
    raise exception 'a ledger posting belongs to an entry'
      using errcode = 'foreign_key_violation', constraint = 'ledger_postings_entry';
  end if;
  return null;
end
$$;

-- The key of the entry of a line has its id.
drop index ledger_entries_line;

-- A second place among the events finds those that were committed after later ones, or by a wrong clock.
alter table settlement_progress
  add column late_event_time timestamptz not null default now(),
  add column late_payment_id bigint not null default 0,
  add column late_sequence integer not null default 0;
alter table settlement_progress alter column late_event_time drop default;
