-- Operators who entered a licence of others, with a reason, for a limited time.
create table license_visits (
  license_id    text collate "C" not null references licenses,
  person_id     text collate "C" not null references people on delete cascade,
  reason        text not null,
  created_time  timestamptz not null,
  expires_time  timestamptz not null,
  primary key (license_id, person_id)
);
create index license_visits_of_person on license_visits (person_id);
create index license_visits_ended on license_visits (expires_time);
