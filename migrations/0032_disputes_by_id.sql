-- A payment may have several disputes, each with the provider's id. The id of a dispute from before is not
-- known: the provider's next report takes its place.
update payments
set pay_info = (
  (pay_info::jsonb - 'dispute') || jsonb_build_object(
    'disputes',
    jsonb_build_array('{"id": ""}'::jsonb || (pay_info::jsonb -> 'dispute'))))::json
where pay_info ->> 'dispute' is not null;
