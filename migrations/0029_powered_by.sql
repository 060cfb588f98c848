-- Whether the pages for payers name the software at their foot.
alter table apps add column show_powered_by boolean not null default true;
