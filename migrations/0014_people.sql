-- People who use the console: accounts, sessions, membership of licences, one-time links. These tables belong
-- to no app: membership is per licence, and a person may be a member of several. All times are real time.

create table people (
  person_id          text collate "C" primary key,
  email              text collate "C" not null,   -- in lower case, ASCII
  name               text not null,
  password_hash      text,                        -- with its parameters; null: OpenID Connect or passkey only
  totp_secret        bytea,                       -- sealed; without totp_enabled_time it is not in use yet
  totp_enabled_time  timestamptz,
  totp_last_step     bigint not null default 0,   -- a code is accepted once: later steps only
  recovery_codes     bytea[] not null default '{}',  -- hashes; a used one is removed
  theme              text check (theme in ('light', 'dark')),  -- null: as the system
  language           text,
  time_zone          text,
  has_shortcuts      boolean not null default true,
  is_operator        boolean not null default false,
  is_disabled        boolean not null default false,
  created_time       timestamptz not null,
  last_seen_time     timestamptz,
  constraint people_email unique (email),
  check (totp_enabled_time is null or totp_secret is not null)
);

create table memberships (
  license_id     text collate "C" not null references licenses,
  person_id      text collate "C" not null references people on delete cascade,
  role           text not null
    check (role in ('Owner', 'Admin', 'Manager', 'Support', 'Developer', 'Viewer')),
  refund_limits  json,                            -- Support: minor units a day, by currency
  created_time   timestamptz not null,
  primary key (license_id, person_id)
);
create index memberships_of_person on memberships (person_id);

create table person_sessions (
  token_hash         bytea primary key,           -- of the cookie
  session_id         text collate "C" not null,
  person_id          text collate "C" not null references people on delete cascade,
  created_time       timestamptz not null,
  last_seen_time     timestamptz not null,
  expires_time       timestamptz not null,        -- without activity, and never after end_time
  end_time           timestamptz not null,
  proven_time        timestamptz not null,        -- the last password, code or passkey
  address            text not null,
  user_agent         text not null,
  constraint person_sessions_id unique (session_id),
  check (expires_time <= end_time)
);
create index person_sessions_of_person on person_sessions (person_id);
create index person_sessions_ended on person_sessions (expires_time);

-- The password was right, the second factor is missing. Not a session: it opens nothing.
create table pending_sign_ins (
  token_hash    bytea primary key,
  person_id     text collate "C" not null references people on delete cascade,
  tries         integer not null default 0,
  expires_time  timestamptz not null
);
create index pending_sign_ins_of_person on pending_sign_ins (person_id);
create index pending_sign_ins_ended on pending_sign_ins (expires_time);

-- Networks that a person signed in from: sign-ins from there are throttled apart from those of strangers.
create table person_networks (
  person_id       text collate "C" not null references people on delete cascade,
  network         text not null,
  last_used_time  timestamptz not null,
  primary key (person_id, network)
);
create index person_networks_old on person_networks (last_used_time);

create table sign_in_throttles (
  subject_hash  bytea primary key,                -- of e-mail, network or both
  failures      integer not null,
  next_time     timestamptz not null,             -- no attempt before
  changed_time  timestamptz not null
);
create index sign_in_throttles_old on sign_in_throttles (changed_time);

create table person_links (
  link_hash     bytea primary key,
  link_id       text collate "C" not null,
  kind          text not null
    check (kind in ('invitation', 'password-reset', 'second-factor-reset', 'owner-restore')),
  email         text collate "C" not null,
  license_id    text collate "C" references licenses,
  role          text check (role in ('Owner', 'Admin', 'Manager', 'Support', 'Developer', 'Viewer')),
  refund_limits json,
  person_id     text collate "C" references people on delete cascade,
  created_by    text,                             -- as shown to others
  created_time  timestamptz not null,
  expires_time  timestamptz not null,
  used_time     timestamptz,
  constraint person_links_id unique (link_id),
  check (case when kind = 'invitation' then license_id is not null and role is not null
    else person_id is not null end)
);
create index person_links_by_email on person_links (email) where used_time is null;
create index person_links_of_license on person_links (license_id) where used_time is null;
create index person_links_ended on person_links (expires_time);

create table passkeys (
  credential_id   text collate "C" primary key,   -- base64url
  person_id       text collate "C" not null references people on delete cascade,
  public_key      bytea not null,
  counter         bigint not null,
  transports      text[] not null,
  name            text not null,
  is_synced       boolean not null,
  created_time    timestamptz not null,
  last_used_time  timestamptz
);
create index passkeys_of_person on passkeys (person_id);

-- Answered challenges of passkeys: each is accepted once.
create table used_challenges (
  challenge_hash  bytea primary key,
  expires_time    timestamptz not null
);
create index used_challenges_ended on used_challenges (expires_time);

create table oidc_identities (
  issuer          text collate "C" not null,
  subject         text collate "C" not null,
  person_id       text collate "C" not null references people on delete cascade,
  created_time    timestamptz not null,
  last_used_time  timestamptz not null,
  primary key (issuer, subject)
);
create index oidc_identities_of_person on oidc_identities (person_id);

-- Refunds that count towards a person's daily limit. Written before the refund is sent, deleted if it fails.
create table person_refunds (
  app_id        text collate "C" not null references apps,
  payment_id    bigint not null,
  request_key   text collate "C" not null,        -- of the operation
  license_id    text collate "C" not null references licenses,
  person_id     text collate "C" not null,        -- of a person who may have been deleted since
  currency      text not null,
  amount_minor  bigint not null check (amount_minor > 0),
  day           date not null,                    -- UTC
  created_time  timestamptz not null,
  primary key (app_id, payment_id, request_key)
);
create index person_refunds_of_day on person_refunds (license_id, person_id, currency, day);
create index person_refunds_old on person_refunds (created_time);
