-- E-mails that an app queued on a day (UTC), so that one app cannot write to any number of strangers.
create table mail_days (
  app_id text not null,
  day date not null,
  count integer not null check (count >= 0),
  primary key (app_id, day)
);
create index mail_days_day on mail_days (day);

-- Erasing a customer reads the saved views of its app.
create index saved_views_app on saved_views (app_id);
