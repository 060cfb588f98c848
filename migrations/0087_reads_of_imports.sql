-- Tokens that the next chunk of an import reads at once: fewer after its provider asked for that. Earlier
-- imports begin as new ones do.
alter table imports add column reads_at_once integer not null default 24;
