-- An entry is looked up once, and not once for each of its postings.
create or replace function check_ledger_postings() returns trigger language plpgsql as $$
begin
  if exists (select from added group by app_id, entry_id, currency having sum(amount_minor) <> 0) then
    raise exception 'a ledger entry must sum to zero in each currency'
      using errcode = 'check_violation', constraint = 'ledger_postings_zero';
  end if;
  if exists (select from (select distinct app_id, entry_id from added) a where not exists (
      select from ledger_entries e where e.app_id = a.app_id and e.entry_id = a.entry_id)) then
    raise exception 'a ledger posting belongs to an entry'
      using errcode = 'foreign_key_violation', constraint = 'ledger_postings_entry';
  end if;
  return null;
end
$$;

-- A payment is written when it is captured and again with its line, days later: the second time finds room in
-- the same page, and changes no index.
alter table ledger_payments set (fillfactor = 60);
