-- Accounts belong to the person who holds the e-mail address. Verified: by a link that went by e-mail alone,
-- or by the OpenID provider. Accounts that the provider made are verified; of all others it is not known.
alter table people
  add column verified_time  timestamptz,
  -- Grows when all sessions end: a sign-in that began before gets none.
  add column access_version integer not null default 0;
update people p set verified_time = p.created_time
where exists (select from oidc_identities i where i.person_id = p.person_id
  and i.created_time < p.created_time + interval '10 seconds');

-- Who made a link, and whether only its recipient has seen it.
alter table person_links
  add column maker_id   text collate "C",
  add column is_mailed  boolean not null default false;
update person_links l set
  maker_id = (select p.person_id from people p where p.email = l.created_by),
  is_mailed = l.kind = 'password-reset' and l.created_by = l.email
where l.used_time is null;
create index person_links_of_maker on person_links (maker_id) where used_time is null;
create index person_links_of_person on person_links (person_id) where used_time is null;

-- The person who made a key is told of it by e-mail, once.
alter table api_keys add column told_time timestamptz;
update api_keys set told_time = created_time where created_by is not null;
create index api_keys_untold on api_keys (created_time) where created_by is not null and told_time is null;
