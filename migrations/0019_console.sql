-- Filters of the payment list that a person has given a name. At most 30 for each person and app.
create table saved_views (
  person_id     text collate "C" not null references people on delete cascade,
  app_id        text collate "C" not null references apps,
  name          text not null,
  -- The query of the address, without the page: `state=Failed&columns=id`.
  query         text not null,
  created_time  timestamptz not null,
  primary key (person_id, app_id, name)
);
