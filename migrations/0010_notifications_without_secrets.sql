-- A notification that was verified is kept as what it is about. Its call (headers, url, body) is stored only
-- while it could not be verified yet, and the secret of the address never. Columns stay nullable instead of
-- being dropped: nodes of the version before may run during an upgrade. A job blanks and removes old rows in
-- small batches.
alter table provider_notifications
  alter column headers drop not null,
  alter column url drop not null,
  alter column body drop not null,
  add column hints json;                      -- what it is about; null: not verified yet, or ended

alter table provider_notifications drop constraint provider_notifications_status_check;
alter table provider_notifications add constraint provider_notifications_status_check
  check (status in ('new', 'done', 'forged', 'ignored', 'exhausted')) not valid;

update provider_notifications set url = regexp_replace(url, 'webhookKey=[^&#]*', 'webhookKey=')
where status = 'new';

create index provider_notifications_ended on provider_notifications (received_time) where status <> 'new';
create index provider_notifications_blank_due on provider_notifications (received_time)
  where status <> 'new' and body is not null;
