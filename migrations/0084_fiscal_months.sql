-- The day on which a month of the app begins: presets of lists and the overview follow it.
alter table apps add column month_starts_on smallint not null default 1;
alter table apps add constraint apps_month_starts_on_check check (month_starts_on between 1 and 28);
