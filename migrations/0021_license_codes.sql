-- Codes that a person granted to a shop, beside the licence's own. A new grant to the same host replaces
-- its code.
create table license_codes (
  license_id    text collate "C" not null references licenses,
  host          text collate "C" not null,
  code_hash     bytea not null,
  granted_by    text not null,                -- the person's e-mail address at that time
  created_time  timestamptz not null,
  primary key (license_id, host)
);
