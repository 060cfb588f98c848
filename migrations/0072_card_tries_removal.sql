-- Old tries are removed. Of each card the one stays that still decides: a final decline, or a charge that
-- was approved after it. Every other row is looked at once, when it is old.
alter table card_tries add column is_kept boolean not null default false;
create index card_tries_old on card_tries (app_id, try_time) where not is_kept;
