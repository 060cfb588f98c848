-- Roles that a merchant makes, beside the built-in ones. A membership or an invitation names one by its id.
create table own_roles (
  role_id      text primary key check (role_id like 'role\_%'),
  license_id   text not null references licenses on delete cascade,
  name         text not null,
  permissions  text[] not null,
  created_time timestamptz not null,
  unique (license_id, name)
);

alter table memberships drop constraint memberships_role_check;
alter table memberships add constraint memberships_role_check check (
  role in ('Owner', 'Admin', 'Manager', 'Support', 'Developer', 'Finance', 'Risk', 'Viewer')
  or role like 'role\_%');
alter table person_links drop constraint person_links_role_check;
alter table person_links add constraint person_links_role_check check (
  role in ('Owner', 'Admin', 'Manager', 'Support', 'Developer', 'Finance', 'Risk', 'Viewer')
  or role like 'role\_%');
