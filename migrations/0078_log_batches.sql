-- Log lines of an app that are written together are one row: compressed JSON, with the keys by which lines
-- are found. Lines of before become batches too, not compressed; a job removes them by age like all others.
create table log_batches (
  app_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('api', 'provider')),
  last_time timestamptz not null,          -- of the newest line, in the app's time
  batch_id bigint generated always as identity,
  first_time timestamptz not null,
  line_count integer not null check (line_count > 0),
  keys text[] not null,
  lines bytea not null,
  primary key (app_id, kind, last_time, batch_id),
  check (first_time <= last_time)
) with (toast_tuple_target = 8160);
-- The service has compressed them. Statistics of neither serve a plan.
alter table log_batches alter column lines set storage external, alter column lines set statistics 0,
  alter column keys set statistics 0;

create index log_batches_keys on log_batches using gin (keys);

-- Requests to providers that failed, for the page of a provider; 402 is the answer to a declined payment. The
-- line with its bodies is in a batch.
create table provider_errors (
  app_id text collate "C" not null,
  start_time timestamptz not null,
  line_id bigint generated always as identity,
  profile_id bigint not null,
  payment_id bigint,
  step text not null,
  method text not null,
  url text not null,
  outcome text not null
    check (outcome in ('reply', 'not-sent', 'timeout', 'connection-lost', 'unreadable-reply')),
  status integer,
  ms bigint not null check (ms >= 0),
  primary key (app_id, start_time, line_id),
  check ((outcome = 'reply') = (status is not null))
);
create index provider_errors_of_profile on provider_errors (app_id, profile_id, start_time);

insert into log_batches (app_id, kind, first_time, last_time, line_count, keys, lines)
select app_id, 'api', min(start_time), max(start_time), count(*),
  array_agg(distinct app_id || ' ' || payment_id) filter (where payment_id is not null)
    || array_agg(distinct app_id || ' request ' || request_id),
  convert_to(json_agg(json_build_object('startTime', start_time, 'requestId', request_id, 'method', method,
    'path', path, 'query', query, 'route', route, 'status', status, 'ms', ms, 'keyId', key_id,
    'personId', person_id, 'address', address, 'idempotencyKey', idempotency_key, 'isReplayed', is_replayed,
    'paymentId', payment_id, 'error', error, 'requestBody', request_body, 'answerBody', answer_body)
    order by start_time, line_id)::text, 'UTF8')
from (
  select *, (row_number() over (partition by app_id, date_trunc('minute', start_time)
    order by start_time, line_id) - 1) / 100 as part
  from api_log) l
group by app_id, date_trunc('minute', start_time), part;

insert into log_batches (app_id, kind, first_time, last_time, line_count, keys, lines)
select app_id, 'provider', min(start_time), max(start_time), count(*),
  coalesce(array_agg(distinct app_id || ' ' || payment_id) filter (where payment_id is not null), '{}'),
  convert_to(json_agg(json_build_object('startTime', start_time, 'profileId', profile_id,
    'paymentId', payment_id, 'attempt', attempt, 'step', step, 'method', method, 'url', url,
    'requestHeaders', request_headers, 'requestBody', request_body, 'outcome', outcome, 'status', status,
    'ms', ms, 'responseBody', response_body) order by start_time, line_id)::text, 'UTF8')
from (
  select *, (row_number() over (partition by app_id, date_trunc('minute', start_time)
    order by start_time, line_id) - 1) / 100 as part
  from provider_log) l
group by app_id, date_trunc('minute', start_time), part;

insert into provider_errors (app_id, start_time, profile_id, payment_id, step, method, url, outcome, status,
  ms)
select app_id, start_time, profile_id, payment_id, step, method, url, outcome, status, ms
from provider_log where outcome <> 'reply' or (status >= 400 and status <> 402);

drop table api_log;
drop table provider_log;
