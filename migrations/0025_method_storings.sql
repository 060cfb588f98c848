-- Methods of paid attempts that the provider stores by a request of its own, after the payment. The row is
-- written before the payment is, and closed when the method is stored or cannot be: never opened again, so a
-- method that the customer removed does not come back.
create table method_storings (
  app_id        text collate "C" not null,
  attempt_key   text collate "C" not null,    -- our reference at the provider
  payment_id    bigint not null,
  profile_id    bigint not null,
  status        text not null check (status in ('open', 'done', 'refused')),
  tries         integer not null default 0,
  created_time  timestamptz not null,
  due_time      timestamptz,
  lease_token   text,
  primary key (app_id, attempt_key),
  check ((status = 'open') = (due_time is not null))
) with (fillfactor = 80);
create index method_storings_due on method_storings (due_time) where status = 'open';
