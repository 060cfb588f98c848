-- Who changed what. Written in the transaction of the change, and never changed afterwards: the trigger
-- refuses updates and deletions by anyone who may use the table (docs/decisions/0114-audit.md).
create table audit_log (
  license_id text not null references licenses,
  entry_id bigint generated always as identity,
  -- Null: about the licence itself, such as its members.
  app_id text references apps,
  entry_time timestamptz not null,
  actor_kind text not null check (actor_kind in ('person', 'key', 'operator')),
  actor_id text not null,
  actor_name text not null,
  -- `noun.verb`, such as `payment.refunded`.
  action text not null,
  -- `noun:id`, such as `payment:10042`.
  target text not null,
  before json,
  after json,
  address text not null,
  request_id text not null,
  primary key (license_id, entry_id)
);
create index audit_log_by_target on audit_log (license_id, target, entry_id);
create index audit_log_by_actor on audit_log (license_id, actor_id, entry_id);
create index audit_log_by_action on audit_log (license_id, action, entry_id);
create index audit_log_by_time on audit_log (license_id, entry_time, entry_id);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end
$$;
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_audit_change();
