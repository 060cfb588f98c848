-- What a customer reads out is found: names without their accents, and the domain of an e-mail address.
create function plain_text(value text) returns text
language sql immutable parallel safe
return lower(regexp_replace(normalize(coalesce(value, ''), NFKD), '[̀-ͯ]', '', 'g'));

drop index customers_search;
create index customers_search on customers using gin (array_to_tsvector(array[
  app_id || ':' || plain_text(customer_id), app_id || ':' || plain_text(first_name),
  app_id || ':' || plain_text(last_name), app_id || ':' || plain_text(email),
  app_id || ':' || plain_text(split_part(email, '@', 2)), app_id || ':' || coalesce(mobile_number, '')]));
