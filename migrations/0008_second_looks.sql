-- An attempt that its provider does not know is over, but its request may still be on its way. So its row
-- keeps a time at which the provider is read once more.
alter table operations drop constraint operations_check;
alter table operations add constraint operations_open_is_due check (
  case when status in ('open', 'waiting') then due_time is not null
       else due_time is null or status = 'not-done' end) not valid;
create index operations_second_look on operations (due_time)
  where status = 'not-done' and due_time is not null;
