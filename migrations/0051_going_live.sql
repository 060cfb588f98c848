-- When the provider last accepted the settings of a profile. Null: not known, or they have changed since.
alter table payment_profiles add accepted_time timestamptz;

-- A verified notification was signed with a key of the profile's account.
update payment_profiles p set accepted_time = n.last_time
from profile_notifications n
where n.app_id = p.app_id and n.profile_id = p.profile_id;

-- Backups that were completed. `tender backup` adds a row; so may a script that dumps another server.
create table backups (
  taken_time timestamptz not null default now(),
  constraint backups_pkey primary key (taken_time)
);
