-- What the pages of settlements list, also with a million lines.

-- The name of a file, and the times of the first and the last of its lines.
alter table settlement_reports add column file_name text;
alter table settlement_reports add column from_time timestamptz;
alter table settlement_reports add column until_time timestamptz;

-- The lines of a payout by kind, as they were when they were last compared. All are compared once more.
alter table payouts add column sums json;
update payouts set is_changed = true where not is_changed;

-- The lines of a payout in the order of the list.
drop index settlement_lines_payout;
create index settlement_lines_payout on settlement_lines (app_id, payout_id, line_time, line_id)
  where payout_id is not null;

-- Open exceptions by kind: their number, their age, and the list of one kind.
create index settlement_exceptions_kind on settlement_exceptions (app_id, kind, exception_id)
  include (opened_time) where closed_time is null;
