-- What the team of an app should see in the console, and who has read it. Decision 0175.
create table notices (
  app_id text not null references apps,
  -- Names the occasion, so that each is written once.
  notice_id text not null,
  kind text not null,
  -- Values of the sentence; the words are in the language files.
  data json not null,
  -- Only this person sees it. Null: everyone who may open the page that it leads to.
  person_id text references people on delete cascade,
  -- The person who caused it, and does not need to see it.
  caused_by text,
  created_time timestamptz not null,
  primary key (app_id, notice_id)
);
create index notices_newest on notices (app_id, created_time, notice_id);
create index notices_old on notices (created_time);
create index notices_person on notices (person_id) where person_id is not null;

create table notice_reads (
  app_id text not null,
  notice_id text not null,
  person_id text not null references people on delete cascade,
  primary key (app_id, notice_id, person_id),
  foreign key (app_id, notice_id) references notices on delete cascade
);
create index notice_reads_person on notice_reads (person_id);

comment on column disputes.notices is
  'told by e-mail: 1 opened, 2 a week before, 4 a day before; in the console: 8, 16, 32';
