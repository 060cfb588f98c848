-- An entry of the list stops payments, or lets them through without the checks of a policy.
alter table block_entries add column is_allowed boolean not null default false;
alter table block_entries add constraint block_entries_allowed_check
  check (not is_allowed or kind in ('Card', 'Email', 'Address', 'Customer'));
