-- E-mails: settings of apps, the queue of messages to send, and how far each app was looked through.

alter table apps
  add column payer_mails      text[] not null default '{}',          -- kinds that are on; none by default
  add column team_mails       text[] not null
    default '{endpoint-failing,provider-degraded,authorisations-ending}',
  add column mail_from_name   text,                                  -- null: the name of the app
  add column mail_reply_to    text,
  add column team_addresses   text[] not null default '{}';          -- empty: the owners of the licence

-- Outgoing messages. A message names its occasion, so the same one is queued once. The content is sealed,
-- because it may hold a link that opens an account, and removed when the message has ended. A job removes
-- old rows.
create table mails (
  app_id        text collate "C" not null,    -- app; licence for its people; '' for the installation itself
  mail_id       text collate "C" not null,    -- the occasion, such as receipt:10001; the Message-ID follows
  kind          text not null,
  status        text not null default 'waiting' check (status in ('waiting', 'sent', 'failed', 'dropped')),
  customer_id   text collate "C",             -- of a message to a payer
  tries         integer not null default 0,
  queued_time   timestamptz not null,
  expires_time  timestamptz not null,         -- not sent later than this
  due_time      timestamptz,                  -- of the next try, or the end of the lease
  lease_token   text collate "C",
  ended_time    timestamptz,
  last_error    text,
  content       bytea,
  primary key (app_id, mail_id),
  check ((status = 'waiting') = (due_time is not null)),
  check ((status = 'waiting') = (content is not null)),
  check ((status = 'waiting') = (ended_time is null)),
  check (lease_token is null or status = 'waiting')
) with (fillfactor = 80);
create index mails_due on mails (due_time) where due_time is not null;
create index mails_ended on mails (ended_time) where ended_time is not null;
create index mails_of_customer on mails (app_id, customer_id) where due_time is not null;

-- How far the occasions of an app were looked through. There is no row while all its messages are off.
create table mail_walks (
  app_id         text collate "C" not null references apps,
  source         text collate "C" not null
                   check (source in ('events', 'late-events', 'activity', 'late-activity', 'cards',
                     'authorisations')),
  position_time  timestamptz not null,        -- in the app's time
  position_id    bigint not null default 0,
  position_part  integer not null default 0,
  due_time       timestamptz not null,
  primary key (app_id, source)
);
create index mail_walks_due on mail_walks (due_time);

-- Addresses that want no reminders of an app. Kept while the app exists: removing one would send again.
create table mail_opt_outs (
  app_id        text collate "C" not null references apps,
  address_hash  bytea not null,               -- keyed, so that the table does not tell the addresses
  created_time  timestamptz not null,
  primary key (app_id, address_hash)
);
