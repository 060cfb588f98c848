-- A host name of a checkout takes effect when its app has proved that it controls the name. Names from before
-- have no proof: they stay, until another app proves that the name is its own.
alter table apps
  add column checkout_host_proven_time timestamptz,
  add constraint apps_checkout_host_proven
    check (checkout_host_proven_time is null or checkout_host is not null);

-- Names that apps ask for. Several apps may ask for one.
create table checkout_host_claims (
  app_id       text collate "C" primary key references apps,
  host         text collate "C" not null,       -- lower case, without port
  token        text collate "C" not null,       -- what the DNS entry or the file contains
  created_time timestamptz not null,
  checked_time timestamptz,
  due_time     timestamptz,                     -- of the next check by a job; null: none
  tries        integer not null default 0
);
create index checkout_host_claims_due on checkout_host_claims (due_time) where due_time is not null;

-- Keys that stay the same when SECRET_KEY changes, each sealed by it: hashes of them are compared later.
create table installation_keys (
  purpose text collate "C" primary key,
  sealed  bytea not null
);
