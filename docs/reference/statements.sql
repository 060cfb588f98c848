-- Every statement that the service sends, by name, as PostgreSQL receives it.
-- Rendered by `npm run docs`.


-- activity.insert
insert into
  customer_activity (app_id, customer_id, activity_time, type, data, actor)
values
  ($1, $2, $3, $4, $5, $6);

-- activity.list
select
  *
from
  (
    (
      select
        'a' || activity_id as activity_id,
        customer_id,
        type,
        activity_time as time,
        data,
        actor
      from
        customer_activity
      where
        app_id = $1
        and $2::text is null
        and (
          $3::text is null
          or type = $3
        )
        and (
          $4::timestamptz is null
          or activity_time >= $4
        )
        and (
          $5::timestamptz is null
          or activity_time < $5
        )
      order by
        activity_time desc
      limit
        $6::integer + $7::integer
    )
    union all
    (
      select
        'v' || payment_id || '-' || attempt,
        customer_id,
        'FraudDecision',
        verdict_time,
        json_build_object('decision', decision, 'paymentId', payment_id, 'attempt', attempt, 'fraudPolicyId', policy_id),
        null
      from
        fraud_verdicts
      where
        app_id = $1
        and $2::text is null
        and decision <> 'Accept'
        and (
          $3::text is null
          or $3 = 'FraudDecision'
        )
        and (
          $4::timestamptz is null
          or verdict_time >= $4
        )
        and (
          $5::timestamptz is null
          or verdict_time < $5
        )
      order by
        verdict_time desc
      limit
        $6::integer + $7::integer
    )
  ) found
order by
  time desc,
  activity_id desc
offset
  $6::integer
limit
  $7::integer;

-- activity.list_of_customer
select
  *
from
  (
    (
      select
        'a' || activity_id as activity_id,
        customer_id,
        type,
        activity_time as time,
        data,
        actor
      from
        customer_activity
      where
        app_id = $1
        and customer_id = $2
        and (
          $3::text is null
          or type = $3
        )
        and (
          $4::timestamptz is null
          or activity_time >= $4
        )
        and (
          $5::timestamptz is null
          or activity_time < $5
        )
      order by
        activity_time desc
      limit
        $6::integer + $7::integer
    )
    union all
    (
      select
        'v' || payment_id || '-' || attempt,
        customer_id,
        'FraudDecision',
        verdict_time,
        json_build_object('decision', decision, 'paymentId', payment_id, 'attempt', attempt, 'fraudPolicyId', policy_id),
        null
      from
        fraud_verdicts
      where
        app_id = $1
        and customer_id = $2
        and decision <> 'Accept'
        and (
          $3::text is null
          or $3 = 'FraudDecision'
        )
        and (
          $4::timestamptz is null
          or verdict_time >= $4
        )
        and (
          $5::timestamptz is null
          or verdict_time < $5
        )
      order by
        verdict_time desc
      limit
        $6::integer + $7::integer
    )
  ) found
order by
  time desc,
  activity_id desc
offset
  $6::integer
limit
  $7::integer;

-- activity.remove_old
delete from customer_activity
where
  (app_id, activity_id) in (
    select
      app_id,
      activity_id
    from
      customer_activity
    where
      activity_time < $1::timestamptz - 47520000000 * interval '1 millisecond'
    limit
      $2
  )
returning
  app_id;

-- apiLog.appsWithOld
select
  a.app_id
from
  apps a
where
  exists (
    select
    from
      api_log l
    where
      l.app_id = a.app_id
      and l.start_time < $1::timestamptz - 604800000 * interval '1 millisecond'
  )
  or exists (
    select
    from
      api_log_minutes m
    where
      m.app_id = a.app_id
      and m.minute < $1::timestamptz - 604800000 * interval '1 millisecond'
  );

-- apiLog.byRequest
select
  start_time,
  line_id,
  request_id,
  method,
  path,
  route,
  status,
  ms,
  key_id,
  person_id,
  address,
  idempotency_key,
  is_replayed,
  payment_id,
  error,
  query,
  request_body,
  answer_body
from
  api_log
where
  app_id = $1
  and request_id = $2
order by
  start_time desc,
  line_id desc
limit
  1;

-- apiLog.count
insert into
  api_log_minutes as m (app_id, minute, succeeded, refused, failed, left_out, total_ms)
select
  x."appId",
  x.minute,
  x.succeeded,
  x.refused,
  x.failed,
  x."leftOut",
  x."totalMs"
from
  (
    select
      set_config('synchronous_commit', 'off', true)
    offset
      0
  ) as asynchronous,
  json_to_recordset($1) as x (
    "appId" text,
    minute timestamptz,
    succeeded integer,
    refused integer,
    failed integer,
    "leftOut" integer,
    "totalMs" bigint
  )
on conflict (app_id, minute) do update
set
  succeeded = m.succeeded + excluded.succeeded,
  refused = m.refused + excluded.refused,
  failed = m.failed + excluded.failed,
  left_out = m.left_out + excluded.left_out,
  total_ms = m.total_ms + excluded.total_ms;

-- apiLog.histogram
select
  date_trunc($4, minute, 'UTC') as time,
  sum(succeeded)::float8 as succeeded,
  sum(refused)::float8 as refused,
  sum(failed)::float8 as failed,
  sum(left_out)::float8 as left_out,
  round(sum(total_ms) / nullif(sum(succeeded + refused + failed), 0))::float8 as average_ms
from
  api_log_minutes
where
  app_id = $1
  and minute >= $2
  and minute < $3
group by
  1
order by
  1
limit
  400;

-- apiLog.insert
insert into
  api_log (
    app_id,
    start_time,
    request_id,
    method,
    path,
    query,
    route,
    status,
    ms,
    key_id,
    person_id,
    address,
    idempotency_key,
    is_replayed,
    payment_id,
    error,
    request_body,
    answer_body
  )
select
  x."appId",
  x."startTime",
  x."requestId",
  x.method,
  x.path,
  x.query,
  x.route,
  x.status,
  x.ms,
  x."keyId",
  x."personId",
  x.address,
  x."idempotencyKey",
  x."isReplayed",
  x."paymentId",
  x.error,
  x."requestBody",
  x."answerBody"
from
  (
    select
      set_config('synchronous_commit', 'off', true)
    offset
      0
  ) as asynchronous,
  json_to_recordset($1) as x (
    "appId" text,
    "startTime" timestamptz,
    "requestId" text,
    method text,
    path text,
    query text,
    route text,
    status integer,
    ms integer,
    "keyId" text,
    "personId" text,
    address text,
    "idempotencyKey" text,
    "isReplayed" boolean,
    "paymentId" bigint,
    error text,
    "requestBody" text,
    "answerBody" text
  );

-- apiLog.list
with
  looked as materialized (
    select
      start_time,
      line_id,
      request_id,
      method,
      path,
      route,
      status,
      ms,
      key_id,
      person_id,
      address,
      idempotency_key,
      is_replayed,
      payment_id,
      error,
      row_number() over (
        order by
          start_time desc,
          line_id desc
      ) as place,
      (
        $5::integer is null
        or status / 100 = $5
      )
      and (
        $6::text is null
        or method = $6
      )
      and (
        $7::text is null
        or starts_with(path, $7)
      )
      and (
        $8::text is null
        or key_id = $8
      ) as is_match
    from
      api_log
    where
      app_id = $1
      and start_time >= $2
      and (start_time, line_id) < ($3, $4)
    order by
      start_time desc,
      line_id desc
    limit
      5000
  ),
  matched as (
    select
      start_time,
      line_id,
      request_id,
      method,
      path,
      route,
      status,
      ms,
      key_id,
      person_id,
      address,
      idempotency_key,
      is_replayed,
      payment_id,
      error,
      place,
      true as is_match
    from
      looked
    where
      is_match
    order by
      place
    limit
      $9
  )
select
  *
from
  matched
union all
select
  start_time,
  line_id,
  request_id,
  method,
  path,
  route,
  status,
  ms,
  key_id,
  person_id,
  address,
  idempotency_key,
  is_replayed,
  payment_id,
  error,
  place,
  false
from
  looked
where
  place = 5000
order by
  place;

-- apiLog.listOfRequest
with
  looked as materialized (
    select
      start_time,
      line_id,
      request_id,
      method,
      path,
      route,
      status,
      ms,
      key_id,
      person_id,
      address,
      idempotency_key,
      is_replayed,
      payment_id,
      error,
      row_number() over (
        order by
          start_time desc,
          line_id desc
      ) as place,
      (
        $5::integer is null
        or status / 100 = $5
      )
      and (
        $6::text is null
        or method = $6
      )
      and (
        $7::text is null
        or starts_with(path, $7)
      )
      and (
        $8::text is null
        or key_id = $8
      ) as is_match
    from
      api_log
    where
      app_id = $1
      and start_time >= $2
      and (start_time, line_id) < ($3, $4)
      and request_id = $10
    order by
      start_time desc,
      line_id desc
    limit
      5000
  ),
  matched as (
    select
      start_time,
      line_id,
      request_id,
      method,
      path,
      route,
      status,
      ms,
      key_id,
      person_id,
      address,
      idempotency_key,
      is_replayed,
      payment_id,
      error,
      place,
      true as is_match
    from
      looked
    where
      is_match
    order by
      place
    limit
      $9
  )
select
  *
from
  matched
union all
select
  start_time,
  line_id,
  request_id,
  method,
  path,
  route,
  status,
  ms,
  key_id,
  person_id,
  address,
  idempotency_key,
  is_replayed,
  payment_id,
  error,
  place,
  false
from
  looked
where
  place = 5000
order by
  place;

-- apiLog.ofPayment
select
  start_time,
  line_id,
  request_id,
  method,
  path,
  route,
  status,
  ms,
  key_id,
  person_id,
  address,
  idempotency_key,
  is_replayed,
  payment_id,
  error
from
  api_log
where
  app_id = $1
  and payment_id = $2
order by
  start_time desc,
  line_id desc
limit
  $3;

-- apiLog.remove
with
  lines as (
    delete from api_log l using (
      select
        start_time,
        line_id
      from
        api_log
      where
        app_id = $1
        and start_time < $2
      order by
        start_time,
        line_id
      limit
        $3
    ) old
    where
      l.app_id = $1
      and l.start_time = old.start_time
      and l.line_id = old.line_id
    returning
      1
  ),
  minutes as (
    delete from api_log_minutes m using (
      select
        minute
      from
        api_log_minutes
      where
        app_id = $1
        and minute < $2
      order by
        minute
      limit
        $3
    ) old
    where
      m.app_id = $1
      and m.minute = old.minute
    returning
      1
  )
select
  greatest(
    (
      select
        count(*)
      from
        lines
    ),
    (
      select
        count(*)
      from
        minutes
    )
  )::integer as removed
from
  (
    select
      set_config('synchronous_commit', 'off', true)
    offset
      0
  ) as asynchronous;

-- apps.clear_first_capture
update apps
set
  first_capture_time = null
where
  app_id = $1;

-- apps.firstCapture
update apps
set
  first_capture_time = $2
where
  app_id = $1
  and first_capture_time is null;

-- apps.lock_protection
select
  two_factor_required,
  require_otp_for_api_keys,
  max_refunds_daily,
  refund_emails
from
  apps
where
  app_id = $1
for update;

-- apps.update
update apps
set
  friendly_name = case
    when $2 then $3
    else friendly_name
  end,
  payment_webhook_url = case
    when $4 then $5
    else payment_webhook_url
  end,
  webhook_auth_scheme = case
    when $6 then $7
    else webhook_auth_scheme
  end,
  webhook_auth_parameter = case
    when $8 then $9
    else webhook_auth_parameter
  end,
  default_fraud_policy_id = case
    when $10 then $11::bigint
    else default_fraud_policy_id
  end,
  max_refunds_daily = case
    when $12 then $13::integer
    else max_refunds_daily
  end,
  refund_emails = case
    when $14 then $15::text[]
    else refund_emails
  end,
  time_zone = case
    when $16 then $17
    else time_zone
  end,
  checkout_host = case
    when $18 then $19
    else checkout_host
  end,
  checkout_host_proven_time = case
    when $18 then null
    else checkout_host_proven_time
  end,
  two_factor_required = case
    when $20 then $21::boolean
    else two_factor_required
  end,
  require_otp_for_api_keys = case
    when $22 then $23::boolean
    else require_otp_for_api_keys
  end,
  personal_data_days = case
    when $24 then $25::integer
    else personal_data_days
  end
where
  app_id = $1;

-- apps.updateMails
update apps
set
  payer_mails = case
    when $2 then $3::text[]
    else payer_mails
  end,
  team_mails = case
    when $4 then $5::text[]
    else team_mails
  end,
  mail_from_name = case
    when $6 then $7
    else mail_from_name
  end,
  mail_reply_to = case
    when $8 then $9
    else mail_reply_to
  end,
  team_addresses = case
    when $10 then $11::text[]
    else team_addresses
  end
where
  app_id = $1;

-- apps.update_active
update apps
set
  is_active = $2
where
  app_id = $1
  and is_active <> $2
returning
  app_id;

-- audit.insert
insert into
  audit_log (
    license_id,
    app_id,
    entry_time,
    actor_kind,
    actor_id,
    actor_name,
    action,
    target,
    before,
    after,
    address,
    request_id
  )
values
  ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

-- audit.list
select
  entry_id,
  app_id,
  entry_time as time,
  actor_kind as "actor.kind",
  actor_id as "actor.id",
  actor_name as "actor.name",
  address as "actor.address",
  request_id as "actor.request_id",
  action,
  target,
  before,
  after
from
  audit_log
where
  license_id = $1
  and (
    $2::bigint is null
    or entry_id < $2
  )
  and (
    $3::text is null
    or app_id = $3
    or app_id is null
  )
  and (
    $4::text is null
    or actor_id = $4
  )
  and (
    $5::text is null
    or action = $5
  )
  and (
    $6::text is null
    or target = $6
  )
  and (
    $7::timestamptz is null
    or entry_time >= $7
  )
  and (
    $8::timestamptz is null
    or entry_time < $8
  )
order by
  entry_id desc
limit
  $9;

-- branding.logo
select
  logo as bytes,
  logo_type as type,
  logo_hash as hash
from
  apps
where
  app_id = $1
  and logo_hash = $2;

-- branding.update
update apps
set
  logo = case
    when $2 then $3::bytea
    else logo
  end,
  logo_type = case
    when $2 then $4
    else logo_type
  end,
  logo_hash = case
    when $2 then $5
    else logo_hash
  end,
  color = case
    when $6 then $7
    else color
  end,
  slogan1 = case
    when $8 then $9
    else slogan1
  end,
  slogan2 = case
    when $10 then $11
    else slogan2
  end,
  support = case
    when $12 then $13
    else support
  end,
  terms_url = case
    when $14 then $15
    else terms_url
  end,
  privacy_url = case
    when $16 then $17
    else privacy_url
  end,
  locale = case
    when $18 then $19
    else locale
  end,
  theme = case
    when $20 then $21
    else theme
  end,
  show_powered_by = coalesce($22, show_powered_by)
where
  app_id = $1;

-- clear.api_log
with
  gone as (
    delete from api_log
    where
      ctid = any (
        array(
          select
            ctid
          from
            api_log
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.api_log_minutes
with
  gone as (
    delete from api_log_minutes
    where
      ctid = any (
        array(
          select
            ctid
          from
            api_log_minutes
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.customer_activity
with
  gone as (
    delete from customer_activity
    where
      ctid = any (
        array(
          select
            ctid
          from
            customer_activity
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.customers
with
  gone as (
    delete from customers
    where
      ctid = any (
        array(
          select
            ctid
          from
            customers
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.deliveries
with
  gone as (
    delete from deliveries
    where
      ctid = any (
        array(
          select
            ctid
          from
            deliveries
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.delivery_attempts
with
  gone as (
    delete from delivery_attempts
    where
      ctid = any (
        array(
          select
            ctid
          from
            delivery_attempts
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.erasures
with
  gone as (
    delete from erasures
    where
      ctid = any (
        array(
          select
            ctid
          from
            erasures
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.events
with
  gone as (
    delete from events
    where
      ctid = any (
        array(
          select
            ctid
          from
            events
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.fraud_customers
with
  gone as (
    delete from fraud_customers
    where
      ctid = any (
        array(
          select
            ctid
          from
            fraud_customers
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.fraud_verdicts
with
  gone as (
    delete from fraud_verdicts
    where
      ctid = any (
        array(
          select
            ctid
          from
            fraud_verdicts
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.idempotency_keys
with
  gone as (
    delete from idempotency_keys
    where
      ctid = any (
        array(
          select
            ctid
          from
            idempotency_keys
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.latency_rollups
with
  gone as (
    delete from latency_rollups
    where
      ctid = any (
        array(
          select
            ctid
          from
            latency_rollups
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.mail_opt_outs
with
  gone as (
    delete from mail_opt_outs
    where
      ctid = any (
        array(
          select
            ctid
          from
            mail_opt_outs
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.mail_walks
with
  gone as (
    delete from mail_walks
    where
      ctid = any (
        array(
          select
            ctid
          from
            mail_walks
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.mails
with
  gone as (
    delete from mails
    where
      ctid = any (
        array(
          select
            ctid
          from
            mails
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.method_keepings
with
  gone as (
    delete from method_keepings
    where
      ctid = any (
        array(
          select
            ctid
          from
            method_keepings
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.method_storings
with
  gone as (
    delete from method_storings
    where
      ctid = any (
        array(
          select
            ctid
          from
            method_storings
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.operations
with
  gone as (
    delete from operations
    where
      ctid = any (
        array(
          select
            ctid
          from
            operations
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.page_visits
with
  gone as (
    delete from page_visits
    where
      ctid = any (
        array(
          select
            ctid
          from
            page_visits
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.panel_sessions
with
  gone as (
    delete from panel_sessions
    where
      ctid = any (
        array(
          select
            ctid
          from
            panel_sessions
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.payment_method_tokens
with
  gone as (
    delete from payment_method_tokens
    where
      ctid = any (
        array(
          select
            ctid
          from
            payment_method_tokens
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.payment_methods
with
  gone as (
    delete from payment_methods
    where
      ctid = any (
        array(
          select
            ctid
          from
            payment_methods
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.payment_rollups
with
  gone as (
    delete from payment_rollups
    where
      ctid = any (
        array(
          select
            ctid
          from
            payment_rollups
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.payment_search
with
  gone as (
    delete from payment_search
    where
      ctid = any (
        array(
          select
            ctid
          from
            payment_search
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.payments
with
  gone as (
    delete from payments
    where
      ctid = any (
        array(
          select
            ctid
          from
            payments
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.profile_notifications
with
  gone as (
    delete from profile_notifications
    where
      ctid = any (
        array(
          select
            ctid
          from
            profile_notifications
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.provider_log
with
  gone as (
    delete from provider_log
    where
      ctid = any (
        array(
          select
            ctid
          from
            provider_log
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.provider_movements
with
  gone as (
    delete from provider_movements
    where
      ctid = any (
        array(
          select
            ctid
          from
            provider_movements
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.provider_notifications
with
  gone as (
    delete from provider_notifications
    where
      ctid = any (
        array(
          select
            ctid
          from
            provider_notifications
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.refund_counts
with
  gone as (
    delete from refund_counts
    where
      ctid = any (
        array(
          select
            ctid
          from
            refund_counts
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.refunds
with
  gone as (
    delete from refunds
    where
      ctid = any (
        array(
          select
            ctid
          from
            refunds
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.rollup_queue
with
  gone as (
    delete from rollup_queue
    where
      ctid = any (
        array(
          select
            ctid
          from
            rollup_queue
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.timers
with
  gone as (
    delete from timers
    where
      ctid = any (
        array(
          select
            ctid
          from
            timers
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.undos
with
  gone as (
    delete from undos
    where
      ctid = any (
        array(
          select
            ctid
          from
            undos
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.visit_rollups
with
  gone as (
    delete from visit_rollups
    where
      ctid = any (
        array(
          select
            ctid
          from
            visit_rollups
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- clear.webhook_endpoints
with
  gone as (
    delete from webhook_endpoints
    where
      ctid = any (
        array(
          select
            ctid
          from
            webhook_endpoints
          where
            app_id = $1
          limit
            $2
        )
      )
    returning
      1
  )
select
  count(*)::int as count
from
  gone;

-- console.removeView
delete from saved_views
where
  person_id = $1
  and app_id = $2
  and name = $3;

-- console.saveView
insert into
  saved_views (person_id, app_id, name, query, created_time)
select
  $1,
  $2,
  $3,
  $4,
  $5
where
  (
    select
      count(*)
    from
      saved_views v
    where
      v.person_id = $1
      and v.app_id = $2
      and v.name <> $3
  ) < 30
on conflict (person_id, app_id, name) do update
set
  query = excluded.query
returning
  name;

-- console.views
select
  name,
  query
from
  saved_views
where
  person_id = $1
  and app_id = $2
order by
  name
limit
  30;

-- customers.claim_removals
update method_removals
set
  tries = tries + 1,
  due_time = $1::timestamptz + least(86400000, 60000 * power(2, least(tries, 30))) * interval '1 millisecond'
where
  (app_id, token_id) in (
    select
      app_id,
      token_id
    from
      (
        select
          app_id,
          token_id,
          share_profile
        from
          (
            select
              app_id,
              token_id,
              share_profile,
              due_time,
              of_profile + row_number() over (
                partition by
                  app_id,
                  share_profile
                order by
                  due_time
              ) as of_profile,
              of_app + row_number() over (
                partition by
                  app_id
                order by
                  due_time
              ) as of_app
            from
              (
                select
                  app_id,
                  token_id,
                  due_time,
                  profile_id as share_profile,
                  coalesce(($2::jsonb -> 'profiles' ->> (profile_id)::text)::integer, 0) as of_profile,
                  coalesce(($2::jsonb -> 'apps' ->> app_id)::integer, 0) as of_app
                from
                  method_removals
                where
                  due_time <= $1
                  and coalesce(($2::jsonb -> 'profiles' ->> (profile_id)::text)::integer, 0) < ($2::jsonb ->> 'perProfile')::integer
                  and coalesce(($2::jsonb -> 'apps' ->> app_id)::integer, 0) < ($2::jsonb ->> 'perApp')::integer
                  and (
                    $2::jsonb ->> 'app' is null
                    or app_id = $2::jsonb ->> 'app'
                  )
                order by
                  due_time
                limit
                  200
                for update
                  skip locked
              ) due
          ) shared
        where
          of_profile <= ($2::jsonb ->> 'perProfile')::integer
          and of_app <= ($2::jsonb ->> 'perApp')::integer
        order by
          of_profile,
          due_time
        limit
          ($2::jsonb ->> 'limit')::integer
      ) claimed
  )
returning
  app_id,
  token_id,
  profile_id,
  token,
  tries;

-- customers.count_registrations
select
  count(*)::int as count
from
  (
    select
    from
      payment_method_tokens
    where
      app_id = $1
      and profile_id = $2
      and removed_time is null
    limit
      $3
  ) found;

-- customers.end_removal
delete from method_removals
where
  app_id = $1
  and token_id = $2;

-- customers.erase
update customers
set
  first_name = null,
  last_name = null,
  email = null,
  mobile_number = null,
  extras = null,
  erased_time = $3
where
  app_id = $1
  and customer_id = $2
returning
  customer_id;

-- customers.erase_keepings
delete from method_keepings
where
  app_id = $1
  and customer_id = $2;

-- customers.erase_methods
update payment_methods
set
  removed_time = coalesce(removed_time, $3),
  is_default = false,
  label = kind,
  fingerprint = null,
  card = null,
  nickname = null,
  consent_ip = null
where
  app_id = $1
  and customer_id = $2;

-- customers.erase_sessions
delete from panel_sessions
where
  app_id = $1
  and customer_id = $2;

-- customers.find
select
  customer_id,
  first_name,
  last_name,
  email,
  mobile_number,
  fraud_policy_id,
  is_blocked,
  extras,
  created_time,
  erased_time
from
  customers
where
  app_id = $1
  and customer_id = $2;

-- customers.insert
insert into
  customers (app_id, customer_id, first_name, last_name, email, mobile_number, fraud_policy_id, created_time)
values
  ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict (app_id, customer_id) do nothing
returning
  customer_id,
  first_name,
  last_name,
  email,
  mobile_number,
  fraud_policy_id,
  is_blocked,
  extras,
  created_time,
  erased_time;

-- customers.lock
select
  customer_id,
  first_name,
  last_name,
  email,
  mobile_number,
  fraud_policy_id,
  is_blocked,
  extras,
  created_time,
  erased_time
from
  customers
where
  app_id = $1
  and customer_id = $2
for no key update;

-- customers.note_token_hash
update payment_method_tokens
set
  token_hash = $3
where
  app_id = $1
  and token_id = $2;

-- customers.queue_replaced
with
  old as (
    insert into
      payment_method_tokens (app_id, payment_method_id, profile_id, token, created_time, removed_time)
    select
      app_id,
      payment_method_id,
      profile_id,
      token,
      created_time,
      $3
    from
      payment_method_tokens
    where
      app_id = $1
      and token_id = $2
    returning
      app_id,
      token_id,
      profile_id,
      token
  )
insert into
  method_removals (app_id, token_id, profile_id, token, created_time, due_time)
select
  app_id,
  token_id,
  profile_id,
  token,
  $3,
  $4
from
  old;

-- customers.queue_tokens
with
  tokens as (
    select
      t.app_id,
      t.token_id,
      t.profile_id,
      t.token
    from
      payment_methods m
      join payment_method_tokens t on t.app_id = m.app_id
      and t.payment_method_id = m.payment_method_id
    where
      m.app_id = $1
      and m.customer_id = $2
      and t.is_forgotten is not true
    for update of
      t
  ),
  gone as (
    update payment_method_tokens t
    set
      removed_time = coalesce(t.removed_time, $3),
      token = $4,
      token_hash = null,
      is_forgotten = true
    from
      tokens k
    where
      t.app_id = k.app_id
      and t.token_id = k.token_id
  )
insert into
  method_removals (app_id, token_id, profile_id, token, created_time, due_time)
select
  app_id,
  token_id,
  profile_id,
  token,
  $3,
  $5
from
  tokens
on conflict (app_id, token_id) do nothing
returning
  token_id;

-- customers.remove_by_hash
with
  gone as (
    update payment_method_tokens
    set
      removed_time = $4
    where
      app_id = $1
      and profile_id = $2
      and token_hash = $3
      and removed_time is null
    returning
      app_id,
      token_id,
      payment_method_id
  ),
  methods as (
    update payment_methods m
    set
      removed_time = $4,
      is_default = false
    from
      gone g
    where
      m.app_id = g.app_id
      and m.payment_method_id = g.payment_method_id
      and m.removed_time is null
      and not exists (
        select
        from
          payment_method_tokens t
        where
          t.app_id = m.app_id
          and t.payment_method_id = m.payment_method_id
          and t.removed_time is null
          and t.token_id <> g.token_id
      )
  )
select
  m.customer_id,
  m.payment_method_id
from
  gone g
  join payment_methods m on m.app_id = g.app_id
  and m.payment_method_id = g.payment_method_id;

-- customers.update
update customers
set
  first_name = case
    when $3 then $4
    else first_name
  end,
  last_name = case
    when $5 then $6
    else last_name
  end,
  email = case
    when $7 then $8
    else email
  end,
  mobile_number = case
    when $9 then $10
    else mobile_number
  end,
  fraud_policy_id = case
    when $11 then $12::bigint
    else fraud_policy_id
  end,
  is_blocked = case
    when $13 then $14::boolean
    else is_blocked
  end
where
  app_id = $1
  and customer_id = $2
returning
  customer_id,
  first_name,
  last_name,
  email,
  mobile_number,
  fraud_policy_id,
  is_blocked,
  extras,
  created_time,
  erased_time;

-- db.notify
select
  pg_notify ($1, said)
from
  unnest($2::text[]) said;

-- directory.app
select
  to_json(row)::text as text
from
  (
    select
      a.app_id as "appId",
      a.license_id as "licenseId",
      a.is_sandbox as "isSandbox",
      a.is_active as "isActive",
      a.friendly_name as "friendlyName",
      a.created_time as "createdTime",
      a.payment_webhook_url as "paymentWebhookUrl",
      a.webhook_auth_scheme as "webhookAuthScheme",
      a.webhook_auth_parameter as "webhookAuthParameter",
      a.webhook_secret as "webhookSecret",
      a.webhook_previous_secret as "webhookPreviousSecret",
      a.webhook_previous_until as "webhookPreviousUntil",
      a.is_signing_enabled as "isSigningEnabled",
      a.default_fraud_policy_id as "defaultFraudPolicyId",
      a.checkout_methods as "checkoutMethods",
      a.routing as "routing",
      a.clock_offset_ms as "clockOffsetMs",
      a.webhooks_held_until as "webhooksHeldUntil",
      a.max_refunds_daily as "maxRefundsDaily",
      a.refund_emails as "refundEmails",
      a.time_zone as "timeZone",
      a.checkout_host as "checkoutHost",
      a.two_factor_required as "twoFactorRequired",
      a.require_otp_for_api_keys as "requireOtpForApiKeys",
      a.personal_data_days as "personalDataDays",
      exists (
        select
        from
          fraud_policies f
        where
          f.app_id = a.app_id
      ) as "hasFraudPolicies",
      a.first_capture_time is not null as "hasFirstCapture",
      a.checkout_host_proven_time is not null as "isCheckoutHostProven",
      (
        select
          json_build_object('host', c.host, 'token', c.token)
        from
          checkout_host_claims c
        where
          c.app_id = a.app_id
      ) as "hostClaim",
      (
        select
          branding
        from
          (
            select
              a.logo_hash as "logoHash",
              a.color as "color",
              a.slogan1 as "slogan1",
              a.slogan2 as "slogan2",
              a.support as "support",
              a.terms_url as "termsUrl",
              a.privacy_url as "privacyUrl",
              a.locale as "locale",
              a.theme as "theme",
              a.show_powered_by as "showPoweredBy"
          ) branding
      ) as branding,
      (
        select
          mails
        from
          (
            select
              a.payer_mails as payer,
              a.team_mails as team,
              a.mail_from_name as "fromName",
              a.mail_reply_to as "replyTo",
              a.team_addresses as "teamAddresses"
          ) mails
      ) as mails,
      array(
        select
          profile
        from
          (
            select
              p.profile_id as "profileId",
              p.name as "name",
              p.provider as "provider",
              p.methods as "methods",
              p.currency as "currency",
              p.currencies as "currencies",
              p.is_active as "isActive",
              p.settings as "settings",
              p.webhook_key as "webhookKey",
              p.created_time as "createdTime",
              p.fees as "fees",
              p.account as "account",
              n.last_time as "lastNotificationTime",
              case
                when h.app_id is not null then json_build_object('says', h.says, 'failures', h.failures, 'until', h.due_time)
              end as trouble
            from
              payment_profiles p
              left join profile_notifications n on n.app_id = p.app_id
              and n.profile_id = p.profile_id
              left join profile_health h on h.app_id = p.app_id
              and h.profile_id = p.profile_id
            where
              p.app_id = a.app_id
            order by
              p.profile_id
          ) profile
      ) as profiles
    from
      apps a
    where
      a.app_id = $1
  ) row;

-- directory.appOfProfile
select
  i.n,
  f.*
from
  json_to_recordset($1) as i (n integer, profile bigint)
  cross join lateral (
    select
      app_id
    from
      payment_profiles
    where
      profile_id = i.profile
    offset
      0
  ) f;

-- directory.checkoutHosts
select
  checkout_host,
  app_id
from
  apps
where
  checkout_host is not null;

-- directory.key
select
  app_id,
  key_id,
  name,
  expires_time,
  scopes
from
  api_keys
where
  app_id = $1
  and key_hash = $2
  and revoked_time is null;

-- directory.touch_key
update api_keys
set
  last_used_time = $3,
  last_used_address = $4
where
  app_id = $1
  and key_id = $2
  and (
    last_used_time is null
    or last_used_time < $3
  );

-- erasure.claim
update erasures
set
  due_time = $1::timestamptz + 600000 * interval '1 millisecond'
where
  (app_id, customer_id) in (
    select
      app_id,
      customer_id
    from
      erasures
    where
      due_time <= $1
    order by
      due_time
    limit
      $2
    for update
      skip locked
  )
returning
  app_id,
  customer_id,
  erased_time;

-- erasure.end
delete from erasures
where
  app_id = $1
  and customer_id = $2
  and erased_time = $3;

-- erasure.lock_customer
select
  customer_id
from
  customers
where
  app_id = $1
  and customer_id = $2
for update;

-- erasure.lock_payments
select
  payment_id
from
  payments
where
  app_id = $1
  and payment_id = any ($2::bigint[])
order by
  payment_id
for update;

-- erasure.moving_payment
select
  p.payment_id
from
  payments p
where
  p.app_id = $1
  and p.customer_id = $2
  and (
    p.state in ('Authorizing', 'Approved', 'Capturing', 'SaleInProgress', 'Cancelling', 'Refunding')
    or exists (
      select
      from
        operations o
      where
        o.app_id = p.app_id
        and o.payment_id = p.payment_id
        and o.status = 'open'
    )
  )
limit
  1;

-- erasure.page
select
  payment_id
from
  payments
where
  app_id = $1
  and customer_id = $2
  and payment_id > $3
  and created_time <= $4
order by
  payment_id
limit
  $5;

-- erasure.payments
update payments p
set
  version = p.version + 1,
  details = (
    jsonb_set(p.details::jsonb, '{customerOrder,customer}', jsonb_build_object('customerId', p.customer_id)) || '{"isErased": true}'
  )::json,
  pay_info = case
    when p.pay_info is null then null
    else ((p.pay_info::jsonb #- '{payer,fullName}' #- '{payer,email}') - 'payerIp' - 'claimUrl' - 'post')::json
  end
where
  p.app_id = $1
  and p.payment_id = any ($2::bigint[])
  and not (
    p.state in ('Authorizing', 'Approved', 'Capturing', 'SaleInProgress', 'Cancelling', 'Refunding')
    or exists (
      select
      from
        operations o
      where
        o.app_id = p.app_id
        and o.payment_id = p.payment_id
        and o.status = 'open'
    )
  )
returning
  p.payment_id;

-- erasure.person_texts
with
  people as (
    select
      first_name,
      last_name,
      email,
      mobile_number as mobile
    from
      customers
    where
      app_id = $1
      and customer_id = $2
    union
    select
      c ->> 'firstName',
      c ->> 'lastName',
      c ->> 'email',
      c ->> 'phoneNumber'
    from
      (
        select
          details #> '{customerOrder,customer}' as c
        from
          payments
        where
          app_id = $1
          and customer_id = $2
        order by
          payment_id desc
        limit
          200
      ) latest
  )
select distinct
  text
from
  people,
  unnest(array[first_name, last_name, first_name || ' ' || last_name, email, mobile]) as text
where
  text is not null;

-- erasure.remove_views
delete from saved_views
where
  app_id = $1
  and (person_id, name) in (
    select
      *
    from
      unnest($2::text[], $3::text[])
  );

-- erasure.schedule
insert into
  erasures (app_id, customer_id, erased_time, due_time)
values
  ($1, $2, $3, $4)
on conflict (app_id, customer_id) do update
set
  erased_time = greatest(erasures.erased_time, excluded.erased_time),
  due_time = excluded.due_time;

-- erasure.views
select
  person_id,
  name,
  query
from
  saved_views
where
  app_id = $1;

-- fraud.block_customer
with
  blocked as (
    update customers
    set
      is_blocked = true
    where
      app_id = $1
      and customer_id = $2
      and not is_blocked
    returning
      app_id,
      customer_id
  )
insert into
  customer_activity (app_id, customer_id, activity_time, type, data)
select
  app_id,
  customer_id,
  $3,
  'Blocked',
  $4
from
  blocked;

-- fraud.clear_default
update apps
set
  default_fraud_policy_id = null
where
  app_id = $1
  and default_fraud_policy_id = $2;

-- fraud.count_pinned
select
  count(*)::int as count
from
  (
    select
    from
      customers
    where
      app_id = $1
      and fraud_policy_id = $2
    limit
      $3
  ) found;

-- fraud.counts
select
  r.place,
  count(*) filter (
    where
      v.outcome in ('open', 'paid')
      and v.payment_id <> $3
  ) as payments,
  coalesce(
    sum(v.amount_minor) filter (
      where
        v.outcome in ('open', 'paid')
        and v.payment_id <> $3
        and v.currency = $4
    ),
    0
  ) as total_minor,
  count(*) filter (
    where
      v.outcome = 'declined'
  ) as rejects,
  count(distinct v.card) filter (
    where
      v.card is distinct from $5
  ) as cards
from
  json_to_recordset($6) as r (place integer, since timestamptz, currency text, profiles bigint[])
  left join fraud_verdicts v on v.app_id = $1
  and v.customer_id = $2
  and v.verdict_time > r.since
  and (
    r.currency is null
    or v.currency = r.currency
  )
  and (
    r.profiles is null
    or v.profile_id = any (r.profiles)
  )
group by
  r.place;

-- fraud.delete_policy
delete from fraud_policies
where
  app_id = $1
  and policy_id = $2;

-- fraud.erase_verdicts
update fraud_verdicts v
set
  card = null,
  checks = (
    select
      coalesce(
        jsonb_agg(
          case
            when c.value ->> 'name' = 'Address' then jsonb_set(c.value, '{seen}', 'null')
            else c.value
          end
          order by
            c.ordinality
        ),
        '[]'
      )
    from
      jsonb_array_elements(v.checks::jsonb) with ordinality as c (value, ordinality)
  )::json
where
  v.app_id = $1
  and v.payment_id = any ($2::bigint[]);

-- fraud.insert_policy
insert into
  fraud_policies (app_id, version, name, rules, firewall, created_time)
select
  $1,
  1,
  $2,
  $3,
  $4,
  $5
where
  (
    select
      count(*)
    from
      fraud_policies
    where
      app_id = $1
  ) < $6
returning
  policy_id,
  version,
  name,
  rules,
  firewall,
  created_time;

-- fraud.keep_version
insert into
  fraud_policy_versions (app_id, policy_id, version, change, name, rules, firewall, changed_time, changed_by, changed_name)
values
  (
    $1,
    $2,
    $3,
    $4,
    $5,
    $6,
    $7,
    $8,
    $9,
    coalesce(
      $10,
      (
        select
          k.name
        from
          api_keys k
        where
          k.app_id = $1
          and k.key_id = $9
      )
    )
  );

-- fraud.lock_policy
select
  policy_id,
  version,
  name,
  rules,
  firewall,
  created_time
from
  fraud_policies
where
  app_id = $1
  and policy_id = $2
for update;

-- fraud.policies
select
  policy_id,
  version,
  name,
  rules,
  firewall,
  created_time
from
  fraud_policies
where
  app_id = $1
order by
  policy_id;

-- fraud.policy_page
select
  *
from
  (
    select
      r.*,
      sum(r.size) over (
        order by
          policy_id rows unbounded preceding
      ) - r.size as before_bytes,
      count(*) over ()::integer as found
    from
      (
        select
          policy_id,
          version,
          name,
          rules,
          firewall,
          created_time,
          octet_length(rules::text) + octet_length(firewall::text) as size
        from
          fraud_policies
        where
          app_id = $1
          and policy_id > $2
        order by
          policy_id
        limit
          $3
      ) r
  ) page
where
  before_bytes + size <= $4
  or before_bytes = 0
order by
  policy_id;

-- fraud.reset
with
reset as (
  insert into
    fraud_customers as f (app_id, customer_id, version, reset_time)
  select
    c.app_id,
    c.customer_id,
    1,
    $3
  from
    customers c
  where
    c.app_id = $1
    and c.customer_id = $2
  on conflict (app_id, customer_id) do update
  set
    version = f.version + 1,
    reset_time = excluded.reset_time
  returning
    app_id,
    customer_id
)
insert into
  customer_activity (app_id, customer_id, activity_time, type, actor)
select
  app_id,
  customer_id,
  $3,
  'PolicyReset',
  $4
from
reset
returning
  customer_id;

-- fraud.set_default
update apps
set
  default_fraud_policy_id = $2
where
  app_id = $1;

-- fraud.standing
select
  c.fraud_policy_id as policy_id,
  c.is_blocked,
  f.version,
  f.reset_time
from
  (
    values
      ($1, $2)
  ) as one (app_id, customer_id)
  left join customers c on c.app_id = one.app_id
  and c.customer_id = one.customer_id
  left join fraud_customers f on f.app_id = one.app_id
  and f.customer_id = one.customer_id;

-- fraud.update_policy
update fraud_policies
set
  version = $3,
  name = $4,
  rules = $5,
  firewall = $6
where
  app_id = $1
  and policy_id = $2;

-- fraud.verdicts
select
  attempt,
  verdict_time,
  policy_id,
  policy_version,
  profile_id,
  card,
  decision,
  checks
from
  fraud_verdicts
where
  app_id = $1
  and payment_id = $2
order by
  attempt
limit
  500;

-- fraud.version
select
  policy_id,
  version,
  change,
  name,
  rules,
  firewall,
  changed_time,
  changed_by,
  changed_name
from
  fraud_policy_versions
where
  app_id = $1
  and policy_id = $2
  and version = $3;

-- fraud.versions
select
  *
from
  (
    select
      r.*,
      sum(r.size) over (
        order by
          version desc rows unbounded preceding
      ) - r.size as before_bytes,
      count(*) over ()::integer as found
    from
      (
        select
          policy_id,
          version,
          change,
          name,
          rules,
          firewall,
          changed_time,
          changed_by,
          changed_name,
          octet_length(rules::text) + octet_length(firewall::text) as size
        from
          fraud_policy_versions
        where
          app_id = $1
          and policy_id = $2
          and version < $3
        order by
          version desc
        limit
          $4
      ) r
  ) page
where
  before_bytes + size <= $5
  or before_bytes = 0
order by
  version desc;

-- history.lastDelivery
select
  sequence
from
  deliveries
where
  app_id = $1
  and payment_id = $2
order by
  sequence desc
limit
  1;

-- history.movements
(
  select
    'webhook' as kind,
    coalesce(a.start_time, d.queued_time) as time,
    json_build_object(
      'sequence',
      d.sequence,
      'attempt',
      coalesce(a.attempt, 0),
      'status',
      d.status,
      'endpoint',
      d.endpoint,
      'httpStatus',
      a.http_status,
      'latencyMs',
      a.latency_ms,
      'error',
      a.error
    ) as data
  from
    deliveries d
    left join delivery_attempts a on a.app_id = d.app_id
    and a.payment_id = d.payment_id
    and a.sequence = d.sequence
  where
    d.app_id = $1
    and d.payment_id = $2
  order by
    d.sequence desc,
    a.attempt desc
  limit
    $3
)
union all
(
  select
    'refund',
    created_time,
    json_build_object(
      'refundId',
      refund_id,
      'amountMinor',
      amount_minor::text,
      'state',
      state,
      'description',
      description
    )
  from
    refunds
  where
    app_id = $1
    and payment_id = $2
  order by
    created_time desc
  limit
    $3
)
union all
(
  select
    'undo',
    coalesce(closed_time, created_time),
    json_build_object('attempt', attempt, 'status', status, 'result', result)
  from
    undos
  where
    app_id = $1
    and payment_id = $2
  order by
    created_time desc
  limit
    $3
);

-- history.states
select
  sequence,
  state,
  created_time as time,
  body::json #>> '{payment,lastError}' as last_error
from
  events
where
  app_id = $1
  and payment_id = $2
  and state is not null
order by
  sequence desc
limit
  $3;

-- history.tries
select
  o.attempt,
  o.step,
  o.profile_id,
  o.method,
  o.status,
  o.created_time,
  o.outcome,
  u.status as "undo.status",
  u.result as "undo.result",
  coalesce(u.closed_time, u.created_time) as "undo.time"
from
  operations o
  left join undos u on u.app_id = o.app_id
  and u.attempt_key = o.operation_key
where
  o.app_id = $1
  and o.payment_id = $2
  and o.step in ('start', 'resume', 'charge')
order by
  o.attempt,
  o.created_time,
  o.step desc
limit
  500;

-- hosts.claim
insert into
  checkout_host_claims as c (app_id, host, token, created_time, due_time)
values
  ($1, $2, $3, $4, $5)
on conflict (app_id) do update
set
  host = excluded.host,
  token = case
    when c.host = excluded.host then c.token
    else excluded.token
  end,
  created_time = excluded.created_time,
  due_time = excluded.due_time,
  tries = 0;

-- hosts.delete_claim
delete from checkout_host_claims
where
  app_id = $1
returning
  app_id;

-- hosts.hold
update apps
set
  checkout_host = $2,
  checkout_host_proven_time = $3
where
  app_id = $1;

-- hosts.lock_claim
select
  app_id
from
  checkout_host_claims
where
  app_id = $1
  and host = $2
  and token = $3
for update;

-- hosts.proven_holder
select
  app_id
from
  apps
where
  checkout_host = $1
  and app_id <> $2
  and checkout_host_proven_time is not null;

-- hosts.release_unproven
update apps
set
  checkout_host = null
where
  checkout_host = $1
  and app_id <> $2
  and checkout_host_proven_time is null
returning
  app_id;

-- hosts.take_check
update checkout_host_claims
set
  checked_time = $2
where
  app_id = $1
  and (
    checked_time is null
    or checked_time <= $3
  )
returning
  app_id,
  host,
  token;

-- hosts.take_due
update checkout_host_claims
set
  tries = tries + 1,
  checked_time = $1,
  due_time = case
    when created_time > $1::timestamptz - interval '30 days' then $1::timestamptz + least(interval '1 minute' * power(2, least(tries, 20)), interval '6 hours')
  end
where
  app_id in (
    select
      app_id
    from
      checkout_host_claims
    where
      due_time <= $1::timestamptz
    order by
      due_time
    limit
      $2
    for update
      skip locked
  )
returning
  app_id,
  host,
  token;

-- idempotency.claim
insert into
  idempotency_keys as k (app_id, idempotency_key, fingerprint, created_time, locked_until)
values
  ($1, $2, $3, $4, $5)
on conflict (app_id, idempotency_key) do update
set
  fingerprint = excluded.fingerprint,
  status = null,
  headers = null,
  body = null,
  created_time = excluded.created_time,
  locked_until = excluded.locked_until
where
  k.created_time < $6
  or (
    k.status is null
    and k.locked_until <= $4
    and k.fingerprint = excluded.fingerprint
  )
returning
  true as claimed;

-- idempotency.complete
update idempotency_keys
set
  status = $4,
  headers = $5,
  body = $6
where
  app_id = $1
  and idempotency_key = $2
  and locked_until = $3
  and status is null;

-- idempotency.find
select
  fingerprint,
  status,
  headers,
  body
from
  idempotency_keys
where
  app_id = $1
  and idempotency_key = $2;

-- idempotency.forget
delete from idempotency_keys k using (
  select
    app_id,
    idempotency_key
  from
    idempotency_keys
  where
    created_time < $1::timestamptz - 86400000 * interval '1 millisecond'
  order by
    created_time
  limit
    $2
  for update
    skip locked
) old
where
  k.app_id = old.app_id
  and k.idempotency_key = old.idempotency_key
returning
  k.idempotency_key;

-- idempotency.release
delete from idempotency_keys
where
  app_id = $1
  and idempotency_key = $2
  and locked_until = $3
  and status is null;

-- identities.add
insert into
  oidc_identities as i (issuer, subject, person_id, created_time, last_used_time)
values
  ($1, $2, $3, $4, $4)
on conflict (issuer, subject) do update
set
  last_used_time = excluded.last_used_time
returning
  i.person_id;

-- identities.delete_all
delete from oidc_identities
where
  person_id = $1;

-- identities.find
select
  person_id
from
  oidc_identities
where
  issuer = $1
  and subject = $2;

-- identities.list
select
  issuer
from
  oidc_identities
where
  person_id = $1
order by
  created_time,
  issuer;

-- inbound.arrivals
select
  coalesce(
    bool_or(
      status <> 'forged'
      and not (
        status = 'new'
        and hints is null
      )
    ),
    false
  ) as verified,
  coalesce(bool_or(status = 'forged'), false) as forged
from
  (
    select
      status,
      hints
    from
      provider_notifications
    where
      app_id = $1
      and profile_id = $2
    limit
      $3
  ) seen;

-- inbound.blank
update provider_notifications p
set
  headers = null,
  url = null,
  body = null
from
  (
    select
      app_id,
      profile_id,
      digest
    from
      provider_notifications
    where
      status <> 'new'
      and body is not null
    order by
      received_time
    limit
      $1
    for update
      skip locked
  ) old
where
  p.app_id = old.app_id
  and p.profile_id = old.profile_id
  and p.digest = old.digest
returning
  p.digest;

-- inbound.claim
update provider_notifications
set
  due_time = $1::timestamptz + least(3600000, 30000 * power(2, least(tries, 30))) * interval '1 millisecond',
  tries = tries + 1
where
  (app_id, profile_id, digest) in (
    select
      app_id,
      profile_id,
      digest
    from
      (
        select
          app_id,
          profile_id,
          digest,
          share_profile
        from
          (
            select
              app_id,
              profile_id,
              digest,
              share_profile,
              due_time,
              of_profile + row_number() over (
                partition by
                  app_id,
                  share_profile
                order by
                  due_time
              ) as of_profile,
              of_app + row_number() over (
                partition by
                  app_id
                order by
                  due_time
              ) as of_app
            from
              (
                select
                  app_id,
                  profile_id,
                  digest,
                  due_time,
                  profile_id as share_profile,
                  coalesce(($2::jsonb -> 'profiles' ->> (profile_id)::text)::integer, 0) as of_profile,
                  coalesce(($2::jsonb -> 'apps' ->> app_id)::integer, 0) as of_app
                from
                  provider_notifications
                where
                  status = 'new'
                  and due_time <= $1
                  and coalesce(($2::jsonb -> 'profiles' ->> (profile_id)::text)::integer, 0) < ($2::jsonb ->> 'perProfile')::integer
                  and coalesce(($2::jsonb -> 'apps' ->> app_id)::integer, 0) < ($2::jsonb ->> 'perApp')::integer
                  and (
                    $2::jsonb ->> 'app' is null
                    or app_id = $2::jsonb ->> 'app'
                  )
                order by
                  due_time
                limit
                  200
                for update
                  skip locked
              ) due
          ) shared
        where
          of_profile <= ($2::jsonb ->> 'perProfile')::integer
          and of_app <= ($2::jsonb ->> 'perApp')::integer
        order by
          of_profile,
          due_time
        limit
          ($2::jsonb ->> 'limit')::integer
      ) claimed
  )
returning
  app_id,
  profile_id,
  digest,
  received_time,
  hints,
  headers as "call.headers",
  url as "call.url",
  body as "call.body";

-- inbound.end
with
  input as materialized (
    select
      *,
      decode(digest, 'base64') as hash
    from
      json_to_recordset($1) as x (n integer, app_id text, profile_id bigint, digest text, status text, received timestamptz)
    where
      n between 0 and 1000
  ),
  current as materialized (
    select
      i.n,
      i.status,
      i.received,
      p.app_id,
      p.profile_id,
      p.digest,
      p.received_time
    from
      input i
      join provider_notifications p on p.app_id = i.app_id
      and p.profile_id = i.profile_id
      and p.digest = i.hash
    for update of
      p
  ),
  ended as (
    update provider_notifications p
    set
      status = c.status,
      due_time = null,
      hints = null,
      headers = null,
      url = null,
      body = null
    from
      current c
    where
      p.app_id = c.app_id
      and p.profile_id = c.profile_id
      and p.digest = c.digest
      and (
        c.received is null
        or c.received_time = c.received
      )
    returning
      c.n
  )
select
  n,
  received_time
from
  current
where
  n not in (
    select
      n
    from
      ended
  );

-- inbound.keep
with
  input as materialized (
    select
      *,
      decode(digest, 'base64') as hash
    from
      json_to_recordset($1) as x (
        n integer,
        app_id text,
        profile_id bigint,
        digest text,
        now timestamptz,
        status text,
        due timestamptz,
        hints json,
        headers json,
        url text,
        body text
      )
    where
      n between 0 and 1000
  ),
  kept as (
    insert into
      provider_notifications as n (app_id, profile_id, digest, received_time, status, due_time, hints, headers, url, body)
    select
      app_id,
      profile_id,
      hash,
      now,
      status,
      due,
      hints,
      headers,
      url,
      decode(body, 'base64')
    from
      input
    on conflict (app_id, profile_id, digest) do update
    set
      status = excluded.status,
      due_time = excluded.due_time,
      hints = excluded.hints,
      headers = excluded.headers,
      url = excluded.url,
      body = excluded.body
    where
      excluded.status in ('new', 'done')
      and (
        n.status = 'forged'
        or n.status = 'new'
        and n.hints is null
        and (
          excluded.hints is not null
          or excluded.status = 'done'
        )
      )
    returning
      app_id,
      profile_id,
      digest
  )
select
  i.n,
  case
    when k.digest is not null then 'kept'
    when exists (
      select
      from
        provider_notifications p
      where
        p.app_id = i.app_id
        and p.profile_id = i.profile_id
        and p.digest = i.hash
        and p.status = 'new'
        and p.hints is null
    ) then 'unverified'
    else 'known'
  end as kept
from
  input i
  left join kept k on k.app_id = i.app_id
  and k.profile_id = i.profile_id
  and k.digest = i.hash;

-- inbound.keepAgain
with
  input as materialized (
    select
      *,
      decode(digest, 'base64') as hash
    from
      json_to_recordset($1) as x (
        n integer,
        app_id text,
        profile_id bigint,
        digest text,
        now timestamptz,
        due timestamptz,
        hints json
      )
    where
      n between 0 and 1000
  ),
  before as materialized (
    select
      i.n,
      p.status
    from
      input i
      join provider_notifications p on p.app_id = i.app_id
      and p.profile_id = i.profile_id
      and p.digest = i.hash
    for update of
      p
  ),
  kept as (
    insert into
      provider_notifications as p (app_id, profile_id, digest, received_time, status, due_time, hints)
    select
      i.app_id,
      i.profile_id,
      i.hash,
      i.now,
      'new',
      i.due,
      i.hints
    from
      input i
      left join before b on b.n = i.n
    on conflict (app_id, profile_id, digest) do update
    set
      status = 'new',
      hints = excluded.hints,
      tries = 0,
      due_time = case
        when p.status = 'new' then least(p.due_time, excluded.due_time)
        else excluded.due_time
      end,
      received_time = greatest(excluded.received_time, p.received_time + interval '1 millisecond')
    returning
      app_id,
      profile_id,
      digest,
      received_time
  )
select
  i.n,
  k.received_time,
  coalesce(b.status = 'new', false) as is_followed
from
  input i
  join kept k on k.app_id = i.app_id
  and k.profile_id = i.profile_id
  and k.digest = i.hash
  left join before b on b.n = i.n;

-- inbound.note_last_time
insert into
  profile_notifications as n (app_id, profile_id, last_time)
values
  ($1, $2, $3)
on conflict (app_id, profile_id) do update
set
  last_time = excluded.last_time
where
  n.last_time <= excluded.last_time - interval '60000 milliseconds';

-- inbound.remove
delete from provider_notifications p using (
  select
    app_id,
    profile_id,
    digest
  from
    provider_notifications
  where
    status <> 'new'
    and received_time < $1::timestamptz - 2592000000 * interval '1 millisecond'
  order by
    received_time
  limit
    $2
  for update
    skip locked
) old
where
  p.app_id = old.app_id
  and p.profile_id = old.profile_id
  and p.digest = old.digest
returning
  p.digest;

-- inbound.verified
update provider_notifications
set
  hints = $4,
  headers = null,
  url = null,
  body = null
where
  app_id = $1
  and profile_id = $2
  and digest = $3
  and status = 'new';

-- insights.any
select
  exists (
    select
    from
      payments p
    where
      p.app_id = $1
  ) as any;

-- insights.latencies
select
  r.profile_id,
  r.bin,
  sum(r.calls)::bigint as calls
from
  latency_rollups r
where
  r.app_id = $1
  and r.bucket_time >= $2
  and r.bucket_time < $3
group by
  r.profile_id,
  r.bin
order by
  r.profile_id,
  r.bin;

-- insights.queued
select
  q.bucket_time
from
  rollup_queue q
where
  q.app_id = $1
  and q.bucket_time >= $2
  and q.bucket_time < $3
order by
  q.bucket_time desc
limit
  8;

-- insights.states
select
  state,
  outcome,
  sum(payments)::bigint as payments,
  sum(refunded)::bigint as refunded
from
  (
    select
      bucket_time,
      currency,
      profile_id,
      method,
      flow,
      state,
      outcome,
      reason,
      payments,
      submitted,
      refunded,
      customers_blocked,
      amount_minor,
      captured_minor,
      refunded_minor,
      fee_minor
    from
      (
        select
          bucket_time,
          currency,
          profile_id,
          method,
          flow,
          state,
          outcome,
          reason,
          payments,
          submitted,
          refunded,
          customers_blocked,
          amount_minor,
          captured_minor,
          refunded_minor,
          fee_minor
        from
          payment_rollups r
        where
          r.app_id = $1
          and r.bucket_time >= $2
          and r.bucket_time < $3
          and r.bucket_time <> all ($4::timestamptz[])
        union all
        select
          bucket_time,
          currency,
          profile_id,
          method,
          flow,
          state,
          outcome,
          reason,
          payments,
          submitted,
          refunded,
          customers_blocked,
          amount_minor,
          captured_minor,
          refunded_minor,
          fee_minor
        from
          (
            select
              date_bin('15 minutes', s.created_time, 'epoch') as bucket_time,
              s.currency,
              coalesce(s.profile_id, 0) as profile_id,
              coalesce(s.method, '') as method,
              s.flow,
              s.state,
              case
                when s.captured_minor > 0 then 'paid'
                when s.state in ('Authorized', 'Capturing', 'ProviderAuthorizedHold', 'CapturedHold') then 'approved'
                when s.state = 'Failed'
                and s.reason = 'authorization_expired' then 'approved'
                when s.state = 'Failed'
                and s.reason = 'fraud_rejected' then 'blocked'
                when s.state = 'Failed'
                and s.reason in ('expired', 'cancelled') then 'ended'
                when s.state in ('Failed', 'Created')
                and s.reason is not null then 'declined'
                else 'open'
              end as outcome,
              coalesce(s.reason, '') as reason,
              count(*) as payments,
              count(*) filter (
                where
                  s.attempt > 0
              ) as submitted,
              count(*) filter (
                where
                  s.refunded_minor > 0
              ) as refunded,
              count(*) filter (
                where
                  s.decision = 'Block'
              ) as customers_blocked,
              sum(s.amount_minor) as amount_minor,
              sum(s.captured_minor) as captured_minor,
              sum(s.refunded_minor) as refunded_minor,
              sum(s.fee_minor) as fee_minor
            from
              unnest($5::timestamptz[], $6::timestamptz[]) l (begin_time, end_time)
              cross join lateral (
                select
                  s.payment_id,
                  s.currency,
                  s.profile_id,
                  s.method,
                  s.flow,
                  s.state,
                  s.reason,
                  s.attempt,
                  s.decision,
                  s.amount_minor,
                  s.captured_minor,
                  s.refunded_minor,
                  s.fee_minor,
                  s.created_time
                from
                  payment_search s
                where
                  s.app_id = $1
                  and s.created_time >= l.begin_time
                  and s.created_time < l.end_time
                offset
                  0
              ) s
            group by
              date_bin('15 minutes', s.created_time, 'epoch'),
              s.currency,
              s.profile_id,
              s.method,
              s.flow,
              s.state,
              outcome,
              s.reason
          ) live
      ) quarters
    where
      $7::bigint is null
      or profile_id = $7
  ) q
group by
  state,
  outcome;

-- insights.sums
with
  sums as materialized (
    select
      width_bucket(bucket_time, $8::timestamptz[]) as slot,
      currency,
      profile_id,
      state,
      outcome,
      reason,
      method,
      flow,
      sum(payments)::bigint as payments,
      sum(submitted)::bigint as submitted,
      sum(refunded)::bigint as refunded,
      sum(customers_blocked)::bigint as customers_blocked,
      sum(amount_minor)::bigint as amount_minor,
      sum(captured_minor)::bigint as captured_minor,
      sum(refunded_minor)::bigint as refunded_minor,
      sum(fee_minor)::bigint as fee_minor
    from
      (
        select
          bucket_time,
          currency,
          profile_id,
          method,
          flow,
          state,
          outcome,
          reason,
          payments,
          submitted,
          refunded,
          customers_blocked,
          amount_minor,
          captured_minor,
          refunded_minor,
          fee_minor
        from
          (
            select
              bucket_time,
              currency,
              profile_id,
              method,
              flow,
              state,
              outcome,
              reason,
              payments,
              submitted,
              refunded,
              customers_blocked,
              amount_minor,
              captured_minor,
              refunded_minor,
              fee_minor
            from
              payment_rollups r
            where
              r.app_id = $1
              and r.bucket_time >= $2
              and r.bucket_time < $3
              and r.bucket_time <> all ($4::timestamptz[])
            union all
            select
              bucket_time,
              currency,
              profile_id,
              method,
              flow,
              state,
              outcome,
              reason,
              payments,
              submitted,
              refunded,
              customers_blocked,
              amount_minor,
              captured_minor,
              refunded_minor,
              fee_minor
            from
              (
                select
                  date_bin('15 minutes', s.created_time, 'epoch') as bucket_time,
                  s.currency,
                  coalesce(s.profile_id, 0) as profile_id,
                  coalesce(s.method, '') as method,
                  s.flow,
                  s.state,
                  case
                    when s.captured_minor > 0 then 'paid'
                    when s.state in ('Authorized', 'Capturing', 'ProviderAuthorizedHold', 'CapturedHold') then 'approved'
                    when s.state = 'Failed'
                    and s.reason = 'authorization_expired' then 'approved'
                    when s.state = 'Failed'
                    and s.reason = 'fraud_rejected' then 'blocked'
                    when s.state = 'Failed'
                    and s.reason in ('expired', 'cancelled') then 'ended'
                    when s.state in ('Failed', 'Created')
                    and s.reason is not null then 'declined'
                    else 'open'
                  end as outcome,
                  coalesce(s.reason, '') as reason,
                  count(*) as payments,
                  count(*) filter (
                    where
                      s.attempt > 0
                  ) as submitted,
                  count(*) filter (
                    where
                      s.refunded_minor > 0
                  ) as refunded,
                  count(*) filter (
                    where
                      s.decision = 'Block'
                  ) as customers_blocked,
                  sum(s.amount_minor) as amount_minor,
                  sum(s.captured_minor) as captured_minor,
                  sum(s.refunded_minor) as refunded_minor,
                  sum(s.fee_minor) as fee_minor
                from
                  unnest($5::timestamptz[], $6::timestamptz[]) l (begin_time, end_time)
                  cross join lateral (
                    select
                      s.payment_id,
                      s.currency,
                      s.profile_id,
                      s.method,
                      s.flow,
                      s.state,
                      s.reason,
                      s.attempt,
                      s.decision,
                      s.amount_minor,
                      s.captured_minor,
                      s.refunded_minor,
                      s.fee_minor,
                      s.created_time
                    from
                      payment_search s
                    where
                      s.app_id = $1
                      and s.created_time >= l.begin_time
                      and s.created_time < l.end_time
                    offset
                      0
                  ) s
                group by
                  date_bin('15 minutes', s.created_time, 'epoch'),
                  s.currency,
                  s.profile_id,
                  s.method,
                  s.flow,
                  s.state,
                  outcome,
                  s.reason
              ) live
          ) quarters
        where
          $7::bigint is null
          or profile_id = $7
      ) q
    group by
      1,
      2,
      3,
      4,
      5,
      6,
      7,
      8
  )
select
  grouping(slot, currency, profile_id, state, reason, method, flow) as grouped,
  slot - 1 as slot,
  currency,
  coalesce(profile_id, 0) as profile_id,
  outcome,
  state,
  reason,
  method,
  flow,
  sum(payments)::bigint as payments,
  sum(submitted)::bigint as submitted,
  sum(refunded)::bigint as refunded,
  sum(customers_blocked)::bigint as customers_blocked,
  sum(amount_minor)::bigint as amount_minor,
  sum(captured_minor)::bigint as captured_minor,
  sum(refunded_minor)::bigint as refunded_minor,
  sum(fee_minor)::bigint as fee_minor
from
  sums
group by
  grouping sets (
    (slot, outcome),
    (currency, profile_id, outcome),
    (state, outcome),
    (reason, outcome),
    (method, outcome),
    (flow, outcome)
  );

-- jobs.due
select
  x.n
from
  json_to_recordset($1) as x (n integer, job text, now timestamptz)
where
  n between 0 and 1000
  and case x.job
    when 'operations' then exists (
      select
      from
        operations
      where
        status in ('open', 'waiting')
        and due_time <= x.now
    )
    when 'alarms' then exists (
      select
      from
        timers
      where
        due_time <= x.now
    )
    when 'second looks' then exists (
      select
      from
        operations
      where
        status = 'not-done'
        and due_time <= x.now
    )
    when 'undos' then exists (
      select
      from
        undos
      where
        status = 'open'
        and due_time <= x.now
    )
    when 'method storings' then exists (
      select
      from
        method_storings
      where
        status = 'open'
        and due_time <= x.now
    )
    when 'notifications' then exists (
      select
      from
        provider_notifications
      where
        status = 'new'
        and due_time <= x.now
    )
    when 'notification removal' then exists (
      select
      from
        provider_notifications
      where
        status <> 'new'
        and received_time < x.now - 2592000000 * interval '1 millisecond'
    )
    or exists (
      select
      from
        provider_notifications
      where
        status <> 'new'
        and body is not null
    )
    when 'idempotency' then exists (
      select
      from
        idempotency_keys
      where
        created_time < x.now - 86400000 * interval '1 millisecond'
    )
    when 'panel' then exists (
      select
      from
        panel_sessions
      where
        expires_time < x.now - 691200000 * interval '1 millisecond'
    )
    or exists (
      select
      from
        method_keepings
      where
        created_time < x.now - 691200000 * interval '1 millisecond'
    )
    when 'host-claims' then exists (
      select
      from
        checkout_host_claims
      where
        due_time <= x.now
    )
    when 'people' then exists (
      select
      from
        person_sessions
      where
        expires_time < x.now
    )
    or exists (
      select
      from
        pending_sign_ins
      where
        expires_time < x.now
    )
    or exists (
      select
      from
        person_links
      where
        expires_time < x.now - 2592000000 * interval '1 millisecond'
    )
    or exists (
      select
      from
        used_challenges
      where
        expires_time < x.now
    )
    or exists (
      select
      from
        sign_in_throttles
      where
        changed_time < x.now - 172800000 * interval '1 millisecond'
    )
    or exists (
      select
      from
        person_networks
      where
        last_used_time < x.now - 15552000000 * interval '1 millisecond'
    )
    or exists (
      select
      from
        person_refunds
      where
        created_time < x.now - 2592000000 * interval '1 millisecond'
    )
    or exists (
      select
      from
        license_visits
      where
        expires_time < x.now - 2592000000 * interval '1 millisecond'
    )
    when 'payment search catch-up' then exists (
      select
      from
        apps a
      where
        not exists (
          select
          from
            payment_search_progress g
          where
            g.app_id = a.app_id
        )
    )
    or exists (
      select
      from
        payment_search_progress g
      where
        g.due_time <= x.now
        and (
          g.backfill_below is not null
          or exists (
            select
            from
              events e
            where
              e.app_id = g.app_id
              and e.created_time > g.event_time
          )
        )
    )
    when 'rollups' then exists (
      select
      from
        rollup_queue q
      where
        q.due_time <= x.now
    )
    when 'method-removals' then exists (
      select
      from
        method_removals
      where
        due_time <= x.now
    )
    when 'customer-activity' then exists (
      select
      from
        customer_activity
      where
        activity_time < x.now - 47520000000 * interval '1 millisecond'
    )
    when 'erasures' then exists (
      select
      from
        erasures
      where
        due_time <= x.now
    )
    when 'retention' then exists (
      select
      from
        apps a
        left join retention_walks w on w.app_id = a.app_id
      where
        a.personal_data_days is not null
        and (
          w.due_time is null
          or w.due_time <= x.now
        )
    )
    when 'webhook retries' then exists (
      select
      from
        deliveries
      where
        status = 'waiting'
        and due_time <= x.now
    )
    or exists (
      select
      from
        deliveries
      where
        lease_token is not null
        and due_time <= x.now
    )
    when 'webhook removal' then exists (
      select
      from
        webhook_endpoints
    )
    or exists (
      select
      from
        apps a
      where
        exists (
          select
          from
            events e
          where
            e.app_id = a.app_id
            and e.created_time < x.now - 2592000000 * interval '1 millisecond'
        )
    )
    or exists (
      select
      from
        delivery_permits
      where
        until_time < x.now
    )
    when 'mail removal' then exists (
      select
      from
        mails
      where
        ended_time < x.now - 2592000000 * interval '1 millisecond'
    )
    or exists (
      select
      from
        mail_days
      where
        day < (x.now - 259200000 * interval '1 millisecond')::date
    )
    when 'API log removal' then exists (
      select
      from
        apps a
      where
        exists (
          select
          from
            api_log l
          where
            l.app_id = a.app_id
            and l.start_time < x.now - 604800000 * interval '1 millisecond'
        )
        or exists (
          select
          from
            api_log_minutes m
          where
            m.app_id = a.app_id
            and m.minute < x.now - 604800000 * interval '1 millisecond'
        )
    )
    when 'provider log removal' then exists (
      select
      from
        apps a
      where
        exists (
          select
          from
            provider_log l
          where
            l.app_id = a.app_id
            and l.start_time < x.now - 2592000000 * interval '1 millisecond'
        )
    )
    when 'page visit removal' then exists (
      select
      from
        apps a
      where
        exists (
          select
          from
            page_visits v
          where
            v.app_id = a.app_id
            and v.visit_time < x.now - 7776000000 * interval '1 millisecond'
        )
    )
    when 'sandbox bank' then exists (
      select
      from
        sandbox_bank.payments
      where
        due_time <= x.now
    )
    or exists (
      select
      from
        sandbox_bank.notifications
      where
        due_time <= x.now
    )
    when 'sandbox bank removal' then exists (
      select
      from
        sandbox_bank.payments
      where
        due_time is null
        and opened_time < x.now - 15552000000 * interval '1 millisecond'
    )
    or exists (
      select
      from
        sandbox_bank.requests
      where
        answered_time < x.now - 2592000000 * interval '1 millisecond'
    )
  end;

-- keepings.find
select
  keeping_key as key,
  customer_id,
  profile_id,
  kind,
  handles,
  consent_text as "consent.text",
  consent_time as "consent.time",
  consent_ip as "consent.ip",
  created_time
from
  method_keepings
where
  app_id = $1
  and keeping_key = $2;

-- keepings.forget
delete from method_keepings
where
  (app_id, keeping_key) in (
    select
      app_id,
      keeping_key
    from
      method_keepings
    where
      created_time < $1::timestamptz - 691200000 * interval '1 millisecond'
    limit
      $2
  )
returning
  app_id;

-- keepings.insert
insert into
  method_keepings (
    app_id,
    keeping_key,
    customer_id,
    profile_id,
    kind,
    consent_text,
    consent_time,
    consent_ip,
    created_time
  )
values
  ($1, $2, $3, $4, $5, $6, $7, $8, $9)
on conflict (app_id, keeping_key) do nothing;

-- keepings.note_handles
update method_keepings
set
  handles = $3
where
  app_id = $1
  and keeping_key = $2;

-- keys.count_active
select
  count(*)::int as count
from
  api_keys
where
  app_id = $1
  and kind = 'app'
  and revoked_time is null
  and (
    expires_time is null
    or expires_time > $2
  );

-- keys.expire
update api_keys
set
  expires_time = least(expires_time, $3)
where
  app_id = $1
  and key_id = $2
  and revoked_time is null
  and (
    expires_time is null
    or expires_time > $4
  )
returning
  key_id,
  name,
  kind,
  hint,
  created_time,
  expires_time,
  revoked_time,
  last_used_time,
  last_used_address,
  created_by,
  scopes;

-- keys.find
select
  key_id,
  name,
  kind,
  hint,
  created_time,
  expires_time,
  revoked_time,
  last_used_time,
  last_used_address,
  created_by,
  scopes
from
  api_keys
where
  app_id = $1
  and key_id = $2;

-- keys.find_license_key
select
  key_id,
  key_hash
from
  api_keys
where
  app_id = $1
  and kind = 'license'
  and revoked_time is null
  and (
    expires_time is null
    or expires_time > $2
  )
order by
  created_time desc,
  key_id
limit
  1;

-- keys.insert
insert into
  api_keys (app_id, key_id, key_hash, name, kind, hint, created_time, expires_time, created_by, scopes)
values
  ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
returning
  key_id,
  name,
  kind,
  hint,
  created_time,
  expires_time,
  revoked_time,
  last_used_time,
  last_used_address,
  created_by,
  scopes;

-- keys.list
select
  key_id,
  name,
  kind,
  hint,
  created_time,
  expires_time,
  revoked_time,
  last_used_time,
  last_used_address,
  created_by,
  scopes
from
  api_keys
where
  app_id = $1
  and (
    $2::text is null
    or (created_time, key_id) > (
      select
        created_time,
        key_id
      from
        api_keys
      where
        app_id = $1
        and key_id = $2
    )
  )
order by
  created_time,
  key_id
limit
  $3;

-- keys.lock_app
select
  app_id
from
  apps
where
  app_id = $1
for no key update;

-- keys.names
select
  key_id,
  name
from
  api_keys
where
  app_id = $1
  and key_id = any ($2::text[]);

-- keys.rename
update api_keys
set
  name = $3
where
  app_id = $1
  and key_id = $2
  and revoked_time is null
returning
  key_id,
  name,
  kind,
  hint,
  created_time,
  expires_time,
  revoked_time,
  last_used_time,
  last_used_address,
  created_by,
  scopes;

-- keys.revoke
update api_keys
set
  revoked_time = coalesce(revoked_time, $3)
where
  app_id = $1
  and key_id = $2
returning
  key_id,
  name,
  kind,
  hint,
  created_time,
  expires_time,
  revoked_time,
  last_used_time,
  last_used_address,
  created_by,
  scopes;

-- licenses.any
select
  license_id
from
  licenses
limit
  1;

-- licenses.delete_grant
delete from license_codes
where
  license_id = $1
  and host = $2
returning
  host;

-- licenses.find_name
select
  name
from
  licenses
where
  license_id = $1;

-- licenses.insert
insert into
  licenses (license_id, name, code_hash, created_time)
values
  ($1, $2, $3, $4);

-- licenses.insert_app
insert into
  apps (app_id, license_id, is_sandbox, friendly_name, webhook_secret, checkout_methods, created_time)
values
  ($1, $2, $3, $4, $5, $6, $7);

-- licenses.list
select
  l.license_id,
  l.name,
  l.created_time,
  exists (
    select
    from
      memberships m
    where
      m.license_id = l.license_id
      and m.role = 'Owner'
  ) as has_owner,
  (
    select
      coalesce(
        json_agg(
          json_build_object('appId', a.app_id, 'name', a.friendly_name, 'isSandbox', a.is_sandbox, 'isActive', a.is_active)
        ),
        '[]'
      )
    from
      (
        select
          *
        from
          apps
        where
          license_id = l.license_id
        order by
          is_sandbox desc
        limit
          10
      ) a
  ) as apps
from
  licenses l
where
  l.license_id > $1
order by
  l.license_id
limit
  $2;

-- licenses.list_apps
select
  app_id,
  is_sandbox
from
  apps
where
  license_id = $1
order by
  is_sandbox desc;

-- licenses.list_codes
select
  code_hash
from
  licenses
where
  license_id = $1
union all
select
  code_hash
from
  license_codes
where
  license_id = $1;

-- licenses.list_grants
select
  host,
  granted_by,
  created_time
from
  license_codes
where
  license_id = $1
order by
  host;

-- licenses.lock
select
  license_id
from
  licenses
where
  license_id = $1
for no key update;

-- licenses.upsert_grant
insert into
  license_codes (license_id, host, code_hash, granted_by, created_time)
values
  ($1, $2, $3, $4, $5)
on conflict (license_id, host) do update
set
  code_hash = excluded.code_hash,
  granted_by = excluded.granted_by,
  created_time = excluded.created_time;

-- links.drop_of_maker
delete from person_links
where
  maker_id = $1
  and kind = 'invitation'
  and used_time is null
  and (
    $2::text is null
    or license_id = $2
  )
returning
  link_id,
  kind,
  email,
  license_id,
  role,
  refund_limits,
  person_id,
  created_by,
  maker_id,
  is_mailed,
  created_time,
  expires_time,
  used_time;

-- links.drop_others_resets
delete from person_links
where
  person_id = $1
  and not is_mailed
  and used_time is null;

-- links.find
select
  link_id,
  kind,
  email,
  license_id,
  role,
  refund_limits,
  person_id,
  created_by,
  maker_id,
  is_mailed,
  created_time,
  expires_time,
  used_time
from
  person_links
where
  link_hash = $1;

-- links.forget
delete from person_links
where
  link_hash in (
    select
      link_hash
    from
      person_links
    where
      expires_time < $1::timestamptz - 2592000000 * interval '1 millisecond'
    limit
      $2
  )
returning
  link_id;

-- links.insert
insert into
  person_links (
    link_hash,
    link_id,
    kind,
    email,
    license_id,
    role,
    refund_limits,
    person_id,
    created_by,
    maker_id,
    is_mailed,
    created_time,
    expires_time
  )
values
  ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
returning
  link_id,
  kind,
  email,
  license_id,
  role,
  refund_limits,
  person_id,
  created_by,
  maker_id,
  is_mailed,
  created_time,
  expires_time,
  used_time;

-- links.open_invitations
select
  link_id,
  kind,
  email,
  license_id,
  role,
  refund_limits,
  person_id,
  created_by,
  maker_id,
  is_mailed,
  created_time,
  expires_time,
  used_time
from
  person_links
where
  license_id = $1
  and kind = 'invitation'
  and used_time is null
  and expires_time > $2
order by
  created_time,
  link_id
limit
  $3;

-- links.replace_invitation
delete from person_links
where
  license_id = $1
  and email = $2
  and kind = 'invitation'
  and used_time is null;

-- links.replace_reset
delete from person_links
where
  person_id = $1
  and kind = $2
  and used_time is null;

-- links.use
update person_links
set
  used_time = $2
where
  link_hash = $1
  and used_time is null
  and expires_time > $2
returning
  link_id,
  kind,
  email,
  license_id,
  role,
  refund_limits,
  person_id,
  created_by,
  maker_id,
  is_mailed,
  created_time,
  expires_time,
  used_time;

-- links.use_invitations
update person_links
set
  used_time = $2
where
  email = $1
  and kind = 'invitation'
  and role <> 'Owner'
  and used_time is null
  and expires_time > $2
returning
  link_id,
  kind,
  email,
  license_id,
  role,
  refund_limits,
  person_id,
  created_by,
  maker_id,
  is_mailed,
  created_time,
  expires_time,
  used_time;

-- links.withdraw
delete from person_links
where
  license_id = $1
  and link_id = $2
  and kind = 'invitation'
  and used_time is null
returning
  link_id,
  kind,
  email,
  license_id,
  role,
  refund_limits,
  person_id,
  created_by,
  maker_id,
  is_mailed,
  created_time,
  expires_time,
  used_time;

-- logs.erase_api
update api_log
set
  query = null,
  request_body = null,
  answer_body = null,
  address = ''
where
  app_id = $1
  and payment_id = any ($2::bigint[]);

-- logs.erase_provider
update provider_log
set
  request_body = null,
  response_body = null
where
  app_id = $1
  and payment_id = any ($2::bigint[]);

-- logs.erase_visits
delete from page_visits
where
  app_id = $1
  and payment_id = any ($2::bigint[]);

-- mails.claim
with
  due as (
    select
      app_id,
      mail_id,
      share_profile
    from
      (
        select
          app_id,
          mail_id,
          share_profile,
          due_time,
          of_profile + row_number() over (
            partition by
              app_id,
              share_profile
            order by
              due_time
          ) as of_profile,
          of_app + row_number() over (
            partition by
              app_id
            order by
              due_time
          ) as of_app
        from
          (
            select
              app_id,
              mail_id,
              due_time,
              null::text as share_profile,
              coalesce(($2::jsonb -> 'profiles' ->> (null::text)::text)::integer, 0) as of_profile,
              coalesce(($2::jsonb -> 'apps' ->> app_id)::integer, 0) as of_app
            from
              mails
            where
              due_time <= $1
              and coalesce(($2::jsonb -> 'profiles' ->> (null::text)::text)::integer, 0) < ($2::jsonb ->> 'perProfile')::integer
              and coalesce(($2::jsonb -> 'apps' ->> app_id)::integer, 0) < ($2::jsonb ->> 'perApp')::integer
              and (
                $2::jsonb ->> 'app' is null
                or app_id = $2::jsonb ->> 'app'
              )
            order by
              due_time
            limit
              200
            for update
              skip locked
          ) due
      ) shared
    where
      of_profile <= ($2::jsonb ->> 'perProfile')::integer
      and of_app <= ($2::jsonb ->> 'perApp')::integer
    order by
      of_profile,
      due_time
    limit
      ($2::jsonb ->> 'limit')::integer
  )
update mails m
set
  due_time = $3,
  lease_token = $4
from
  due
where
  m.app_id = due.app_id
  and m.mail_id = due.mail_id
returning
  m.app_id,
  null as profile_id,
  m.mail_id,
  m.kind,
  m.tries,
  m.expires_time,
  m.content,
  m.lease_token;

-- mails.end
update mails
set
  status = $4,
  due_time = $5,
  last_error = $6,
  tries = tries + 1,
  lease_token = null,
  content = case
    when $4 = 'waiting' then content
  end,
  ended_time = case
    when $4 = 'waiting' then null
    else $7::timestamptz
  end
where
  app_id = $1
  and mail_id = $2
  and lease_token = $3
returning
  mail_id;

-- mails.erase
delete from mails
where
  app_id = $1
  and customer_id = $2
  and due_time is not null;

-- mails.find_key
select
  sealed
from
  installation_keys
where
  purpose = $1;

-- mails.has_member
select
  exists (
    select
    from
      memberships m
      join people p on p.person_id = m.person_id
    where
      m.license_id = $1
      and not p.is_disabled
      and (
        lower(p.email) = any ($2::text[])
        or split_part(lower(p.email), '@', 2) = $3::text
      )
  ) as is_found;

-- mails.isOptedOut
select
  exists (
    select
    from
      mail_opt_outs
    where
      app_id = $1
      and address_hash = any ($2::bytea[])
  ) as found;

-- mails.optOut
insert into
  mail_opt_outs (app_id, address_hash, created_time)
values
  ($1, $2, $3)
on conflict do nothing;

-- mails.queue
with
  counted as (
    insert into
      mail_days as d (app_id, day, count)
    select
      $1,
      ($5::timestamptz at time zone 'UTC')::date,
      1
    where
      $8::integer is not null
      and not exists (
        select
        from
          mails
        where
          app_id = $1
          and mail_id = $2
      )
    on conflict (app_id, day) do update
    set
      count = d.count + 1
    where
      d.count < $8::integer
    returning
      d.count
  ),
  queued as (
    insert into
      mails (app_id, mail_id, kind, customer_id, queued_time, expires_time, due_time, content)
    select
      $1,
      $2,
      $3,
      $4,
      $5,
      $6,
      $5,
      $7
    where
      $8::integer is null
      or exists (
        select
        from
          counted
      )
    on conflict (app_id, mail_id) do nothing
    returning
      mail_id
  )
select
  exists (
    select
    from
      queued
  ) as is_queued,
  (
    select
      count
    from
      counted
  ) as count;

-- mails.remove
delete from mails
where
  (app_id, mail_id) in (
    select
      app_id,
      mail_id
    from
      mails
    where
      ended_time < $1::timestamptz - 2592000000 * interval '1 millisecond'
    limit
      $2
  )
returning
  mail_id;

-- mails.remove_days
delete from mail_days
where
  (app_id, day) in (
    select
      app_id,
      day
    from
      mail_days
    where
      day < ($1::timestamptz - 259200000 * interval '1 millisecond')::date
    limit
      $2
  )
returning
  app_id;

-- mails.store_key
insert into
  installation_keys (purpose, sealed)
values
  ($1, $2)
on conflict do nothing;

-- memberships.count
select
  count(*)::int as count
from
  memberships
where
  license_id = $1;

-- memberships.count_owners
select
  count(*)::int as count
from
  memberships m
  join people p using (person_id)
where
  m.license_id = $1
  and m.role = 'Owner'
  and not p.is_disabled;

-- memberships.delete
delete from memberships
where
  license_id = $1
  and person_id = $2
returning
  person_id;

-- memberships.find
select
  license_id,
  role,
  refund_limits
from
  memberships
where
  license_id = $1
  and person_id = $2;

-- memberships.first_license
select
  license_id
from
  licenses
order by
  created_time,
  license_id
limit
  1;

-- memberships.insert
insert into
  memberships (license_id, person_id, role, refund_limits, created_time)
values
  ($1, $2, $3, $4, $5)
on conflict (license_id, person_id) do nothing
returning
  person_id;

-- memberships.list
select
  p.person_id,
  p.email,
  p.name,
  p.theme,
  p.language,
  p.time_zone,
  p.has_shortcuts,
  p.is_operator,
  p.is_disabled,
  p.password_hash is not null as has_password,
  p.totp_enabled_time is not null as has_totp,
  p.verified_time is not null as is_verified,
  p.access_version,
  p.created_time,
  p.last_seen_time,
  m.license_id,
  m.role,
  m.refund_limits,
  m.created_time as member_since
from
  memberships m
  join people p using (person_id)
where
  m.license_id = $1
order by
  m.created_time,
  p.person_id
limit
  $2;

-- memberships.lock_license
select
  license_id
from
  licenses
where
  license_id = $1
for no key update;

-- memberships.of_person
select
  license_id,
  role,
  refund_limits
from
  memberships
where
  person_id = $1
order by
  license_id;

-- memberships.owned
select
  license_id
from
  memberships
where
  person_id = $1
  and role = 'Owner'
order by
  license_id
limit
  1;

-- memberships.update
update memberships
set role = $3,
refund_limits = $4
where
  license_id = $1
  and person_id = $2
returning
  person_id;

-- methodStorings.claimDue
update method_storings
set
  lease_token = $3,
  due_time = $4
where
  (app_id, attempt_key) in (
    select
      app_id,
      attempt_key
    from
      (
        select
          app_id,
          attempt_key,
          share_profile
        from
          (
            select
              app_id,
              attempt_key,
              share_profile,
              due_time,
              of_profile + row_number() over (
                partition by
                  app_id,
                  share_profile
                order by
                  due_time
              ) as of_profile,
              of_app + row_number() over (
                partition by
                  app_id
                order by
                  due_time
              ) as of_app
            from
              (
                select
                  app_id,
                  attempt_key,
                  due_time,
                  profile_id as share_profile,
                  coalesce(($2::jsonb -> 'profiles' ->> (profile_id)::text)::integer, 0) as of_profile,
                  coalesce(($2::jsonb -> 'apps' ->> app_id)::integer, 0) as of_app
                from
                  method_storings
                where
                  status = 'open'
                  and due_time <= $1
                  and coalesce(($2::jsonb -> 'profiles' ->> (profile_id)::text)::integer, 0) < ($2::jsonb ->> 'perProfile')::integer
                  and coalesce(($2::jsonb -> 'apps' ->> app_id)::integer, 0) < ($2::jsonb ->> 'perApp')::integer
                  and (
                    $2::jsonb ->> 'app' is null
                    or app_id = $2::jsonb ->> 'app'
                  )
                order by
                  due_time
                limit
                  200
                for update
                  skip locked
              ) due
          ) shared
        where
          of_profile <= ($2::jsonb ->> 'perProfile')::integer
          and of_app <= ($2::jsonb ->> 'perApp')::integer
        order by
          of_profile,
          due_time
        limit
          ($2::jsonb ->> 'limit')::integer
      ) claimed
  )
returning
  app_id,
  attempt_key,
  payment_id,
  profile_id,
  tries,
  created_time,
  lease_token;

-- methodStorings.claimOne
update method_storings
set
  lease_token = $4,
  due_time = $5
where
  app_id = $1
  and attempt_key = $2
  and status = 'open'
  and (
    due_time <= $3
    or lease_token is null
  )
returning
  app_id,
  attempt_key,
  payment_id,
  profile_id,
  tries,
  created_time,
  lease_token;

-- methodStorings.close
update method_storings
set
  status = $4,
  due_time = null,
  tries = tries + 1,
  lease_token = null
where
  app_id = $1
  and attempt_key = $2
  and lease_token = $3
  and status = 'open';

-- methodStorings.open
insert into
  method_storings (app_id, attempt_key, payment_id, profile_id, status, created_time, due_time)
values
  ($1, $2, $3, $4, 'open', $5, $6)
on conflict do nothing;

-- methodStorings.postpone
update method_storings
set
  due_time = $4,
  tries = tries + 1,
  lease_token = null
where
  app_id = $1
  and attempt_key = $2
  and lease_token = $3
  and status = 'open';

-- methodStorings.shift
update method_storings
set
  due_time = due_time - $2 * interval '1 millisecond'
where
  app_id = $1
  and status = 'open';

-- methods.clear_default
update payment_methods
set
  is_default = false
where
  app_id = $1
  and customer_id = $2
  and is_default
  and removed_time is null;

-- methods.insert
insert into
  payment_methods (app_id, customer_id, kind, label, fingerprint, card, is_default, verification_state, created_time)
values
  ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning
  payment_method_id;

-- methods.insert_token
insert into
  payment_method_tokens (app_id, payment_method_id, profile_id, token, created_time)
values
  ($1, $2, $3, $4, $5)
returning
  token_id;

-- methods.list_all
select
  m.payment_method_id,
  m.kind,
  m.label,
  m.fingerprint,
  m.card,
  m.nickname,
  m.is_default,
  m.verification_state,
  m.created_time,
  m.removed_time,
  t.token_id as "token.tokenId",
  t.profile_id as "token.profileId",
  t.token as "token.token",
  t.removed_time as "token.removedTime",
  t.currency as "registeredIn.currency",
  t.currency_time as "registeredIn.time"
from
  payment_methods m
  left join payment_method_tokens t on t.app_id = m.app_id
  and t.payment_method_id = m.payment_method_id
where
  m.app_id = $1
  and m.customer_id = $2
order by
  m.payment_method_id desc,
  t.token_id desc
limit
  1000;

-- methods.list_live
select
  m.payment_method_id,
  m.kind,
  m.label,
  m.fingerprint,
  m.card,
  m.nickname,
  m.is_default,
  m.verification_state,
  m.created_time,
  m.removed_time,
  t.token_id as "token.tokenId",
  t.profile_id as "token.profileId",
  t.token as "token.token",
  t.removed_time as "token.removedTime",
  t.currency as "registeredIn.currency",
  t.currency_time as "registeredIn.time"
from
  payment_methods m
  left join payment_method_tokens t on t.app_id = m.app_id
  and t.payment_method_id = m.payment_method_id
  and t.removed_time is null
where
  m.app_id = $1
  and m.customer_id = $2
  and m.removed_time is null
order by
  m.payment_method_id desc,
  t.token_id desc
limit
  1000;

-- methods.lock_customer
select
  customer_id
from
  customers
where
  app_id = $1
  and customer_id = $2
for no key update;

-- methods.note_currency
update payment_method_tokens
set
  currency = $3,
  currency_time = $4
where
  app_id = $1
  and token_id = $2
  and (
    currency_time is null
    or currency_time < $4
  );

-- methods.record_consent
update payment_methods
set
  consent_text = $3,
  consent_time = $4,
  consent_ip = $5
where
  app_id = $1
  and payment_method_id = $2;

-- methods.refresh
update payment_methods
set
  label = $3,
  card = $4
where
  app_id = $1
  and payment_method_id = $2;

-- methods.remove
with
  method as (
    update payment_methods
    set
      removed_time = $4,
      is_default = false
    where
      app_id = $1
      and customer_id = $2
      and payment_method_id = $3
      and removed_time is null
    returning
      app_id,
      payment_method_id
  ),
  tokens as (
    update payment_method_tokens t
    set
      removed_time = $4
    from
      method m
    where
      t.app_id = m.app_id
      and t.payment_method_id = m.payment_method_id
      and t.removed_time is null
  )
select
  payment_method_id
from
  method;

-- methods.remove_token
update payment_method_tokens t
set
  removed_time = $4
from
  payment_methods m
where
  t.app_id = $1
  and t.token_id = $3
  and t.removed_time is null
  and m.app_id = t.app_id
  and m.payment_method_id = t.payment_method_id
  and m.customer_id = $2
  and m.removed_time is null
returning
  t.token_id;

-- methods.replace_token
update payment_method_tokens
set
  token = $3
where
  app_id = $1
  and token_id = $2;

-- methods.set_default
update payment_methods
set
  is_default = true
where
  app_id = $1
  and customer_id = $2
  and payment_method_id = $3
  and removed_time is null;

-- methods.set_verification
update payment_methods
set
  verification_state = $3
where
  app_id = $1
  and payment_method_id = $2;

-- methods.token
select
  token
from
  payment_method_tokens
where
  app_id = $1
  and token_id = $2;

-- movements.list
select
  sealed
from
  provider_movements
where
  app_id = $1
  and attempt_key = $2
order by
  movement;

-- movements.note
insert into
  provider_movements (app_id, attempt_key, movement, received_time, sealed)
select
  $1,
  $2,
  $3,
  $4,
  $5
where
  (
    select
      count(*)
    from
      provider_movements
    where
      app_id = $1
      and attempt_key = $2
  ) < 200
on conflict do nothing;

-- notices.activity
with
  page as materialized (
    select
      y.app_id,
      y.activity_time,
      y.activity_id,
      y.type,
      y.customer_id,
      y.data
    from
      customer_activity y
    where
      y.app_id = $1
      and y.activity_time >= $2
      and (y.activity_time, y.activity_id) > ($2, $3)
      and y.activity_time <= $4
    order by
      y.activity_time,
      y.activity_id
    limit
      $5
  )
select
  y.activity_time as "position.time",
  y.activity_id as "position.id",
  0 as "position.part",
  y.type,
  y.customer_id,
  m.label,
  m.email,
  m.language
from
  page y
  left join lateral (
    select
      m.label,
      c.email,
      (
        select
          v.language
        from
          (
            select
              q.payment_id
            from
              payments q
            where
              q.app_id = y.app_id
              and q.customer_id = y.customer_id
            order by
              q.payment_id desc
            limit
              20
          ) q
          join page_visits v on v.app_id = y.app_id
          and v.payment_id = q.payment_id
        order by
          q.payment_id desc,
          v.visit_time desc
        limit
          1
      ) as language
    from
      customers c
      join payment_methods m on m.app_id = c.app_id
      and m.customer_id = c.customer_id
    where
      c.app_id = y.app_id
      and c.customer_id = y.customer_id
      and m.payment_method_id = coalesce(
        (y.data ->> 'paymentMethodId')::bigint,
        (
          select
            t.payment_method_id
          from
            payment_method_tokens t
          where
            t.app_id = y.app_id
            and t.token_id = (y.data ->> 'paymentMethodProviderProfileId')::bigint
        )
      )
  ) m on y.type in ('MethodAdded', 'MethodRemoved')
order by
  y.activity_time,
  y.activity_id;

-- notices.authorisations
select
  p.payment_id,
  coalesce(nullif(s.order_id, ''), p.reference_id) as reference,
  p.amount_minor,
  p.currency,
  p.authorised_until as until
from
  (
    select
      app_id,
      payment_id,
      order_id
    from
      payment_search
    where
      app_id = $1
      and state in ('Authorized', 'ProviderAuthorizedHold')
    order by
      created_time,
      payment_id
    limit
      $4
  ) s
  join payments p on p.app_id = s.app_id
  and p.payment_id = s.payment_id
where
  p.state in ('Authorized', 'ProviderAuthorizedHold')
  and p.authorised_until > $2
  and p.authorised_until <= $3
order by
  p.authorised_until,
  p.payment_id;

-- notices.begin
insert into
  mail_walks (app_id, source, position_time, due_time)
select
  a.app_id,
  s.source,
  $1::timestamptz + (a.clock_offset_ms - $2::bigint) * interval '1 millisecond',
  $1
from
  apps a
  cross join lateral (
    values
      (
        'events',
        a.payer_mails && '{receipt,refund,payment-failed}'
        or a.refund_emails <> '{}'
      ),
      (
        'late-events',
        a.payer_mails && '{receipt,refund,payment-failed}'
        or a.refund_emails <> '{}'
      ),
      ('activity', a.payer_mails && '{method-added,method-removed}'),
      ('late-activity', a.payer_mails && '{method-added,method-removed}'),
      ('cards', 'card-expiring' = any (a.payer_mails)),
      (
        'authorisations',
        'authorisations-ending' = any (a.team_mails)
        and (
          not a.is_sandbox
          or a.team_addresses <> '{}'
        )
      )
  ) s (source, is_on)
where
  a.is_active
  and s.is_on
  and not exists (
    select
    from
      mail_walks w
    where
      w.app_id = a.app_id
      and w.source = s.source
  )
order by
  a.app_id,
  s.source
on conflict do nothing;

-- notices.cards
select
  $5::timestamptz as "position.time",
  m.payment_method_id as "position.id",
  0 as "position.part",
  m.customer_id,
  m.label,
  (m.card ->> 'expiryMonth')::integer as month,
  (m.card ->> 'expiryYear')::integer as year,
  case
    when soon.is_soon then c.email
  end as email,
  case
    when soon.is_soon then (
      select
        v.language
      from
        (
          select
            q.payment_id
          from
            payments q
          where
            q.app_id = m.app_id
            and q.customer_id = m.customer_id
          order by
            q.payment_id desc
          limit
            20
        ) q
        join page_visits v on v.app_id = m.app_id
        and v.payment_id = q.payment_id
      order by
        q.payment_id desc,
        v.visit_time desc
      limit
        1
    )
  end as language
from
  (
    select
      app_id,
      payment_method_id,
      customer_id,
      label,
      card,
      removed_time
    from
      payment_methods
    where
      app_id = $1
      and payment_method_id > $2
    order by
      payment_method_id
    limit
      $3
  ) m
  cross join lateral (
    select
      m.removed_time is null
      and (m.card ->> 'expiryYear')::integer * 12 + (m.card ->> 'expiryMonth')::integer between $4::integer and $4::integer + 1 as is_soon
  ) soon
  left join customers c on c.app_id = m.app_id
  and c.customer_id = m.customer_id
order by
  m.payment_method_id;

-- notices.claim
with
  due as (
    select
      w.app_id,
      w.source
    from
      mail_walks w
    where
      w.due_time <= $1::timestamptz
    order by
      w.due_time
    limit
      $3
    for update
      skip locked
  )
update mail_walks w
set
  due_time = $2
from
  due
  join apps a
  cross join lateral (
    values
      (
        'events',
        a.payer_mails && '{receipt,refund,payment-failed}'
        or a.refund_emails <> '{}'
      ),
      (
        'late-events',
        a.payer_mails && '{receipt,refund,payment-failed}'
        or a.refund_emails <> '{}'
      ),
      ('activity', a.payer_mails && '{method-added,method-removed}'),
      ('late-activity', a.payer_mails && '{method-added,method-removed}'),
      ('cards', 'card-expiring' = any (a.payer_mails)),
      (
        'authorisations',
        'authorisations-ending' = any (a.team_mails)
        and (
          not a.is_sandbox
          or a.team_addresses <> '{}'
        )
      )
  ) s (source, is_on) on true
where
  a.app_id = due.app_id
  and s.source = due.source
  and w.app_id = due.app_id
  and w.source = due.source
returning
  w.app_id,
  w.source,
  s.is_on
  and a.is_active as is_on,
  w.position_time as "position.time",
  w.position_id as "position.id",
  w.position_part as "position.part",
  $1::timestamptz + a.clock_offset_ms * interval '1 millisecond' as app_time;

-- notices.end
delete from mail_walks
where
  app_id = $1
  and source = $2;

-- notices.endpoints
select
  e.app_id,
  e.endpoint,
  e.url,
  e.failing_time as since,
  e.last_error as error,
  e.disabled_time is not null as is_disabled,
  'endpoint-failing:' || md5(e.endpoint) || ':' || to_char(($1)::timestamptz at time zone 'UTC', 'YYYY-MM-DD') as occasion
from
  webhook_endpoints e
  join apps a on a.app_id = e.app_id
where
  (
    e.disabled_time is not null
    or e.failing_time + a.clock_offset_ms * interval '-1 millisecond' < ($1)::timestamptz - interval '10 minutes'
  )
  and (
    e.endpoint <> ''
    or e.url = split_part(split_part(a.payment_webhook_url, '?', 1), '#', 1)
  )
  and a.is_active
  and 'endpoint-failing' = any (a.team_mails)
  and (
    not a.is_sandbox
    or a.team_addresses <> '{}'
  )
  and not exists (
    select
    from
      mails m
    where
      m.app_id = e.app_id
      and m.mail_id >= 'endpoint-failing:' || md5(e.endpoint) || ':' || to_char(($1)::timestamptz at time zone 'UTC', 'YYYY-MM-DD') || ':'
      and m.mail_id < 'endpoint-failing:' || md5(e.endpoint) || ':' || to_char(($1)::timestamptz at time zone 'UTC', 'YYYY-MM-DD') || ';'
  )
order by
  e.failing_time
limit
  $2;

-- notices.events
with
  page as materialized (
    select
      e.app_id,
      e.created_time,
      e.payment_id,
      e.sequence,
      e.state,
      e.body
    from
      events e
    where
      e.app_id = $1
      and (e.created_time, e.payment_id, e.sequence) > ($2, $3, $4)
      and e.created_time <= $5
    order by
      e.created_time,
      e.payment_id,
      e.sequence
    limit
      $6
  )
select
  e.created_time as "position.time",
  e.payment_id as "position.id",
  e.sequence as "position.part",
  more.body,
  more.before,
  more.customer_id,
  more.email,
  more.language
from
  page e
  left join lateral (
    select
      e.body,
      p.customer_id,
      c.email,
      (
        select
          b.body
        from
          events b
        where
          b.app_id = e.app_id
          and b.payment_id = e.payment_id
          and b.sequence < e.sequence
        order by
          b.sequence desc
        limit
          1
      ) as before,
      coalesce(
        (
          select
            v.language
          from
            page_visits v
          where
            v.app_id = e.app_id
            and v.payment_id = e.payment_id
          order by
            v.visit_time desc
          limit
            1
        ),
        (
          select
            v.language
          from
            (
              select
                q.payment_id
              from
                payments q
              where
                q.app_id = e.app_id
                and q.customer_id = p.customer_id
              order by
                q.payment_id desc
              limit
                20
            ) q
            join page_visits v on v.app_id = e.app_id
            and v.payment_id = q.payment_id
          order by
            q.payment_id desc,
            v.visit_time desc
          limit
            1
        )
      ) as language
    from
      payments p
      left join customers c on c.app_id = p.app_id
      and c.customer_id = p.customer_id
    where
      p.app_id = e.app_id
      and p.payment_id = e.payment_id
  ) more on e.state in ('Captured', 'Refunded', 'Failed')
order by
  e.created_time,
  e.payment_id,
  e.sequence;

-- notices.keys
with
  told as (
    update api_keys k
    set
      told_time = $1
    where
      (k.app_id, k.key_id) in (
        select
          app_id,
          key_id
        from
          api_keys
        where
          created_by is not null
          and told_time is null
          and created_time <= $1::timestamptz
        order by
          created_time
        limit
          $2
        for update
          skip locked
      )
    returning
      k.app_id,
      k.key_id,
      k.name,
      k.hint,
      k.created_time,
      k.created_by
  )
select
  t.key_id,
  t.name,
  t.hint,
  t.created_time,
  a.friendly_name as app,
  p.email,
  p.language
from
  told t
  join apps a on a.app_id = t.app_id
  left join people p on p.person_id = t.created_by
order by
  t.created_time,
  t.key_id;

-- notices.languages
select
  i.address,
  p.language
from
  unnest($1::text[]) as i (address)
  left join people p on p.email = lower(i.address)
order by
  1;

-- notices.owners
select
  p.email as address,
  p.language
from
  memberships m
  join people p on p.person_id = m.person_id
where
  m.license_id = $1
  and m.role = 'Owner'
  and not p.is_disabled
order by
  1
limit
  $2;

-- notices.profiles
select
  h.app_id,
  h.profile_id,
  p.name,
  h.says,
  'provider-degraded:' || h.profile_id || ':' || to_char(($1)::timestamptz at time zone 'UTC', 'YYYY-MM-DD') as occasion
from
  profile_health h
  join apps a on a.app_id = h.app_id
  join payment_profiles p on p.app_id = h.app_id
  and p.profile_id = h.profile_id
where
  h.failures >= 2
  and p.is_active
  and a.is_active
  and 'provider-degraded' = any (a.team_mails)
  and (
    not a.is_sandbox
    or a.team_addresses <> '{}'
  )
  and not exists (
    select
    from
      mails m
    where
      m.app_id = h.app_id
      and m.mail_id >= 'provider-degraded:' || h.profile_id || ':' || to_char(($1)::timestamptz at time zone 'UTC', 'YYYY-MM-DD') || ':'
      and m.mail_id < 'provider-degraded:' || h.profile_id || ':' || to_char(($1)::timestamptz at time zone 'UTC', 'YYYY-MM-DD') || ';'
  )
order by
  h.app_id,
  h.profile_id
limit
  $2;

-- notices.save
update mail_walks
set
  position_time = $3,
  position_id = $4,
  position_part = $5,
  due_time = $6
where
  app_id = $1
  and source = $2;

-- operations.byKey
select
  i.n,
  f.*
from
  json_to_recordset($1) as i (n integer, app text, key text)
  cross join lateral (
    select
      app_id,
      operation_key as key,
      payment_id,
      step,
      attempt,
      profile_id,
      method,
      amount_minor,
      status,
      tries,
      created_time,
      lease_token,
      handles,
      description
    from
      operations
    where
      app_id = i.app
      and operation_key = i.key
    offset
      0
  ) f;

-- operations.byLookup
select
  i.n,
  f.*
from
  json_to_recordset($1) as i (n integer, app text, profile bigint, lookup text)
  cross join lateral (
    select
      a.operation_key as key
    from
      operations o
      join operations a on a.app_id = o.app_id
      and a.payment_id = o.payment_id
      and a.attempt = o.attempt
      and a.step in ('start', 'charge')
    where
      o.app_id = i.app
      and o.profile_id = i.profile
      and o.handles ->> 'lookup' = i.lookup
    order by
      o.created_time desc
    limit
      1
    offset
      0
  ) f;

-- operations.byRequestKey
select
  step,
  amount_minor,
  request_key
from
  operations
where
  app_id = $1
  and payment_id = $2
  and request_key = $3;

-- operations.claimDue
update operations
set
  lease_token = $3,
  due_time = $4
where
  (app_id, operation_key) in (
    select
      app_id,
      operation_key
    from
      (
        select
          app_id,
          operation_key,
          share_profile
        from
          (
            select
              app_id,
              operation_key,
              share_profile,
              due_time,
              of_profile + row_number() over (
                partition by
                  app_id,
                  share_profile
                order by
                  due_time
              ) as of_profile,
              of_app + row_number() over (
                partition by
                  app_id
                order by
                  due_time
              ) as of_app
            from
              (
                select
                  app_id,
                  operation_key,
                  due_time,
                  profile_id as share_profile,
                  coalesce(($2::jsonb -> 'profiles' ->> (profile_id)::text)::integer, 0) as of_profile,
                  coalesce(($2::jsonb -> 'apps' ->> app_id)::integer, 0) as of_app
                from
                  operations
                where
                  status in ('open', 'waiting')
                  and due_time <= $1
                  and coalesce(($2::jsonb -> 'profiles' ->> (profile_id)::text)::integer, 0) < ($2::jsonb ->> 'perProfile')::integer
                  and coalesce(($2::jsonb -> 'apps' ->> app_id)::integer, 0) < ($2::jsonb ->> 'perApp')::integer
                  and (
                    $2::jsonb ->> 'app' is null
                    or app_id = $2::jsonb ->> 'app'
                  )
                order by
                  due_time
                limit
                  200
                for update
                  skip locked
              ) due
          ) shared
        where
          of_profile <= ($2::jsonb ->> 'perProfile')::integer
          and of_app <= ($2::jsonb ->> 'perApp')::integer
        order by
          of_profile,
          due_time
        limit
          ($2::jsonb ->> 'limit')::integer
      ) claimed
  )
returning
  app_id,
  operation_key as key,
  payment_id,
  step,
  attempt,
  profile_id,
  method,
  amount_minor,
  status,
  tries,
  created_time,
  lease_token,
  handles,
  description;

-- operations.claimOne
update operations
set
  lease_token = $4,
  due_time = $5
where
  app_id = $1
  and operation_key = $2
  and status in ('open', 'waiting')
  and (
    due_time <= $3
    or lease_token is null
  )
returning
  app_id,
  operation_key as key,
  payment_id,
  step,
  attempt,
  profile_id,
  method,
  amount_minor,
  status,
  tries,
  created_time,
  lease_token,
  handles,
  description;

-- operations.claimSecondLooks
update operations
set
  due_time = $3
where
  (app_id, operation_key) in (
    select
      app_id,
      operation_key
    from
      (
        select
          app_id,
          operation_key,
          share_profile
        from
          (
            select
              app_id,
              operation_key,
              share_profile,
              due_time,
              of_profile + row_number() over (
                partition by
                  app_id,
                  share_profile
                order by
                  due_time
              ) as of_profile,
              of_app + row_number() over (
                partition by
                  app_id
                order by
                  due_time
              ) as of_app
            from
              (
                select
                  app_id,
                  operation_key,
                  due_time,
                  profile_id as share_profile,
                  coalesce(($2::jsonb -> 'profiles' ->> (profile_id)::text)::integer, 0) as of_profile,
                  coalesce(($2::jsonb -> 'apps' ->> app_id)::integer, 0) as of_app
                from
                  operations
                where
                  status = 'not-done'
                  and due_time <= $1
                  and coalesce(($2::jsonb -> 'profiles' ->> (profile_id)::text)::integer, 0) < ($2::jsonb ->> 'perProfile')::integer
                  and coalesce(($2::jsonb -> 'apps' ->> app_id)::integer, 0) < ($2::jsonb ->> 'perApp')::integer
                  and (
                    $2::jsonb ->> 'app' is null
                    or app_id = $2::jsonb ->> 'app'
                  )
                order by
                  due_time
                limit
                  200
                for update
                  skip locked
              ) due
          ) shared
        where
          of_profile <= ($2::jsonb ->> 'perProfile')::integer
          and of_app <= ($2::jsonb ->> 'perApp')::integer
        order by
          of_profile,
          due_time
        limit
          ($2::jsonb ->> 'limit')::integer
      ) claimed
  )
returning
  app_id,
  profile_id,
  operation_key as key,
  created_time;

-- operations.lastOfAttempt
select
  app_id,
  operation_key as key,
  payment_id,
  step,
  attempt,
  profile_id,
  method,
  amount_minor,
  status,
  tries,
  created_time,
  lease_token,
  handles,
  description
from
  operations
where
  app_id = $1
  and payment_id = $2
  and attempt = $3
  and step in ('start', 'resume', 'charge')
order by
  created_time desc,
  step
limit
  1;

-- operations.open
select
  i.n,
  f.*
from
  json_to_recordset($1) as i (n integer, app text, payment bigint)
  cross join lateral (
    select
      app_id,
      operation_key as key,
      payment_id,
      step,
      attempt,
      profile_id,
      method,
      amount_minor,
      status,
      tries,
      created_time,
      lease_token,
      handles,
      description
    from
      operations
    where
      app_id = i.app
      and payment_id = i.payment
      and status in ('open', 'waiting')
    offset
      0
  ) f;

-- operations.planSecondLook
update operations
set
  due_time = $3
where
  app_id = $1
  and operation_key = $2
  and status = 'not-done';

-- operations.postpone
update operations
set
  due_time = $4,
  tries = tries + 1,
  lease_token = null,
  outcome = $5
where
  app_id = $1
  and operation_key = $2
  and lease_token = $3
  and status in ('open', 'waiting')
returning
  operation_key;

-- operations.refundDone
select
  1 as found
from
  operations
where
  app_id = $1
  and payment_id = $2
  and step = 'refund'
  and status = 'done'
  and amount_minor = $3
limit
  1;

-- operations.running
select
  step,
  amount_minor,
  request_key
from
  operations
where
  app_id = $1
  and payment_id = $2
  and status in ('open', 'waiting');

-- operations.saveHandles
update operations
set
  handles = $4
where
  app_id = $1
  and operation_key = $2
  and lease_token = $3
  and status = 'open'
returning
  operation_key;

-- operations.shift
update operations
set
  due_time = due_time - $2 * interval '1 millisecond'
where
  app_id = $1
  and due_time is not null;

-- panel.end
update panel_sessions
set
  expires_time = $3
where
  app_id = $1
  and session_hash = $2
  and expires_time > $3;

-- panel.extend
update panel_sessions
set
  expires_time = $3
where
  app_id = $1
  and session_hash = $2
  and expires_time < $3;

-- panel.find
select
  session_hash,
  link_hash,
  link_grant as
grant,
expires_time
from
  panel_sessions
where
  app_id = $1
  and session_hash = $2;

-- panel.forget
delete from panel_sessions
where
  (app_id, session_hash) in (
    select
      app_id,
      session_hash
    from
      panel_sessions
    where
      expires_time < $1::timestamptz - 691200000 * interval '1 millisecond'
    limit
      $2
  )
returning
  app_id;

-- panel.insert
insert into
  panel_sessions (app_id, session_hash, link_hash, customer_id, link_grant, expires_time)
values
  ($1, $2, $3, $4, $5, $6)
on conflict (app_id, link_hash) do nothing
returning
  customer_id;

-- panel.take_try
update panel_sessions
set
  tries = tries + 1
where
  app_id = $1
  and session_hash = $2
  and tries < $3
returning
  tries;

-- passkeys.delete
delete from passkeys
where
  person_id = $1
  and credential_id = $2
returning
  credential_id;

-- passkeys.delete_all
delete from passkeys
where
  person_id = $1;

-- passkeys.find
select
  credential_id,
  person_id,
  public_key,
  counter,
  transports,
  name,
  is_synced,
  created_time,
  last_used_time,
  (
    select
      access_version
    from
      people p
    where
      p.person_id = k.person_id
  )
from
  passkeys k
where
  credential_id = $1;

-- passkeys.forget_challenges
delete from used_challenges
where
  challenge_hash in (
    select
      challenge_hash
    from
      used_challenges
    where
      expires_time < $1::timestamptz
    limit
      $2
  )
returning
  expires_time;

-- passkeys.insert
insert into
  passkeys (credential_id, person_id, public_key, counter, transports, name, is_synced, created_time)
values
  ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict (credential_id) do nothing
returning
  credential_id,
  person_id,
  public_key,
  counter,
  transports,
  name,
  is_synced,
  created_time,
  last_used_time;

-- passkeys.list
select
  credential_id,
  person_id,
  public_key,
  counter,
  transports,
  name,
  is_synced,
  created_time,
  last_used_time
from
  passkeys
where
  person_id = $1
order by
  created_time,
  credential_id;

-- passkeys.use
update passkeys
set
  counter = greatest(counter, $2),
  last_used_time = $3
where
  credential_id = $1
returning
  credential_id;

-- passkeys.use_challenge
insert into
  used_challenges (challenge_hash, expires_time)
values
  ($1, $2)
on conflict (challenge_hash) do nothing
returning
  expires_time;

-- payments.byAttempt
select
  i.n,
  f.*
from
  json_to_recordset($1) as i (n integer, app text, profile bigint, key text)
  cross join lateral (
    select
      app_id,
      payment_id,
      version,
      flow,
      reference_id,
      payment_key,
      amount_minor,
      currency,
      auto_capture,
      auto_payment,
      customer_id,
      return_url,
      webhook_url,
      created_time,
      expiration_time,
      details,
      sequence,
      state,
      captured_minor,
      refunded_minor,
      fraud_status,
      state_time,
      attempt,
      attempt_key,
      profile_id,
      method,
      payment_method_id,
      token_id,
      handles,
      pay_info,
      authorised_until,
      redirect_url,
      failure,
      last_error
    from
      payments
    where
      app_id = i.app
      and payment_id = (
        select
          o.payment_id
        from
          operations o
        where
          o.app_id = i.app
          and o.operation_key = i.key
          and o.profile_id = i.profile
          and o.step in ('start', 'charge')
      )
    offset
      0
  ) f;

-- payments.byId
select
  i.n,
  f.*
from
  json_to_recordset($1) as i (n integer, app text, key bigint)
  cross join lateral (
    select
      app_id,
      payment_id,
      version,
      flow,
      reference_id,
      payment_key,
      amount_minor,
      currency,
      auto_capture,
      auto_payment,
      customer_id,
      return_url,
      webhook_url,
      created_time,
      expiration_time,
      details,
      sequence,
      state,
      captured_minor,
      refunded_minor,
      fraud_status,
      state_time,
      attempt,
      attempt_key,
      profile_id,
      method,
      payment_method_id,
      token_id,
      handles,
      pay_info,
      authorised_until,
      redirect_url,
      failure,
      last_error
    from
      payments
    where
      app_id = i.app
      and payment_id = i.key
    offset
      0
  ) f;

-- payments.byKey
select
  i.n,
  f.*
from
  json_to_recordset($1) as i (n integer, app text, key text)
  cross join lateral (
    select
      app_id,
      payment_id,
      version,
      flow,
      reference_id,
      payment_key,
      amount_minor,
      currency,
      auto_capture,
      auto_payment,
      customer_id,
      return_url,
      webhook_url,
      created_time,
      expiration_time,
      details,
      sequence,
      state,
      captured_minor,
      refunded_minor,
      fraud_status,
      state_time,
      attempt,
      attempt_key,
      profile_id,
      method,
      payment_method_id,
      token_id,
      handles,
      pay_info,
      authorised_until,
      redirect_url,
      failure,
      last_error
    from
      payments
    where
      app_id = i.app
      and payment_key = i.key
    offset
      0
  ) f;

-- payments.byReference
select
  i.n,
  f.*
from
  json_to_recordset($1) as i (n integer, app text, key text)
  cross join lateral (
    select
      app_id,
      payment_id,
      version,
      flow,
      reference_id,
      payment_key,
      amount_minor,
      currency,
      auto_capture,
      auto_payment,
      customer_id,
      return_url,
      webhook_url,
      created_time,
      expiration_time,
      details,
      sequence,
      state,
      captured_minor,
      refunded_minor,
      fraud_status,
      state_time,
      attempt,
      attempt_key,
      profile_id,
      method,
      payment_method_id,
      token_id,
      handles,
      pay_info,
      authorised_until,
      redirect_url,
      failure,
      last_error
    from
      payments
    where
      app_id = i.app
      and reference_id = i.key
    offset
      0
  ) f;

-- payments.change
with
  input as materialized (
    select
      *
    from
      json_to_recordset($1) as x (
        n integer,
        app_id text,
        payment_id bigint,
        now timestamptz,
        events json,
        alarm timestamptz,
        alarm_set boolean,
        open_key text,
        open_step text,
        open_profile_id bigint,
        open_method text,
        open_amount_minor bigint,
        open_attempt integer,
        open_description text,
        open_request_key text,
        open_lease_token text,
        open_created_time timestamptz,
        open_due_time timestamptz,
        lease_token text,
        lease_end timestamptz,
        lease_endpoint text,
        sequence integer,
        state text,
        captured_minor bigint,
        refunded_minor bigint,
        fraud_status text,
        state_time timestamptz,
        attempt integer,
        attempt_key text,
        profile_id bigint,
        method text,
        payment_method_id bigint,
        token_id bigint,
        handles json,
        pay_info json,
        authorised_until timestamptz,
        redirect_url text,
        failure json,
        last_error text,
        was_version integer,
        op_key text,
        op_token text,
        op_status text,
        op_due_time timestamptz,
        op_outcome json,
        op_handles json,
        refunds json
      )
    where
      n between 0 and 1000
  ),
  leased as (
    select
      i.n
    from
      input i
      join operations o on o.app_id = i.app_id
      and o.operation_key = i.op_key
      and (
        i.op_token is null
        or o.lease_token = i.op_token
      )
    where
      i.op_key is not null
    for update of
      o
  ),
  refused as (
    select
      f.n,
      f.result
    from
      (
        select
          i.n,
          case
            when exists (
              select
              from
                operations o
              where
                o.app_id = i.app_id
                and o.payment_id = i.payment_id
                and o.request_key = i.open_request_key
            ) then 'repeated'
            when exists (
              select
              from
                operations o
              where
                o.app_id = i.app_id
                and o.payment_id = i.payment_id
                and o.status = 'open'
                and o.operation_key is distinct from i.op_key
            ) then 'busy'
          end as result
        from
          input i
        where
          i.open_key is not null
          and exists (
            select
            from
              payments p
            where
              p.app_id = i.app_id
              and p.payment_id = i.payment_id
              and i.was_version = p.version
          )
      ) f
    where
      f.result is not null
  ),
  written as (
    update payments p
    set
      version = p.version + 1,
      sequence = i.sequence,
      state = i.state,
      captured_minor = i.captured_minor,
      refunded_minor = i.refunded_minor,
      fraud_status = i.fraud_status,
      state_time = i.state_time,
      attempt = i.attempt,
      attempt_key = i.attempt_key,
      profile_id = i.profile_id,
      method = i.method,
      payment_method_id = i.payment_method_id,
      token_id = i.token_id,
      handles = i.handles,
      pay_info = i.pay_info,
      authorised_until = i.authorised_until,
      redirect_url = i.redirect_url,
      failure = i.failure,
      last_error = i.last_error
    from
      input i
    where
      p.app_id = i.app_id
      and p.payment_id = i.payment_id
      and p.version = i.was_version
      and (
        i.op_key is null
        or i.n in (
          select
            n
          from
            leased
        )
      )
      and i.n not in (
        select
          n
        from
          refused
      )
    returning
      i.n,
      p.webhook_url
  ),
  ended as (
    update operations o
    set
      status = case
        when o.operation_key = i.op_key then i.op_status
        else 'abandoned'
      end,
      due_time = case
        when o.operation_key = i.op_key then i.op_due_time
      end,
      closed_time = case
        when o.operation_key = i.op_key
        and i.op_status in ('open', 'waiting') then null
        else i.state_time
      end,
      outcome = case
        when o.operation_key = i.op_key then i.op_outcome
        else o.outcome
      end,
      handles = case
        when o.operation_key = i.op_key then coalesce(i.op_handles, o.handles)
        else o.handles
      end,
      tries = o.tries + 1,
      lease_token = null
    from
      input i
      join written w on w.n = i.n
    where
      o.app_id = i.app_id
      and o.payment_id = i.payment_id
      and (
        (
          o.operation_key = i.op_key
          and o.status <> 'done'
        )
        or (
          o.operation_key is distinct from i.op_key
          and o.status = 'waiting'
          and i.open_key is not null
        )
      )
    returning
      o.app_id,
      o.payment_id,
      o.operation_key,
      o.attempt,
      o.profile_id,
      o.method,
      o.handles,
      o.status
  ),
  opened as (
    insert into
      operations (
        app_id,
        operation_key,
        payment_id,
        step,
        attempt,
        profile_id,
        method,
        amount_minor,
        status,
        created_time,
        due_time,
        lease_token,
        description,
        request_key
      )
    select
      i.app_id,
      i.open_key,
      i.payment_id,
      i.open_step,
      i.open_attempt,
      i.open_profile_id,
      i.open_method,
      i.open_amount_minor,
      'open',
      i.open_created_time,
      i.open_due_time,
      i.open_lease_token,
      i.open_description,
      i.open_request_key
    from
      input i
      join written w on w.n = i.n
    where
      i.open_key is not null
      and (
        select
          count(*)
        from
          ended
      ) >= 0
  ),
  told as (
    insert into
      events (app_id, payment_id, sequence, type, state, created_time, body)
    select
      i.app_id,
      i.payment_id,
      e.sequence,
      'payment.state_changed',
      e.state,
      e.created_time,
      e.body
    from
      input i
      join written w on w.n = i.n,
      json_to_recordset(i.events) as e (sequence integer, state text, created_time timestamptz, body text)
  ),
  placed as materialized (
    select
      i.n,
      w.webhook_url,
      t.endpoint,
      earlier.due_time,
      earlier.due_time is null
      and earlier.others = 0
      and i.lease_endpoint = t.endpoint
      and not exists (
        select
        from
          webhook_endpoints h
        where
          h.app_id = i.app_id
          and h.endpoint = t.endpoint
      ) as leased
    from
      input i
      join written w on w.n = i.n
      join apps a on a.app_id = i.app_id
      cross join lateral (
        select
          left(split_part(split_part(coalesce(w.webhook_url, ''), '?', 1), '#', 1), 200) as endpoint
      ) t
      cross join lateral (
        select
          max(d.due_time) filter (
            where
              d.status = 'waiting'
          ) as due_time,
          count(*) filter (
            where
              d.status in ('ready', 'sending')
              and d.lease_token is distinct from i.lease_token
          ) as others
        from
          deliveries d
        where
          d.app_id = i.app_id
          and d.payment_id = i.payment_id
      ) earlier
    where
      coalesce(w.webhook_url, a.payment_webhook_url) is not null
  ),
  queued as (
    insert into
      deliveries (app_id, payment_id, sequence, url, endpoint, status, queued_time, due_time, lease_token)
    select
      i.app_id,
      i.payment_id,
      e.sequence,
      p.webhook_url,
      p.endpoint,
      case
        when p.leased then 'sending'
        when p.due_time is null then 'ready'
        else 'waiting'
      end,
      e.created_time,
      case
        when p.leased then i.lease_end
        else coalesce(p.due_time, i.now)
      end,
      case
        when p.leased then i.lease_token
      end
    from
      placed p
      join input i on i.n = p.n,
      json_to_recordset(i.events) as e (sequence integer, created_time timestamptz)
  ),
  alarmed as (
    insert into
      timers (app_id, payment_id, due_time)
    select
      i.app_id,
      i.payment_id,
      i.alarm
    from
      input i
      join written w on w.n = i.n
    where
      i.alarm is not null
    on conflict (app_id, payment_id) do update
    set
      due_time = excluded.due_time,
      tries = 0
  ),
  silenced as (
    delete from timers t using input i,
    written w
    where
      w.n = i.n
      and i.alarm_set
      and i.alarm is null
      and t.app_id = i.app_id
      and t.payment_id = i.payment_id
  ),
  repaid as (
    insert into
      refunds as r (app_id, payment_id, refund_id, amount_minor, state, description, created_time)
    select
      i.app_id,
      i.payment_id,
      f.refund_id,
      f.amount_minor,
      f.state,
      f.description,
      i.state_time
    from
      input i
      join written w on w.n = i.n,
      json_to_recordset(i.refunds) as f (refund_id text, amount_minor bigint, state text, description text)
    on conflict (app_id, payment_id, refund_id) do update
    set
      state = excluded.state
  )
select
  w.n,
  'written' as result,
  coalesce(p.leased, false) as leased
from
  written w
  left join placed p on p.n = w.n
union all
select
  n,
  result,
  false
from
  refused;

-- payments.changeAudited
with
  input as materialized (
    select
      *
    from
      json_to_recordset($1) as x (
        n integer,
        app_id text,
        payment_id bigint,
        now timestamptz,
        events json,
        alarm timestamptz,
        alarm_set boolean,
        open_key text,
        open_step text,
        open_profile_id bigint,
        open_method text,
        open_amount_minor bigint,
        open_attempt integer,
        open_description text,
        open_request_key text,
        open_lease_token text,
        open_created_time timestamptz,
        open_due_time timestamptz,
        lease_token text,
        lease_end timestamptz,
        lease_endpoint text,
        sequence integer,
        state text,
        captured_minor bigint,
        refunded_minor bigint,
        fraud_status text,
        state_time timestamptz,
        attempt integer,
        attempt_key text,
        profile_id bigint,
        method text,
        payment_method_id bigint,
        token_id bigint,
        handles json,
        pay_info json,
        authorised_until timestamptz,
        redirect_url text,
        failure json,
        last_error text,
        was_version integer,
        op_key text,
        op_token text,
        op_status text,
        op_due_time timestamptz,
        op_outcome json,
        op_handles json,
        refunds json,
        audit json
      )
    where
      n between 0 and 1000
  ),
  leased as (
    select
      i.n
    from
      input i
      join operations o on o.app_id = i.app_id
      and o.operation_key = i.op_key
      and (
        i.op_token is null
        or o.lease_token = i.op_token
      )
    where
      i.op_key is not null
    for update of
      o
  ),
  refused as (
    select
      f.n,
      f.result
    from
      (
        select
          i.n,
          case
            when exists (
              select
              from
                operations o
              where
                o.app_id = i.app_id
                and o.payment_id = i.payment_id
                and o.request_key = i.open_request_key
            ) then 'repeated'
            when exists (
              select
              from
                operations o
              where
                o.app_id = i.app_id
                and o.payment_id = i.payment_id
                and o.status = 'open'
                and o.operation_key is distinct from i.op_key
            ) then 'busy'
          end as result
        from
          input i
        where
          i.open_key is not null
          and exists (
            select
            from
              payments p
            where
              p.app_id = i.app_id
              and p.payment_id = i.payment_id
              and i.was_version = p.version
          )
      ) f
    where
      f.result is not null
  ),
  written as (
    update payments p
    set
      version = p.version + 1,
      sequence = i.sequence,
      state = i.state,
      captured_minor = i.captured_minor,
      refunded_minor = i.refunded_minor,
      fraud_status = i.fraud_status,
      state_time = i.state_time,
      attempt = i.attempt,
      attempt_key = i.attempt_key,
      profile_id = i.profile_id,
      method = i.method,
      payment_method_id = i.payment_method_id,
      token_id = i.token_id,
      handles = i.handles,
      pay_info = i.pay_info,
      authorised_until = i.authorised_until,
      redirect_url = i.redirect_url,
      failure = i.failure,
      last_error = i.last_error
    from
      input i
    where
      p.app_id = i.app_id
      and p.payment_id = i.payment_id
      and p.version = i.was_version
      and (
        i.op_key is null
        or i.n in (
          select
            n
          from
            leased
        )
      )
      and i.n not in (
        select
          n
        from
          refused
      )
    returning
      i.n,
      p.webhook_url
  ),
  ended as (
    update operations o
    set
      status = case
        when o.operation_key = i.op_key then i.op_status
        else 'abandoned'
      end,
      due_time = case
        when o.operation_key = i.op_key then i.op_due_time
      end,
      closed_time = case
        when o.operation_key = i.op_key
        and i.op_status in ('open', 'waiting') then null
        else i.state_time
      end,
      outcome = case
        when o.operation_key = i.op_key then i.op_outcome
        else o.outcome
      end,
      handles = case
        when o.operation_key = i.op_key then coalesce(i.op_handles, o.handles)
        else o.handles
      end,
      tries = o.tries + 1,
      lease_token = null
    from
      input i
      join written w on w.n = i.n
    where
      o.app_id = i.app_id
      and o.payment_id = i.payment_id
      and (
        (
          o.operation_key = i.op_key
          and o.status <> 'done'
        )
        or (
          o.operation_key is distinct from i.op_key
          and o.status = 'waiting'
          and i.open_key is not null
        )
      )
    returning
      o.app_id,
      o.payment_id,
      o.operation_key,
      o.attempt,
      o.profile_id,
      o.method,
      o.handles,
      o.status
  ),
  opened as (
    insert into
      operations (
        app_id,
        operation_key,
        payment_id,
        step,
        attempt,
        profile_id,
        method,
        amount_minor,
        status,
        created_time,
        due_time,
        lease_token,
        description,
        request_key
      )
    select
      i.app_id,
      i.open_key,
      i.payment_id,
      i.open_step,
      i.open_attempt,
      i.open_profile_id,
      i.open_method,
      i.open_amount_minor,
      'open',
      i.open_created_time,
      i.open_due_time,
      i.open_lease_token,
      i.open_description,
      i.open_request_key
    from
      input i
      join written w on w.n = i.n
    where
      i.open_key is not null
      and (
        select
          count(*)
        from
          ended
      ) >= 0
  ),
  told as (
    insert into
      events (app_id, payment_id, sequence, type, state, created_time, body)
    select
      i.app_id,
      i.payment_id,
      e.sequence,
      'payment.state_changed',
      e.state,
      e.created_time,
      e.body
    from
      input i
      join written w on w.n = i.n,
      json_to_recordset(i.events) as e (sequence integer, state text, created_time timestamptz, body text)
  ),
  placed as materialized (
    select
      i.n,
      w.webhook_url,
      t.endpoint,
      earlier.due_time,
      earlier.due_time is null
      and earlier.others = 0
      and i.lease_endpoint = t.endpoint
      and not exists (
        select
        from
          webhook_endpoints h
        where
          h.app_id = i.app_id
          and h.endpoint = t.endpoint
      ) as leased
    from
      input i
      join written w on w.n = i.n
      join apps a on a.app_id = i.app_id
      cross join lateral (
        select
          left(split_part(split_part(coalesce(w.webhook_url, ''), '?', 1), '#', 1), 200) as endpoint
      ) t
      cross join lateral (
        select
          max(d.due_time) filter (
            where
              d.status = 'waiting'
          ) as due_time,
          count(*) filter (
            where
              d.status in ('ready', 'sending')
              and d.lease_token is distinct from i.lease_token
          ) as others
        from
          deliveries d
        where
          d.app_id = i.app_id
          and d.payment_id = i.payment_id
      ) earlier
    where
      coalesce(w.webhook_url, a.payment_webhook_url) is not null
  ),
  queued as (
    insert into
      deliveries (app_id, payment_id, sequence, url, endpoint, status, queued_time, due_time, lease_token)
    select
      i.app_id,
      i.payment_id,
      e.sequence,
      p.webhook_url,
      p.endpoint,
      case
        when p.leased then 'sending'
        when p.due_time is null then 'ready'
        else 'waiting'
      end,
      e.created_time,
      case
        when p.leased then i.lease_end
        else coalesce(p.due_time, i.now)
      end,
      case
        when p.leased then i.lease_token
      end
    from
      placed p
      join input i on i.n = p.n,
      json_to_recordset(i.events) as e (sequence integer, created_time timestamptz)
  ),
  alarmed as (
    insert into
      timers (app_id, payment_id, due_time)
    select
      i.app_id,
      i.payment_id,
      i.alarm
    from
      input i
      join written w on w.n = i.n
    where
      i.alarm is not null
    on conflict (app_id, payment_id) do update
    set
      due_time = excluded.due_time,
      tries = 0
  ),
  silenced as (
    delete from timers t using input i,
    written w
    where
      w.n = i.n
      and i.alarm_set
      and i.alarm is null
      and t.app_id = i.app_id
      and t.payment_id = i.payment_id
  ),
  repaid as (
    insert into
      refunds as r (app_id, payment_id, refund_id, amount_minor, state, description, created_time)
    select
      i.app_id,
      i.payment_id,
      f.refund_id,
      f.amount_minor,
      f.state,
      f.description,
      i.state_time
    from
      input i
      join written w on w.n = i.n,
      json_to_recordset(i.refunds) as f (refund_id text, amount_minor bigint, state text, description text)
    on conflict (app_id, payment_id, refund_id) do update
    set
      state = excluded.state
  ),
  audited as (
    insert into
      audit_log (
        license_id,
        app_id,
        entry_time,
        actor_kind,
        actor_id,
        actor_name,
        action,
        target,
        before,
        after,
        address,
        request_id
      )
    select
      a.license_id,
      i.app_id,
      i.now,
      a.actor_kind,
      a.actor_id,
      a.actor_name,
      a.action,
      'payment:' || i.payment_id,
      a.before,
      a.after,
      a.address,
      a.request_id
    from
      input i
      join written w on w.n = i.n,
      json_to_record(i.audit) as a (
        license_id text,
        actor_kind text,
        actor_id text,
        actor_name text,
        action text,
        before json,
        after json,
        address text,
        request_id text
      )
    where
      i.audit is not null
  )
select
  w.n,
  'written' as result,
  coalesce(p.leased, false) as leased
from
  written w
  left join placed p on p.n = w.n
union all
select
  n,
  result,
  false
from
  refused;

-- payments.changeCounted
with
  input as materialized (
    select
      *
    from
      json_to_recordset($1) as x (
        n integer,
        app_id text,
        payment_id bigint,
        now timestamptz,
        events json,
        alarm timestamptz,
        alarm_set boolean,
        open_key text,
        open_step text,
        open_profile_id bigint,
        open_method text,
        open_amount_minor bigint,
        open_attempt integer,
        open_description text,
        open_request_key text,
        open_lease_token text,
        open_created_time timestamptz,
        open_due_time timestamptz,
        lease_token text,
        lease_end timestamptz,
        lease_endpoint text,
        sequence integer,
        state text,
        captured_minor bigint,
        refunded_minor bigint,
        fraud_status text,
        state_time timestamptz,
        attempt integer,
        attempt_key text,
        profile_id bigint,
        method text,
        payment_method_id bigint,
        token_id bigint,
        handles json,
        pay_info json,
        authorised_until timestamptz,
        redirect_url text,
        failure json,
        last_error text,
        was_version integer,
        op_key text,
        op_token text,
        op_status text,
        op_due_time timestamptz,
        op_outcome json,
        op_handles json,
        refunds json,
        refund_day date
      )
    where
      n between 0 and 1000
  ),
  leased as (
    select
      i.n
    from
      input i
      join operations o on o.app_id = i.app_id
      and o.operation_key = i.op_key
      and (
        i.op_token is null
        or o.lease_token = i.op_token
      )
    where
      i.op_key is not null
    for update of
      o
  ),
  refused as (
    select
      f.n,
      f.result
    from
      (
        select
          i.n,
          case
            when exists (
              select
              from
                operations o
              where
                o.app_id = i.app_id
                and o.payment_id = i.payment_id
                and o.request_key = i.open_request_key
            ) then 'repeated'
            when exists (
              select
              from
                operations o
              where
                o.app_id = i.app_id
                and o.payment_id = i.payment_id
                and o.status = 'open'
                and o.operation_key is distinct from i.op_key
            ) then 'busy'
          end as result
        from
          input i
        where
          i.open_key is not null
          and exists (
            select
            from
              payments p
            where
              p.app_id = i.app_id
              and p.payment_id = i.payment_id
              and i.was_version = p.version
          )
      ) f
    where
      f.result is not null
  ),
  held as (
    select
      i.n,
      i.app_id,
      i.refund_day
    from
      input i
      join payments p on p.app_id = i.app_id
      and p.payment_id = i.payment_id
    where
      p.version = i.was_version
      and i.n not in (
        select
          n
        from
          refused
      )
    for update of
      p
  ),
  counted as (
    insert into
      refund_counts as c (app_id, day, refunds)
    select
      h.app_id,
      h.refund_day,
      1
    from
      held h
      join apps a on a.app_id = h.app_id
    where
      a.max_refunds_daily is distinct from 0
    order by
      h.app_id
    on conflict (app_id) do update
    set
      refunds = case
        when excluded.day > c.day then 1
        else c.refunds + 1
      end,
      day = greatest(c.day, excluded.day)
    where
      excluded.day > c.day
      or c.refunds < coalesce(
        (
          select
            a.max_refunds_daily
          from
            apps a
          where
            a.app_id = excluded.app_id
        ),
        2147483647
      )
    returning
      app_id
  ),
  written as (
    update payments p
    set
      version = p.version + 1,
      sequence = i.sequence,
      state = i.state,
      captured_minor = i.captured_minor,
      refunded_minor = i.refunded_minor,
      fraud_status = i.fraud_status,
      state_time = i.state_time,
      attempt = i.attempt,
      attempt_key = i.attempt_key,
      profile_id = i.profile_id,
      method = i.method,
      payment_method_id = i.payment_method_id,
      token_id = i.token_id,
      handles = i.handles,
      pay_info = i.pay_info,
      authorised_until = i.authorised_until,
      redirect_url = i.redirect_url,
      failure = i.failure,
      last_error = i.last_error
    from
      input i
    where
      p.app_id = i.app_id
      and p.payment_id = i.payment_id
      and p.version = i.was_version
      and (
        i.op_key is null
        or i.n in (
          select
            n
          from
            leased
        )
      )
      and i.n not in (
        select
          n
        from
          refused
      )
      and i.app_id in (
        select
          app_id
        from
          counted
      )
    returning
      i.n,
      p.webhook_url
  ),
  ended as (
    update operations o
    set
      status = case
        when o.operation_key = i.op_key then i.op_status
        else 'abandoned'
      end,
      due_time = case
        when o.operation_key = i.op_key then i.op_due_time
      end,
      closed_time = case
        when o.operation_key = i.op_key
        and i.op_status in ('open', 'waiting') then null
        else i.state_time
      end,
      outcome = case
        when o.operation_key = i.op_key then i.op_outcome
        else o.outcome
      end,
      handles = case
        when o.operation_key = i.op_key then coalesce(i.op_handles, o.handles)
        else o.handles
      end,
      tries = o.tries + 1,
      lease_token = null
    from
      input i
      join written w on w.n = i.n
    where
      o.app_id = i.app_id
      and o.payment_id = i.payment_id
      and (
        (
          o.operation_key = i.op_key
          and o.status <> 'done'
        )
        or (
          o.operation_key is distinct from i.op_key
          and o.status = 'waiting'
          and i.open_key is not null
        )
      )
    returning
      o.app_id,
      o.payment_id,
      o.operation_key,
      o.attempt,
      o.profile_id,
      o.method,
      o.handles,
      o.status
  ),
  opened as (
    insert into
      operations (
        app_id,
        operation_key,
        payment_id,
        step,
        attempt,
        profile_id,
        method,
        amount_minor,
        status,
        created_time,
        due_time,
        lease_token,
        description,
        request_key
      )
    select
      i.app_id,
      i.open_key,
      i.payment_id,
      i.open_step,
      i.open_attempt,
      i.open_profile_id,
      i.open_method,
      i.open_amount_minor,
      'open',
      i.open_created_time,
      i.open_due_time,
      i.open_lease_token,
      i.open_description,
      i.open_request_key
    from
      input i
      join written w on w.n = i.n
    where
      i.open_key is not null
      and (
        select
          count(*)
        from
          ended
      ) >= 0
  ),
  told as (
    insert into
      events (app_id, payment_id, sequence, type, state, created_time, body)
    select
      i.app_id,
      i.payment_id,
      e.sequence,
      'payment.state_changed',
      e.state,
      e.created_time,
      e.body
    from
      input i
      join written w on w.n = i.n,
      json_to_recordset(i.events) as e (sequence integer, state text, created_time timestamptz, body text)
  ),
  placed as materialized (
    select
      i.n,
      w.webhook_url,
      t.endpoint,
      earlier.due_time,
      earlier.due_time is null
      and earlier.others = 0
      and i.lease_endpoint = t.endpoint
      and not exists (
        select
        from
          webhook_endpoints h
        where
          h.app_id = i.app_id
          and h.endpoint = t.endpoint
      ) as leased
    from
      input i
      join written w on w.n = i.n
      join apps a on a.app_id = i.app_id
      cross join lateral (
        select
          left(split_part(split_part(coalesce(w.webhook_url, ''), '?', 1), '#', 1), 200) as endpoint
      ) t
      cross join lateral (
        select
          max(d.due_time) filter (
            where
              d.status = 'waiting'
          ) as due_time,
          count(*) filter (
            where
              d.status in ('ready', 'sending')
              and d.lease_token is distinct from i.lease_token
          ) as others
        from
          deliveries d
        where
          d.app_id = i.app_id
          and d.payment_id = i.payment_id
      ) earlier
    where
      coalesce(w.webhook_url, a.payment_webhook_url) is not null
  ),
  queued as (
    insert into
      deliveries (app_id, payment_id, sequence, url, endpoint, status, queued_time, due_time, lease_token)
    select
      i.app_id,
      i.payment_id,
      e.sequence,
      p.webhook_url,
      p.endpoint,
      case
        when p.leased then 'sending'
        when p.due_time is null then 'ready'
        else 'waiting'
      end,
      e.created_time,
      case
        when p.leased then i.lease_end
        else coalesce(p.due_time, i.now)
      end,
      case
        when p.leased then i.lease_token
      end
    from
      placed p
      join input i on i.n = p.n,
      json_to_recordset(i.events) as e (sequence integer, created_time timestamptz)
  ),
  alarmed as (
    insert into
      timers (app_id, payment_id, due_time)
    select
      i.app_id,
      i.payment_id,
      i.alarm
    from
      input i
      join written w on w.n = i.n
    where
      i.alarm is not null
    on conflict (app_id, payment_id) do update
    set
      due_time = excluded.due_time,
      tries = 0
  ),
  silenced as (
    delete from timers t using input i,
    written w
    where
      w.n = i.n
      and i.alarm_set
      and i.alarm is null
      and t.app_id = i.app_id
      and t.payment_id = i.payment_id
  ),
  repaid as (
    insert into
      refunds as r (app_id, payment_id, refund_id, amount_minor, state, description, created_time)
    select
      i.app_id,
      i.payment_id,
      f.refund_id,
      f.amount_minor,
      f.state,
      f.description,
      i.state_time
    from
      input i
      join written w on w.n = i.n,
      json_to_recordset(i.refunds) as f (refund_id text, amount_minor bigint, state text, description text)
    on conflict (app_id, payment_id, refund_id) do update
    set
      state = excluded.state
  )
select
  w.n,
  'written' as result,
  coalesce(p.leased, false) as leased
from
  written w
  left join placed p on p.n = w.n
union all
select
  n,
  result,
  false
from
  refused
union all
select
  h.n,
  'limited',
  false
from
  held h
where
  h.app_id not in (
    select
      app_id
    from
      counted
  );

-- payments.changeCountedAudited
with
  input as materialized (
    select
      *
    from
      json_to_recordset($1) as x (
        n integer,
        app_id text,
        payment_id bigint,
        now timestamptz,
        events json,
        alarm timestamptz,
        alarm_set boolean,
        open_key text,
        open_step text,
        open_profile_id bigint,
        open_method text,
        open_amount_minor bigint,
        open_attempt integer,
        open_description text,
        open_request_key text,
        open_lease_token text,
        open_created_time timestamptz,
        open_due_time timestamptz,
        lease_token text,
        lease_end timestamptz,
        lease_endpoint text,
        sequence integer,
        state text,
        captured_minor bigint,
        refunded_minor bigint,
        fraud_status text,
        state_time timestamptz,
        attempt integer,
        attempt_key text,
        profile_id bigint,
        method text,
        payment_method_id bigint,
        token_id bigint,
        handles json,
        pay_info json,
        authorised_until timestamptz,
        redirect_url text,
        failure json,
        last_error text,
        was_version integer,
        op_key text,
        op_token text,
        op_status text,
        op_due_time timestamptz,
        op_outcome json,
        op_handles json,
        refunds json,
        refund_day date,
        audit json
      )
    where
      n between 0 and 1000
  ),
  leased as (
    select
      i.n
    from
      input i
      join operations o on o.app_id = i.app_id
      and o.operation_key = i.op_key
      and (
        i.op_token is null
        or o.lease_token = i.op_token
      )
    where
      i.op_key is not null
    for update of
      o
  ),
  refused as (
    select
      f.n,
      f.result
    from
      (
        select
          i.n,
          case
            when exists (
              select
              from
                operations o
              where
                o.app_id = i.app_id
                and o.payment_id = i.payment_id
                and o.request_key = i.open_request_key
            ) then 'repeated'
            when exists (
              select
              from
                operations o
              where
                o.app_id = i.app_id
                and o.payment_id = i.payment_id
                and o.status = 'open'
                and o.operation_key is distinct from i.op_key
            ) then 'busy'
          end as result
        from
          input i
        where
          i.open_key is not null
          and exists (
            select
            from
              payments p
            where
              p.app_id = i.app_id
              and p.payment_id = i.payment_id
              and i.was_version = p.version
          )
      ) f
    where
      f.result is not null
  ),
  held as (
    select
      i.n,
      i.app_id,
      i.refund_day
    from
      input i
      join payments p on p.app_id = i.app_id
      and p.payment_id = i.payment_id
    where
      p.version = i.was_version
      and i.n not in (
        select
          n
        from
          refused
      )
    for update of
      p
  ),
  counted as (
    insert into
      refund_counts as c (app_id, day, refunds)
    select
      h.app_id,
      h.refund_day,
      1
    from
      held h
      join apps a on a.app_id = h.app_id
    where
      a.max_refunds_daily is distinct from 0
    order by
      h.app_id
    on conflict (app_id) do update
    set
      refunds = case
        when excluded.day > c.day then 1
        else c.refunds + 1
      end,
      day = greatest(c.day, excluded.day)
    where
      excluded.day > c.day
      or c.refunds < coalesce(
        (
          select
            a.max_refunds_daily
          from
            apps a
          where
            a.app_id = excluded.app_id
        ),
        2147483647
      )
    returning
      app_id
  ),
  written as (
    update payments p
    set
      version = p.version + 1,
      sequence = i.sequence,
      state = i.state,
      captured_minor = i.captured_minor,
      refunded_minor = i.refunded_minor,
      fraud_status = i.fraud_status,
      state_time = i.state_time,
      attempt = i.attempt,
      attempt_key = i.attempt_key,
      profile_id = i.profile_id,
      method = i.method,
      payment_method_id = i.payment_method_id,
      token_id = i.token_id,
      handles = i.handles,
      pay_info = i.pay_info,
      authorised_until = i.authorised_until,
      redirect_url = i.redirect_url,
      failure = i.failure,
      last_error = i.last_error
    from
      input i
    where
      p.app_id = i.app_id
      and p.payment_id = i.payment_id
      and p.version = i.was_version
      and (
        i.op_key is null
        or i.n in (
          select
            n
          from
            leased
        )
      )
      and i.n not in (
        select
          n
        from
          refused
      )
      and i.app_id in (
        select
          app_id
        from
          counted
      )
    returning
      i.n,
      p.webhook_url
  ),
  ended as (
    update operations o
    set
      status = case
        when o.operation_key = i.op_key then i.op_status
        else 'abandoned'
      end,
      due_time = case
        when o.operation_key = i.op_key then i.op_due_time
      end,
      closed_time = case
        when o.operation_key = i.op_key
        and i.op_status in ('open', 'waiting') then null
        else i.state_time
      end,
      outcome = case
        when o.operation_key = i.op_key then i.op_outcome
        else o.outcome
      end,
      handles = case
        when o.operation_key = i.op_key then coalesce(i.op_handles, o.handles)
        else o.handles
      end,
      tries = o.tries + 1,
      lease_token = null
    from
      input i
      join written w on w.n = i.n
    where
      o.app_id = i.app_id
      and o.payment_id = i.payment_id
      and (
        (
          o.operation_key = i.op_key
          and o.status <> 'done'
        )
        or (
          o.operation_key is distinct from i.op_key
          and o.status = 'waiting'
          and i.open_key is not null
        )
      )
    returning
      o.app_id,
      o.payment_id,
      o.operation_key,
      o.attempt,
      o.profile_id,
      o.method,
      o.handles,
      o.status
  ),
  opened as (
    insert into
      operations (
        app_id,
        operation_key,
        payment_id,
        step,
        attempt,
        profile_id,
        method,
        amount_minor,
        status,
        created_time,
        due_time,
        lease_token,
        description,
        request_key
      )
    select
      i.app_id,
      i.open_key,
      i.payment_id,
      i.open_step,
      i.open_attempt,
      i.open_profile_id,
      i.open_method,
      i.open_amount_minor,
      'open',
      i.open_created_time,
      i.open_due_time,
      i.open_lease_token,
      i.open_description,
      i.open_request_key
    from
      input i
      join written w on w.n = i.n
    where
      i.open_key is not null
      and (
        select
          count(*)
        from
          ended
      ) >= 0
  ),
  told as (
    insert into
      events (app_id, payment_id, sequence, type, state, created_time, body)
    select
      i.app_id,
      i.payment_id,
      e.sequence,
      'payment.state_changed',
      e.state,
      e.created_time,
      e.body
    from
      input i
      join written w on w.n = i.n,
      json_to_recordset(i.events) as e (sequence integer, state text, created_time timestamptz, body text)
  ),
  placed as materialized (
    select
      i.n,
      w.webhook_url,
      t.endpoint,
      earlier.due_time,
      earlier.due_time is null
      and earlier.others = 0
      and i.lease_endpoint = t.endpoint
      and not exists (
        select
        from
          webhook_endpoints h
        where
          h.app_id = i.app_id
          and h.endpoint = t.endpoint
      ) as leased
    from
      input i
      join written w on w.n = i.n
      join apps a on a.app_id = i.app_id
      cross join lateral (
        select
          left(split_part(split_part(coalesce(w.webhook_url, ''), '?', 1), '#', 1), 200) as endpoint
      ) t
      cross join lateral (
        select
          max(d.due_time) filter (
            where
              d.status = 'waiting'
          ) as due_time,
          count(*) filter (
            where
              d.status in ('ready', 'sending')
              and d.lease_token is distinct from i.lease_token
          ) as others
        from
          deliveries d
        where
          d.app_id = i.app_id
          and d.payment_id = i.payment_id
      ) earlier
    where
      coalesce(w.webhook_url, a.payment_webhook_url) is not null
  ),
  queued as (
    insert into
      deliveries (app_id, payment_id, sequence, url, endpoint, status, queued_time, due_time, lease_token)
    select
      i.app_id,
      i.payment_id,
      e.sequence,
      p.webhook_url,
      p.endpoint,
      case
        when p.leased then 'sending'
        when p.due_time is null then 'ready'
        else 'waiting'
      end,
      e.created_time,
      case
        when p.leased then i.lease_end
        else coalesce(p.due_time, i.now)
      end,
      case
        when p.leased then i.lease_token
      end
    from
      placed p
      join input i on i.n = p.n,
      json_to_recordset(i.events) as e (sequence integer, created_time timestamptz)
  ),
  alarmed as (
    insert into
      timers (app_id, payment_id, due_time)
    select
      i.app_id,
      i.payment_id,
      i.alarm
    from
      input i
      join written w on w.n = i.n
    where
      i.alarm is not null
    on conflict (app_id, payment_id) do update
    set
      due_time = excluded.due_time,
      tries = 0
  ),
  silenced as (
    delete from timers t using input i,
    written w
    where
      w.n = i.n
      and i.alarm_set
      and i.alarm is null
      and t.app_id = i.app_id
      and t.payment_id = i.payment_id
  ),
  repaid as (
    insert into
      refunds as r (app_id, payment_id, refund_id, amount_minor, state, description, created_time)
    select
      i.app_id,
      i.payment_id,
      f.refund_id,
      f.amount_minor,
      f.state,
      f.description,
      i.state_time
    from
      input i
      join written w on w.n = i.n,
      json_to_recordset(i.refunds) as f (refund_id text, amount_minor bigint, state text, description text)
    on conflict (app_id, payment_id, refund_id) do update
    set
      state = excluded.state
  ),
  audited as (
    insert into
      audit_log (
        license_id,
        app_id,
        entry_time,
        actor_kind,
        actor_id,
        actor_name,
        action,
        target,
        before,
        after,
        address,
        request_id
      )
    select
      a.license_id,
      i.app_id,
      i.now,
      a.actor_kind,
      a.actor_id,
      a.actor_name,
      a.action,
      'payment:' || i.payment_id,
      a.before,
      a.after,
      a.address,
      a.request_id
    from
      input i
      join written w on w.n = i.n,
      json_to_record(i.audit) as a (
        license_id text,
        actor_kind text,
        actor_id text,
        actor_name text,
        action text,
        before json,
        after json,
        address text,
        request_id text
      )
    where
      i.audit is not null
  )
select
  w.n,
  'written' as result,
  coalesce(p.leased, false) as leased
from
  written w
  left join placed p on p.n = w.n
union all
select
  n,
  result,
  false
from
  refused
union all
select
  h.n,
  'limited',
  false
from
  held h
where
  h.app_id not in (
    select
      app_id
    from
      counted
  );

-- payments.changeJudged
with
  input as materialized (
    select
      *
    from
      json_to_recordset($1) as x (
        n integer,
        app_id text,
        payment_id bigint,
        now timestamptz,
        events json,
        alarm timestamptz,
        alarm_set boolean,
        open_key text,
        open_step text,
        open_profile_id bigint,
        open_method text,
        open_amount_minor bigint,
        open_attempt integer,
        open_description text,
        open_request_key text,
        open_lease_token text,
        open_created_time timestamptz,
        open_due_time timestamptz,
        lease_token text,
        lease_end timestamptz,
        lease_endpoint text,
        sequence integer,
        state text,
        captured_minor bigint,
        refunded_minor bigint,
        fraud_status text,
        state_time timestamptz,
        attempt integer,
        attempt_key text,
        profile_id bigint,
        method text,
        payment_method_id bigint,
        token_id bigint,
        handles json,
        pay_info json,
        authorised_until timestamptz,
        redirect_url text,
        failure json,
        last_error text,
        was_version integer,
        op_key text,
        op_token text,
        op_status text,
        op_due_time timestamptz,
        op_outcome json,
        op_handles json,
        refunds json,
        judged_customer_id text,
        judged_seen integer,
        verdict json,
        fate json
      )
    where
      n between 0 and 1000
  ),
  leased as (
    select
      i.n
    from
      input i
      join operations o on o.app_id = i.app_id
      and o.operation_key = i.op_key
      and (
        i.op_token is null
        or o.lease_token = i.op_token
      )
    where
      i.op_key is not null
    for update of
      o
  ),
  refused as (
    select
      f.n,
      f.result
    from
      (
        select
          i.n,
          case
            when exists (
              select
              from
                operations o
              where
                o.app_id = i.app_id
                and o.payment_id = i.payment_id
                and o.request_key = i.open_request_key
            ) then 'repeated'
            when exists (
              select
              from
                operations o
              where
                o.app_id = i.app_id
                and o.payment_id = i.payment_id
                and o.status = 'open'
                and o.operation_key is distinct from i.op_key
            ) then 'busy'
          end as result
        from
          input i
        where
          i.open_key is not null
          and exists (
            select
            from
              payments p
            where
              p.app_id = i.app_id
              and p.payment_id = i.payment_id
              and i.was_version = p.version
          )
      ) f
    where
      f.result is not null
  ),
  judged as (
    insert into
      fraud_customers as f (app_id, customer_id, version)
    select
      i.app_id,
      i.judged_customer_id,
      coalesce(i.judged_seen + 1, 0)
    from
      input i
    where
      i.judged_customer_id is not null
    on conflict (app_id, customer_id) do update
    set
      version = f.version + 1
    where
      excluded.version = 0
      or f.version = excluded.version - 1
    returning
      app_id,
      customer_id
  ),
  written as (
    update payments p
    set
      version = p.version + 1,
      sequence = i.sequence,
      state = i.state,
      captured_minor = i.captured_minor,
      refunded_minor = i.refunded_minor,
      fraud_status = i.fraud_status,
      state_time = i.state_time,
      attempt = i.attempt,
      attempt_key = i.attempt_key,
      profile_id = i.profile_id,
      method = i.method,
      payment_method_id = i.payment_method_id,
      token_id = i.token_id,
      handles = i.handles,
      pay_info = i.pay_info,
      authorised_until = i.authorised_until,
      redirect_url = i.redirect_url,
      failure = i.failure,
      last_error = i.last_error
    from
      input i
    where
      p.app_id = i.app_id
      and p.payment_id = i.payment_id
      and p.version = i.was_version
      and (
        i.op_key is null
        or i.n in (
          select
            n
          from
            leased
        )
      )
      and i.n not in (
        select
          n
        from
          refused
      )
      and (
        i.judged_seen is null
        or (i.app_id, i.judged_customer_id) in (
          select
            app_id,
            customer_id
          from
            judged
        )
      )
    returning
      i.n,
      p.webhook_url
  ),
  ended as (
    update operations o
    set
      status = case
        when o.operation_key = i.op_key then i.op_status
        else 'abandoned'
      end,
      due_time = case
        when o.operation_key = i.op_key then i.op_due_time
      end,
      closed_time = case
        when o.operation_key = i.op_key
        and i.op_status in ('open', 'waiting') then null
        else i.state_time
      end,
      outcome = case
        when o.operation_key = i.op_key then i.op_outcome
        else o.outcome
      end,
      handles = case
        when o.operation_key = i.op_key then coalesce(i.op_handles, o.handles)
        else o.handles
      end,
      tries = o.tries + 1,
      lease_token = null
    from
      input i
      join written w on w.n = i.n
    where
      o.app_id = i.app_id
      and o.payment_id = i.payment_id
      and (
        (
          o.operation_key = i.op_key
          and o.status <> 'done'
        )
        or (
          o.operation_key is distinct from i.op_key
          and o.status = 'waiting'
          and (
            i.open_key is not null
            or i.state = 'Failed'
          )
        )
      )
    returning
      o.app_id,
      o.payment_id,
      o.operation_key,
      o.attempt,
      o.profile_id,
      o.method,
      o.handles,
      o.status
  ),
  opened as (
    insert into
      operations (
        app_id,
        operation_key,
        payment_id,
        step,
        attempt,
        profile_id,
        method,
        amount_minor,
        status,
        created_time,
        due_time,
        lease_token,
        description,
        request_key
      )
    select
      i.app_id,
      i.open_key,
      i.payment_id,
      i.open_step,
      i.open_attempt,
      i.open_profile_id,
      i.open_method,
      i.open_amount_minor,
      'open',
      i.open_created_time,
      i.open_due_time,
      i.open_lease_token,
      i.open_description,
      i.open_request_key
    from
      input i
      join written w on w.n = i.n
    where
      i.open_key is not null
      and (
        select
          count(*)
        from
          ended
      ) >= 0
  ),
  told as (
    insert into
      events (app_id, payment_id, sequence, type, state, created_time, body)
    select
      i.app_id,
      i.payment_id,
      e.sequence,
      'payment.state_changed',
      e.state,
      e.created_time,
      e.body
    from
      input i
      join written w on w.n = i.n,
      json_to_recordset(i.events) as e (sequence integer, state text, created_time timestamptz, body text)
  ),
  placed as materialized (
    select
      i.n,
      w.webhook_url,
      t.endpoint,
      earlier.due_time,
      earlier.due_time is null
      and earlier.others = 0
      and i.lease_endpoint = t.endpoint
      and not exists (
        select
        from
          webhook_endpoints h
        where
          h.app_id = i.app_id
          and h.endpoint = t.endpoint
      ) as leased
    from
      input i
      join written w on w.n = i.n
      join apps a on a.app_id = i.app_id
      cross join lateral (
        select
          left(split_part(split_part(coalesce(w.webhook_url, ''), '?', 1), '#', 1), 200) as endpoint
      ) t
      cross join lateral (
        select
          max(d.due_time) filter (
            where
              d.status = 'waiting'
          ) as due_time,
          count(*) filter (
            where
              d.status in ('ready', 'sending')
              and d.lease_token is distinct from i.lease_token
          ) as others
        from
          deliveries d
        where
          d.app_id = i.app_id
          and d.payment_id = i.payment_id
      ) earlier
    where
      coalesce(w.webhook_url, a.payment_webhook_url) is not null
  ),
  queued as (
    insert into
      deliveries (app_id, payment_id, sequence, url, endpoint, status, queued_time, due_time, lease_token)
    select
      i.app_id,
      i.payment_id,
      e.sequence,
      p.webhook_url,
      p.endpoint,
      case
        when p.leased then 'sending'
        when p.due_time is null then 'ready'
        else 'waiting'
      end,
      e.created_time,
      case
        when p.leased then i.lease_end
        else coalesce(p.due_time, i.now)
      end,
      case
        when p.leased then i.lease_token
      end
    from
      placed p
      join input i on i.n = p.n,
      json_to_recordset(i.events) as e (sequence integer, created_time timestamptz)
  ),
  alarmed as (
    insert into
      timers (app_id, payment_id, due_time)
    select
      i.app_id,
      i.payment_id,
      i.alarm
    from
      input i
      join written w on w.n = i.n
    where
      i.alarm is not null
    on conflict (app_id, payment_id) do update
    set
      due_time = excluded.due_time,
      tries = 0
  ),
  silenced as (
    delete from timers t using input i,
    written w
    where
      w.n = i.n
      and i.alarm_set
      and i.alarm is null
      and t.app_id = i.app_id
      and t.payment_id = i.payment_id
  ),
  repaid as (
    insert into
      refunds as r (app_id, payment_id, refund_id, amount_minor, state, description, created_time)
    select
      i.app_id,
      i.payment_id,
      f.refund_id,
      f.amount_minor,
      f.state,
      f.description,
      i.state_time
    from
      input i
      join written w on w.n = i.n,
      json_to_recordset(i.refunds) as f (refund_id text, amount_minor bigint, state text, description text)
    on conflict (app_id, payment_id, refund_id) do update
    set
      state = excluded.state
  ),
  spoken as (
    insert into
      fraud_verdicts (
        app_id,
        payment_id,
        attempt,
        customer_id,
        verdict_time,
        policy_id,
        policy_version,
        currency,
        amount_minor,
        profile_id,
        card,
        decision,
        outcome,
        checks
      )
    select
      i.app_id,
      i.payment_id,
      v.attempt,
      i.judged_customer_id,
      v.verdict_time,
      v.policy_id,
      v.policy_version,
      v.currency,
      v.amount_minor,
      v.profile_id,
      v.card,
      v.decision,
      v.outcome,
      v.checks
    from
      input i
      join written w on w.n = i.n,
      json_to_record(i.verdict) as v (
        attempt integer,
        verdict_time timestamptz,
        policy_id bigint,
        policy_version integer,
        currency text,
        amount_minor bigint,
        profile_id bigint,
        card text,
        decision text,
        outcome text,
        checks json
      )
    where
      i.verdict is not null
  ),
  fated as (
    update fraud_verdicts v
    set
      outcome = f.outcome,
      card = coalesce(f.card, v.card),
      decision = coalesce(f.decision, v.decision),
      checks = coalesce(f.checks, v.checks)
    from
      input i
      join written w on w.n = i.n,
      json_to_record(i.fate) as f (attempt integer, outcome text, card text, decision text, checks json)
    where
      i.fate is not null
      and v.app_id = i.app_id
      and v.payment_id = i.payment_id
      and v.attempt = f.attempt
      and v.outcome = 'open'
  ),
  undoing as (
    insert into
      undos (
        app_id,
        attempt_key,
        payment_id,
        attempt,
        profile_id,
        method,
        handles,
        status,
        created_time,
        due_time
      )
    select
      e.app_id,
      e.operation_key,
      e.payment_id,
      e.attempt,
      e.profile_id,
      e.method,
      e.handles,
      'open',
      i.state_time,
      i.now
    from
      ended e
      join input i on i.app_id = e.app_id
      and i.payment_id = e.payment_id
    where
      e.status = 'abandoned'
      and (
        i.open_step in ('start', 'charge')
        or i.state = 'Failed'
      )
    on conflict do nothing
  )
select
  w.n,
  'written' as result,
  coalesce(p.leased, false) as leased
from
  written w
  left join placed p on p.n = w.n
union all
select
  n,
  result,
  false
from
  refused;

-- payments.changeJudgedAudited
with
  input as materialized (
    select
      *
    from
      json_to_recordset($1) as x (
        n integer,
        app_id text,
        payment_id bigint,
        now timestamptz,
        events json,
        alarm timestamptz,
        alarm_set boolean,
        open_key text,
        open_step text,
        open_profile_id bigint,
        open_method text,
        open_amount_minor bigint,
        open_attempt integer,
        open_description text,
        open_request_key text,
        open_lease_token text,
        open_created_time timestamptz,
        open_due_time timestamptz,
        lease_token text,
        lease_end timestamptz,
        lease_endpoint text,
        sequence integer,
        state text,
        captured_minor bigint,
        refunded_minor bigint,
        fraud_status text,
        state_time timestamptz,
        attempt integer,
        attempt_key text,
        profile_id bigint,
        method text,
        payment_method_id bigint,
        token_id bigint,
        handles json,
        pay_info json,
        authorised_until timestamptz,
        redirect_url text,
        failure json,
        last_error text,
        was_version integer,
        op_key text,
        op_token text,
        op_status text,
        op_due_time timestamptz,
        op_outcome json,
        op_handles json,
        refunds json,
        judged_customer_id text,
        judged_seen integer,
        verdict json,
        fate json,
        audit json
      )
    where
      n between 0 and 1000
  ),
  leased as (
    select
      i.n
    from
      input i
      join operations o on o.app_id = i.app_id
      and o.operation_key = i.op_key
      and (
        i.op_token is null
        or o.lease_token = i.op_token
      )
    where
      i.op_key is not null
    for update of
      o
  ),
  refused as (
    select
      f.n,
      f.result
    from
      (
        select
          i.n,
          case
            when exists (
              select
              from
                operations o
              where
                o.app_id = i.app_id
                and o.payment_id = i.payment_id
                and o.request_key = i.open_request_key
            ) then 'repeated'
            when exists (
              select
              from
                operations o
              where
                o.app_id = i.app_id
                and o.payment_id = i.payment_id
                and o.status = 'open'
                and o.operation_key is distinct from i.op_key
            ) then 'busy'
          end as result
        from
          input i
        where
          i.open_key is not null
          and exists (
            select
            from
              payments p
            where
              p.app_id = i.app_id
              and p.payment_id = i.payment_id
              and i.was_version = p.version
          )
      ) f
    where
      f.result is not null
  ),
  judged as (
    insert into
      fraud_customers as f (app_id, customer_id, version)
    select
      i.app_id,
      i.judged_customer_id,
      coalesce(i.judged_seen + 1, 0)
    from
      input i
    where
      i.judged_customer_id is not null
    on conflict (app_id, customer_id) do update
    set
      version = f.version + 1
    where
      excluded.version = 0
      or f.version = excluded.version - 1
    returning
      app_id,
      customer_id
  ),
  written as (
    update payments p
    set
      version = p.version + 1,
      sequence = i.sequence,
      state = i.state,
      captured_minor = i.captured_minor,
      refunded_minor = i.refunded_minor,
      fraud_status = i.fraud_status,
      state_time = i.state_time,
      attempt = i.attempt,
      attempt_key = i.attempt_key,
      profile_id = i.profile_id,
      method = i.method,
      payment_method_id = i.payment_method_id,
      token_id = i.token_id,
      handles = i.handles,
      pay_info = i.pay_info,
      authorised_until = i.authorised_until,
      redirect_url = i.redirect_url,
      failure = i.failure,
      last_error = i.last_error
    from
      input i
    where
      p.app_id = i.app_id
      and p.payment_id = i.payment_id
      and p.version = i.was_version
      and (
        i.op_key is null
        or i.n in (
          select
            n
          from
            leased
        )
      )
      and i.n not in (
        select
          n
        from
          refused
      )
      and (
        i.judged_seen is null
        or (i.app_id, i.judged_customer_id) in (
          select
            app_id,
            customer_id
          from
            judged
        )
      )
    returning
      i.n,
      p.webhook_url
  ),
  ended as (
    update operations o
    set
      status = case
        when o.operation_key = i.op_key then i.op_status
        else 'abandoned'
      end,
      due_time = case
        when o.operation_key = i.op_key then i.op_due_time
      end,
      closed_time = case
        when o.operation_key = i.op_key
        and i.op_status in ('open', 'waiting') then null
        else i.state_time
      end,
      outcome = case
        when o.operation_key = i.op_key then i.op_outcome
        else o.outcome
      end,
      handles = case
        when o.operation_key = i.op_key then coalesce(i.op_handles, o.handles)
        else o.handles
      end,
      tries = o.tries + 1,
      lease_token = null
    from
      input i
      join written w on w.n = i.n
    where
      o.app_id = i.app_id
      and o.payment_id = i.payment_id
      and (
        (
          o.operation_key = i.op_key
          and o.status <> 'done'
        )
        or (
          o.operation_key is distinct from i.op_key
          and o.status = 'waiting'
          and (
            i.open_key is not null
            or i.state = 'Failed'
          )
        )
      )
    returning
      o.app_id,
      o.payment_id,
      o.operation_key,
      o.attempt,
      o.profile_id,
      o.method,
      o.handles,
      o.status
  ),
  opened as (
    insert into
      operations (
        app_id,
        operation_key,
        payment_id,
        step,
        attempt,
        profile_id,
        method,
        amount_minor,
        status,
        created_time,
        due_time,
        lease_token,
        description,
        request_key
      )
    select
      i.app_id,
      i.open_key,
      i.payment_id,
      i.open_step,
      i.open_attempt,
      i.open_profile_id,
      i.open_method,
      i.open_amount_minor,
      'open',
      i.open_created_time,
      i.open_due_time,
      i.open_lease_token,
      i.open_description,
      i.open_request_key
    from
      input i
      join written w on w.n = i.n
    where
      i.open_key is not null
      and (
        select
          count(*)
        from
          ended
      ) >= 0
  ),
  told as (
    insert into
      events (app_id, payment_id, sequence, type, state, created_time, body)
    select
      i.app_id,
      i.payment_id,
      e.sequence,
      'payment.state_changed',
      e.state,
      e.created_time,
      e.body
    from
      input i
      join written w on w.n = i.n,
      json_to_recordset(i.events) as e (sequence integer, state text, created_time timestamptz, body text)
  ),
  placed as materialized (
    select
      i.n,
      w.webhook_url,
      t.endpoint,
      earlier.due_time,
      earlier.due_time is null
      and earlier.others = 0
      and i.lease_endpoint = t.endpoint
      and not exists (
        select
        from
          webhook_endpoints h
        where
          h.app_id = i.app_id
          and h.endpoint = t.endpoint
      ) as leased
    from
      input i
      join written w on w.n = i.n
      join apps a on a.app_id = i.app_id
      cross join lateral (
        select
          left(split_part(split_part(coalesce(w.webhook_url, ''), '?', 1), '#', 1), 200) as endpoint
      ) t
      cross join lateral (
        select
          max(d.due_time) filter (
            where
              d.status = 'waiting'
          ) as due_time,
          count(*) filter (
            where
              d.status in ('ready', 'sending')
              and d.lease_token is distinct from i.lease_token
          ) as others
        from
          deliveries d
        where
          d.app_id = i.app_id
          and d.payment_id = i.payment_id
      ) earlier
    where
      coalesce(w.webhook_url, a.payment_webhook_url) is not null
  ),
  queued as (
    insert into
      deliveries (app_id, payment_id, sequence, url, endpoint, status, queued_time, due_time, lease_token)
    select
      i.app_id,
      i.payment_id,
      e.sequence,
      p.webhook_url,
      p.endpoint,
      case
        when p.leased then 'sending'
        when p.due_time is null then 'ready'
        else 'waiting'
      end,
      e.created_time,
      case
        when p.leased then i.lease_end
        else coalesce(p.due_time, i.now)
      end,
      case
        when p.leased then i.lease_token
      end
    from
      placed p
      join input i on i.n = p.n,
      json_to_recordset(i.events) as e (sequence integer, created_time timestamptz)
  ),
  alarmed as (
    insert into
      timers (app_id, payment_id, due_time)
    select
      i.app_id,
      i.payment_id,
      i.alarm
    from
      input i
      join written w on w.n = i.n
    where
      i.alarm is not null
    on conflict (app_id, payment_id) do update
    set
      due_time = excluded.due_time,
      tries = 0
  ),
  silenced as (
    delete from timers t using input i,
    written w
    where
      w.n = i.n
      and i.alarm_set
      and i.alarm is null
      and t.app_id = i.app_id
      and t.payment_id = i.payment_id
  ),
  repaid as (
    insert into
      refunds as r (app_id, payment_id, refund_id, amount_minor, state, description, created_time)
    select
      i.app_id,
      i.payment_id,
      f.refund_id,
      f.amount_minor,
      f.state,
      f.description,
      i.state_time
    from
      input i
      join written w on w.n = i.n,
      json_to_recordset(i.refunds) as f (refund_id text, amount_minor bigint, state text, description text)
    on conflict (app_id, payment_id, refund_id) do update
    set
      state = excluded.state
  ),
  spoken as (
    insert into
      fraud_verdicts (
        app_id,
        payment_id,
        attempt,
        customer_id,
        verdict_time,
        policy_id,
        policy_version,
        currency,
        amount_minor,
        profile_id,
        card,
        decision,
        outcome,
        checks
      )
    select
      i.app_id,
      i.payment_id,
      v.attempt,
      i.judged_customer_id,
      v.verdict_time,
      v.policy_id,
      v.policy_version,
      v.currency,
      v.amount_minor,
      v.profile_id,
      v.card,
      v.decision,
      v.outcome,
      v.checks
    from
      input i
      join written w on w.n = i.n,
      json_to_record(i.verdict) as v (
        attempt integer,
        verdict_time timestamptz,
        policy_id bigint,
        policy_version integer,
        currency text,
        amount_minor bigint,
        profile_id bigint,
        card text,
        decision text,
        outcome text,
        checks json
      )
    where
      i.verdict is not null
  ),
  fated as (
    update fraud_verdicts v
    set
      outcome = f.outcome,
      card = coalesce(f.card, v.card),
      decision = coalesce(f.decision, v.decision),
      checks = coalesce(f.checks, v.checks)
    from
      input i
      join written w on w.n = i.n,
      json_to_record(i.fate) as f (attempt integer, outcome text, card text, decision text, checks json)
    where
      i.fate is not null
      and v.app_id = i.app_id
      and v.payment_id = i.payment_id
      and v.attempt = f.attempt
      and v.outcome = 'open'
  ),
  undoing as (
    insert into
      undos (
        app_id,
        attempt_key,
        payment_id,
        attempt,
        profile_id,
        method,
        handles,
        status,
        created_time,
        due_time
      )
    select
      e.app_id,
      e.operation_key,
      e.payment_id,
      e.attempt,
      e.profile_id,
      e.method,
      e.handles,
      'open',
      i.state_time,
      i.now
    from
      ended e
      join input i on i.app_id = e.app_id
      and i.payment_id = e.payment_id
    where
      e.status = 'abandoned'
      and (
        i.open_step in ('start', 'charge')
        or i.state = 'Failed'
      )
    on conflict do nothing
  ),
  audited as (
    insert into
      audit_log (
        license_id,
        app_id,
        entry_time,
        actor_kind,
        actor_id,
        actor_name,
        action,
        target,
        before,
        after,
        address,
        request_id
      )
    select
      a.license_id,
      i.app_id,
      i.now,
      a.actor_kind,
      a.actor_id,
      a.actor_name,
      a.action,
      'payment:' || i.payment_id,
      a.before,
      a.after,
      a.address,
      a.request_id
    from
      input i
      join written w on w.n = i.n,
      json_to_record(i.audit) as a (
        license_id text,
        actor_kind text,
        actor_id text,
        actor_name text,
        action text,
        before json,
        after json,
        address text,
        request_id text
      )
    where
      i.audit is not null
  )
select
  w.n,
  'written' as result,
  coalesce(p.leased, false) as leased
from
  written w
  left join placed p on p.n = w.n
union all
select
  n,
  result,
  false
from
  refused;

-- payments.create
with
  input as materialized (
    select
      *
    from
      json_to_recordset($1) as x (
        n integer,
        app_id text,
        payment_id bigint,
        now timestamptz,
        events json,
        alarm timestamptz,
        alarm_set boolean,
        open_key text,
        open_step text,
        open_profile_id bigint,
        open_method text,
        open_amount_minor bigint,
        open_attempt integer,
        open_description text,
        open_request_key text,
        open_lease_token text,
        open_created_time timestamptz,
        open_due_time timestamptz,
        lease_token text,
        lease_end timestamptz,
        lease_endpoint text,
        flow text,
        reference_id text,
        payment_key text,
        amount_minor bigint,
        currency text,
        auto_capture boolean,
        auto_payment text,
        customer_id text,
        return_url text,
        webhook_url text,
        created_time timestamptz,
        expiration_time timestamptz,
        details json,
        sequence integer,
        state text,
        captured_minor bigint,
        refunded_minor bigint,
        fraud_status text,
        state_time timestamptz,
        attempt integer,
        attempt_key text,
        profile_id bigint,
        method text,
        payment_method_id bigint,
        token_id bigint,
        handles json,
        pay_info json,
        authorised_until timestamptz,
        redirect_url text,
        failure json,
        last_error text,
        first_name text,
        last_name text,
        email text,
        mobile_number text,
        extras json
      )
    where
      n between 0 and 1000
  ),
  made as (
    insert into
      payments (
        app_id,
        payment_id,
        version,
        flow,
        reference_id,
        payment_key,
        amount_minor,
        currency,
        auto_capture,
        auto_payment,
        customer_id,
        return_url,
        webhook_url,
        created_time,
        expiration_time,
        details,
        sequence,
        state,
        captured_minor,
        refunded_minor,
        fraud_status,
        state_time,
        attempt,
        attempt_key,
        profile_id,
        method,
        payment_method_id,
        token_id,
        handles,
        pay_info,
        authorised_until,
        redirect_url,
        failure,
        last_error
      )
    select
      i.app_id,
      i.payment_id,
      1,
      i.flow,
      i.reference_id,
      i.payment_key,
      i.amount_minor,
      i.currency,
      i.auto_capture,
      i.auto_payment,
      i.customer_id,
      i.return_url,
      i.webhook_url,
      i.created_time,
      i.expiration_time,
      i.details,
      i.sequence,
      i.state,
      i.captured_minor,
      i.refunded_minor,
      i.fraud_status,
      i.state_time,
      i.attempt,
      i.attempt_key,
      i.profile_id,
      i.method,
      i.payment_method_id,
      i.token_id,
      i.handles,
      i.pay_info,
      i.authorised_until,
      i.redirect_url,
      i.failure,
      i.last_error
    from
      input i
    where
      not exists (
        select
        from
          customers c
        where
          c.app_id = i.app_id
          and c.customer_id = i.customer_id
          and c.is_blocked
      )
    on conflict do nothing
    returning
      app_id,
      payment_id,
      webhook_url
  ),
  written as (
    select
      i.n,
      m.webhook_url
    from
      input i
      join made m on m.app_id = i.app_id
      and m.payment_id = i.payment_id
  ),
  known as (
    insert into
      customers as c (app_id, customer_id, first_name, last_name, email, mobile_number, extras, created_time)
    select
      l.app_id,
      l.customer_id,
      l.first_name,
      l.last_name,
      l.email,
      l.mobile_number,
      l.extras,
      l.created_time
    from
      (
        select distinct
          on (i.app_id, i.customer_id) i.*
        from
          input i
          join written w on w.n = i.n
        order by
          i.app_id,
          i.customer_id,
          i.n desc
      ) l
    where
      not exists (
        select
        from
          customers k
        where
          k.app_id = l.app_id
          and k.customer_id = l.customer_id
          and (
            coalesce(l.first_name, k.first_name),
            coalesce(l.last_name, k.last_name),
            coalesce(l.email, k.email),
            coalesce(l.mobile_number, k.mobile_number),
            coalesce(l.extras, k.extras)::text
          ) is not distinct from (k.first_name, k.last_name, k.email, k.mobile_number, k.extras::text)
      )
    order by
      l.app_id,
      l.customer_id
    on conflict (app_id, customer_id) do update
    set
      first_name = coalesce(excluded.first_name, c.first_name),
      last_name = coalesce(excluded.last_name, c.last_name),
      email = coalesce(excluded.email, c.email),
      mobile_number = coalesce(excluded.mobile_number, c.mobile_number),
      extras = coalesce(excluded.extras, c.extras)
  ),
  ended as (
    select
      1
    where
      false
  ),
  opened as (
    insert into
      operations (
        app_id,
        operation_key,
        payment_id,
        step,
        attempt,
        profile_id,
        method,
        amount_minor,
        status,
        created_time,
        due_time,
        lease_token,
        description,
        request_key
      )
    select
      i.app_id,
      i.open_key,
      i.payment_id,
      i.open_step,
      i.open_attempt,
      i.open_profile_id,
      i.open_method,
      i.open_amount_minor,
      'open',
      i.open_created_time,
      i.open_due_time,
      i.open_lease_token,
      i.open_description,
      i.open_request_key
    from
      input i
      join written w on w.n = i.n
    where
      i.open_key is not null
      and (
        select
          count(*)
        from
          ended
      ) >= 0
  ),
  told as (
    insert into
      events (app_id, payment_id, sequence, type, state, created_time, body)
    select
      i.app_id,
      i.payment_id,
      e.sequence,
      'payment.state_changed',
      e.state,
      e.created_time,
      e.body
    from
      input i
      join written w on w.n = i.n,
      json_to_recordset(i.events) as e (sequence integer, state text, created_time timestamptz, body text)
  ),
  placed as materialized (
    select
      i.n,
      w.webhook_url,
      t.endpoint,
      earlier.due_time,
      earlier.due_time is null
      and earlier.others = 0
      and i.lease_endpoint = t.endpoint
      and not exists (
        select
        from
          webhook_endpoints h
        where
          h.app_id = i.app_id
          and h.endpoint = t.endpoint
      ) as leased
    from
      input i
      join written w on w.n = i.n
      join apps a on a.app_id = i.app_id
      cross join lateral (
        select
          left(split_part(split_part(coalesce(w.webhook_url, ''), '?', 1), '#', 1), 200) as endpoint
      ) t
      cross join lateral (
        select
          max(d.due_time) filter (
            where
              d.status = 'waiting'
          ) as due_time,
          count(*) filter (
            where
              d.status in ('ready', 'sending')
              and d.lease_token is distinct from i.lease_token
          ) as others
        from
          deliveries d
        where
          d.app_id = i.app_id
          and d.payment_id = i.payment_id
      ) earlier
    where
      coalesce(w.webhook_url, a.payment_webhook_url) is not null
  ),
  queued as (
    insert into
      deliveries (app_id, payment_id, sequence, url, endpoint, status, queued_time, due_time, lease_token)
    select
      i.app_id,
      i.payment_id,
      e.sequence,
      p.webhook_url,
      p.endpoint,
      case
        when p.leased then 'sending'
        when p.due_time is null then 'ready'
        else 'waiting'
      end,
      e.created_time,
      case
        when p.leased then i.lease_end
        else coalesce(p.due_time, i.now)
      end,
      case
        when p.leased then i.lease_token
      end
    from
      placed p
      join input i on i.n = p.n,
      json_to_recordset(i.events) as e (sequence integer, created_time timestamptz)
  ),
  alarmed as (
    insert into
      timers (app_id, payment_id, due_time)
    select
      i.app_id,
      i.payment_id,
      i.alarm
    from
      input i
      join written w on w.n = i.n
    where
      i.alarm is not null
    on conflict (app_id, payment_id) do update
    set
      due_time = excluded.due_time,
      tries = 0
  ),
  silenced as (
    delete from timers t using input i,
    written w
    where
      w.n = i.n
      and i.alarm_set
      and i.alarm is null
      and t.app_id = i.app_id
      and t.payment_id = i.payment_id
  )
select
  w.n,
  coalesce(p.leased, false) as leased
from
  written w
  left join placed p on p.n = w.n;

-- payments.createAudited
with
  input as materialized (
    select
      *
    from
      json_to_recordset($1) as x (
        n integer,
        app_id text,
        payment_id bigint,
        now timestamptz,
        events json,
        alarm timestamptz,
        alarm_set boolean,
        open_key text,
        open_step text,
        open_profile_id bigint,
        open_method text,
        open_amount_minor bigint,
        open_attempt integer,
        open_description text,
        open_request_key text,
        open_lease_token text,
        open_created_time timestamptz,
        open_due_time timestamptz,
        lease_token text,
        lease_end timestamptz,
        lease_endpoint text,
        flow text,
        reference_id text,
        payment_key text,
        amount_minor bigint,
        currency text,
        auto_capture boolean,
        auto_payment text,
        customer_id text,
        return_url text,
        webhook_url text,
        created_time timestamptz,
        expiration_time timestamptz,
        details json,
        sequence integer,
        state text,
        captured_minor bigint,
        refunded_minor bigint,
        fraud_status text,
        state_time timestamptz,
        attempt integer,
        attempt_key text,
        profile_id bigint,
        method text,
        payment_method_id bigint,
        token_id bigint,
        handles json,
        pay_info json,
        authorised_until timestamptz,
        redirect_url text,
        failure json,
        last_error text,
        first_name text,
        last_name text,
        email text,
        mobile_number text,
        extras json,
        audit json
      )
    where
      n between 0 and 1000
  ),
  made as (
    insert into
      payments (
        app_id,
        payment_id,
        version,
        flow,
        reference_id,
        payment_key,
        amount_minor,
        currency,
        auto_capture,
        auto_payment,
        customer_id,
        return_url,
        webhook_url,
        created_time,
        expiration_time,
        details,
        sequence,
        state,
        captured_minor,
        refunded_minor,
        fraud_status,
        state_time,
        attempt,
        attempt_key,
        profile_id,
        method,
        payment_method_id,
        token_id,
        handles,
        pay_info,
        authorised_until,
        redirect_url,
        failure,
        last_error
      )
    select
      i.app_id,
      i.payment_id,
      1,
      i.flow,
      i.reference_id,
      i.payment_key,
      i.amount_minor,
      i.currency,
      i.auto_capture,
      i.auto_payment,
      i.customer_id,
      i.return_url,
      i.webhook_url,
      i.created_time,
      i.expiration_time,
      i.details,
      i.sequence,
      i.state,
      i.captured_minor,
      i.refunded_minor,
      i.fraud_status,
      i.state_time,
      i.attempt,
      i.attempt_key,
      i.profile_id,
      i.method,
      i.payment_method_id,
      i.token_id,
      i.handles,
      i.pay_info,
      i.authorised_until,
      i.redirect_url,
      i.failure,
      i.last_error
    from
      input i
    where
      not exists (
        select
        from
          customers c
        where
          c.app_id = i.app_id
          and c.customer_id = i.customer_id
          and c.is_blocked
      )
    on conflict do nothing
    returning
      app_id,
      payment_id,
      webhook_url
  ),
  written as (
    select
      i.n,
      m.webhook_url
    from
      input i
      join made m on m.app_id = i.app_id
      and m.payment_id = i.payment_id
  ),
  known as (
    insert into
      customers as c (app_id, customer_id, first_name, last_name, email, mobile_number, extras, created_time)
    select
      l.app_id,
      l.customer_id,
      l.first_name,
      l.last_name,
      l.email,
      l.mobile_number,
      l.extras,
      l.created_time
    from
      (
        select distinct
          on (i.app_id, i.customer_id) i.*
        from
          input i
          join written w on w.n = i.n
        order by
          i.app_id,
          i.customer_id,
          i.n desc
      ) l
    where
      not exists (
        select
        from
          customers k
        where
          k.app_id = l.app_id
          and k.customer_id = l.customer_id
          and (
            coalesce(l.first_name, k.first_name),
            coalesce(l.last_name, k.last_name),
            coalesce(l.email, k.email),
            coalesce(l.mobile_number, k.mobile_number),
            coalesce(l.extras, k.extras)::text
          ) is not distinct from (k.first_name, k.last_name, k.email, k.mobile_number, k.extras::text)
      )
    order by
      l.app_id,
      l.customer_id
    on conflict (app_id, customer_id) do update
    set
      first_name = coalesce(excluded.first_name, c.first_name),
      last_name = coalesce(excluded.last_name, c.last_name),
      email = coalesce(excluded.email, c.email),
      mobile_number = coalesce(excluded.mobile_number, c.mobile_number),
      extras = coalesce(excluded.extras, c.extras)
  ),
  ended as (
    select
      1
    where
      false
  ),
  opened as (
    insert into
      operations (
        app_id,
        operation_key,
        payment_id,
        step,
        attempt,
        profile_id,
        method,
        amount_minor,
        status,
        created_time,
        due_time,
        lease_token,
        description,
        request_key
      )
    select
      i.app_id,
      i.open_key,
      i.payment_id,
      i.open_step,
      i.open_attempt,
      i.open_profile_id,
      i.open_method,
      i.open_amount_minor,
      'open',
      i.open_created_time,
      i.open_due_time,
      i.open_lease_token,
      i.open_description,
      i.open_request_key
    from
      input i
      join written w on w.n = i.n
    where
      i.open_key is not null
      and (
        select
          count(*)
        from
          ended
      ) >= 0
  ),
  told as (
    insert into
      events (app_id, payment_id, sequence, type, state, created_time, body)
    select
      i.app_id,
      i.payment_id,
      e.sequence,
      'payment.state_changed',
      e.state,
      e.created_time,
      e.body
    from
      input i
      join written w on w.n = i.n,
      json_to_recordset(i.events) as e (sequence integer, state text, created_time timestamptz, body text)
  ),
  placed as materialized (
    select
      i.n,
      w.webhook_url,
      t.endpoint,
      earlier.due_time,
      earlier.due_time is null
      and earlier.others = 0
      and i.lease_endpoint = t.endpoint
      and not exists (
        select
        from
          webhook_endpoints h
        where
          h.app_id = i.app_id
          and h.endpoint = t.endpoint
      ) as leased
    from
      input i
      join written w on w.n = i.n
      join apps a on a.app_id = i.app_id
      cross join lateral (
        select
          left(split_part(split_part(coalesce(w.webhook_url, ''), '?', 1), '#', 1), 200) as endpoint
      ) t
      cross join lateral (
        select
          max(d.due_time) filter (
            where
              d.status = 'waiting'
          ) as due_time,
          count(*) filter (
            where
              d.status in ('ready', 'sending')
              and d.lease_token is distinct from i.lease_token
          ) as others
        from
          deliveries d
        where
          d.app_id = i.app_id
          and d.payment_id = i.payment_id
      ) earlier
    where
      coalesce(w.webhook_url, a.payment_webhook_url) is not null
  ),
  queued as (
    insert into
      deliveries (app_id, payment_id, sequence, url, endpoint, status, queued_time, due_time, lease_token)
    select
      i.app_id,
      i.payment_id,
      e.sequence,
      p.webhook_url,
      p.endpoint,
      case
        when p.leased then 'sending'
        when p.due_time is null then 'ready'
        else 'waiting'
      end,
      e.created_time,
      case
        when p.leased then i.lease_end
        else coalesce(p.due_time, i.now)
      end,
      case
        when p.leased then i.lease_token
      end
    from
      placed p
      join input i on i.n = p.n,
      json_to_recordset(i.events) as e (sequence integer, created_time timestamptz)
  ),
  alarmed as (
    insert into
      timers (app_id, payment_id, due_time)
    select
      i.app_id,
      i.payment_id,
      i.alarm
    from
      input i
      join written w on w.n = i.n
    where
      i.alarm is not null
    on conflict (app_id, payment_id) do update
    set
      due_time = excluded.due_time,
      tries = 0
  ),
  silenced as (
    delete from timers t using input i,
    written w
    where
      w.n = i.n
      and i.alarm_set
      and i.alarm is null
      and t.app_id = i.app_id
      and t.payment_id = i.payment_id
  ),
  audited as (
    insert into
      audit_log (
        license_id,
        app_id,
        entry_time,
        actor_kind,
        actor_id,
        actor_name,
        action,
        target,
        before,
        after,
        address,
        request_id
      )
    select
      a.license_id,
      i.app_id,
      i.now,
      a.actor_kind,
      a.actor_id,
      a.actor_name,
      a.action,
      'payment:' || i.payment_id,
      a.before,
      a.after,
      a.address,
      a.request_id
    from
      input i
      join written w on w.n = i.n,
      json_to_record(i.audit) as a (
        license_id text,
        actor_kind text,
        actor_id text,
        actor_name text,
        action text,
        before json,
        after json,
        address text,
        request_id text
      )
    where
      i.audit is not null
  )
select
  w.n,
  coalesce(p.leased, false) as leased
from
  written w
  left join placed p on p.n = w.n;

-- payments.createJudged
with
  input as materialized (
    select
      *
    from
      json_to_recordset($1) as x (
        n integer,
        app_id text,
        payment_id bigint,
        now timestamptz,
        events json,
        alarm timestamptz,
        alarm_set boolean,
        open_key text,
        open_step text,
        open_profile_id bigint,
        open_method text,
        open_amount_minor bigint,
        open_attempt integer,
        open_description text,
        open_request_key text,
        open_lease_token text,
        open_created_time timestamptz,
        open_due_time timestamptz,
        lease_token text,
        lease_end timestamptz,
        lease_endpoint text,
        flow text,
        reference_id text,
        payment_key text,
        amount_minor bigint,
        currency text,
        auto_capture boolean,
        auto_payment text,
        customer_id text,
        return_url text,
        webhook_url text,
        created_time timestamptz,
        expiration_time timestamptz,
        details json,
        sequence integer,
        state text,
        captured_minor bigint,
        refunded_minor bigint,
        fraud_status text,
        state_time timestamptz,
        attempt integer,
        attempt_key text,
        profile_id bigint,
        method text,
        payment_method_id bigint,
        token_id bigint,
        handles json,
        pay_info json,
        authorised_until timestamptz,
        redirect_url text,
        failure json,
        last_error text,
        first_name text,
        last_name text,
        email text,
        mobile_number text,
        extras json,
        judged_customer_id text,
        judged_seen integer,
        verdict json,
        fate json
      )
    where
      n between 0 and 1000
  ),
  judged as (
    insert into
      fraud_customers as f (app_id, customer_id, version)
    select
      i.app_id,
      i.judged_customer_id,
      coalesce(i.judged_seen + 1, 0)
    from
      input i
    where
      i.judged_customer_id is not null
    on conflict (app_id, customer_id) do update
    set
      version = f.version + 1
    where
      excluded.version = 0
      or f.version = excluded.version - 1
    returning
      app_id,
      customer_id
  ),
  made as (
    insert into
      payments (
        app_id,
        payment_id,
        version,
        flow,
        reference_id,
        payment_key,
        amount_minor,
        currency,
        auto_capture,
        auto_payment,
        customer_id,
        return_url,
        webhook_url,
        created_time,
        expiration_time,
        details,
        sequence,
        state,
        captured_minor,
        refunded_minor,
        fraud_status,
        state_time,
        attempt,
        attempt_key,
        profile_id,
        method,
        payment_method_id,
        token_id,
        handles,
        pay_info,
        authorised_until,
        redirect_url,
        failure,
        last_error
      )
    select
      i.app_id,
      i.payment_id,
      1,
      i.flow,
      i.reference_id,
      i.payment_key,
      i.amount_minor,
      i.currency,
      i.auto_capture,
      i.auto_payment,
      i.customer_id,
      i.return_url,
      i.webhook_url,
      i.created_time,
      i.expiration_time,
      i.details,
      i.sequence,
      i.state,
      i.captured_minor,
      i.refunded_minor,
      i.fraud_status,
      i.state_time,
      i.attempt,
      i.attempt_key,
      i.profile_id,
      i.method,
      i.payment_method_id,
      i.token_id,
      i.handles,
      i.pay_info,
      i.authorised_until,
      i.redirect_url,
      i.failure,
      i.last_error
    from
      input i
    where
      not exists (
        select
        from
          customers c
        where
          c.app_id = i.app_id
          and c.customer_id = i.customer_id
          and c.is_blocked
      )
      and (
        i.judged_seen is null
        or (i.app_id, i.judged_customer_id) in (
          select
            app_id,
            customer_id
          from
            judged
        )
      )
    on conflict do nothing
    returning
      app_id,
      payment_id,
      webhook_url
  ),
  written as (
    select
      i.n,
      m.webhook_url
    from
      input i
      join made m on m.app_id = i.app_id
      and m.payment_id = i.payment_id
  ),
  known as (
    insert into
      customers as c (app_id, customer_id, first_name, last_name, email, mobile_number, extras, created_time)
    select
      l.app_id,
      l.customer_id,
      l.first_name,
      l.last_name,
      l.email,
      l.mobile_number,
      l.extras,
      l.created_time
    from
      (
        select distinct
          on (i.app_id, i.customer_id) i.*
        from
          input i
          join written w on w.n = i.n
        order by
          i.app_id,
          i.customer_id,
          i.n desc
      ) l
    where
      not exists (
        select
        from
          customers k
        where
          k.app_id = l.app_id
          and k.customer_id = l.customer_id
          and (
            coalesce(l.first_name, k.first_name),
            coalesce(l.last_name, k.last_name),
            coalesce(l.email, k.email),
            coalesce(l.mobile_number, k.mobile_number),
            coalesce(l.extras, k.extras)::text
          ) is not distinct from (k.first_name, k.last_name, k.email, k.mobile_number, k.extras::text)
      )
    order by
      l.app_id,
      l.customer_id
    on conflict (app_id, customer_id) do update
    set
      first_name = coalesce(excluded.first_name, c.first_name),
      last_name = coalesce(excluded.last_name, c.last_name),
      email = coalesce(excluded.email, c.email),
      mobile_number = coalesce(excluded.mobile_number, c.mobile_number),
      extras = coalesce(excluded.extras, c.extras)
  ),
  ended as (
    select
      1
    where
      false
  ),
  opened as (
    insert into
      operations (
        app_id,
        operation_key,
        payment_id,
        step,
        attempt,
        profile_id,
        method,
        amount_minor,
        status,
        created_time,
        due_time,
        lease_token,
        description,
        request_key
      )
    select
      i.app_id,
      i.open_key,
      i.payment_id,
      i.open_step,
      i.open_attempt,
      i.open_profile_id,
      i.open_method,
      i.open_amount_minor,
      'open',
      i.open_created_time,
      i.open_due_time,
      i.open_lease_token,
      i.open_description,
      i.open_request_key
    from
      input i
      join written w on w.n = i.n
    where
      i.open_key is not null
      and (
        select
          count(*)
        from
          ended
      ) >= 0
  ),
  told as (
    insert into
      events (app_id, payment_id, sequence, type, state, created_time, body)
    select
      i.app_id,
      i.payment_id,
      e.sequence,
      'payment.state_changed',
      e.state,
      e.created_time,
      e.body
    from
      input i
      join written w on w.n = i.n,
      json_to_recordset(i.events) as e (sequence integer, state text, created_time timestamptz, body text)
  ),
  placed as materialized (
    select
      i.n,
      w.webhook_url,
      t.endpoint,
      earlier.due_time,
      earlier.due_time is null
      and earlier.others = 0
      and i.lease_endpoint = t.endpoint
      and not exists (
        select
        from
          webhook_endpoints h
        where
          h.app_id = i.app_id
          and h.endpoint = t.endpoint
      ) as leased
    from
      input i
      join written w on w.n = i.n
      join apps a on a.app_id = i.app_id
      cross join lateral (
        select
          left(split_part(split_part(coalesce(w.webhook_url, ''), '?', 1), '#', 1), 200) as endpoint
      ) t
      cross join lateral (
        select
          max(d.due_time) filter (
            where
              d.status = 'waiting'
          ) as due_time,
          count(*) filter (
            where
              d.status in ('ready', 'sending')
              and d.lease_token is distinct from i.lease_token
          ) as others
        from
          deliveries d
        where
          d.app_id = i.app_id
          and d.payment_id = i.payment_id
      ) earlier
    where
      coalesce(w.webhook_url, a.payment_webhook_url) is not null
  ),
  queued as (
    insert into
      deliveries (app_id, payment_id, sequence, url, endpoint, status, queued_time, due_time, lease_token)
    select
      i.app_id,
      i.payment_id,
      e.sequence,
      p.webhook_url,
      p.endpoint,
      case
        when p.leased then 'sending'
        when p.due_time is null then 'ready'
        else 'waiting'
      end,
      e.created_time,
      case
        when p.leased then i.lease_end
        else coalesce(p.due_time, i.now)
      end,
      case
        when p.leased then i.lease_token
      end
    from
      placed p
      join input i on i.n = p.n,
      json_to_recordset(i.events) as e (sequence integer, created_time timestamptz)
  ),
  alarmed as (
    insert into
      timers (app_id, payment_id, due_time)
    select
      i.app_id,
      i.payment_id,
      i.alarm
    from
      input i
      join written w on w.n = i.n
    where
      i.alarm is not null
    on conflict (app_id, payment_id) do update
    set
      due_time = excluded.due_time,
      tries = 0
  ),
  silenced as (
    delete from timers t using input i,
    written w
    where
      w.n = i.n
      and i.alarm_set
      and i.alarm is null
      and t.app_id = i.app_id
      and t.payment_id = i.payment_id
  ),
  spoken as (
    insert into
      fraud_verdicts (
        app_id,
        payment_id,
        attempt,
        customer_id,
        verdict_time,
        policy_id,
        policy_version,
        currency,
        amount_minor,
        profile_id,
        card,
        decision,
        outcome,
        checks
      )
    select
      i.app_id,
      i.payment_id,
      v.attempt,
      i.judged_customer_id,
      v.verdict_time,
      v.policy_id,
      v.policy_version,
      v.currency,
      v.amount_minor,
      v.profile_id,
      v.card,
      v.decision,
      v.outcome,
      v.checks
    from
      input i
      join written w on w.n = i.n,
      json_to_record(i.verdict) as v (
        attempt integer,
        verdict_time timestamptz,
        policy_id bigint,
        policy_version integer,
        currency text,
        amount_minor bigint,
        profile_id bigint,
        card text,
        decision text,
        outcome text,
        checks json
      )
    where
      i.verdict is not null
  )
select
  w.n,
  coalesce(p.leased, false) as leased
from
  written w
  left join placed p on p.n = w.n;

-- payments.createJudgedAudited
with
  input as materialized (
    select
      *
    from
      json_to_recordset($1) as x (
        n integer,
        app_id text,
        payment_id bigint,
        now timestamptz,
        events json,
        alarm timestamptz,
        alarm_set boolean,
        open_key text,
        open_step text,
        open_profile_id bigint,
        open_method text,
        open_amount_minor bigint,
        open_attempt integer,
        open_description text,
        open_request_key text,
        open_lease_token text,
        open_created_time timestamptz,
        open_due_time timestamptz,
        lease_token text,
        lease_end timestamptz,
        lease_endpoint text,
        flow text,
        reference_id text,
        payment_key text,
        amount_minor bigint,
        currency text,
        auto_capture boolean,
        auto_payment text,
        customer_id text,
        return_url text,
        webhook_url text,
        created_time timestamptz,
        expiration_time timestamptz,
        details json,
        sequence integer,
        state text,
        captured_minor bigint,
        refunded_minor bigint,
        fraud_status text,
        state_time timestamptz,
        attempt integer,
        attempt_key text,
        profile_id bigint,
        method text,
        payment_method_id bigint,
        token_id bigint,
        handles json,
        pay_info json,
        authorised_until timestamptz,
        redirect_url text,
        failure json,
        last_error text,
        first_name text,
        last_name text,
        email text,
        mobile_number text,
        extras json,
        judged_customer_id text,
        judged_seen integer,
        verdict json,
        fate json,
        audit json
      )
    where
      n between 0 and 1000
  ),
  judged as (
    insert into
      fraud_customers as f (app_id, customer_id, version)
    select
      i.app_id,
      i.judged_customer_id,
      coalesce(i.judged_seen + 1, 0)
    from
      input i
    where
      i.judged_customer_id is not null
    on conflict (app_id, customer_id) do update
    set
      version = f.version + 1
    where
      excluded.version = 0
      or f.version = excluded.version - 1
    returning
      app_id,
      customer_id
  ),
  made as (
    insert into
      payments (
        app_id,
        payment_id,
        version,
        flow,
        reference_id,
        payment_key,
        amount_minor,
        currency,
        auto_capture,
        auto_payment,
        customer_id,
        return_url,
        webhook_url,
        created_time,
        expiration_time,
        details,
        sequence,
        state,
        captured_minor,
        refunded_minor,
        fraud_status,
        state_time,
        attempt,
        attempt_key,
        profile_id,
        method,
        payment_method_id,
        token_id,
        handles,
        pay_info,
        authorised_until,
        redirect_url,
        failure,
        last_error
      )
    select
      i.app_id,
      i.payment_id,
      1,
      i.flow,
      i.reference_id,
      i.payment_key,
      i.amount_minor,
      i.currency,
      i.auto_capture,
      i.auto_payment,
      i.customer_id,
      i.return_url,
      i.webhook_url,
      i.created_time,
      i.expiration_time,
      i.details,
      i.sequence,
      i.state,
      i.captured_minor,
      i.refunded_minor,
      i.fraud_status,
      i.state_time,
      i.attempt,
      i.attempt_key,
      i.profile_id,
      i.method,
      i.payment_method_id,
      i.token_id,
      i.handles,
      i.pay_info,
      i.authorised_until,
      i.redirect_url,
      i.failure,
      i.last_error
    from
      input i
    where
      not exists (
        select
        from
          customers c
        where
          c.app_id = i.app_id
          and c.customer_id = i.customer_id
          and c.is_blocked
      )
      and (
        i.judged_seen is null
        or (i.app_id, i.judged_customer_id) in (
          select
            app_id,
            customer_id
          from
            judged
        )
      )
    on conflict do nothing
    returning
      app_id,
      payment_id,
      webhook_url
  ),
  written as (
    select
      i.n,
      m.webhook_url
    from
      input i
      join made m on m.app_id = i.app_id
      and m.payment_id = i.payment_id
  ),
  known as (
    insert into
      customers as c (app_id, customer_id, first_name, last_name, email, mobile_number, extras, created_time)
    select
      l.app_id,
      l.customer_id,
      l.first_name,
      l.last_name,
      l.email,
      l.mobile_number,
      l.extras,
      l.created_time
    from
      (
        select distinct
          on (i.app_id, i.customer_id) i.*
        from
          input i
          join written w on w.n = i.n
        order by
          i.app_id,
          i.customer_id,
          i.n desc
      ) l
    where
      not exists (
        select
        from
          customers k
        where
          k.app_id = l.app_id
          and k.customer_id = l.customer_id
          and (
            coalesce(l.first_name, k.first_name),
            coalesce(l.last_name, k.last_name),
            coalesce(l.email, k.email),
            coalesce(l.mobile_number, k.mobile_number),
            coalesce(l.extras, k.extras)::text
          ) is not distinct from (k.first_name, k.last_name, k.email, k.mobile_number, k.extras::text)
      )
    order by
      l.app_id,
      l.customer_id
    on conflict (app_id, customer_id) do update
    set
      first_name = coalesce(excluded.first_name, c.first_name),
      last_name = coalesce(excluded.last_name, c.last_name),
      email = coalesce(excluded.email, c.email),
      mobile_number = coalesce(excluded.mobile_number, c.mobile_number),
      extras = coalesce(excluded.extras, c.extras)
  ),
  ended as (
    select
      1
    where
      false
  ),
  opened as (
    insert into
      operations (
        app_id,
        operation_key,
        payment_id,
        step,
        attempt,
        profile_id,
        method,
        amount_minor,
        status,
        created_time,
        due_time,
        lease_token,
        description,
        request_key
      )
    select
      i.app_id,
      i.open_key,
      i.payment_id,
      i.open_step,
      i.open_attempt,
      i.open_profile_id,
      i.open_method,
      i.open_amount_minor,
      'open',
      i.open_created_time,
      i.open_due_time,
      i.open_lease_token,
      i.open_description,
      i.open_request_key
    from
      input i
      join written w on w.n = i.n
    where
      i.open_key is not null
      and (
        select
          count(*)
        from
          ended
      ) >= 0
  ),
  told as (
    insert into
      events (app_id, payment_id, sequence, type, state, created_time, body)
    select
      i.app_id,
      i.payment_id,
      e.sequence,
      'payment.state_changed',
      e.state,
      e.created_time,
      e.body
    from
      input i
      join written w on w.n = i.n,
      json_to_recordset(i.events) as e (sequence integer, state text, created_time timestamptz, body text)
  ),
  placed as materialized (
    select
      i.n,
      w.webhook_url,
      t.endpoint,
      earlier.due_time,
      earlier.due_time is null
      and earlier.others = 0
      and i.lease_endpoint = t.endpoint
      and not exists (
        select
        from
          webhook_endpoints h
        where
          h.app_id = i.app_id
          and h.endpoint = t.endpoint
      ) as leased
    from
      input i
      join written w on w.n = i.n
      join apps a on a.app_id = i.app_id
      cross join lateral (
        select
          left(split_part(split_part(coalesce(w.webhook_url, ''), '?', 1), '#', 1), 200) as endpoint
      ) t
      cross join lateral (
        select
          max(d.due_time) filter (
            where
              d.status = 'waiting'
          ) as due_time,
          count(*) filter (
            where
              d.status in ('ready', 'sending')
              and d.lease_token is distinct from i.lease_token
          ) as others
        from
          deliveries d
        where
          d.app_id = i.app_id
          and d.payment_id = i.payment_id
      ) earlier
    where
      coalesce(w.webhook_url, a.payment_webhook_url) is not null
  ),
  queued as (
    insert into
      deliveries (app_id, payment_id, sequence, url, endpoint, status, queued_time, due_time, lease_token)
    select
      i.app_id,
      i.payment_id,
      e.sequence,
      p.webhook_url,
      p.endpoint,
      case
        when p.leased then 'sending'
        when p.due_time is null then 'ready'
        else 'waiting'
      end,
      e.created_time,
      case
        when p.leased then i.lease_end
        else coalesce(p.due_time, i.now)
      end,
      case
        when p.leased then i.lease_token
      end
    from
      placed p
      join input i on i.n = p.n,
      json_to_recordset(i.events) as e (sequence integer, created_time timestamptz)
  ),
  alarmed as (
    insert into
      timers (app_id, payment_id, due_time)
    select
      i.app_id,
      i.payment_id,
      i.alarm
    from
      input i
      join written w on w.n = i.n
    where
      i.alarm is not null
    on conflict (app_id, payment_id) do update
    set
      due_time = excluded.due_time,
      tries = 0
  ),
  silenced as (
    delete from timers t using input i,
    written w
    where
      w.n = i.n
      and i.alarm_set
      and i.alarm is null
      and t.app_id = i.app_id
      and t.payment_id = i.payment_id
  ),
  spoken as (
    insert into
      fraud_verdicts (
        app_id,
        payment_id,
        attempt,
        customer_id,
        verdict_time,
        policy_id,
        policy_version,
        currency,
        amount_minor,
        profile_id,
        card,
        decision,
        outcome,
        checks
      )
    select
      i.app_id,
      i.payment_id,
      v.attempt,
      i.judged_customer_id,
      v.verdict_time,
      v.policy_id,
      v.policy_version,
      v.currency,
      v.amount_minor,
      v.profile_id,
      v.card,
      v.decision,
      v.outcome,
      v.checks
    from
      input i
      join written w on w.n = i.n,
      json_to_record(i.verdict) as v (
        attempt integer,
        verdict_time timestamptz,
        policy_id bigint,
        policy_version integer,
        currency text,
        amount_minor bigint,
        profile_id bigint,
        card text,
        decision text,
        outcome text,
        checks json
      )
    where
      i.verdict is not null
  ),
  audited as (
    insert into
      audit_log (
        license_id,
        app_id,
        entry_time,
        actor_kind,
        actor_id,
        actor_name,
        action,
        target,
        before,
        after,
        address,
        request_id
      )
    select
      a.license_id,
      i.app_id,
      i.now,
      a.actor_kind,
      a.actor_id,
      a.actor_name,
      a.action,
      'payment:' || i.payment_id,
      a.before,
      a.after,
      a.address,
      a.request_id
    from
      input i
      join written w on w.n = i.n,
      json_to_record(i.audit) as a (
        license_id text,
        actor_kind text,
        actor_id text,
        actor_name text,
        action text,
        before json,
        after json,
        address text,
        request_id text
      )
    where
      i.audit is not null
  )
select
  w.n,
  coalesce(p.leased, false) as leased
from
  written w
  left join placed p on p.n = w.n;

-- payments.lastCharges
select distinct
  on (token_id) app_id,
  payment_id,
  version,
  flow,
  reference_id,
  payment_key,
  amount_minor,
  currency,
  auto_capture,
  auto_payment,
  customer_id,
  return_url,
  webhook_url,
  created_time,
  expiration_time,
  details,
  sequence,
  state,
  captured_minor,
  refunded_minor,
  fraud_status,
  state_time,
  attempt,
  attempt_key,
  profile_id,
  method,
  payment_method_id,
  token_id,
  handles,
  pay_info,
  authorised_until,
  redirect_url,
  failure,
  last_error
from
  (
    select
      app_id,
      payment_id,
      version,
      flow,
      reference_id,
      payment_key,
      amount_minor,
      currency,
      auto_capture,
      auto_payment,
      customer_id,
      return_url,
      webhook_url,
      created_time,
      expiration_time,
      details,
      sequence,
      state,
      captured_minor,
      refunded_minor,
      fraud_status,
      state_time,
      attempt,
      attempt_key,
      profile_id,
      method,
      payment_method_id,
      token_id,
      handles,
      pay_info,
      authorised_until,
      redirect_url,
      failure,
      last_error
    from
      payments
    where
      app_id = $1
      and customer_id = $2
    order by
      payment_id desc
    limit
      200
  ) newest
where
  flow = 'AutoPayment'
  and captured_minor > 0
  and token_id is not null
order by
  token_id,
  payment_id desc;

-- payments.nextBlock
select
  nextval('payment_ids') as next;

-- payments.ofCustomer
select
  app_id,
  payment_id,
  version,
  flow,
  reference_id,
  payment_key,
  amount_minor,
  currency,
  auto_capture,
  auto_payment,
  customer_id,
  return_url,
  webhook_url,
  created_time,
  expiration_time,
  details,
  sequence,
  state,
  captured_minor,
  refunded_minor,
  fraud_status,
  state_time,
  attempt,
  attempt_key,
  profile_id,
  method,
  payment_method_id,
  token_id,
  handles,
  pay_info,
  authorised_until,
  redirect_url,
  failure,
  last_error
from
  payments
where
  app_id = $1
  and customer_id = $2
  and payment_id < $3
order by
  payment_id desc
limit
  $4;

-- payments.totalsOfCustomer
select
  currency,
  count(*)::int as count,
  sum(captured_minor) as captured_minor,
  sum(refunded_minor) as refunded_minor
from
  (
    select
      currency,
      captured_minor,
      refunded_minor
    from
      payments
    where
      app_id = $1
      and customer_id = $2
    order by
      payment_id desc
    limit
      $3
  ) newest
group by
  currency
order by
  currency;

-- pending.end
delete from pending_sign_ins
where
  token_hash = $1
returning
  person_id;

-- pending.find
select
  i.person_id,
  p.email,
  p.access_version,
  exists (
    select
    from
      person_networks n
    where
      n.person_id = i.person_id
      and n.network = $3
  ) as is_known_network
from
  pending_sign_ins i
  join people p using (person_id)
where
  i.token_hash = $1
  and i.expires_time > $2
  and not p.is_disabled;

-- pending.forget
delete from pending_sign_ins
where
  token_hash in (
    select
      token_hash
    from
      pending_sign_ins
    where
      expires_time < $1::timestamptz
    limit
      $2
  )
returning
  person_id;

-- pending.insert
insert into
  pending_sign_ins (token_hash, person_id, expires_time)
values
  ($1, $2, $3);

-- pending.take_try
update pending_sign_ins
set
  tries = tries + 1
where
  token_hash = $1
  and tries < $2
returning
  tries;

-- people.any
select
  person_id
from
  people
limit
  1;

-- people.change
update people p
set
  name = $2,
  theme = $3,
  language = $4,
  time_zone = $5,
  has_shortcuts = $6
where
  p.person_id = $1
returning
  p.person_id,
  p.email,
  p.name,
  p.theme,
  p.language,
  p.time_zone,
  p.has_shortcuts,
  p.is_operator,
  p.is_disabled,
  p.password_hash is not null as has_password,
  p.totp_enabled_time is not null as has_totp,
  p.verified_time is not null as is_verified,
  p.access_version,
  p.created_time,
  p.last_seen_time;

-- people.clear_secrets
with
  networks as (
    delete from person_networks
    where
      person_id = $1
  )
update people
set
  password_hash = null,
  totp_enabled_time = null,
  totp_secret = null,
  recovery_codes = '{}'
where
  person_id = $1;

-- people.count_recovery_codes
select
  cardinality(recovery_codes) as remaining
from
  people
where
  person_id = $1;

-- people.delete_unused
delete from people p
where
  p.person_id = $1
  and not p.is_operator
  and not exists (
    select
    from
      memberships m
    where
      m.person_id = p.person_id
  )
returning
  p.person_id;

-- people.disable_totp
update people
set
  totp_enabled_time = null,
  totp_secret = null,
  recovery_codes = '{}'
where
  person_id = $1
  and totp_secret is not null
returning
  person_id;

-- people.enable_totp
update people
set
  totp_enabled_time = $2,
  recovery_codes = $3
where
  person_id = $1
  and totp_enabled_time is null
  and totp_secret is not null
returning
  person_id;

-- people.find
select
  p.person_id,
  p.email,
  p.name,
  p.theme,
  p.language,
  p.time_zone,
  p.has_shortcuts,
  p.is_operator,
  p.is_disabled,
  p.password_hash is not null as has_password,
  p.totp_enabled_time is not null as has_totp,
  p.verified_time is not null as is_verified,
  p.access_version,
  p.created_time,
  p.last_seen_time
from
  people p
where
  p.person_id = $1;

-- people.find_by_email
select
  p.person_id,
  p.email,
  p.name,
  p.theme,
  p.language,
  p.time_zone,
  p.has_shortcuts,
  p.is_operator,
  p.is_disabled,
  p.password_hash is not null as has_password,
  p.totp_enabled_time is not null as has_totp,
  p.verified_time is not null as is_verified,
  p.access_version,
  p.created_time,
  p.last_seen_time
from
  people p
where
  p.email = $1;

-- people.insert
insert into
  people as p (person_id, email, name, password_hash, is_operator, created_time, verified_time)
values
  ($1, $2, $3, $4, $5, $6, $7)
on conflict (email) do nothing
returning
  p.person_id,
  p.email,
  p.name,
  p.theme,
  p.language,
  p.time_zone,
  p.has_shortcuts,
  p.is_operator,
  p.is_disabled,
  p.password_hash is not null as has_password,
  p.totp_enabled_time is not null as has_totp,
  p.verified_time is not null as is_verified,
  p.access_version,
  p.created_time,
  p.last_seen_time;

-- people.lock
select
  p.person_id,
  p.email,
  p.name,
  p.theme,
  p.language,
  p.time_zone,
  p.has_shortcuts,
  p.is_operator,
  p.is_disabled,
  p.password_hash is not null as has_password,
  p.totp_enabled_time is not null as has_totp,
  p.verified_time is not null as is_verified,
  p.access_version,
  p.created_time,
  p.last_seen_time
from
  people p
where
  p.person_id = $1
for update;

-- people.lock_setup
select
  pg_advisory_xact_lock(7363266);

-- people.password
select
  password_hash
from
  people
where
  person_id = $1;

-- people.prepare_totp
update people
set
  totp_secret = $2
where
  person_id = $1
  and totp_enabled_time is null
returning
  person_id;

-- people.rehash
update people
set
  password_hash = $3
where
  person_id = $1
  and password_hash = $2;

-- people.rename
update people
set
  name = $2
where
  person_id = $1;

-- people.set_disabled
update people p
set
  is_disabled = $2
where
  p.person_id = $1
returning
  p.person_id,
  p.email,
  p.name,
  p.theme,
  p.language,
  p.time_zone,
  p.has_shortcuts,
  p.is_operator,
  p.is_disabled,
  p.password_hash is not null as has_password,
  p.totp_enabled_time is not null as has_totp,
  p.verified_time is not null as is_verified,
  p.access_version,
  p.created_time,
  p.last_seen_time;

-- people.set_password
update people
set
  password_hash = $2
where
  person_id = $1
returning
  person_id;

-- people.set_recovery_codes
update people
set
  recovery_codes = $2
where
  person_id = $1
  and totp_enabled_time is not null
returning
  person_id;

-- people.set_verified
update people
set
  verified_time = $2
where
  person_id = $1;

-- people.sign_in
select
  p.person_id,
  p.password_hash,
  p.totp_enabled_time is not null as has_totp,
  p.is_disabled,
  p.access_version,
  exists (
    select
    from
      person_networks n
    where
      n.person_id = p.person_id
      and n.network = $2
  ) as is_known_network
from
  people p
where
  p.email = $1;

-- people.totp
select
  totp_secret,
  totp_enabled_time is not null as is_enabled
from
  people
where
  person_id = $1;

-- people.use_recovery_code
update people
set
  recovery_codes = array_remove(recovery_codes, $2::bytea)
where
  person_id = $1
  and $2::bytea = any (recovery_codes)
returning
  cardinality(recovery_codes) as remaining;

-- people.use_totp_step
update people
set
  totp_last_step = $2
where
  person_id = $1
  and totp_last_step < $2
returning
  person_id;

-- person_refunds.delete
delete from person_refunds
where
  app_id = $1
  and payment_id = $2
  and request_key = $3;

-- person_refunds.forget
delete from person_refunds
where
  (app_id, payment_id, request_key) in (
    select
      app_id,
      payment_id,
      request_key
    from
      person_refunds
    where
      created_time < $1::timestamptz - 2592000000 * interval '1 millisecond'
    limit
      $2
  )
returning
  app_id;

-- person_refunds.insert
insert into
  person_refunds (app_id, payment_id, request_key, license_id, person_id, currency, amount_minor, day, created_time)
values
  ($1, $2, $3, $4, $5, $6, $7, $8, $9)
on conflict (app_id, payment_id, request_key) do nothing
returning
  amount_minor;

-- person_refunds.lock
select
  role,
  refund_limits
from
  memberships
where
  license_id = $1
  and person_id = $2
for update;

-- person_refunds.reserved
select
  person_id,
  amount_minor
from
  person_refunds
where
  app_id = $1
  and payment_id = $2
  and request_key = $3;

-- person_refunds.sum
select
  coalesce(sum(amount_minor), 0) as used_minor
from
  person_refunds
where
  license_id = $1
  and person_id = $2
  and currency = $3
  and day = $4
  and (app_id, payment_id, request_key) is distinct from ($5::text, $6::bigint, $7::text);

-- person_refunds.used
select
  currency,
  sum(amount_minor) as used_minor
from
  person_refunds
where
  license_id = $1
  and person_id = $2
  and day = $3
group by
  currency;

-- profiles.insert
insert into
  payment_profiles (
    app_id,
    name,
    provider,
    methods,
    currency,
    currencies,
    is_active,
    settings,
    webhook_key,
    created_time,
    fees
  )
values
  ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
returning
  profile_id;

-- profiles.is_used
select
  exists (
    select
    from
      payment_search
    where
      app_id = $1
      and profile_id = $2
  )
  or exists (
    select
    from
      payment_method_tokens
    where
      app_id = $1
      and profile_id = $2
      and removed_time is null
  ) as used;

-- profiles.lock_settings
select
  settings
from
  payment_profiles
where
  app_id = $1
  and profile_id = $2
for update;

-- profiles.note_account
update payment_profiles
set
  account = $3
where
  app_id = $1
  and profile_id = $2;

-- profiles.update
update payment_profiles
set
  name = $3,
  methods = $4,
  currency = $5,
  currencies = $6,
  is_active = $7,
  settings = $8,
  fees = $9
where
  app_id = $1
  and profile_id = $2;

-- providerLog.appsWithOld
select
  a.app_id
from
  apps a
where
  exists (
    select
    from
      provider_log l
    where
      l.app_id = a.app_id
      and l.start_time < $1::timestamptz - 2592000000 * interval '1 millisecond'
  );

-- providerLog.errors
select
  l.line_id,
  l.start_time,
  l.profile_id,
  l.payment_id,
  l.step,
  l.method,
  l.url,
  l.outcome,
  l.status,
  l.ms
from
  unnest($2::bigint[]) with ordinality p (profile_id, place)
  cross join lateral (
    select
      l.line_id,
      l.start_time,
      l.profile_id,
      l.payment_id,
      l.step,
      l.method,
      l.url,
      l.outcome,
      l.status,
      l.ms
    from
      provider_log l
    where
      l.app_id = $1
      and l.profile_id = p.profile_id
      and l.start_time >= $3
      and (
        l.outcome <> 'reply'
        or (
          l.status >= 400
          and l.status <> 402
        )
      )
    order by
      l.start_time desc
    limit
      $4
  ) l
order by
  p.place,
  l.start_time desc;

-- providerLog.insert
insert into
  provider_log (
    app_id,
    start_time,
    profile_id,
    payment_id,
    attempt,
    step,
    method,
    url,
    request_headers,
    request_body,
    outcome,
    status,
    ms,
    response_body
  )
select
  x."appId",
  x."startTime",
  x."profileId",
  x."paymentId",
  x.attempt,
  x.step,
  x.method,
  x.url,
  x."requestHeaders",
  x."requestBody",
  x.outcome,
  x.status,
  x.ms,
  x."responseBody"
from
  (
    select
      set_config('synchronous_commit', 'off', true)
    offset
      0
  ) as asynchronous,
  json_to_recordset($1) as x (
    "appId" text,
    "startTime" timestamptz,
    "profileId" bigint,
    "paymentId" bigint,
    attempt integer,
    step text,
    method text,
    url text,
    "requestHeaders" text,
    "requestBody" text,
    outcome text,
    status integer,
    ms integer,
    "responseBody" text
  );

-- providerLog.ofPayment
select
  line_id,
  start_time,
  profile_id,
  payment_id,
  attempt,
  step,
  method,
  url,
  request_headers,
  request_body,
  outcome,
  status,
  ms,
  response_body
from
  provider_log
where
  app_id = $1
  and payment_id = $2
order by
  start_time desc,
  line_id desc
limit
  $3;

-- providerLog.remove
delete from provider_log l using (
  select
    set_config('synchronous_commit', 'off', true)
  offset
    0
) as asynchronous,
(
  select
    start_time,
    line_id
  from
    provider_log
  where
    app_id = $1
    and start_time < $2
  order by
    start_time,
    line_id
  limit
    $3
) old
where
  l.app_id = $1
  and l.start_time = old.start_time
  and l.line_id = old.line_id
returning
  l.line_id;

-- reference.indexes
select
  n.nspname::text as schema,
  c.relname::text as name,
  pg_get_indexdef(i.indexrelid) || ';' as text
from
  pg_index i
  join pg_class x on x.oid = i.indexrelid
  join pg_class c on c.oid = i.indrelid
  join pg_namespace n on n.oid = c.relnamespace
where
  n.nspname !~ '^pg_'
  and n.nspname <> 'information_schema'
  and not exists (
    select
    from
      pg_constraint
    where
      conindid = i.indexrelid
      and contype in ('p', 'u', 'x')
  )
order by
  1,
  2,
  x.relname;

-- reference.schemas
select
  nspname::text as name
from
  pg_namespace
where
  nspname !~ '^pg_'
  and nspname <> 'information_schema'
order by
  1;

-- reference.sequences
select
  schemaname::text as schema,
  sequencename::text as name,
  format(
    'create sequence %I.%I increment by %s start with %s;',
    schemaname,
    sequencename,
    increment_by,
    start_value
  ) as text
from
  pg_sequences s
where
  not exists (
    select
    from
      pg_depend d
    where
      d.objid = format('%I.%I', schemaname, sequencename)::regclass
      and d.deptype = 'i'
  )
order by
  1,
  2;

-- reference.tables
with
  columns as (
    select
      a.attrelid,
      a.attnum as place,
      format(
        '%I %s%s%s%s',
        a.attname,
        format_type(a.atttypid, a.atttypmod),
        case a.attidentity
          when 'a' then ' generated always as identity'
          when 'd' then ' generated by default as identity'
          else ''
        end,
        case
          when d.adbin is null then ''
          when a.attgenerated = 's' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
          else ' default ' || pg_get_expr(d.adbin, d.adrelid)
        end,
        case
          when a.attnotnull then ' not null'
          else ''
        end
      ) as line
    from
      pg_attribute a
      left join pg_attrdef d on d.adrelid = a.attrelid
      and d.adnum = a.attnum
    where
      a.attnum > 0
      and not a.attisdropped
  ),
  constraints as (
    select
      conrelid,
      format('constraint %I %s', conname, pg_get_constraintdef(oid)) as line,
      array_position('{p,u,f,c}'::text[], contype::text) as kind,
      conname
    from
      pg_constraint
    where
      contype in ('p', 'u', 'f', 'c')
  )
select
  n.nspname::text as schema,
  c.relname::text as name,
  format(
    E'create table %I.%I (\n  %s\n)%s;',
    n.nspname,
    c.relname,
    concat_ws(
      E',\n  ',
      (
        select
          string_agg(
            line,
            E',\n  '
            order by
              place
          )
        from
          columns
        where
          attrelid = c.oid
      ),
      (
        select
          string_agg(
            line,
            E',\n  '
            order by
              kind,
              conname
          )
        from
          constraints
        where
          conrelid = c.oid
      )
    ),
    case
      when c.reloptions is null then ''
      else format(' with (%s)', array_to_string(c.reloptions, ', '))
    end
  ) as text
from
  pg_class c
  join pg_namespace n on n.oid = c.relnamespace
where
  c.relkind = 'r'
  and n.nspname !~ '^pg_'
  and n.nspname <> 'information_schema'
order by
  1,
  2;

-- retention.claim
with
  due as (
    select
      a.app_id
    from
      apps a
      left join retention_walks w on w.app_id = a.app_id
    where
      a.personal_data_days is not null
      and (
        w.due_time is null
        or w.due_time <= $1::timestamptz
      )
    order by
      w.due_time nulls first
    limit
      1
  )
insert into
  retention_walks as w (app_id, due_time)
select
  app_id,
  $2
from
  due
on conflict (app_id) do update
set
  due_time = excluded.due_time
where
  w.due_time <= $1
returning
  app_id,
  after_customer_id as after;

-- retention.continue
update retention_walks
set
  after_customer_id = $2,
  due_time = $3
where
  app_id = $1;

-- retention.customers
select
  c.customer_id,
  greatest(c.created_time, p.created_time) < $3
  and (
    c.erased_time is null
    or p.created_time > c.erased_time
  ) as is_old
from
  customers c
  left join lateral (
    select
      created_time
    from
      payments
    where
      app_id = c.app_id
      and customer_id = c.customer_id
    order by
      payment_id desc
    limit
      1
  ) p on true
where
  c.app_id = $1
  and c.customer_id > $2
order by
  c.customer_id
limit
  $4;

-- rollups.claim
with
  picked as materialized (
    select
      app_id,
      bucket_time
    from
      (
        select
          app_id,
          bucket_time,
          due_time,
          row_number() over (
            partition by
              app_id
            order by
              due_time,
              bucket_time
          ) as place
        from
          (
            select
              q.app_id,
              q.bucket_time,
              q.due_time
            from
              rollup_queue q
            where
              q.due_time <= $1::timestamptz
            order by
              q.due_time
            limit
              500
          ) due
      ) ranked
    where
      place <= $2
    order by
      place,
      due_time
    limit
      $3
  ),
  locked as materialized (
    select
      q.app_id,
      q.bucket_time
    from
      picked p
      join rollup_queue q on q.app_id = p.app_id
      and q.bucket_time = p.bucket_time
    for update of
      q skip locked
  )
delete from rollup_queue q using locked l
where
  q.app_id = l.app_id
  and q.bucket_time = l.bucket_time
returning
  q.app_id,
  q.bucket_time;

-- rollups.clear
delete from payment_rollups r using unnest($1::text[], $2::timestamptz[]) b (app_id, bucket_time)
where
  r.app_id = b.app_id
  and r.bucket_time = b.bucket_time;

-- rollups.clearLatencies
delete from latency_rollups r using unnest($1::text[], $2::timestamptz[]) b (app_id, bucket_time)
where
  r.app_id = b.app_id
  and r.bucket_time = b.bucket_time;

-- rollups.count
insert into
  payment_rollups (
    app_id,
    bucket_time,
    currency,
    profile_id,
    method,
    flow,
    state,
    outcome,
    reason,
    payments,
    submitted,
    refunded,
    customers_blocked,
    amount_minor,
    captured_minor,
    refunded_minor,
    fee_minor
  )
select
  *
from
  (
    select
      b.app_id,
      b.bucket_time,
      s.currency,
      coalesce(s.profile_id, 0) as profile_id,
      coalesce(s.method, '') as method,
      s.flow,
      s.state,
      case
        when s.captured_minor > 0 then 'paid'
        when s.state in ('Authorized', 'Capturing', 'ProviderAuthorizedHold', 'CapturedHold') then 'approved'
        when s.state = 'Failed'
        and s.reason = 'authorization_expired' then 'approved'
        when s.state = 'Failed'
        and s.reason = 'fraud_rejected' then 'blocked'
        when s.state = 'Failed'
        and s.reason in ('expired', 'cancelled') then 'ended'
        when s.state in ('Failed', 'Created')
        and s.reason is not null then 'declined'
        else 'open'
      end as outcome,
      coalesce(s.reason, '') as reason,
      count(*) as payments,
      count(*) filter (
        where
          s.attempt > 0
      ) as submitted,
      count(*) filter (
        where
          s.refunded_minor > 0
      ) as refunded,
      count(*) filter (
        where
          s.decision = 'Block'
      ) as customers_blocked,
      sum(s.amount_minor) as amount_minor,
      sum(s.captured_minor) as captured_minor,
      sum(s.refunded_minor) as refunded_minor,
      sum(s.fee_minor) as fee_minor
    from
      unnest($1::text[], $2::timestamptz[]) b (app_id, bucket_time)
      cross join lateral (
        select
          s.payment_id,
          s.currency,
          s.profile_id,
          s.method,
          s.flow,
          s.state,
          s.reason,
          s.attempt,
          s.decision,
          s.amount_minor,
          s.captured_minor,
          s.refunded_minor,
          s.fee_minor,
          s.created_time
        from
          payment_search s
        where
          s.app_id = b.app_id
          and s.created_time >= b.bucket_time
          and s.created_time < b.bucket_time + interval '15 minutes'
        offset
          0
      ) s
    group by
      b.app_id,
      b.bucket_time,
      s.currency,
      s.profile_id,
      s.method,
      s.flow,
      s.state,
      outcome,
      s.reason
  ) c;

-- rollups.countLatencies
insert into
  latency_rollups (app_id, bucket_time, profile_id, bin, calls)
select
  b.app_id,
  b.bucket_time,
  o.profile_id,
  least(30, greatest(0, ceil(ln(greatest(o.ms, 1) / 10) / ln(1.25))))::integer,
  count(*)
from
  unnest($1::text[], $2::timestamptz[]) b (app_id, bucket_time)
  cross join lateral (
    select
      s.payment_id,
      s.currency,
      s.profile_id,
      s.method,
      s.flow,
      s.state,
      s.reason,
      s.attempt,
      s.decision,
      s.amount_minor,
      s.captured_minor,
      s.refunded_minor,
      s.fee_minor,
      s.created_time
    from
      payment_search s
    where
      s.app_id = b.app_id
      and s.created_time >= b.bucket_time
      and s.created_time < b.bucket_time + interval '15 minutes'
    offset
      0
  ) s
  cross join lateral (
    select
      o.profile_id,
      (
        extract(
          epoch
          from
            o.closed_time - o.created_time
        ) * 1000
      )::float8 as ms
    from
      operations o
    where
      o.app_id = b.app_id
      and o.payment_id = s.payment_id
      and o.status in ('done', 'declined')
      and o.tries = 1
      and o.closed_time is not null
    offset
      0
  ) o
group by
  b.app_id,
  b.bucket_time,
  o.profile_id,
  4;

-- routing.clear
delete from profile_health
where
  app_id = $1
  and profile_id = $2;

-- routing.lock
select
  routing
from
  apps
where
  app_id = $1
for no key update;

-- routing.mark
insert into
  profile_health (app_id, profile_id, failures, says, due_time)
values
  ($1, $2, $3, $4, $5)
on conflict (app_id, profile_id) do update
set
  failures = excluded.failures,
  says = excluded.says,
  due_time = excluded.due_time;

-- routing.save
update apps
set
  routing = $2
where
  app_id = $1;

-- sandbox_bank.change
with
  input as (
    select
      *
    from
      json_to_recordset($1) as x (
        n integer,
        account text,
        account_version int,
        payment_id text,
        version int,
        reference text,
        status text,
        amount bigint,
        captured bigint,
        refunded bigint,
        currency text,
        due_time timestamptz,
        document json,
        entries json,
        notifications json,
        stored_token text,
        stored json,
        request_key text,
        fingerprint text,
        answer_status int,
        answer text,
        now timestamptz
      )
    where
      n between 0 and 1000
  ),
  allowed as (
    select
      i.*
    from
      input i
      left join sandbox_bank.accounts a on a.account = i.account
    where
      coalesce(a.version, 0) = i.account_version
      and (
        select
          r.request_key
        from
          sandbox_bank.requests r
        where
          r.account = i.account
          and r.request_key = i.request_key
      ) is null
  ),
  opened as (
    insert into
      sandbox_bank.payments (
        account,
        payment_id,
        version,
        reference,
        status,
        amount_minor,
        captured_minor,
        refunded_minor,
        currency,
        due_time,
        document,
        opened_time
      )
    select
      account,
      payment_id,
      1,
      reference,
      status,
      amount,
      captured,
      refunded,
      currency,
      due_time,
      document,
      now
    from
      allowed
    where
      version = 0
    on conflict do nothing
    returning
      account,
      payment_id
  ),
  moved as (
    update sandbox_bank.payments p
    set
      version = i.version + 1,
      status = i.status,
      captured_minor = i.captured,
      refunded_minor = i.refunded,
      due_time = i.due_time,
      document = i.document
    from
      allowed i
    where
      i.version > 0
      and p.account = i.account
      and p.payment_id = i.payment_id
      and p.version = i.version
    returning
      p.account,
      p.payment_id
  ),
  done as (
    select
      i.*
    from
      (
        select
          *
        from
          opened
        union all
        select
          *
        from
          moved
      ) d
      join allowed i on i.account = d.account
      and i.payment_id = d.payment_id
  ),
  answered as (
    insert into
      sandbox_bank.requests (account, request_key, fingerprint, status, answer, answered_time)
    select
      account,
      request_key,
      fingerprint,
      answer_status,
      answer,
      now
    from
      done
    where
      request_key is not null
  ),
  booked as (
    insert into
      sandbox_bank.ledger (account, payment_id, entry, kind, amount_minor, status, operation_key, entry_time)
    select
      d.account,
      d.payment_id,
      e.entry,
      e.kind,
      e.amount,
      e.status,
      e."operationKey",
      e.time
    from
      done d,
      json_to_recordset(d.entries) as e (entry int, kind text, amount bigint, status text, "operationKey" text, time timestamptz)
    on conflict (account, payment_id, entry) do update
    set
      status = excluded.status
  ),
  told as (
    insert into
      sandbox_bank.notifications (account, url, body, is_forged, due_time)
    select
      d.account,
      e.url,
      e.body,
      e.forged,
      e."dueTime"
    from
      done d,
      json_to_recordset(d.notifications) as e (url text, body text, forged boolean, "dueTime" timestamptz)
  ),
  stored as (
    insert into
      sandbox_bank.stored_methods (account, token, document)
    select
      account,
      stored_token,
      stored
    from
      done
    where
      stored_token is not null
  )
select
  n
from
  done;

-- sandbox_bank.claim_notifications
update sandbox_bank.notifications n
set
  due_time = $2,
  tries = n.tries + 1
from
  (
    select
      account,
      notification_id
    from
      sandbox_bank.notifications
    where
      due_time <= $1
      and (
        $3::text is null
        or account = $3
      )
    order by
      due_time,
      notification_id
    limit
      $4
    for update
      skip locked
  ) c
  left join sandbox_bank.accounts a on a.account = c.account
where
  n.account = c.account
  and n.notification_id = c.notification_id
returning
  n.account,
  n.notification_id::text as id,
  n.url,
  n.body,
  n.is_forged as forged,
  n.tries,
  coalesce(a.clock_offset_ms, 0) as clock_offset_ms;

-- sandbox_bank.due_payments
select
  account,
  payment_id
from
  sandbox_bank.payments
where
  due_time <= $1
  and (
    $2::text is null
    or account = $2
  )
order by
  due_time
limit
  64;

-- sandbox_bank.end_notifications
delete from sandbox_bank.notifications n using unnest($1::text[], $2::bigint[]) as e (account, id)
where
  n.account = e.account
  and n.notification_id = e.id;

-- sandbox_bank.find_setup
select
  document as stored,
  version
from
  sandbox_bank.stored_methods
where
  account = $1
  and token = $2
  and not is_forgotten;

-- sandbox_bank.find_stored
select
  document as stored,
  is_forgotten as forgotten
from
  sandbox_bank.stored_methods
where
  account = $1
  and token = $2;

-- sandbox_bank.forget
update sandbox_bank.stored_methods
set
  is_forgotten = true
where
  account = $1
  and token = $2
returning
  token;

-- sandbox_bank.insert_setup
insert into
  sandbox_bank.stored_methods (account, token, document)
values
  ($1, $2, $3)
on conflict (account, token) do nothing
returning
  token;

-- sandbox_bank.last_of_ledger
select
  *
from
  (
    select
      p.reference,
      l.kind,
      l.amount_minor,
      p.currency,
      l.status,
      l.operation_key,
      l.entry_time as time,
      l.entry
    from
      sandbox_bank.ledger l
      join sandbox_bank.payments p on p.account = l.account
      and p.payment_id = l.payment_id
    where
      l.account = $1
    order by
      l.entry_time desc,
      p.reference desc,
      l.entry desc
    limit
      1000
  ) newest
order by
  time,
  reference,
  entry;

-- sandbox_bank.ledger
select
  p.reference,
  l.kind,
  l.amount_minor,
  p.currency,
  l.status,
  l.operation_key,
  l.entry_time as time,
  l.entry
from
  sandbox_bank.payments p
  join sandbox_bank.ledger l on l.account = p.account
  and l.payment_id = p.payment_id
where
  p.account = $1
  and p.reference = any ($2)
order by
  l.entry_time,
  p.reference,
  l.entry;

-- sandbox_bank.move_clock
with
  moved as (
    insert into
      sandbox_bank.accounts as a (account, version, clock_offset_ms, faults)
    values
      ($1, 1, $2::bigint, '[]')
    on conflict (account) do update
    set
      version = a.version + 1,
      clock_offset_ms = a.clock_offset_ms + excluded.clock_offset_ms
    returning
      clock_offset_ms
  ),
  sooner as (
    update sandbox_bank.payments
    set
      due_time = due_time - $2::bigint * interval '1 millisecond'
    where
      account = $1
      and due_time is not null
  ),
  told as (
    update sandbox_bank.notifications
    set
      due_time = due_time - $2::bigint * interval '1 millisecond'
    where
      account = $1
  )
select
  clock_offset_ms
from
  moved;

-- sandbox_bank.offer_secret
insert into
  sandbox_bank.secret (sealed)
values
  ($1)
on conflict do nothing;

-- sandbox_bank.postpone_notification
update sandbox_bank.notifications
set
  due_time = $3
where
  account = $1
  and notification_id = $2;

-- sandbox_bank.read_secret
select
  sealed
from
  sandbox_bank.secret;

-- sandbox_bank.remove_answers
delete from sandbox_bank.requests r using (
  select
    account,
    request_key
  from
    sandbox_bank.requests
  where
    answered_time < $1::timestamptz - 2592000000 * interval '1 millisecond'
  order by
    answered_time
  limit
    $2
  for update
    skip locked
) old
where
  r.account = old.account
  and r.request_key = old.request_key
returning
  r.request_key;

-- sandbox_bank.remove_entries
delete from sandbox_bank.ledger l using unnest($1::text[], $2::text[]) as p (account, payment_id)
where
  l.account = p.account
  and l.payment_id = p.payment_id;

-- sandbox_bank.remove_payments
delete from sandbox_bank.payments p using (
  select
    account,
    payment_id
  from
    sandbox_bank.payments
  where
    due_time is null
    and opened_time < $1::timestamptz - 15552000000 * interval '1 millisecond'
  order by
    opened_time
  limit
    $2
  for update
    skip locked
) old
where
  p.account = old.account
  and p.payment_id = old.payment_id
returning
  p.account,
  p.payment_id;

-- sandbox_bank.replace_faults
update sandbox_bank.accounts
set
  version = version + 1,
  faults = $3
where
  account = $1
  and version = $2
returning
  version;

-- sandbox_bank.replace_setup
update sandbox_bank.stored_methods
set
  document = $4,
  version = version + 1
where
  account = $1
  and token = $2
  and version = $3
  and not is_forgotten
returning
  token;

-- sandbox_bank.see
select
  i.n,
  f.*
from
  json_to_recordset($1) as i (n integer, account text, payment text, request text)
  cross join lateral (
    select
      i.account as "account.account",
      coalesce(a.version, 0) as "account.version",
      coalesce(a.clock_offset_ms, 0) as "account.clock_offset_ms",
      coalesce(a.faults, '[]') as "account.faults",
      p.version as "current.version",
      p.document as "current.payment",
      r.fingerprint as "earlier.fingerprint",
      r.status as "earlier.status",
      r.answer as "earlier.answer"
    from
      (
        select
          1
      ) one
      left join sandbox_bank.accounts a on a.account = i.account
      left join sandbox_bank.payments p on p.account = i.account
      and p.payment_id = i.payment
      left join sandbox_bank.requests r on r.account = i.account
      and r.request_key = i.request
    offset
      0
  ) f;

-- sandbox_bank.see_reference
select
  i.n,
  f.*
from
  json_to_recordset($1) as i (n integer, account text, payment text, request text)
  cross join lateral (
    select
      i.account as "account.account",
      coalesce(a.version, 0) as "account.version",
      coalesce(a.clock_offset_ms, 0) as "account.clock_offset_ms",
      coalesce(a.faults, '[]') as "account.faults",
      p.version as "current.version",
      p.document as "current.payment",
      r.fingerprint as "earlier.fingerprint",
      r.status as "earlier.status",
      r.answer as "earlier.answer"
    from
      (
        select
          1
      ) one
      left join sandbox_bank.accounts a on a.account = i.account
      left join sandbox_bank.payments p on p.account = i.account
      and p.reference = i.payment
      left join sandbox_bank.requests r on r.account = i.account
      and r.request_key = i.request
    offset
      0
  ) f;

-- sandbox_bank.set_faults
insert into
  sandbox_bank.accounts as a (account, version, clock_offset_ms, faults)
select
  $1,
  1,
  0,
  $3
where
  $2::int = 0
on conflict (account) do nothing
returning
  version;

-- search.backfill
with
  changed as materialized (
    select
      p.payment_id
    from
      payments p
    where
      p.app_id = $2
      and p.payment_id < $3
    order by
      p.payment_id desc
    limit
      $4
  ),
  stale as (
    select
      p.*
    from
      changed c
      cross join lateral (
        select
          app_id,
          payment_id,
          version,
          state,
          flow,
          currency,
          amount_minor,
          captured_minor,
          refunded_minor,
          profile_id,
          method,
          customer_id,
          reference_id,
          fraud_status,
          attempt,
          created_time,
          details,
          pay_info,
          failure
        from
          payments p
        where
          p.app_id = $2
          and p.payment_id = c.payment_id
        offset
          0
      ) p
    where
      not exists (
        select
        from
          payment_search s
        where
          s.app_id = $2
          and s.payment_id = p.payment_id
          and s.version >= p.version
      )
  ),
  written as (
    insert into
      payment_search as s (
        app_id,
        payment_id,
        version,
        flow,
        currency,
        amount,
        amount_minor,
        customer_id,
        reference_id,
        order_id,
        created_time,
        state,
        captured_minor,
        refunded_minor,
        fee_minor,
        profile_id,
        method,
        brand,
        last4,
        country,
        fraud_status,
        decision,
        policy_id,
        reason,
        attempt
      )
    select
      p.app_id,
      p.payment_id,
      p.version,
      p.flow,
      p.currency,
      p.amount_minor * case
        when p.currency in (
          'BIF',
          'CLP',
          'DJF',
          'GNF',
          'ISK',
          'JPY',
          'KMF',
          'KRW',
          'PYG',
          'RWF',
          'UGX',
          'UYI',
          'VND',
          'VUV',
          'XAF',
          'XOF',
          'XPF'
        ) then 1
        when p.currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 0.001
        when p.currency in ('CLF', 'UYW') then 0.0001
        else 0.01
      end,
      p.amount_minor,
      p.customer_id,
      p.reference_id,
      nullif(d."orderId", ''),
      p.created_time,
      p.state,
      p.captured_minor,
      p.refunded_minor,
      coalesce((i."feeMinor")::bigint, 0),
      p.profile_id,
      p.method,
      left(i.card ->> 'brand', 40),
      left(i.card ->> 'last4', 4),
      left(coalesce(i.payer ->> 'country', i.card ->> 'country'), 2),
      p.fraud_status,
      v.decision,
      coalesce(v.policy_id, d."fraudPolicyId"),
      left(
        case
          when p.failure is null then i.declined
          else coalesce(p.failure ->> 'declineCode', p.failure ->> 'code')
        end,
        60
      ),
      p.attempt
    from
      stale p
      cross join lateral json_to_record(p.details) as d ("orderId" text, "fraudPolicyId" bigint)
      left join lateral json_to_record(p.pay_info) as i (card json, payer json, "feeMinor" text, declined text) on true
      left join lateral (
        select
          v.decision,
          v.policy_id
        from
          fraud_verdicts v
        where
          v.app_id = p.app_id
          and v.payment_id = p.payment_id
        order by
          v.attempt desc
        limit
          1
      ) v on true
    order by
      p.app_id,
      p.payment_id
    on conflict (app_id, payment_id) do update
    set
      version = excluded.version,
      state = excluded.state,
      captured_minor = excluded.captured_minor,
      refunded_minor = excluded.refunded_minor,
      fee_minor = excluded.fee_minor,
      profile_id = excluded.profile_id,
      method = excluded.method,
      brand = excluded.brand,
      last4 = excluded.last4,
      country = excluded.country,
      fraud_status = excluded.fraud_status,
      decision = excluded.decision,
      policy_id = excluded.policy_id,
      reason = excluded.reason,
      attempt = excluded.attempt
    where
      s.version < excluded.version
    returning
      s.app_id,
      s.created_time
  ),
  queued as (
    insert into
      rollup_queue as q (app_id, bucket_time, due_time)
    select distinct
      app_id,
      date_bin('15 minutes', created_time, 'epoch'),
      $1::timestamptz
    from
      written
    order by
      1,
      2
    on conflict (app_id, bucket_time) do update
    set
      due_time = q.due_time
  )
select
  (
    select
      count(*)::integer
    from
      written
  ) as copied,
  count(*)::integer as found,
  min(payment_id) as least
from
  changed;

-- search.begin
insert into
  payment_search_progress (app_id, event_time, backfill_below, due_time)
select
  a.app_id,
  $1::timestamptz + (a.clock_offset_ms - $2::bigint) * interval '1 millisecond',
  9007199254740991,
  $1
from
  apps a
where
  not exists (
    select
    from
      payment_search_progress g
    where
      g.app_id = a.app_id
  )
order by
  a.app_id
on conflict do nothing;

-- search.byAmount
select
  s.payment_id
from
  payment_search s
where
  s.app_id = $1
  and s.amount >= $2::numeric
  and s.amount <= $3::numeric
order by
  s.amount,
  s.payment_id
limit
  (
    select
      5001
  );

-- search.byReference
(
  select
    w.payment_id
  from
    unnest($2::text[]) t (text)
    cross join lateral (
      select
        p.payment_id
      from
        payments p
      where
        p.app_id = $1
        and p.reference_id = t.text
      offset
        0
    ) w
)
union
(
  select
    r.payment_id
  from
    unnest($3::text[]) b (text)
    cross join lateral (
      select
        p.payment_id
      from
        payments p
      where
        p.app_id = $1
        and p.reference_id >= b.text
        and p.reference_id < b.text || chr(1114111)
      order by
        p.reference_id
      limit
        (
          select
            5001
        )
    ) r
)
limit
  (
    select
      5001
  );

-- search.byText
(
  select
    r.payment_id
  from
    unnest($2::text[]) b (text)
    cross join lateral (
      select
        p.payment_id
      from
        payments p
      where
        p.app_id = $1
        and p.reference_id >= b.text
        and p.reference_id < b.text || chr(1114111)
      order by
        p.reference_id
      limit
        (
          select
            5001
        )
    ) r
)
union
(
  select
    s.payment_id
  from
    payment_search s
  where
    s.app_id = $1
    and s.payment_id = $3::bigint
)
union
(
  select
    s.payment_id
  from
    payment_search s
  where
    s.app_id = $1
    and s.last4 >= $4
    and s.last4 <= $4
  order by
    s.last4
  limit
    (
      select
        5001
    )
)
union
(
  select
    c.payment_id
  from
    unnest($5::text[]) k (id)
    cross join lateral (
      select
        s.payment_id
      from
        payment_search s
      where
        s.app_id = $1
        and s.customer_id >= k.id
        and s.customer_id <= k.id
      order by
        s.customer_id
      limit
        (
          select
            5001
        )
    ) c
)
limit
  (
    select
      5001
  );

-- search.claim
update payment_search_progress g
set
  due_time = $2
from
  apps a
where
  a.app_id = g.app_id
  and g.app_id in (
    select
      g.app_id
    from
      payment_search_progress g
    where
      g.due_time <= $1::timestamptz
      and (
        g.backfill_below is not null
        or exists (
          select
          from
            events e
          where
            e.app_id = g.app_id
            and e.created_time > g.event_time
        )
      )
    order by
      g.due_time
    limit
      $3
    for update
      skip locked
  )
returning
  g.app_id,
  g.event_time,
  g.backfill_below,
  $1::timestamptz + a.clock_offset_ms * interval '1 millisecond' as app_time;

-- search.compareEvents
with
  page as materialized (
    select
      e.created_time,
      e.payment_id,
      e.sequence
    from
      events e
    where
      e.app_id = $2
      and (e.created_time, e.payment_id, e.sequence) > ($3, $4, $5)
    order by
      e.created_time,
      e.payment_id,
      e.sequence
    limit
      $6
  ),
  changed as (
    select distinct
      payment_id
    from
      page
  ),
  stale as (
    select
      p.*
    from
      changed c
      cross join lateral (
        select
          app_id,
          payment_id,
          version,
          state,
          flow,
          currency,
          amount_minor,
          captured_minor,
          refunded_minor,
          profile_id,
          method,
          customer_id,
          reference_id,
          fraud_status,
          attempt,
          created_time,
          details,
          pay_info,
          failure
        from
          payments p
        where
          p.app_id = $2
          and p.payment_id = c.payment_id
        offset
          0
      ) p
    where
      not exists (
        select
        from
          payment_search s
        where
          s.app_id = $2
          and s.payment_id = p.payment_id
          and s.version >= p.version
      )
  ),
  written as (
    insert into
      payment_search as s (
        app_id,
        payment_id,
        version,
        flow,
        currency,
        amount,
        amount_minor,
        customer_id,
        reference_id,
        order_id,
        created_time,
        state,
        captured_minor,
        refunded_minor,
        fee_minor,
        profile_id,
        method,
        brand,
        last4,
        country,
        fraud_status,
        decision,
        policy_id,
        reason,
        attempt
      )
    select
      p.app_id,
      p.payment_id,
      p.version,
      p.flow,
      p.currency,
      p.amount_minor * case
        when p.currency in (
          'BIF',
          'CLP',
          'DJF',
          'GNF',
          'ISK',
          'JPY',
          'KMF',
          'KRW',
          'PYG',
          'RWF',
          'UGX',
          'UYI',
          'VND',
          'VUV',
          'XAF',
          'XOF',
          'XPF'
        ) then 1
        when p.currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 0.001
        when p.currency in ('CLF', 'UYW') then 0.0001
        else 0.01
      end,
      p.amount_minor,
      p.customer_id,
      p.reference_id,
      nullif(d."orderId", ''),
      p.created_time,
      p.state,
      p.captured_minor,
      p.refunded_minor,
      coalesce((i."feeMinor")::bigint, 0),
      p.profile_id,
      p.method,
      left(i.card ->> 'brand', 40),
      left(i.card ->> 'last4', 4),
      left(coalesce(i.payer ->> 'country', i.card ->> 'country'), 2),
      p.fraud_status,
      v.decision,
      coalesce(v.policy_id, d."fraudPolicyId"),
      left(
        case
          when p.failure is null then i.declined
          else coalesce(p.failure ->> 'declineCode', p.failure ->> 'code')
        end,
        60
      ),
      p.attempt
    from
      stale p
      cross join lateral json_to_record(p.details) as d ("orderId" text, "fraudPolicyId" bigint)
      left join lateral json_to_record(p.pay_info) as i (card json, payer json, "feeMinor" text, declined text) on true
      left join lateral (
        select
          v.decision,
          v.policy_id
        from
          fraud_verdicts v
        where
          v.app_id = p.app_id
          and v.payment_id = p.payment_id
        order by
          v.attempt desc
        limit
          1
      ) v on true
    order by
      p.app_id,
      p.payment_id
    on conflict (app_id, payment_id) do update
    set
      version = excluded.version,
      state = excluded.state,
      captured_minor = excluded.captured_minor,
      refunded_minor = excluded.refunded_minor,
      fee_minor = excluded.fee_minor,
      profile_id = excluded.profile_id,
      method = excluded.method,
      brand = excluded.brand,
      last4 = excluded.last4,
      country = excluded.country,
      fraud_status = excluded.fraud_status,
      decision = excluded.decision,
      policy_id = excluded.policy_id,
      reason = excluded.reason,
      attempt = excluded.attempt
    where
      s.version < excluded.version
    returning
      s.app_id,
      s.created_time
  ),
  queued as (
    insert into
      rollup_queue as q (app_id, bucket_time, due_time)
    select distinct
      app_id,
      date_bin('15 minutes', created_time, 'epoch'),
      $1::timestamptz
    from
      written
    order by
      1,
      2
    on conflict (app_id, bucket_time) do update
    set
      due_time = q.due_time
  )
select
  l.created_time as "last.time",
  l.payment_id as "last.payment_id",
  l.sequence as "last.sequence",
  (
    select
      count(*)::integer
    from
      written
  ) as copied,
  (
    select
      count(*)::integer
    from
      page
  ) as found
from
  (
    select
      1
  ) one
  left join lateral (
    select
      created_time,
      payment_id,
      sequence
    from
      page
    order by
      created_time desc,
      payment_id desc,
      sequence desc
    limit
      1
  ) l on true;

-- search.held
select
  m.payment_id,
  m.version < p.version as is_changed,
  p.state,
  m.flow,
  m.currency,
  p.amount_minor,
  p.captured_minor,
  p.refunded_minor,
  p.profile_id,
  p.method,
  left(i.card ->> 'brand', 40) as brand,
  left(i.card ->> 'last4', 4) as last4,
  m.customer_id,
  m.reference_id,
  m.order_id,
  left(coalesce(i.payer ->> 'country', i.card ->> 'country'), 2) as country,
  p.fraud_status,
  m.policy_id,
  case
    when p.failure is null then i.declined
    else coalesce(p.failure ->> 'declineCode', p.failure ->> 'code')
  end as reason,
  p.auto_payment,
  m.created_time,
  p.state_time,
  p.size
from
  (
    select
      s.*
    from
      unnest(array['ProviderAuthorizedHold', 'CapturedHold']) v (state)
      cross join lateral (
        select
          s.payment_id,
          s.version,
          s.state,
          s.flow,
          s.currency,
          s.amount,
          s.profile_id,
          s.method,
          s.brand,
          s.last4,
          s.customer_id,
          s.reference_id,
          s.order_id,
          s.country,
          s.fraud_status,
          s.policy_id,
          s.reason,
          s.created_time
        from
          payment_search s
        where
          s.app_id = $1
          and s.state <= v.state
          and (s.state, s.created_time, s.payment_id) > (v.state, $2::timestamptz, $3::bigint)
        order by
          s.state,
          s.created_time,
          s.payment_id
        limit
          $4
      ) s
    order by
      s.created_time,
      s.payment_id
    limit
      $4
  ) m
  cross join lateral (
    select
      p.version,
      p.state,
      p.amount_minor,
      p.captured_minor,
      p.refunded_minor,
      p.profile_id,
      p.method,
      p.pay_info,
      p.fraud_status,
      p.failure,
      p.auto_payment,
      p.state_time,
      1000 + 2 * pg_column_size(p.details) as size
    from
      payments p
    where
      p.app_id = $1
      and p.payment_id = m.payment_id
    offset
      0
  ) p
  left join lateral json_to_record(p.pay_info) as i (card json, payer json, declined text) on true
where
  p.state in ('ProviderAuthorizedHold', 'CapturedHold')
order by
  m.created_time,
  m.payment_id;

-- search.listByCurrency
select
  m.payment_id,
  m.version < p.version as is_changed,
  p.state,
  m.flow,
  m.currency,
  p.amount_minor,
  p.captured_minor,
  p.refunded_minor,
  p.profile_id,
  p.method,
  left(i.card ->> 'brand', 40) as brand,
  left(i.card ->> 'last4', 4) as last4,
  m.customer_id,
  m.reference_id,
  m.order_id,
  left(coalesce(i.payer ->> 'country', i.card ->> 'country'), 2) as country,
  p.fraud_status,
  m.policy_id,
  case
    when p.failure is null then i.declined
    else coalesce(p.failure ->> 'declineCode', p.failure ->> 'code')
  end as reason,
  p.auto_payment,
  m.created_time,
  p.state_time,
  p.size
from
  (
    select
      s.*
    from
      (
        select
          s.payment_id,
          s.version,
          s.state,
          s.flow,
          s.currency,
          s.amount,
          s.profile_id,
          s.method,
          s.brand,
          s.last4,
          s.customer_id,
          s.reference_id,
          s.order_id,
          s.country,
          s.fraud_status,
          s.policy_id,
          s.reason,
          s.created_time
        from
          payment_search s
        where
          s.app_id = $1
          and s.currency is not null
          and (s.currency, s.created_time, s.payment_id) < (($5::text[]) [1]::text, $2::timestamptz, $3::bigint)
          and (s.currency, s.created_time) >= (($5::text[]) [1]::text, $4::timestamptz)
        order by
          s.currency desc,
          s.created_time desc,
          s.payment_id desc
        limit
          (
            select
              10000
          )
      ) s
    where
      (
        $7::text[] is null
        or s.state = any ($7)
      )
      and (
        $8::text[] is null
        or s.profile_id::text = any ($8)
      )
      and (
        $9::text[] is null
        or s.currency = any ($9)
      )
      and (
        $10::text[] is null
        or s.customer_id = any ($10)
      )
      and (
        $11::text[] is null
        or s.last4 = any ($11)
      )
      and (
        $12::text[] is null
        or s.policy_id::text = any ($12)
      )
      and (
        $13::text[] is null
        or s.reason = any ($13)
      )
      and (
        $14::text[] is null
        or s.order_id = any ($14)
      )
      and (
        $15::text[] is null
        or s.method = any ($15)
      )
      and (
        $16::text[] is null
        or lower(s.brand) = any ($16)
      )
      and (
        $17::text[] is null
        or s.flow = any ($17)
      )
      and (
        $18::text[] is null
        or s.country = any ($18)
      )
      and (
        $19::text[] is null
        or s.fraud_status = any ($19)
      )
      and (
        $20::text[] is null
        or not (
          array[
            'state:' || s.state,
            'profile:' || s.profile_id::text,
            'currency:' || s.currency,
            'customer:' || s.customer_id,
            'last4:' || s.last4,
            'policy:' || s.policy_id::text,
            'reason:' || s.reason,
            'order:' || s.order_id,
            'method:' || s.method,
            'brand:' || lower(s.brand),
            'flow:' || s.flow,
            'country:' || s.country,
            'fraud:' || s.fraud_status
          ] && $20
        )
      )
      and (
        $21::numeric is null
        or s.amount >= $21
      )
      and (
        $22::numeric is null
        or s.amount <= $22
      )
      and (
        $23::bigint[] is null
        or s.payment_id = any ($23)
      )
      and (
        $24::text[] is null
        or s.reference_id = any ($24)
        or exists (
          select
          from
            unnest($25::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
      )
      and (
        $26::text[] is null
        or not (
          s.reference_id = any ($26)
          or exists (
            select
            from
              unnest($27::text[]) b (text)
            where
              starts_with(s.reference_id, b.text)
          )
        )
      )
      and (
        $28::text[] is null
        or exists (
          select
          from
            unnest($28::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
        or s.payment_id::text = $29::text
        or s.last4 = $29
        or s.customer_id = any ($30::text[])
      )
    order by
      s.currency desc,
      s.created_time desc,
      s.payment_id desc
    limit
      $6
  ) m
  cross join lateral (
    select
      p.version,
      p.state,
      p.amount_minor,
      p.captured_minor,
      p.refunded_minor,
      p.profile_id,
      p.method,
      p.pay_info,
      p.fraud_status,
      p.failure,
      p.auto_payment,
      p.state_time,
      1000 + 2 * pg_column_size(p.details) as size
    from
      payments p
    where
      p.app_id = $1
      and p.payment_id = m.payment_id
    offset
      0
  ) p
  left join lateral json_to_record(p.pay_info) as i (card json, payer json, declined text) on true
order by
  m.created_time desc,
  m.payment_id desc;

-- search.listByCurrencys
select
  m.payment_id,
  m.version < p.version as is_changed,
  p.state,
  m.flow,
  m.currency,
  p.amount_minor,
  p.captured_minor,
  p.refunded_minor,
  p.profile_id,
  p.method,
  left(i.card ->> 'brand', 40) as brand,
  left(i.card ->> 'last4', 4) as last4,
  m.customer_id,
  m.reference_id,
  m.order_id,
  left(coalesce(i.payer ->> 'country', i.card ->> 'country'), 2) as country,
  p.fraud_status,
  m.policy_id,
  case
    when p.failure is null then i.declined
    else coalesce(p.failure ->> 'declineCode', p.failure ->> 'code')
  end as reason,
  p.auto_payment,
  m.created_time,
  p.state_time,
  p.size
from
  (
    select
      s.*
    from
      (
        select
          s.payment_id,
          s.version,
          s.state,
          s.flow,
          s.currency,
          s.amount,
          s.profile_id,
          s.method,
          s.brand,
          s.last4,
          s.customer_id,
          s.reference_id,
          s.order_id,
          s.country,
          s.fraud_status,
          s.policy_id,
          s.reason,
          s.created_time
        from
          unnest($5::text[]::text[]) v (value)
          cross join lateral (
            select
              s.payment_id,
              s.version,
              s.state,
              s.flow,
              s.currency,
              s.amount,
              s.profile_id,
              s.method,
              s.brand,
              s.last4,
              s.customer_id,
              s.reference_id,
              s.order_id,
              s.country,
              s.fraud_status,
              s.policy_id,
              s.reason,
              s.created_time
            from
              payment_search s
            where
              s.app_id = $1
              and s.currency is not null
              and (s.currency, s.created_time, s.payment_id) < (v.value, $2::timestamptz, $3::bigint)
              and (s.currency, s.created_time) >= (v.value, $4::timestamptz)
            order by
              s.currency desc,
              s.created_time desc,
              s.payment_id desc
            limit
              (
                select
                  1000
              )
          ) s
        order by
          s.created_time desc,
          s.payment_id desc
        limit
          (
            select
              1000
          )
      ) s
    where
      (
        $7::text[] is null
        or s.state = any ($7)
      )
      and (
        $8::text[] is null
        or s.profile_id::text = any ($8)
      )
      and (
        $9::text[] is null
        or s.currency = any ($9)
      )
      and (
        $10::text[] is null
        or s.customer_id = any ($10)
      )
      and (
        $11::text[] is null
        or s.last4 = any ($11)
      )
      and (
        $12::text[] is null
        or s.policy_id::text = any ($12)
      )
      and (
        $13::text[] is null
        or s.reason = any ($13)
      )
      and (
        $14::text[] is null
        or s.order_id = any ($14)
      )
      and (
        $15::text[] is null
        or s.method = any ($15)
      )
      and (
        $16::text[] is null
        or lower(s.brand) = any ($16)
      )
      and (
        $17::text[] is null
        or s.flow = any ($17)
      )
      and (
        $18::text[] is null
        or s.country = any ($18)
      )
      and (
        $19::text[] is null
        or s.fraud_status = any ($19)
      )
      and (
        $20::text[] is null
        or not (
          array[
            'state:' || s.state,
            'profile:' || s.profile_id::text,
            'currency:' || s.currency,
            'customer:' || s.customer_id,
            'last4:' || s.last4,
            'policy:' || s.policy_id::text,
            'reason:' || s.reason,
            'order:' || s.order_id,
            'method:' || s.method,
            'brand:' || lower(s.brand),
            'flow:' || s.flow,
            'country:' || s.country,
            'fraud:' || s.fraud_status
          ] && $20
        )
      )
      and (
        $21::numeric is null
        or s.amount >= $21
      )
      and (
        $22::numeric is null
        or s.amount <= $22
      )
      and (
        $23::bigint[] is null
        or s.payment_id = any ($23)
      )
      and (
        $24::text[] is null
        or s.reference_id = any ($24)
        or exists (
          select
          from
            unnest($25::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
      )
      and (
        $26::text[] is null
        or not (
          s.reference_id = any ($26)
          or exists (
            select
            from
              unnest($27::text[]) b (text)
            where
              starts_with(s.reference_id, b.text)
          )
        )
      )
      and (
        $28::text[] is null
        or exists (
          select
          from
            unnest($28::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
        or s.payment_id::text = $29::text
        or s.last4 = $29
        or s.customer_id = any ($30::text[])
      )
    order by
      s.created_time desc,
      s.payment_id desc
    limit
      $6
  ) m
  cross join lateral (
    select
      p.version,
      p.state,
      p.amount_minor,
      p.captured_minor,
      p.refunded_minor,
      p.profile_id,
      p.method,
      p.pay_info,
      p.fraud_status,
      p.failure,
      p.auto_payment,
      p.state_time,
      1000 + 2 * pg_column_size(p.details) as size
    from
      payments p
    where
      p.app_id = $1
      and p.payment_id = m.payment_id
    offset
      0
  ) p
  left join lateral json_to_record(p.pay_info) as i (card json, payer json, declined text) on true
order by
  m.created_time desc,
  m.payment_id desc;

-- search.listByCustomer
select
  m.payment_id,
  m.version < p.version as is_changed,
  p.state,
  m.flow,
  m.currency,
  p.amount_minor,
  p.captured_minor,
  p.refunded_minor,
  p.profile_id,
  p.method,
  left(i.card ->> 'brand', 40) as brand,
  left(i.card ->> 'last4', 4) as last4,
  m.customer_id,
  m.reference_id,
  m.order_id,
  left(coalesce(i.payer ->> 'country', i.card ->> 'country'), 2) as country,
  p.fraud_status,
  m.policy_id,
  case
    when p.failure is null then i.declined
    else coalesce(p.failure ->> 'declineCode', p.failure ->> 'code')
  end as reason,
  p.auto_payment,
  m.created_time,
  p.state_time,
  p.size
from
  (
    select
      s.*
    from
      (
        select
          s.payment_id,
          s.version,
          s.state,
          s.flow,
          s.currency,
          s.amount,
          s.profile_id,
          s.method,
          s.brand,
          s.last4,
          s.customer_id,
          s.reference_id,
          s.order_id,
          s.country,
          s.fraud_status,
          s.policy_id,
          s.reason,
          s.created_time
        from
          payment_search s
        where
          s.app_id = $1
          and s.customer_id is not null
          and (s.customer_id, s.created_time, s.payment_id) < (($5::text[]) [1]::text, $2::timestamptz, $3::bigint)
          and (s.customer_id, s.created_time) >= (($5::text[]) [1]::text, $4::timestamptz)
        order by
          s.customer_id desc,
          s.created_time desc,
          s.payment_id desc
        limit
          (
            select
              10000
          )
      ) s
    where
      (
        $7::text[] is null
        or s.state = any ($7)
      )
      and (
        $8::text[] is null
        or s.profile_id::text = any ($8)
      )
      and (
        $9::text[] is null
        or s.currency = any ($9)
      )
      and (
        $10::text[] is null
        or s.customer_id = any ($10)
      )
      and (
        $11::text[] is null
        or s.last4 = any ($11)
      )
      and (
        $12::text[] is null
        or s.policy_id::text = any ($12)
      )
      and (
        $13::text[] is null
        or s.reason = any ($13)
      )
      and (
        $14::text[] is null
        or s.order_id = any ($14)
      )
      and (
        $15::text[] is null
        or s.method = any ($15)
      )
      and (
        $16::text[] is null
        or lower(s.brand) = any ($16)
      )
      and (
        $17::text[] is null
        or s.flow = any ($17)
      )
      and (
        $18::text[] is null
        or s.country = any ($18)
      )
      and (
        $19::text[] is null
        or s.fraud_status = any ($19)
      )
      and (
        $20::text[] is null
        or not (
          array[
            'state:' || s.state,
            'profile:' || s.profile_id::text,
            'currency:' || s.currency,
            'customer:' || s.customer_id,
            'last4:' || s.last4,
            'policy:' || s.policy_id::text,
            'reason:' || s.reason,
            'order:' || s.order_id,
            'method:' || s.method,
            'brand:' || lower(s.brand),
            'flow:' || s.flow,
            'country:' || s.country,
            'fraud:' || s.fraud_status
          ] && $20
        )
      )
      and (
        $21::numeric is null
        or s.amount >= $21
      )
      and (
        $22::numeric is null
        or s.amount <= $22
      )
      and (
        $23::bigint[] is null
        or s.payment_id = any ($23)
      )
      and (
        $24::text[] is null
        or s.reference_id = any ($24)
        or exists (
          select
          from
            unnest($25::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
      )
      and (
        $26::text[] is null
        or not (
          s.reference_id = any ($26)
          or exists (
            select
            from
              unnest($27::text[]) b (text)
            where
              starts_with(s.reference_id, b.text)
          )
        )
      )
      and (
        $28::text[] is null
        or exists (
          select
          from
            unnest($28::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
        or s.payment_id::text = $29::text
        or s.last4 = $29
        or s.customer_id = any ($30::text[])
      )
    order by
      s.customer_id desc,
      s.created_time desc,
      s.payment_id desc
    limit
      $6
  ) m
  cross join lateral (
    select
      p.version,
      p.state,
      p.amount_minor,
      p.captured_minor,
      p.refunded_minor,
      p.profile_id,
      p.method,
      p.pay_info,
      p.fraud_status,
      p.failure,
      p.auto_payment,
      p.state_time,
      1000 + 2 * pg_column_size(p.details) as size
    from
      payments p
    where
      p.app_id = $1
      and p.payment_id = m.payment_id
    offset
      0
  ) p
  left join lateral json_to_record(p.pay_info) as i (card json, payer json, declined text) on true
order by
  m.created_time desc,
  m.payment_id desc;

-- search.listByCustomers
select
  m.payment_id,
  m.version < p.version as is_changed,
  p.state,
  m.flow,
  m.currency,
  p.amount_minor,
  p.captured_minor,
  p.refunded_minor,
  p.profile_id,
  p.method,
  left(i.card ->> 'brand', 40) as brand,
  left(i.card ->> 'last4', 4) as last4,
  m.customer_id,
  m.reference_id,
  m.order_id,
  left(coalesce(i.payer ->> 'country', i.card ->> 'country'), 2) as country,
  p.fraud_status,
  m.policy_id,
  case
    when p.failure is null then i.declined
    else coalesce(p.failure ->> 'declineCode', p.failure ->> 'code')
  end as reason,
  p.auto_payment,
  m.created_time,
  p.state_time,
  p.size
from
  (
    select
      s.*
    from
      (
        select
          s.payment_id,
          s.version,
          s.state,
          s.flow,
          s.currency,
          s.amount,
          s.profile_id,
          s.method,
          s.brand,
          s.last4,
          s.customer_id,
          s.reference_id,
          s.order_id,
          s.country,
          s.fraud_status,
          s.policy_id,
          s.reason,
          s.created_time
        from
          unnest($5::text[]::text[]) v (value)
          cross join lateral (
            select
              s.payment_id,
              s.version,
              s.state,
              s.flow,
              s.currency,
              s.amount,
              s.profile_id,
              s.method,
              s.brand,
              s.last4,
              s.customer_id,
              s.reference_id,
              s.order_id,
              s.country,
              s.fraud_status,
              s.policy_id,
              s.reason,
              s.created_time
            from
              payment_search s
            where
              s.app_id = $1
              and s.customer_id is not null
              and (s.customer_id, s.created_time, s.payment_id) < (v.value, $2::timestamptz, $3::bigint)
              and (s.customer_id, s.created_time) >= (v.value, $4::timestamptz)
            order by
              s.customer_id desc,
              s.created_time desc,
              s.payment_id desc
            limit
              (
                select
                  1000
              )
          ) s
        order by
          s.created_time desc,
          s.payment_id desc
        limit
          (
            select
              1000
          )
      ) s
    where
      (
        $7::text[] is null
        or s.state = any ($7)
      )
      and (
        $8::text[] is null
        or s.profile_id::text = any ($8)
      )
      and (
        $9::text[] is null
        or s.currency = any ($9)
      )
      and (
        $10::text[] is null
        or s.customer_id = any ($10)
      )
      and (
        $11::text[] is null
        or s.last4 = any ($11)
      )
      and (
        $12::text[] is null
        or s.policy_id::text = any ($12)
      )
      and (
        $13::text[] is null
        or s.reason = any ($13)
      )
      and (
        $14::text[] is null
        or s.order_id = any ($14)
      )
      and (
        $15::text[] is null
        or s.method = any ($15)
      )
      and (
        $16::text[] is null
        or lower(s.brand) = any ($16)
      )
      and (
        $17::text[] is null
        or s.flow = any ($17)
      )
      and (
        $18::text[] is null
        or s.country = any ($18)
      )
      and (
        $19::text[] is null
        or s.fraud_status = any ($19)
      )
      and (
        $20::text[] is null
        or not (
          array[
            'state:' || s.state,
            'profile:' || s.profile_id::text,
            'currency:' || s.currency,
            'customer:' || s.customer_id,
            'last4:' || s.last4,
            'policy:' || s.policy_id::text,
            'reason:' || s.reason,
            'order:' || s.order_id,
            'method:' || s.method,
            'brand:' || lower(s.brand),
            'flow:' || s.flow,
            'country:' || s.country,
            'fraud:' || s.fraud_status
          ] && $20
        )
      )
      and (
        $21::numeric is null
        or s.amount >= $21
      )
      and (
        $22::numeric is null
        or s.amount <= $22
      )
      and (
        $23::bigint[] is null
        or s.payment_id = any ($23)
      )
      and (
        $24::text[] is null
        or s.reference_id = any ($24)
        or exists (
          select
          from
            unnest($25::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
      )
      and (
        $26::text[] is null
        or not (
          s.reference_id = any ($26)
          or exists (
            select
            from
              unnest($27::text[]) b (text)
            where
              starts_with(s.reference_id, b.text)
          )
        )
      )
      and (
        $28::text[] is null
        or exists (
          select
          from
            unnest($28::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
        or s.payment_id::text = $29::text
        or s.last4 = $29
        or s.customer_id = any ($30::text[])
      )
    order by
      s.created_time desc,
      s.payment_id desc
    limit
      $6
  ) m
  cross join lateral (
    select
      p.version,
      p.state,
      p.amount_minor,
      p.captured_minor,
      p.refunded_minor,
      p.profile_id,
      p.method,
      p.pay_info,
      p.fraud_status,
      p.failure,
      p.auto_payment,
      p.state_time,
      1000 + 2 * pg_column_size(p.details) as size
    from
      payments p
    where
      p.app_id = $1
      and p.payment_id = m.payment_id
    offset
      0
  ) p
  left join lateral json_to_record(p.pay_info) as i (card json, payer json, declined text) on true
order by
  m.created_time desc,
  m.payment_id desc;

-- search.listByIdss
select
  m.payment_id,
  m.version < p.version as is_changed,
  p.state,
  m.flow,
  m.currency,
  p.amount_minor,
  p.captured_minor,
  p.refunded_minor,
  p.profile_id,
  p.method,
  left(i.card ->> 'brand', 40) as brand,
  left(i.card ->> 'last4', 4) as last4,
  m.customer_id,
  m.reference_id,
  m.order_id,
  left(coalesce(i.payer ->> 'country', i.card ->> 'country'), 2) as country,
  p.fraud_status,
  m.policy_id,
  case
    when p.failure is null then i.declined
    else coalesce(p.failure ->> 'declineCode', p.failure ->> 'code')
  end as reason,
  p.auto_payment,
  m.created_time,
  p.state_time,
  p.size
from
  (
    select
      s.*
    from
      (
        select
          s.payment_id,
          s.version,
          s.state,
          s.flow,
          s.currency,
          s.amount,
          s.profile_id,
          s.method,
          s.brand,
          s.last4,
          s.customer_id,
          s.reference_id,
          s.order_id,
          s.country,
          s.fraud_status,
          s.policy_id,
          s.reason,
          s.created_time
        from
          unnest($5::text[]::bigint[]) k (id)
          cross join lateral (
            select
              s.payment_id,
              s.version,
              s.state,
              s.flow,
              s.currency,
              s.amount,
              s.profile_id,
              s.method,
              s.brand,
              s.last4,
              s.customer_id,
              s.reference_id,
              s.order_id,
              s.country,
              s.fraud_status,
              s.policy_id,
              s.reason,
              s.created_time
            from
              payment_search s
            where
              s.app_id = $1
              and (s.created_time, s.payment_id) < ($2::timestamptz, $3::bigint)
              and s.created_time >= $4::timestamptz
              and s.payment_id = k.id
            offset
              0
          ) s
        order by
          s.created_time desc,
          s.payment_id desc
      ) s
    where
      (
        $7::text[] is null
        or s.state = any ($7)
      )
      and (
        $8::text[] is null
        or s.profile_id::text = any ($8)
      )
      and (
        $9::text[] is null
        or s.currency = any ($9)
      )
      and (
        $10::text[] is null
        or s.customer_id = any ($10)
      )
      and (
        $11::text[] is null
        or s.last4 = any ($11)
      )
      and (
        $12::text[] is null
        or s.policy_id::text = any ($12)
      )
      and (
        $13::text[] is null
        or s.reason = any ($13)
      )
      and (
        $14::text[] is null
        or s.order_id = any ($14)
      )
      and (
        $15::text[] is null
        or s.method = any ($15)
      )
      and (
        $16::text[] is null
        or lower(s.brand) = any ($16)
      )
      and (
        $17::text[] is null
        or s.flow = any ($17)
      )
      and (
        $18::text[] is null
        or s.country = any ($18)
      )
      and (
        $19::text[] is null
        or s.fraud_status = any ($19)
      )
      and (
        $20::text[] is null
        or not (
          array[
            'state:' || s.state,
            'profile:' || s.profile_id::text,
            'currency:' || s.currency,
            'customer:' || s.customer_id,
            'last4:' || s.last4,
            'policy:' || s.policy_id::text,
            'reason:' || s.reason,
            'order:' || s.order_id,
            'method:' || s.method,
            'brand:' || lower(s.brand),
            'flow:' || s.flow,
            'country:' || s.country,
            'fraud:' || s.fraud_status
          ] && $20
        )
      )
      and (
        $21::numeric is null
        or s.amount >= $21
      )
      and (
        $22::numeric is null
        or s.amount <= $22
      )
      and (
        $23::bigint[] is null
        or s.payment_id = any ($23)
      )
      and (
        $24::text[] is null
        or s.reference_id = any ($24)
        or exists (
          select
          from
            unnest($25::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
      )
      and (
        $26::text[] is null
        or not (
          s.reference_id = any ($26)
          or exists (
            select
            from
              unnest($27::text[]) b (text)
            where
              starts_with(s.reference_id, b.text)
          )
        )
      )
      and (
        $28::text[] is null
        or exists (
          select
          from
            unnest($28::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
        or s.payment_id::text = $29::text
        or s.last4 = $29
        or s.customer_id = any ($30::text[])
      )
    order by
      s.created_time desc,
      s.payment_id desc
    limit
      $6
  ) m
  cross join lateral (
    select
      p.version,
      p.state,
      p.amount_minor,
      p.captured_minor,
      p.refunded_minor,
      p.profile_id,
      p.method,
      p.pay_info,
      p.fraud_status,
      p.failure,
      p.auto_payment,
      p.state_time,
      1000 + 2 * pg_column_size(p.details) as size
    from
      payments p
    where
      p.app_id = $1
      and p.payment_id = m.payment_id
    offset
      0
  ) p
  left join lateral json_to_record(p.pay_info) as i (card json, payer json, declined text) on true
order by
  m.created_time desc,
  m.payment_id desc;

-- search.listByLast4
select
  m.payment_id,
  m.version < p.version as is_changed,
  p.state,
  m.flow,
  m.currency,
  p.amount_minor,
  p.captured_minor,
  p.refunded_minor,
  p.profile_id,
  p.method,
  left(i.card ->> 'brand', 40) as brand,
  left(i.card ->> 'last4', 4) as last4,
  m.customer_id,
  m.reference_id,
  m.order_id,
  left(coalesce(i.payer ->> 'country', i.card ->> 'country'), 2) as country,
  p.fraud_status,
  m.policy_id,
  case
    when p.failure is null then i.declined
    else coalesce(p.failure ->> 'declineCode', p.failure ->> 'code')
  end as reason,
  p.auto_payment,
  m.created_time,
  p.state_time,
  p.size
from
  (
    select
      s.*
    from
      (
        select
          s.payment_id,
          s.version,
          s.state,
          s.flow,
          s.currency,
          s.amount,
          s.profile_id,
          s.method,
          s.brand,
          s.last4,
          s.customer_id,
          s.reference_id,
          s.order_id,
          s.country,
          s.fraud_status,
          s.policy_id,
          s.reason,
          s.created_time
        from
          payment_search s
        where
          s.app_id = $1
          and s.last4 is not null
          and (s.last4, s.created_time, s.payment_id) < (($5::text[]) [1]::text, $2::timestamptz, $3::bigint)
          and (s.last4, s.created_time) >= (($5::text[]) [1]::text, $4::timestamptz)
        order by
          s.last4 desc,
          s.created_time desc,
          s.payment_id desc
        limit
          (
            select
              10000
          )
      ) s
    where
      (
        $7::text[] is null
        or s.state = any ($7)
      )
      and (
        $8::text[] is null
        or s.profile_id::text = any ($8)
      )
      and (
        $9::text[] is null
        or s.currency = any ($9)
      )
      and (
        $10::text[] is null
        or s.customer_id = any ($10)
      )
      and (
        $11::text[] is null
        or s.last4 = any ($11)
      )
      and (
        $12::text[] is null
        or s.policy_id::text = any ($12)
      )
      and (
        $13::text[] is null
        or s.reason = any ($13)
      )
      and (
        $14::text[] is null
        or s.order_id = any ($14)
      )
      and (
        $15::text[] is null
        or s.method = any ($15)
      )
      and (
        $16::text[] is null
        or lower(s.brand) = any ($16)
      )
      and (
        $17::text[] is null
        or s.flow = any ($17)
      )
      and (
        $18::text[] is null
        or s.country = any ($18)
      )
      and (
        $19::text[] is null
        or s.fraud_status = any ($19)
      )
      and (
        $20::text[] is null
        or not (
          array[
            'state:' || s.state,
            'profile:' || s.profile_id::text,
            'currency:' || s.currency,
            'customer:' || s.customer_id,
            'last4:' || s.last4,
            'policy:' || s.policy_id::text,
            'reason:' || s.reason,
            'order:' || s.order_id,
            'method:' || s.method,
            'brand:' || lower(s.brand),
            'flow:' || s.flow,
            'country:' || s.country,
            'fraud:' || s.fraud_status
          ] && $20
        )
      )
      and (
        $21::numeric is null
        or s.amount >= $21
      )
      and (
        $22::numeric is null
        or s.amount <= $22
      )
      and (
        $23::bigint[] is null
        or s.payment_id = any ($23)
      )
      and (
        $24::text[] is null
        or s.reference_id = any ($24)
        or exists (
          select
          from
            unnest($25::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
      )
      and (
        $26::text[] is null
        or not (
          s.reference_id = any ($26)
          or exists (
            select
            from
              unnest($27::text[]) b (text)
            where
              starts_with(s.reference_id, b.text)
          )
        )
      )
      and (
        $28::text[] is null
        or exists (
          select
          from
            unnest($28::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
        or s.payment_id::text = $29::text
        or s.last4 = $29
        or s.customer_id = any ($30::text[])
      )
    order by
      s.last4 desc,
      s.created_time desc,
      s.payment_id desc
    limit
      $6
  ) m
  cross join lateral (
    select
      p.version,
      p.state,
      p.amount_minor,
      p.captured_minor,
      p.refunded_minor,
      p.profile_id,
      p.method,
      p.pay_info,
      p.fraud_status,
      p.failure,
      p.auto_payment,
      p.state_time,
      1000 + 2 * pg_column_size(p.details) as size
    from
      payments p
    where
      p.app_id = $1
      and p.payment_id = m.payment_id
    offset
      0
  ) p
  left join lateral json_to_record(p.pay_info) as i (card json, payer json, declined text) on true
order by
  m.created_time desc,
  m.payment_id desc;

-- search.listByLast4s
select
  m.payment_id,
  m.version < p.version as is_changed,
  p.state,
  m.flow,
  m.currency,
  p.amount_minor,
  p.captured_minor,
  p.refunded_minor,
  p.profile_id,
  p.method,
  left(i.card ->> 'brand', 40) as brand,
  left(i.card ->> 'last4', 4) as last4,
  m.customer_id,
  m.reference_id,
  m.order_id,
  left(coalesce(i.payer ->> 'country', i.card ->> 'country'), 2) as country,
  p.fraud_status,
  m.policy_id,
  case
    when p.failure is null then i.declined
    else coalesce(p.failure ->> 'declineCode', p.failure ->> 'code')
  end as reason,
  p.auto_payment,
  m.created_time,
  p.state_time,
  p.size
from
  (
    select
      s.*
    from
      (
        select
          s.payment_id,
          s.version,
          s.state,
          s.flow,
          s.currency,
          s.amount,
          s.profile_id,
          s.method,
          s.brand,
          s.last4,
          s.customer_id,
          s.reference_id,
          s.order_id,
          s.country,
          s.fraud_status,
          s.policy_id,
          s.reason,
          s.created_time
        from
          unnest($5::text[]::text[]) v (value)
          cross join lateral (
            select
              s.payment_id,
              s.version,
              s.state,
              s.flow,
              s.currency,
              s.amount,
              s.profile_id,
              s.method,
              s.brand,
              s.last4,
              s.customer_id,
              s.reference_id,
              s.order_id,
              s.country,
              s.fraud_status,
              s.policy_id,
              s.reason,
              s.created_time
            from
              payment_search s
            where
              s.app_id = $1
              and s.last4 is not null
              and (s.last4, s.created_time, s.payment_id) < (v.value, $2::timestamptz, $3::bigint)
              and (s.last4, s.created_time) >= (v.value, $4::timestamptz)
            order by
              s.last4 desc,
              s.created_time desc,
              s.payment_id desc
            limit
              (
                select
                  1000
              )
          ) s
        order by
          s.created_time desc,
          s.payment_id desc
        limit
          (
            select
              1000
          )
      ) s
    where
      (
        $7::text[] is null
        or s.state = any ($7)
      )
      and (
        $8::text[] is null
        or s.profile_id::text = any ($8)
      )
      and (
        $9::text[] is null
        or s.currency = any ($9)
      )
      and (
        $10::text[] is null
        or s.customer_id = any ($10)
      )
      and (
        $11::text[] is null
        or s.last4 = any ($11)
      )
      and (
        $12::text[] is null
        or s.policy_id::text = any ($12)
      )
      and (
        $13::text[] is null
        or s.reason = any ($13)
      )
      and (
        $14::text[] is null
        or s.order_id = any ($14)
      )
      and (
        $15::text[] is null
        or s.method = any ($15)
      )
      and (
        $16::text[] is null
        or lower(s.brand) = any ($16)
      )
      and (
        $17::text[] is null
        or s.flow = any ($17)
      )
      and (
        $18::text[] is null
        or s.country = any ($18)
      )
      and (
        $19::text[] is null
        or s.fraud_status = any ($19)
      )
      and (
        $20::text[] is null
        or not (
          array[
            'state:' || s.state,
            'profile:' || s.profile_id::text,
            'currency:' || s.currency,
            'customer:' || s.customer_id,
            'last4:' || s.last4,
            'policy:' || s.policy_id::text,
            'reason:' || s.reason,
            'order:' || s.order_id,
            'method:' || s.method,
            'brand:' || lower(s.brand),
            'flow:' || s.flow,
            'country:' || s.country,
            'fraud:' || s.fraud_status
          ] && $20
        )
      )
      and (
        $21::numeric is null
        or s.amount >= $21
      )
      and (
        $22::numeric is null
        or s.amount <= $22
      )
      and (
        $23::bigint[] is null
        or s.payment_id = any ($23)
      )
      and (
        $24::text[] is null
        or s.reference_id = any ($24)
        or exists (
          select
          from
            unnest($25::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
      )
      and (
        $26::text[] is null
        or not (
          s.reference_id = any ($26)
          or exists (
            select
            from
              unnest($27::text[]) b (text)
            where
              starts_with(s.reference_id, b.text)
          )
        )
      )
      and (
        $28::text[] is null
        or exists (
          select
          from
            unnest($28::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
        or s.payment_id::text = $29::text
        or s.last4 = $29
        or s.customer_id = any ($30::text[])
      )
    order by
      s.created_time desc,
      s.payment_id desc
    limit
      $6
  ) m
  cross join lateral (
    select
      p.version,
      p.state,
      p.amount_minor,
      p.captured_minor,
      p.refunded_minor,
      p.profile_id,
      p.method,
      p.pay_info,
      p.fraud_status,
      p.failure,
      p.auto_payment,
      p.state_time,
      1000 + 2 * pg_column_size(p.details) as size
    from
      payments p
    where
      p.app_id = $1
      and p.payment_id = m.payment_id
    offset
      0
  ) p
  left join lateral json_to_record(p.pay_info) as i (card json, payer json, declined text) on true
order by
  m.created_time desc,
  m.payment_id desc;

-- search.listByOrder
select
  m.payment_id,
  m.version < p.version as is_changed,
  p.state,
  m.flow,
  m.currency,
  p.amount_minor,
  p.captured_minor,
  p.refunded_minor,
  p.profile_id,
  p.method,
  left(i.card ->> 'brand', 40) as brand,
  left(i.card ->> 'last4', 4) as last4,
  m.customer_id,
  m.reference_id,
  m.order_id,
  left(coalesce(i.payer ->> 'country', i.card ->> 'country'), 2) as country,
  p.fraud_status,
  m.policy_id,
  case
    when p.failure is null then i.declined
    else coalesce(p.failure ->> 'declineCode', p.failure ->> 'code')
  end as reason,
  p.auto_payment,
  m.created_time,
  p.state_time,
  p.size
from
  (
    select
      s.*
    from
      (
        select
          s.payment_id,
          s.version,
          s.state,
          s.flow,
          s.currency,
          s.amount,
          s.profile_id,
          s.method,
          s.brand,
          s.last4,
          s.customer_id,
          s.reference_id,
          s.order_id,
          s.country,
          s.fraud_status,
          s.policy_id,
          s.reason,
          s.created_time
        from
          payment_search s
        where
          s.app_id = $1
          and s.order_id is not null
          and (s.order_id, s.created_time, s.payment_id) < (($5::text[]) [1]::text, $2::timestamptz, $3::bigint)
          and (s.order_id, s.created_time) >= (($5::text[]) [1]::text, $4::timestamptz)
        order by
          s.order_id desc,
          s.created_time desc,
          s.payment_id desc
        limit
          (
            select
              10000
          )
      ) s
    where
      (
        $7::text[] is null
        or s.state = any ($7)
      )
      and (
        $8::text[] is null
        or s.profile_id::text = any ($8)
      )
      and (
        $9::text[] is null
        or s.currency = any ($9)
      )
      and (
        $10::text[] is null
        or s.customer_id = any ($10)
      )
      and (
        $11::text[] is null
        or s.last4 = any ($11)
      )
      and (
        $12::text[] is null
        or s.policy_id::text = any ($12)
      )
      and (
        $13::text[] is null
        or s.reason = any ($13)
      )
      and (
        $14::text[] is null
        or s.order_id = any ($14)
      )
      and (
        $15::text[] is null
        or s.method = any ($15)
      )
      and (
        $16::text[] is null
        or lower(s.brand) = any ($16)
      )
      and (
        $17::text[] is null
        or s.flow = any ($17)
      )
      and (
        $18::text[] is null
        or s.country = any ($18)
      )
      and (
        $19::text[] is null
        or s.fraud_status = any ($19)
      )
      and (
        $20::text[] is null
        or not (
          array[
            'state:' || s.state,
            'profile:' || s.profile_id::text,
            'currency:' || s.currency,
            'customer:' || s.customer_id,
            'last4:' || s.last4,
            'policy:' || s.policy_id::text,
            'reason:' || s.reason,
            'order:' || s.order_id,
            'method:' || s.method,
            'brand:' || lower(s.brand),
            'flow:' || s.flow,
            'country:' || s.country,
            'fraud:' || s.fraud_status
          ] && $20
        )
      )
      and (
        $21::numeric is null
        or s.amount >= $21
      )
      and (
        $22::numeric is null
        or s.amount <= $22
      )
      and (
        $23::bigint[] is null
        or s.payment_id = any ($23)
      )
      and (
        $24::text[] is null
        or s.reference_id = any ($24)
        or exists (
          select
          from
            unnest($25::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
      )
      and (
        $26::text[] is null
        or not (
          s.reference_id = any ($26)
          or exists (
            select
            from
              unnest($27::text[]) b (text)
            where
              starts_with(s.reference_id, b.text)
          )
        )
      )
      and (
        $28::text[] is null
        or exists (
          select
          from
            unnest($28::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
        or s.payment_id::text = $29::text
        or s.last4 = $29
        or s.customer_id = any ($30::text[])
      )
    order by
      s.order_id desc,
      s.created_time desc,
      s.payment_id desc
    limit
      $6
  ) m
  cross join lateral (
    select
      p.version,
      p.state,
      p.amount_minor,
      p.captured_minor,
      p.refunded_minor,
      p.profile_id,
      p.method,
      p.pay_info,
      p.fraud_status,
      p.failure,
      p.auto_payment,
      p.state_time,
      1000 + 2 * pg_column_size(p.details) as size
    from
      payments p
    where
      p.app_id = $1
      and p.payment_id = m.payment_id
    offset
      0
  ) p
  left join lateral json_to_record(p.pay_info) as i (card json, payer json, declined text) on true
order by
  m.created_time desc,
  m.payment_id desc;

-- search.listByOrders
select
  m.payment_id,
  m.version < p.version as is_changed,
  p.state,
  m.flow,
  m.currency,
  p.amount_minor,
  p.captured_minor,
  p.refunded_minor,
  p.profile_id,
  p.method,
  left(i.card ->> 'brand', 40) as brand,
  left(i.card ->> 'last4', 4) as last4,
  m.customer_id,
  m.reference_id,
  m.order_id,
  left(coalesce(i.payer ->> 'country', i.card ->> 'country'), 2) as country,
  p.fraud_status,
  m.policy_id,
  case
    when p.failure is null then i.declined
    else coalesce(p.failure ->> 'declineCode', p.failure ->> 'code')
  end as reason,
  p.auto_payment,
  m.created_time,
  p.state_time,
  p.size
from
  (
    select
      s.*
    from
      (
        select
          s.payment_id,
          s.version,
          s.state,
          s.flow,
          s.currency,
          s.amount,
          s.profile_id,
          s.method,
          s.brand,
          s.last4,
          s.customer_id,
          s.reference_id,
          s.order_id,
          s.country,
          s.fraud_status,
          s.policy_id,
          s.reason,
          s.created_time
        from
          unnest($5::text[]::text[]) v (value)
          cross join lateral (
            select
              s.payment_id,
              s.version,
              s.state,
              s.flow,
              s.currency,
              s.amount,
              s.profile_id,
              s.method,
              s.brand,
              s.last4,
              s.customer_id,
              s.reference_id,
              s.order_id,
              s.country,
              s.fraud_status,
              s.policy_id,
              s.reason,
              s.created_time
            from
              payment_search s
            where
              s.app_id = $1
              and s.order_id is not null
              and (s.order_id, s.created_time, s.payment_id) < (v.value, $2::timestamptz, $3::bigint)
              and (s.order_id, s.created_time) >= (v.value, $4::timestamptz)
            order by
              s.order_id desc,
              s.created_time desc,
              s.payment_id desc
            limit
              (
                select
                  1000
              )
          ) s
        order by
          s.created_time desc,
          s.payment_id desc
        limit
          (
            select
              1000
          )
      ) s
    where
      (
        $7::text[] is null
        or s.state = any ($7)
      )
      and (
        $8::text[] is null
        or s.profile_id::text = any ($8)
      )
      and (
        $9::text[] is null
        or s.currency = any ($9)
      )
      and (
        $10::text[] is null
        or s.customer_id = any ($10)
      )
      and (
        $11::text[] is null
        or s.last4 = any ($11)
      )
      and (
        $12::text[] is null
        or s.policy_id::text = any ($12)
      )
      and (
        $13::text[] is null
        or s.reason = any ($13)
      )
      and (
        $14::text[] is null
        or s.order_id = any ($14)
      )
      and (
        $15::text[] is null
        or s.method = any ($15)
      )
      and (
        $16::text[] is null
        or lower(s.brand) = any ($16)
      )
      and (
        $17::text[] is null
        or s.flow = any ($17)
      )
      and (
        $18::text[] is null
        or s.country = any ($18)
      )
      and (
        $19::text[] is null
        or s.fraud_status = any ($19)
      )
      and (
        $20::text[] is null
        or not (
          array[
            'state:' || s.state,
            'profile:' || s.profile_id::text,
            'currency:' || s.currency,
            'customer:' || s.customer_id,
            'last4:' || s.last4,
            'policy:' || s.policy_id::text,
            'reason:' || s.reason,
            'order:' || s.order_id,
            'method:' || s.method,
            'brand:' || lower(s.brand),
            'flow:' || s.flow,
            'country:' || s.country,
            'fraud:' || s.fraud_status
          ] && $20
        )
      )
      and (
        $21::numeric is null
        or s.amount >= $21
      )
      and (
        $22::numeric is null
        or s.amount <= $22
      )
      and (
        $23::bigint[] is null
        or s.payment_id = any ($23)
      )
      and (
        $24::text[] is null
        or s.reference_id = any ($24)
        or exists (
          select
          from
            unnest($25::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
      )
      and (
        $26::text[] is null
        or not (
          s.reference_id = any ($26)
          or exists (
            select
            from
              unnest($27::text[]) b (text)
            where
              starts_with(s.reference_id, b.text)
          )
        )
      )
      and (
        $28::text[] is null
        or exists (
          select
          from
            unnest($28::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
        or s.payment_id::text = $29::text
        or s.last4 = $29
        or s.customer_id = any ($30::text[])
      )
    order by
      s.created_time desc,
      s.payment_id desc
    limit
      $6
  ) m
  cross join lateral (
    select
      p.version,
      p.state,
      p.amount_minor,
      p.captured_minor,
      p.refunded_minor,
      p.profile_id,
      p.method,
      p.pay_info,
      p.fraud_status,
      p.failure,
      p.auto_payment,
      p.state_time,
      1000 + 2 * pg_column_size(p.details) as size
    from
      payments p
    where
      p.app_id = $1
      and p.payment_id = m.payment_id
    offset
      0
  ) p
  left join lateral json_to_record(p.pay_info) as i (card json, payer json, declined text) on true
order by
  m.created_time desc,
  m.payment_id desc;

-- search.listByPolicy
select
  m.payment_id,
  m.version < p.version as is_changed,
  p.state,
  m.flow,
  m.currency,
  p.amount_minor,
  p.captured_minor,
  p.refunded_minor,
  p.profile_id,
  p.method,
  left(i.card ->> 'brand', 40) as brand,
  left(i.card ->> 'last4', 4) as last4,
  m.customer_id,
  m.reference_id,
  m.order_id,
  left(coalesce(i.payer ->> 'country', i.card ->> 'country'), 2) as country,
  p.fraud_status,
  m.policy_id,
  case
    when p.failure is null then i.declined
    else coalesce(p.failure ->> 'declineCode', p.failure ->> 'code')
  end as reason,
  p.auto_payment,
  m.created_time,
  p.state_time,
  p.size
from
  (
    select
      s.*
    from
      (
        select
          s.payment_id,
          s.version,
          s.state,
          s.flow,
          s.currency,
          s.amount,
          s.profile_id,
          s.method,
          s.brand,
          s.last4,
          s.customer_id,
          s.reference_id,
          s.order_id,
          s.country,
          s.fraud_status,
          s.policy_id,
          s.reason,
          s.created_time
        from
          payment_search s
        where
          s.app_id = $1
          and s.policy_id is not null
          and (s.policy_id, s.created_time, s.payment_id) < (($5::text[]) [1]::bigint, $2::timestamptz, $3::bigint)
          and (s.policy_id, s.created_time) >= (($5::text[]) [1]::bigint, $4::timestamptz)
        order by
          s.policy_id desc,
          s.created_time desc,
          s.payment_id desc
        limit
          (
            select
              10000
          )
      ) s
    where
      (
        $7::text[] is null
        or s.state = any ($7)
      )
      and (
        $8::text[] is null
        or s.profile_id::text = any ($8)
      )
      and (
        $9::text[] is null
        or s.currency = any ($9)
      )
      and (
        $10::text[] is null
        or s.customer_id = any ($10)
      )
      and (
        $11::text[] is null
        or s.last4 = any ($11)
      )
      and (
        $12::text[] is null
        or s.policy_id::text = any ($12)
      )
      and (
        $13::text[] is null
        or s.reason = any ($13)
      )
      and (
        $14::text[] is null
        or s.order_id = any ($14)
      )
      and (
        $15::text[] is null
        or s.method = any ($15)
      )
      and (
        $16::text[] is null
        or lower(s.brand) = any ($16)
      )
      and (
        $17::text[] is null
        or s.flow = any ($17)
      )
      and (
        $18::text[] is null
        or s.country = any ($18)
      )
      and (
        $19::text[] is null
        or s.fraud_status = any ($19)
      )
      and (
        $20::text[] is null
        or not (
          array[
            'state:' || s.state,
            'profile:' || s.profile_id::text,
            'currency:' || s.currency,
            'customer:' || s.customer_id,
            'last4:' || s.last4,
            'policy:' || s.policy_id::text,
            'reason:' || s.reason,
            'order:' || s.order_id,
            'method:' || s.method,
            'brand:' || lower(s.brand),
            'flow:' || s.flow,
            'country:' || s.country,
            'fraud:' || s.fraud_status
          ] && $20
        )
      )
      and (
        $21::numeric is null
        or s.amount >= $21
      )
      and (
        $22::numeric is null
        or s.amount <= $22
      )
      and (
        $23::bigint[] is null
        or s.payment_id = any ($23)
      )
      and (
        $24::text[] is null
        or s.reference_id = any ($24)
        or exists (
          select
          from
            unnest($25::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
      )
      and (
        $26::text[] is null
        or not (
          s.reference_id = any ($26)
          or exists (
            select
            from
              unnest($27::text[]) b (text)
            where
              starts_with(s.reference_id, b.text)
          )
        )
      )
      and (
        $28::text[] is null
        or exists (
          select
          from
            unnest($28::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
        or s.payment_id::text = $29::text
        or s.last4 = $29
        or s.customer_id = any ($30::text[])
      )
    order by
      s.policy_id desc,
      s.created_time desc,
      s.payment_id desc
    limit
      $6
  ) m
  cross join lateral (
    select
      p.version,
      p.state,
      p.amount_minor,
      p.captured_minor,
      p.refunded_minor,
      p.profile_id,
      p.method,
      p.pay_info,
      p.fraud_status,
      p.failure,
      p.auto_payment,
      p.state_time,
      1000 + 2 * pg_column_size(p.details) as size
    from
      payments p
    where
      p.app_id = $1
      and p.payment_id = m.payment_id
    offset
      0
  ) p
  left join lateral json_to_record(p.pay_info) as i (card json, payer json, declined text) on true
order by
  m.created_time desc,
  m.payment_id desc;

-- search.listByPolicys
select
  m.payment_id,
  m.version < p.version as is_changed,
  p.state,
  m.flow,
  m.currency,
  p.amount_minor,
  p.captured_minor,
  p.refunded_minor,
  p.profile_id,
  p.method,
  left(i.card ->> 'brand', 40) as brand,
  left(i.card ->> 'last4', 4) as last4,
  m.customer_id,
  m.reference_id,
  m.order_id,
  left(coalesce(i.payer ->> 'country', i.card ->> 'country'), 2) as country,
  p.fraud_status,
  m.policy_id,
  case
    when p.failure is null then i.declined
    else coalesce(p.failure ->> 'declineCode', p.failure ->> 'code')
  end as reason,
  p.auto_payment,
  m.created_time,
  p.state_time,
  p.size
from
  (
    select
      s.*
    from
      (
        select
          s.payment_id,
          s.version,
          s.state,
          s.flow,
          s.currency,
          s.amount,
          s.profile_id,
          s.method,
          s.brand,
          s.last4,
          s.customer_id,
          s.reference_id,
          s.order_id,
          s.country,
          s.fraud_status,
          s.policy_id,
          s.reason,
          s.created_time
        from
          unnest($5::text[]::bigint[]) v (value)
          cross join lateral (
            select
              s.payment_id,
              s.version,
              s.state,
              s.flow,
              s.currency,
              s.amount,
              s.profile_id,
              s.method,
              s.brand,
              s.last4,
              s.customer_id,
              s.reference_id,
              s.order_id,
              s.country,
              s.fraud_status,
              s.policy_id,
              s.reason,
              s.created_time
            from
              payment_search s
            where
              s.app_id = $1
              and s.policy_id is not null
              and (s.policy_id, s.created_time, s.payment_id) < (v.value, $2::timestamptz, $3::bigint)
              and (s.policy_id, s.created_time) >= (v.value, $4::timestamptz)
            order by
              s.policy_id desc,
              s.created_time desc,
              s.payment_id desc
            limit
              (
                select
                  1000
              )
          ) s
        order by
          s.created_time desc,
          s.payment_id desc
        limit
          (
            select
              1000
          )
      ) s
    where
      (
        $7::text[] is null
        or s.state = any ($7)
      )
      and (
        $8::text[] is null
        or s.profile_id::text = any ($8)
      )
      and (
        $9::text[] is null
        or s.currency = any ($9)
      )
      and (
        $10::text[] is null
        or s.customer_id = any ($10)
      )
      and (
        $11::text[] is null
        or s.last4 = any ($11)
      )
      and (
        $12::text[] is null
        or s.policy_id::text = any ($12)
      )
      and (
        $13::text[] is null
        or s.reason = any ($13)
      )
      and (
        $14::text[] is null
        or s.order_id = any ($14)
      )
      and (
        $15::text[] is null
        or s.method = any ($15)
      )
      and (
        $16::text[] is null
        or lower(s.brand) = any ($16)
      )
      and (
        $17::text[] is null
        or s.flow = any ($17)
      )
      and (
        $18::text[] is null
        or s.country = any ($18)
      )
      and (
        $19::text[] is null
        or s.fraud_status = any ($19)
      )
      and (
        $20::text[] is null
        or not (
          array[
            'state:' || s.state,
            'profile:' || s.profile_id::text,
            'currency:' || s.currency,
            'customer:' || s.customer_id,
            'last4:' || s.last4,
            'policy:' || s.policy_id::text,
            'reason:' || s.reason,
            'order:' || s.order_id,
            'method:' || s.method,
            'brand:' || lower(s.brand),
            'flow:' || s.flow,
            'country:' || s.country,
            'fraud:' || s.fraud_status
          ] && $20
        )
      )
      and (
        $21::numeric is null
        or s.amount >= $21
      )
      and (
        $22::numeric is null
        or s.amount <= $22
      )
      and (
        $23::bigint[] is null
        or s.payment_id = any ($23)
      )
      and (
        $24::text[] is null
        or s.reference_id = any ($24)
        or exists (
          select
          from
            unnest($25::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
      )
      and (
        $26::text[] is null
        or not (
          s.reference_id = any ($26)
          or exists (
            select
            from
              unnest($27::text[]) b (text)
            where
              starts_with(s.reference_id, b.text)
          )
        )
      )
      and (
        $28::text[] is null
        or exists (
          select
          from
            unnest($28::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
        or s.payment_id::text = $29::text
        or s.last4 = $29
        or s.customer_id = any ($30::text[])
      )
    order by
      s.created_time desc,
      s.payment_id desc
    limit
      $6
  ) m
  cross join lateral (
    select
      p.version,
      p.state,
      p.amount_minor,
      p.captured_minor,
      p.refunded_minor,
      p.profile_id,
      p.method,
      p.pay_info,
      p.fraud_status,
      p.failure,
      p.auto_payment,
      p.state_time,
      1000 + 2 * pg_column_size(p.details) as size
    from
      payments p
    where
      p.app_id = $1
      and p.payment_id = m.payment_id
    offset
      0
  ) p
  left join lateral json_to_record(p.pay_info) as i (card json, payer json, declined text) on true
order by
  m.created_time desc,
  m.payment_id desc;

-- search.listByProfile
select
  m.payment_id,
  m.version < p.version as is_changed,
  p.state,
  m.flow,
  m.currency,
  p.amount_minor,
  p.captured_minor,
  p.refunded_minor,
  p.profile_id,
  p.method,
  left(i.card ->> 'brand', 40) as brand,
  left(i.card ->> 'last4', 4) as last4,
  m.customer_id,
  m.reference_id,
  m.order_id,
  left(coalesce(i.payer ->> 'country', i.card ->> 'country'), 2) as country,
  p.fraud_status,
  m.policy_id,
  case
    when p.failure is null then i.declined
    else coalesce(p.failure ->> 'declineCode', p.failure ->> 'code')
  end as reason,
  p.auto_payment,
  m.created_time,
  p.state_time,
  p.size
from
  (
    select
      s.*
    from
      (
        select
          s.payment_id,
          s.version,
          s.state,
          s.flow,
          s.currency,
          s.amount,
          s.profile_id,
          s.method,
          s.brand,
          s.last4,
          s.customer_id,
          s.reference_id,
          s.order_id,
          s.country,
          s.fraud_status,
          s.policy_id,
          s.reason,
          s.created_time
        from
          payment_search s
        where
          s.app_id = $1
          and s.profile_id is not null
          and (s.profile_id, s.created_time, s.payment_id) < (($5::text[]) [1]::bigint, $2::timestamptz, $3::bigint)
          and (s.profile_id, s.created_time) >= (($5::text[]) [1]::bigint, $4::timestamptz)
        order by
          s.profile_id desc,
          s.created_time desc,
          s.payment_id desc
        limit
          (
            select
              10000
          )
      ) s
    where
      (
        $7::text[] is null
        or s.state = any ($7)
      )
      and (
        $8::text[] is null
        or s.profile_id::text = any ($8)
      )
      and (
        $9::text[] is null
        or s.currency = any ($9)
      )
      and (
        $10::text[] is null
        or s.customer_id = any ($10)
      )
      and (
        $11::text[] is null
        or s.last4 = any ($11)
      )
      and (
        $12::text[] is null
        or s.policy_id::text = any ($12)
      )
      and (
        $13::text[] is null
        or s.reason = any ($13)
      )
      and (
        $14::text[] is null
        or s.order_id = any ($14)
      )
      and (
        $15::text[] is null
        or s.method = any ($15)
      )
      and (
        $16::text[] is null
        or lower(s.brand) = any ($16)
      )
      and (
        $17::text[] is null
        or s.flow = any ($17)
      )
      and (
        $18::text[] is null
        or s.country = any ($18)
      )
      and (
        $19::text[] is null
        or s.fraud_status = any ($19)
      )
      and (
        $20::text[] is null
        or not (
          array[
            'state:' || s.state,
            'profile:' || s.profile_id::text,
            'currency:' || s.currency,
            'customer:' || s.customer_id,
            'last4:' || s.last4,
            'policy:' || s.policy_id::text,
            'reason:' || s.reason,
            'order:' || s.order_id,
            'method:' || s.method,
            'brand:' || lower(s.brand),
            'flow:' || s.flow,
            'country:' || s.country,
            'fraud:' || s.fraud_status
          ] && $20
        )
      )
      and (
        $21::numeric is null
        or s.amount >= $21
      )
      and (
        $22::numeric is null
        or s.amount <= $22
      )
      and (
        $23::bigint[] is null
        or s.payment_id = any ($23)
      )
      and (
        $24::text[] is null
        or s.reference_id = any ($24)
        or exists (
          select
          from
            unnest($25::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
      )
      and (
        $26::text[] is null
        or not (
          s.reference_id = any ($26)
          or exists (
            select
            from
              unnest($27::text[]) b (text)
            where
              starts_with(s.reference_id, b.text)
          )
        )
      )
      and (
        $28::text[] is null
        or exists (
          select
          from
            unnest($28::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
        or s.payment_id::text = $29::text
        or s.last4 = $29
        or s.customer_id = any ($30::text[])
      )
    order by
      s.profile_id desc,
      s.created_time desc,
      s.payment_id desc
    limit
      $6
  ) m
  cross join lateral (
    select
      p.version,
      p.state,
      p.amount_minor,
      p.captured_minor,
      p.refunded_minor,
      p.profile_id,
      p.method,
      p.pay_info,
      p.fraud_status,
      p.failure,
      p.auto_payment,
      p.state_time,
      1000 + 2 * pg_column_size(p.details) as size
    from
      payments p
    where
      p.app_id = $1
      and p.payment_id = m.payment_id
    offset
      0
  ) p
  left join lateral json_to_record(p.pay_info) as i (card json, payer json, declined text) on true
order by
  m.created_time desc,
  m.payment_id desc;

-- search.listByProfiles
select
  m.payment_id,
  m.version < p.version as is_changed,
  p.state,
  m.flow,
  m.currency,
  p.amount_minor,
  p.captured_minor,
  p.refunded_minor,
  p.profile_id,
  p.method,
  left(i.card ->> 'brand', 40) as brand,
  left(i.card ->> 'last4', 4) as last4,
  m.customer_id,
  m.reference_id,
  m.order_id,
  left(coalesce(i.payer ->> 'country', i.card ->> 'country'), 2) as country,
  p.fraud_status,
  m.policy_id,
  case
    when p.failure is null then i.declined
    else coalesce(p.failure ->> 'declineCode', p.failure ->> 'code')
  end as reason,
  p.auto_payment,
  m.created_time,
  p.state_time,
  p.size
from
  (
    select
      s.*
    from
      (
        select
          s.payment_id,
          s.version,
          s.state,
          s.flow,
          s.currency,
          s.amount,
          s.profile_id,
          s.method,
          s.brand,
          s.last4,
          s.customer_id,
          s.reference_id,
          s.order_id,
          s.country,
          s.fraud_status,
          s.policy_id,
          s.reason,
          s.created_time
        from
          unnest($5::text[]::bigint[]) v (value)
          cross join lateral (
            select
              s.payment_id,
              s.version,
              s.state,
              s.flow,
              s.currency,
              s.amount,
              s.profile_id,
              s.method,
              s.brand,
              s.last4,
              s.customer_id,
              s.reference_id,
              s.order_id,
              s.country,
              s.fraud_status,
              s.policy_id,
              s.reason,
              s.created_time
            from
              payment_search s
            where
              s.app_id = $1
              and s.profile_id is not null
              and (s.profile_id, s.created_time, s.payment_id) < (v.value, $2::timestamptz, $3::bigint)
              and (s.profile_id, s.created_time) >= (v.value, $4::timestamptz)
            order by
              s.profile_id desc,
              s.created_time desc,
              s.payment_id desc
            limit
              (
                select
                  1000
              )
          ) s
        order by
          s.created_time desc,
          s.payment_id desc
        limit
          (
            select
              1000
          )
      ) s
    where
      (
        $7::text[] is null
        or s.state = any ($7)
      )
      and (
        $8::text[] is null
        or s.profile_id::text = any ($8)
      )
      and (
        $9::text[] is null
        or s.currency = any ($9)
      )
      and (
        $10::text[] is null
        or s.customer_id = any ($10)
      )
      and (
        $11::text[] is null
        or s.last4 = any ($11)
      )
      and (
        $12::text[] is null
        or s.policy_id::text = any ($12)
      )
      and (
        $13::text[] is null
        or s.reason = any ($13)
      )
      and (
        $14::text[] is null
        or s.order_id = any ($14)
      )
      and (
        $15::text[] is null
        or s.method = any ($15)
      )
      and (
        $16::text[] is null
        or lower(s.brand) = any ($16)
      )
      and (
        $17::text[] is null
        or s.flow = any ($17)
      )
      and (
        $18::text[] is null
        or s.country = any ($18)
      )
      and (
        $19::text[] is null
        or s.fraud_status = any ($19)
      )
      and (
        $20::text[] is null
        or not (
          array[
            'state:' || s.state,
            'profile:' || s.profile_id::text,
            'currency:' || s.currency,
            'customer:' || s.customer_id,
            'last4:' || s.last4,
            'policy:' || s.policy_id::text,
            'reason:' || s.reason,
            'order:' || s.order_id,
            'method:' || s.method,
            'brand:' || lower(s.brand),
            'flow:' || s.flow,
            'country:' || s.country,
            'fraud:' || s.fraud_status
          ] && $20
        )
      )
      and (
        $21::numeric is null
        or s.amount >= $21
      )
      and (
        $22::numeric is null
        or s.amount <= $22
      )
      and (
        $23::bigint[] is null
        or s.payment_id = any ($23)
      )
      and (
        $24::text[] is null
        or s.reference_id = any ($24)
        or exists (
          select
          from
            unnest($25::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
      )
      and (
        $26::text[] is null
        or not (
          s.reference_id = any ($26)
          or exists (
            select
            from
              unnest($27::text[]) b (text)
            where
              starts_with(s.reference_id, b.text)
          )
        )
      )
      and (
        $28::text[] is null
        or exists (
          select
          from
            unnest($28::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
        or s.payment_id::text = $29::text
        or s.last4 = $29
        or s.customer_id = any ($30::text[])
      )
    order by
      s.created_time desc,
      s.payment_id desc
    limit
      $6
  ) m
  cross join lateral (
    select
      p.version,
      p.state,
      p.amount_minor,
      p.captured_minor,
      p.refunded_minor,
      p.profile_id,
      p.method,
      p.pay_info,
      p.fraud_status,
      p.failure,
      p.auto_payment,
      p.state_time,
      1000 + 2 * pg_column_size(p.details) as size
    from
      payments p
    where
      p.app_id = $1
      and p.payment_id = m.payment_id
    offset
      0
  ) p
  left join lateral json_to_record(p.pay_info) as i (card json, payer json, declined text) on true
order by
  m.created_time desc,
  m.payment_id desc;

-- search.listByReason
select
  m.payment_id,
  m.version < p.version as is_changed,
  p.state,
  m.flow,
  m.currency,
  p.amount_minor,
  p.captured_minor,
  p.refunded_minor,
  p.profile_id,
  p.method,
  left(i.card ->> 'brand', 40) as brand,
  left(i.card ->> 'last4', 4) as last4,
  m.customer_id,
  m.reference_id,
  m.order_id,
  left(coalesce(i.payer ->> 'country', i.card ->> 'country'), 2) as country,
  p.fraud_status,
  m.policy_id,
  case
    when p.failure is null then i.declined
    else coalesce(p.failure ->> 'declineCode', p.failure ->> 'code')
  end as reason,
  p.auto_payment,
  m.created_time,
  p.state_time,
  p.size
from
  (
    select
      s.*
    from
      (
        select
          s.payment_id,
          s.version,
          s.state,
          s.flow,
          s.currency,
          s.amount,
          s.profile_id,
          s.method,
          s.brand,
          s.last4,
          s.customer_id,
          s.reference_id,
          s.order_id,
          s.country,
          s.fraud_status,
          s.policy_id,
          s.reason,
          s.created_time
        from
          payment_search s
        where
          s.app_id = $1
          and s.reason is not null
          and (s.reason, s.created_time, s.payment_id) < (($5::text[]) [1]::text, $2::timestamptz, $3::bigint)
          and (s.reason, s.created_time) >= (($5::text[]) [1]::text, $4::timestamptz)
        order by
          s.reason desc,
          s.created_time desc,
          s.payment_id desc
        limit
          (
            select
              10000
          )
      ) s
    where
      (
        $7::text[] is null
        or s.state = any ($7)
      )
      and (
        $8::text[] is null
        or s.profile_id::text = any ($8)
      )
      and (
        $9::text[] is null
        or s.currency = any ($9)
      )
      and (
        $10::text[] is null
        or s.customer_id = any ($10)
      )
      and (
        $11::text[] is null
        or s.last4 = any ($11)
      )
      and (
        $12::text[] is null
        or s.policy_id::text = any ($12)
      )
      and (
        $13::text[] is null
        or s.reason = any ($13)
      )
      and (
        $14::text[] is null
        or s.order_id = any ($14)
      )
      and (
        $15::text[] is null
        or s.method = any ($15)
      )
      and (
        $16::text[] is null
        or lower(s.brand) = any ($16)
      )
      and (
        $17::text[] is null
        or s.flow = any ($17)
      )
      and (
        $18::text[] is null
        or s.country = any ($18)
      )
      and (
        $19::text[] is null
        or s.fraud_status = any ($19)
      )
      and (
        $20::text[] is null
        or not (
          array[
            'state:' || s.state,
            'profile:' || s.profile_id::text,
            'currency:' || s.currency,
            'customer:' || s.customer_id,
            'last4:' || s.last4,
            'policy:' || s.policy_id::text,
            'reason:' || s.reason,
            'order:' || s.order_id,
            'method:' || s.method,
            'brand:' || lower(s.brand),
            'flow:' || s.flow,
            'country:' || s.country,
            'fraud:' || s.fraud_status
          ] && $20
        )
      )
      and (
        $21::numeric is null
        or s.amount >= $21
      )
      and (
        $22::numeric is null
        or s.amount <= $22
      )
      and (
        $23::bigint[] is null
        or s.payment_id = any ($23)
      )
      and (
        $24::text[] is null
        or s.reference_id = any ($24)
        or exists (
          select
          from
            unnest($25::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
      )
      and (
        $26::text[] is null
        or not (
          s.reference_id = any ($26)
          or exists (
            select
            from
              unnest($27::text[]) b (text)
            where
              starts_with(s.reference_id, b.text)
          )
        )
      )
      and (
        $28::text[] is null
        or exists (
          select
          from
            unnest($28::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
        or s.payment_id::text = $29::text
        or s.last4 = $29
        or s.customer_id = any ($30::text[])
      )
    order by
      s.reason desc,
      s.created_time desc,
      s.payment_id desc
    limit
      $6
  ) m
  cross join lateral (
    select
      p.version,
      p.state,
      p.amount_minor,
      p.captured_minor,
      p.refunded_minor,
      p.profile_id,
      p.method,
      p.pay_info,
      p.fraud_status,
      p.failure,
      p.auto_payment,
      p.state_time,
      1000 + 2 * pg_column_size(p.details) as size
    from
      payments p
    where
      p.app_id = $1
      and p.payment_id = m.payment_id
    offset
      0
  ) p
  left join lateral json_to_record(p.pay_info) as i (card json, payer json, declined text) on true
order by
  m.created_time desc,
  m.payment_id desc;

-- search.listByReasons
select
  m.payment_id,
  m.version < p.version as is_changed,
  p.state,
  m.flow,
  m.currency,
  p.amount_minor,
  p.captured_minor,
  p.refunded_minor,
  p.profile_id,
  p.method,
  left(i.card ->> 'brand', 40) as brand,
  left(i.card ->> 'last4', 4) as last4,
  m.customer_id,
  m.reference_id,
  m.order_id,
  left(coalesce(i.payer ->> 'country', i.card ->> 'country'), 2) as country,
  p.fraud_status,
  m.policy_id,
  case
    when p.failure is null then i.declined
    else coalesce(p.failure ->> 'declineCode', p.failure ->> 'code')
  end as reason,
  p.auto_payment,
  m.created_time,
  p.state_time,
  p.size
from
  (
    select
      s.*
    from
      (
        select
          s.payment_id,
          s.version,
          s.state,
          s.flow,
          s.currency,
          s.amount,
          s.profile_id,
          s.method,
          s.brand,
          s.last4,
          s.customer_id,
          s.reference_id,
          s.order_id,
          s.country,
          s.fraud_status,
          s.policy_id,
          s.reason,
          s.created_time
        from
          unnest($5::text[]::text[]) v (value)
          cross join lateral (
            select
              s.payment_id,
              s.version,
              s.state,
              s.flow,
              s.currency,
              s.amount,
              s.profile_id,
              s.method,
              s.brand,
              s.last4,
              s.customer_id,
              s.reference_id,
              s.order_id,
              s.country,
              s.fraud_status,
              s.policy_id,
              s.reason,
              s.created_time
            from
              payment_search s
            where
              s.app_id = $1
              and s.reason is not null
              and (s.reason, s.created_time, s.payment_id) < (v.value, $2::timestamptz, $3::bigint)
              and (s.reason, s.created_time) >= (v.value, $4::timestamptz)
            order by
              s.reason desc,
              s.created_time desc,
              s.payment_id desc
            limit
              (
                select
                  1000
              )
          ) s
        order by
          s.created_time desc,
          s.payment_id desc
        limit
          (
            select
              1000
          )
      ) s
    where
      (
        $7::text[] is null
        or s.state = any ($7)
      )
      and (
        $8::text[] is null
        or s.profile_id::text = any ($8)
      )
      and (
        $9::text[] is null
        or s.currency = any ($9)
      )
      and (
        $10::text[] is null
        or s.customer_id = any ($10)
      )
      and (
        $11::text[] is null
        or s.last4 = any ($11)
      )
      and (
        $12::text[] is null
        or s.policy_id::text = any ($12)
      )
      and (
        $13::text[] is null
        or s.reason = any ($13)
      )
      and (
        $14::text[] is null
        or s.order_id = any ($14)
      )
      and (
        $15::text[] is null
        or s.method = any ($15)
      )
      and (
        $16::text[] is null
        or lower(s.brand) = any ($16)
      )
      and (
        $17::text[] is null
        or s.flow = any ($17)
      )
      and (
        $18::text[] is null
        or s.country = any ($18)
      )
      and (
        $19::text[] is null
        or s.fraud_status = any ($19)
      )
      and (
        $20::text[] is null
        or not (
          array[
            'state:' || s.state,
            'profile:' || s.profile_id::text,
            'currency:' || s.currency,
            'customer:' || s.customer_id,
            'last4:' || s.last4,
            'policy:' || s.policy_id::text,
            'reason:' || s.reason,
            'order:' || s.order_id,
            'method:' || s.method,
            'brand:' || lower(s.brand),
            'flow:' || s.flow,
            'country:' || s.country,
            'fraud:' || s.fraud_status
          ] && $20
        )
      )
      and (
        $21::numeric is null
        or s.amount >= $21
      )
      and (
        $22::numeric is null
        or s.amount <= $22
      )
      and (
        $23::bigint[] is null
        or s.payment_id = any ($23)
      )
      and (
        $24::text[] is null
        or s.reference_id = any ($24)
        or exists (
          select
          from
            unnest($25::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
      )
      and (
        $26::text[] is null
        or not (
          s.reference_id = any ($26)
          or exists (
            select
            from
              unnest($27::text[]) b (text)
            where
              starts_with(s.reference_id, b.text)
          )
        )
      )
      and (
        $28::text[] is null
        or exists (
          select
          from
            unnest($28::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
        or s.payment_id::text = $29::text
        or s.last4 = $29
        or s.customer_id = any ($30::text[])
      )
    order by
      s.created_time desc,
      s.payment_id desc
    limit
      $6
  ) m
  cross join lateral (
    select
      p.version,
      p.state,
      p.amount_minor,
      p.captured_minor,
      p.refunded_minor,
      p.profile_id,
      p.method,
      p.pay_info,
      p.fraud_status,
      p.failure,
      p.auto_payment,
      p.state_time,
      1000 + 2 * pg_column_size(p.details) as size
    from
      payments p
    where
      p.app_id = $1
      and p.payment_id = m.payment_id
    offset
      0
  ) p
  left join lateral json_to_record(p.pay_info) as i (card json, payer json, declined text) on true
order by
  m.created_time desc,
  m.payment_id desc;

-- search.listByState
select
  m.payment_id,
  m.version < p.version as is_changed,
  p.state,
  m.flow,
  m.currency,
  p.amount_minor,
  p.captured_minor,
  p.refunded_minor,
  p.profile_id,
  p.method,
  left(i.card ->> 'brand', 40) as brand,
  left(i.card ->> 'last4', 4) as last4,
  m.customer_id,
  m.reference_id,
  m.order_id,
  left(coalesce(i.payer ->> 'country', i.card ->> 'country'), 2) as country,
  p.fraud_status,
  m.policy_id,
  case
    when p.failure is null then i.declined
    else coalesce(p.failure ->> 'declineCode', p.failure ->> 'code')
  end as reason,
  p.auto_payment,
  m.created_time,
  p.state_time,
  p.size
from
  (
    select
      s.*
    from
      (
        select
          s.payment_id,
          s.version,
          s.state,
          s.flow,
          s.currency,
          s.amount,
          s.profile_id,
          s.method,
          s.brand,
          s.last4,
          s.customer_id,
          s.reference_id,
          s.order_id,
          s.country,
          s.fraud_status,
          s.policy_id,
          s.reason,
          s.created_time
        from
          payment_search s
        where
          s.app_id = $1
          and s.state is not null
          and (s.state, s.created_time, s.payment_id) < (($5::text[]) [1]::text, $2::timestamptz, $3::bigint)
          and (s.state, s.created_time) >= (($5::text[]) [1]::text, $4::timestamptz)
        order by
          s.state desc,
          s.created_time desc,
          s.payment_id desc
        limit
          (
            select
              10000
          )
      ) s
    where
      (
        $7::text[] is null
        or s.state = any ($7)
      )
      and (
        $8::text[] is null
        or s.profile_id::text = any ($8)
      )
      and (
        $9::text[] is null
        or s.currency = any ($9)
      )
      and (
        $10::text[] is null
        or s.customer_id = any ($10)
      )
      and (
        $11::text[] is null
        or s.last4 = any ($11)
      )
      and (
        $12::text[] is null
        or s.policy_id::text = any ($12)
      )
      and (
        $13::text[] is null
        or s.reason = any ($13)
      )
      and (
        $14::text[] is null
        or s.order_id = any ($14)
      )
      and (
        $15::text[] is null
        or s.method = any ($15)
      )
      and (
        $16::text[] is null
        or lower(s.brand) = any ($16)
      )
      and (
        $17::text[] is null
        or s.flow = any ($17)
      )
      and (
        $18::text[] is null
        or s.country = any ($18)
      )
      and (
        $19::text[] is null
        or s.fraud_status = any ($19)
      )
      and (
        $20::text[] is null
        or not (
          array[
            'state:' || s.state,
            'profile:' || s.profile_id::text,
            'currency:' || s.currency,
            'customer:' || s.customer_id,
            'last4:' || s.last4,
            'policy:' || s.policy_id::text,
            'reason:' || s.reason,
            'order:' || s.order_id,
            'method:' || s.method,
            'brand:' || lower(s.brand),
            'flow:' || s.flow,
            'country:' || s.country,
            'fraud:' || s.fraud_status
          ] && $20
        )
      )
      and (
        $21::numeric is null
        or s.amount >= $21
      )
      and (
        $22::numeric is null
        or s.amount <= $22
      )
      and (
        $23::bigint[] is null
        or s.payment_id = any ($23)
      )
      and (
        $24::text[] is null
        or s.reference_id = any ($24)
        or exists (
          select
          from
            unnest($25::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
      )
      and (
        $26::text[] is null
        or not (
          s.reference_id = any ($26)
          or exists (
            select
            from
              unnest($27::text[]) b (text)
            where
              starts_with(s.reference_id, b.text)
          )
        )
      )
      and (
        $28::text[] is null
        or exists (
          select
          from
            unnest($28::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
        or s.payment_id::text = $29::text
        or s.last4 = $29
        or s.customer_id = any ($30::text[])
      )
    order by
      s.state desc,
      s.created_time desc,
      s.payment_id desc
    limit
      $6
  ) m
  cross join lateral (
    select
      p.version,
      p.state,
      p.amount_minor,
      p.captured_minor,
      p.refunded_minor,
      p.profile_id,
      p.method,
      p.pay_info,
      p.fraud_status,
      p.failure,
      p.auto_payment,
      p.state_time,
      1000 + 2 * pg_column_size(p.details) as size
    from
      payments p
    where
      p.app_id = $1
      and p.payment_id = m.payment_id
    offset
      0
  ) p
  left join lateral json_to_record(p.pay_info) as i (card json, payer json, declined text) on true
order by
  m.created_time desc,
  m.payment_id desc;

-- search.listByStates
select
  m.payment_id,
  m.version < p.version as is_changed,
  p.state,
  m.flow,
  m.currency,
  p.amount_minor,
  p.captured_minor,
  p.refunded_minor,
  p.profile_id,
  p.method,
  left(i.card ->> 'brand', 40) as brand,
  left(i.card ->> 'last4', 4) as last4,
  m.customer_id,
  m.reference_id,
  m.order_id,
  left(coalesce(i.payer ->> 'country', i.card ->> 'country'), 2) as country,
  p.fraud_status,
  m.policy_id,
  case
    when p.failure is null then i.declined
    else coalesce(p.failure ->> 'declineCode', p.failure ->> 'code')
  end as reason,
  p.auto_payment,
  m.created_time,
  p.state_time,
  p.size
from
  (
    select
      s.*
    from
      (
        select
          s.payment_id,
          s.version,
          s.state,
          s.flow,
          s.currency,
          s.amount,
          s.profile_id,
          s.method,
          s.brand,
          s.last4,
          s.customer_id,
          s.reference_id,
          s.order_id,
          s.country,
          s.fraud_status,
          s.policy_id,
          s.reason,
          s.created_time
        from
          unnest($5::text[]::text[]) v (value)
          cross join lateral (
            select
              s.payment_id,
              s.version,
              s.state,
              s.flow,
              s.currency,
              s.amount,
              s.profile_id,
              s.method,
              s.brand,
              s.last4,
              s.customer_id,
              s.reference_id,
              s.order_id,
              s.country,
              s.fraud_status,
              s.policy_id,
              s.reason,
              s.created_time
            from
              payment_search s
            where
              s.app_id = $1
              and s.state is not null
              and (s.state, s.created_time, s.payment_id) < (v.value, $2::timestamptz, $3::bigint)
              and (s.state, s.created_time) >= (v.value, $4::timestamptz)
            order by
              s.state desc,
              s.created_time desc,
              s.payment_id desc
            limit
              (
                select
                  1000
              )
          ) s
        order by
          s.created_time desc,
          s.payment_id desc
        limit
          (
            select
              1000
          )
      ) s
    where
      (
        $7::text[] is null
        or s.state = any ($7)
      )
      and (
        $8::text[] is null
        or s.profile_id::text = any ($8)
      )
      and (
        $9::text[] is null
        or s.currency = any ($9)
      )
      and (
        $10::text[] is null
        or s.customer_id = any ($10)
      )
      and (
        $11::text[] is null
        or s.last4 = any ($11)
      )
      and (
        $12::text[] is null
        or s.policy_id::text = any ($12)
      )
      and (
        $13::text[] is null
        or s.reason = any ($13)
      )
      and (
        $14::text[] is null
        or s.order_id = any ($14)
      )
      and (
        $15::text[] is null
        or s.method = any ($15)
      )
      and (
        $16::text[] is null
        or lower(s.brand) = any ($16)
      )
      and (
        $17::text[] is null
        or s.flow = any ($17)
      )
      and (
        $18::text[] is null
        or s.country = any ($18)
      )
      and (
        $19::text[] is null
        or s.fraud_status = any ($19)
      )
      and (
        $20::text[] is null
        or not (
          array[
            'state:' || s.state,
            'profile:' || s.profile_id::text,
            'currency:' || s.currency,
            'customer:' || s.customer_id,
            'last4:' || s.last4,
            'policy:' || s.policy_id::text,
            'reason:' || s.reason,
            'order:' || s.order_id,
            'method:' || s.method,
            'brand:' || lower(s.brand),
            'flow:' || s.flow,
            'country:' || s.country,
            'fraud:' || s.fraud_status
          ] && $20
        )
      )
      and (
        $21::numeric is null
        or s.amount >= $21
      )
      and (
        $22::numeric is null
        or s.amount <= $22
      )
      and (
        $23::bigint[] is null
        or s.payment_id = any ($23)
      )
      and (
        $24::text[] is null
        or s.reference_id = any ($24)
        or exists (
          select
          from
            unnest($25::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
      )
      and (
        $26::text[] is null
        or not (
          s.reference_id = any ($26)
          or exists (
            select
            from
              unnest($27::text[]) b (text)
            where
              starts_with(s.reference_id, b.text)
          )
        )
      )
      and (
        $28::text[] is null
        or exists (
          select
          from
            unnest($28::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
        or s.payment_id::text = $29::text
        or s.last4 = $29
        or s.customer_id = any ($30::text[])
      )
    order by
      s.created_time desc,
      s.payment_id desc
    limit
      $6
  ) m
  cross join lateral (
    select
      p.version,
      p.state,
      p.amount_minor,
      p.captured_minor,
      p.refunded_minor,
      p.profile_id,
      p.method,
      p.pay_info,
      p.fraud_status,
      p.failure,
      p.auto_payment,
      p.state_time,
      1000 + 2 * pg_column_size(p.details) as size
    from
      payments p
    where
      p.app_id = $1
      and p.payment_id = m.payment_id
    offset
      0
  ) p
  left join lateral json_to_record(p.pay_info) as i (card json, payer json, declined text) on true
order by
  m.created_time desc,
  m.payment_id desc;

-- search.listByTime
select
  m.payment_id,
  m.version < p.version as is_changed,
  p.state,
  m.flow,
  m.currency,
  p.amount_minor,
  p.captured_minor,
  p.refunded_minor,
  p.profile_id,
  p.method,
  left(i.card ->> 'brand', 40) as brand,
  left(i.card ->> 'last4', 4) as last4,
  m.customer_id,
  m.reference_id,
  m.order_id,
  left(coalesce(i.payer ->> 'country', i.card ->> 'country'), 2) as country,
  p.fraud_status,
  m.policy_id,
  case
    when p.failure is null then i.declined
    else coalesce(p.failure ->> 'declineCode', p.failure ->> 'code')
  end as reason,
  p.auto_payment,
  m.created_time,
  p.state_time,
  p.size
from
  (
    select
      s.*
    from
      (
        select
          s.payment_id,
          s.version,
          s.state,
          s.flow,
          s.currency,
          s.amount,
          s.profile_id,
          s.method,
          s.brand,
          s.last4,
          s.customer_id,
          s.reference_id,
          s.order_id,
          s.country,
          s.fraud_status,
          s.policy_id,
          s.reason,
          s.created_time
        from
          payment_search s
        where
          s.app_id = $1
          and (s.created_time, s.payment_id) < ($2::timestamptz, $3::bigint)
          and s.created_time >= $4::timestamptz
          and $5::text[] is null
        order by
          s.created_time desc,
          s.payment_id desc
        limit
          (
            select
              10000
          )
      ) s
    where
      (
        $7::text[] is null
        or s.state = any ($7)
      )
      and (
        $8::text[] is null
        or s.profile_id::text = any ($8)
      )
      and (
        $9::text[] is null
        or s.currency = any ($9)
      )
      and (
        $10::text[] is null
        or s.customer_id = any ($10)
      )
      and (
        $11::text[] is null
        or s.last4 = any ($11)
      )
      and (
        $12::text[] is null
        or s.policy_id::text = any ($12)
      )
      and (
        $13::text[] is null
        or s.reason = any ($13)
      )
      and (
        $14::text[] is null
        or s.order_id = any ($14)
      )
      and (
        $15::text[] is null
        or s.method = any ($15)
      )
      and (
        $16::text[] is null
        or lower(s.brand) = any ($16)
      )
      and (
        $17::text[] is null
        or s.flow = any ($17)
      )
      and (
        $18::text[] is null
        or s.country = any ($18)
      )
      and (
        $19::text[] is null
        or s.fraud_status = any ($19)
      )
      and (
        $20::text[] is null
        or not (
          array[
            'state:' || s.state,
            'profile:' || s.profile_id::text,
            'currency:' || s.currency,
            'customer:' || s.customer_id,
            'last4:' || s.last4,
            'policy:' || s.policy_id::text,
            'reason:' || s.reason,
            'order:' || s.order_id,
            'method:' || s.method,
            'brand:' || lower(s.brand),
            'flow:' || s.flow,
            'country:' || s.country,
            'fraud:' || s.fraud_status
          ] && $20
        )
      )
      and (
        $21::numeric is null
        or s.amount >= $21
      )
      and (
        $22::numeric is null
        or s.amount <= $22
      )
      and (
        $23::bigint[] is null
        or s.payment_id = any ($23)
      )
      and (
        $24::text[] is null
        or s.reference_id = any ($24)
        or exists (
          select
          from
            unnest($25::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
      )
      and (
        $26::text[] is null
        or not (
          s.reference_id = any ($26)
          or exists (
            select
            from
              unnest($27::text[]) b (text)
            where
              starts_with(s.reference_id, b.text)
          )
        )
      )
      and (
        $28::text[] is null
        or exists (
          select
          from
            unnest($28::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
        or s.payment_id::text = $29::text
        or s.last4 = $29
        or s.customer_id = any ($30::text[])
      )
    order by
      s.created_time desc,
      s.payment_id desc
    limit
      $6
  ) m
  cross join lateral (
    select
      p.version,
      p.state,
      p.amount_minor,
      p.captured_minor,
      p.refunded_minor,
      p.profile_id,
      p.method,
      p.pay_info,
      p.fraud_status,
      p.failure,
      p.auto_payment,
      p.state_time,
      1000 + 2 * pg_column_size(p.details) as size
    from
      payments p
    where
      p.app_id = $1
      and p.payment_id = m.payment_id
    offset
      0
  ) p
  left join lateral json_to_record(p.pay_info) as i (card json, payer json, declined text) on true
order by
  m.created_time desc,
  m.payment_id desc;

-- search.newer
select
  count(*)::integer as count
from
  (
    select
      1
    from
      (
        select
          s.payment_id,
          s.version,
          s.state,
          s.flow,
          s.currency,
          s.amount,
          s.profile_id,
          s.method,
          s.brand,
          s.last4,
          s.customer_id,
          s.reference_id,
          s.order_id,
          s.country,
          s.fraud_status,
          s.policy_id,
          s.reason,
          s.created_time
        from
          payment_search s
        where
          s.app_id = $1
          and (s.created_time, s.payment_id) > ($2::timestamptz, $3::bigint)
          and s.created_time < $4::timestamptz
          and $5::text[] is null
        order by
          s.created_time,
          s.payment_id
        limit
          (
            select
              1000
          )
      ) s
    where
      (
        $7::text[] is null
        or s.state = any ($7)
      )
      and (
        $8::text[] is null
        or s.profile_id::text = any ($8)
      )
      and (
        $9::text[] is null
        or s.currency = any ($9)
      )
      and (
        $10::text[] is null
        or s.customer_id = any ($10)
      )
      and (
        $11::text[] is null
        or s.last4 = any ($11)
      )
      and (
        $12::text[] is null
        or s.policy_id::text = any ($12)
      )
      and (
        $13::text[] is null
        or s.reason = any ($13)
      )
      and (
        $14::text[] is null
        or s.order_id = any ($14)
      )
      and (
        $15::text[] is null
        or s.method = any ($15)
      )
      and (
        $16::text[] is null
        or lower(s.brand) = any ($16)
      )
      and (
        $17::text[] is null
        or s.flow = any ($17)
      )
      and (
        $18::text[] is null
        or s.country = any ($18)
      )
      and (
        $19::text[] is null
        or s.fraud_status = any ($19)
      )
      and (
        $20::text[] is null
        or not (
          array[
            'state:' || s.state,
            'profile:' || s.profile_id::text,
            'currency:' || s.currency,
            'customer:' || s.customer_id,
            'last4:' || s.last4,
            'policy:' || s.policy_id::text,
            'reason:' || s.reason,
            'order:' || s.order_id,
            'method:' || s.method,
            'brand:' || lower(s.brand),
            'flow:' || s.flow,
            'country:' || s.country,
            'fraud:' || s.fraud_status
          ] && $20
        )
      )
      and (
        $21::numeric is null
        or s.amount >= $21
      )
      and (
        $22::numeric is null
        or s.amount <= $22
      )
      and (
        $23::bigint[] is null
        or s.payment_id = any ($23)
      )
      and (
        $24::text[] is null
        or s.reference_id = any ($24)
        or exists (
          select
          from
            unnest($25::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
      )
      and (
        $26::text[] is null
        or not (
          s.reference_id = any ($26)
          or exists (
            select
            from
              unnest($27::text[]) b (text)
            where
              starts_with(s.reference_id, b.text)
          )
        )
      )
      and (
        $28::text[] is null
        or exists (
          select
          from
            unnest($28::text[]) b (text)
          where
            starts_with(s.reference_id, b.text)
        )
        or s.payment_id::text = $29::text
        or s.last4 = $29
        or s.customer_id = any ($30::text[])
      )
    limit
      $6
  ) n;

-- search.placeByCurrency
select
  s.created_time as time,
  s.payment_id
from
  payment_search s
where
  s.app_id = $1
  and s.currency is not null
  and (s.currency, s.created_time, s.payment_id) < (($5::text[]) [1]::text, $2::timestamptz, $3::bigint)
  and (s.currency, s.created_time) >= (($5::text[]) [1]::text, $4::timestamptz)
order by
  s.currency desc,
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.placeByCurrencys
select
  s.created_time as time,
  s.payment_id
from
  unnest($5::text[]::text[]) v (value)
  cross join lateral (
    select
      s.payment_id,
      s.version,
      s.state,
      s.flow,
      s.currency,
      s.amount,
      s.profile_id,
      s.method,
      s.brand,
      s.last4,
      s.customer_id,
      s.reference_id,
      s.order_id,
      s.country,
      s.fraud_status,
      s.policy_id,
      s.reason,
      s.created_time
    from
      payment_search s
    where
      s.app_id = $1
      and s.currency is not null
      and (s.currency, s.created_time, s.payment_id) < (v.value, $2::timestamptz, $3::bigint)
      and (s.currency, s.created_time) >= (v.value, $4::timestamptz)
    order by
      s.currency desc,
      s.created_time desc,
      s.payment_id desc
    limit
      (
        select
          1000
      )
  ) s
order by
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.placeByCustomer
select
  s.created_time as time,
  s.payment_id
from
  payment_search s
where
  s.app_id = $1
  and s.customer_id is not null
  and (s.customer_id, s.created_time, s.payment_id) < (($5::text[]) [1]::text, $2::timestamptz, $3::bigint)
  and (s.customer_id, s.created_time) >= (($5::text[]) [1]::text, $4::timestamptz)
order by
  s.customer_id desc,
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.placeByCustomers
select
  s.created_time as time,
  s.payment_id
from
  unnest($5::text[]::text[]) v (value)
  cross join lateral (
    select
      s.payment_id,
      s.version,
      s.state,
      s.flow,
      s.currency,
      s.amount,
      s.profile_id,
      s.method,
      s.brand,
      s.last4,
      s.customer_id,
      s.reference_id,
      s.order_id,
      s.country,
      s.fraud_status,
      s.policy_id,
      s.reason,
      s.created_time
    from
      payment_search s
    where
      s.app_id = $1
      and s.customer_id is not null
      and (s.customer_id, s.created_time, s.payment_id) < (v.value, $2::timestamptz, $3::bigint)
      and (s.customer_id, s.created_time) >= (v.value, $4::timestamptz)
    order by
      s.customer_id desc,
      s.created_time desc,
      s.payment_id desc
    limit
      (
        select
          1000
      )
  ) s
order by
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.placeByIdss
select
  s.created_time as time,
  s.payment_id
from
  unnest($5::text[]::bigint[]) k (id)
  cross join lateral (
    select
      s.payment_id,
      s.version,
      s.state,
      s.flow,
      s.currency,
      s.amount,
      s.profile_id,
      s.method,
      s.brand,
      s.last4,
      s.customer_id,
      s.reference_id,
      s.order_id,
      s.country,
      s.fraud_status,
      s.policy_id,
      s.reason,
      s.created_time
    from
      payment_search s
    where
      s.app_id = $1
      and (s.created_time, s.payment_id) < ($2::timestamptz, $3::bigint)
      and s.created_time >= $4::timestamptz
      and s.payment_id = k.id
    offset
      0
  ) s
order by
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.placeByLast4
select
  s.created_time as time,
  s.payment_id
from
  payment_search s
where
  s.app_id = $1
  and s.last4 is not null
  and (s.last4, s.created_time, s.payment_id) < (($5::text[]) [1]::text, $2::timestamptz, $3::bigint)
  and (s.last4, s.created_time) >= (($5::text[]) [1]::text, $4::timestamptz)
order by
  s.last4 desc,
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.placeByLast4s
select
  s.created_time as time,
  s.payment_id
from
  unnest($5::text[]::text[]) v (value)
  cross join lateral (
    select
      s.payment_id,
      s.version,
      s.state,
      s.flow,
      s.currency,
      s.amount,
      s.profile_id,
      s.method,
      s.brand,
      s.last4,
      s.customer_id,
      s.reference_id,
      s.order_id,
      s.country,
      s.fraud_status,
      s.policy_id,
      s.reason,
      s.created_time
    from
      payment_search s
    where
      s.app_id = $1
      and s.last4 is not null
      and (s.last4, s.created_time, s.payment_id) < (v.value, $2::timestamptz, $3::bigint)
      and (s.last4, s.created_time) >= (v.value, $4::timestamptz)
    order by
      s.last4 desc,
      s.created_time desc,
      s.payment_id desc
    limit
      (
        select
          1000
      )
  ) s
order by
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.placeByOrder
select
  s.created_time as time,
  s.payment_id
from
  payment_search s
where
  s.app_id = $1
  and s.order_id is not null
  and (s.order_id, s.created_time, s.payment_id) < (($5::text[]) [1]::text, $2::timestamptz, $3::bigint)
  and (s.order_id, s.created_time) >= (($5::text[]) [1]::text, $4::timestamptz)
order by
  s.order_id desc,
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.placeByOrders
select
  s.created_time as time,
  s.payment_id
from
  unnest($5::text[]::text[]) v (value)
  cross join lateral (
    select
      s.payment_id,
      s.version,
      s.state,
      s.flow,
      s.currency,
      s.amount,
      s.profile_id,
      s.method,
      s.brand,
      s.last4,
      s.customer_id,
      s.reference_id,
      s.order_id,
      s.country,
      s.fraud_status,
      s.policy_id,
      s.reason,
      s.created_time
    from
      payment_search s
    where
      s.app_id = $1
      and s.order_id is not null
      and (s.order_id, s.created_time, s.payment_id) < (v.value, $2::timestamptz, $3::bigint)
      and (s.order_id, s.created_time) >= (v.value, $4::timestamptz)
    order by
      s.order_id desc,
      s.created_time desc,
      s.payment_id desc
    limit
      (
        select
          1000
      )
  ) s
order by
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.placeByPolicy
select
  s.created_time as time,
  s.payment_id
from
  payment_search s
where
  s.app_id = $1
  and s.policy_id is not null
  and (s.policy_id, s.created_time, s.payment_id) < (($5::text[]) [1]::bigint, $2::timestamptz, $3::bigint)
  and (s.policy_id, s.created_time) >= (($5::text[]) [1]::bigint, $4::timestamptz)
order by
  s.policy_id desc,
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.placeByPolicys
select
  s.created_time as time,
  s.payment_id
from
  unnest($5::text[]::bigint[]) v (value)
  cross join lateral (
    select
      s.payment_id,
      s.version,
      s.state,
      s.flow,
      s.currency,
      s.amount,
      s.profile_id,
      s.method,
      s.brand,
      s.last4,
      s.customer_id,
      s.reference_id,
      s.order_id,
      s.country,
      s.fraud_status,
      s.policy_id,
      s.reason,
      s.created_time
    from
      payment_search s
    where
      s.app_id = $1
      and s.policy_id is not null
      and (s.policy_id, s.created_time, s.payment_id) < (v.value, $2::timestamptz, $3::bigint)
      and (s.policy_id, s.created_time) >= (v.value, $4::timestamptz)
    order by
      s.policy_id desc,
      s.created_time desc,
      s.payment_id desc
    limit
      (
        select
          1000
      )
  ) s
order by
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.placeByProfile
select
  s.created_time as time,
  s.payment_id
from
  payment_search s
where
  s.app_id = $1
  and s.profile_id is not null
  and (s.profile_id, s.created_time, s.payment_id) < (($5::text[]) [1]::bigint, $2::timestamptz, $3::bigint)
  and (s.profile_id, s.created_time) >= (($5::text[]) [1]::bigint, $4::timestamptz)
order by
  s.profile_id desc,
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.placeByProfiles
select
  s.created_time as time,
  s.payment_id
from
  unnest($5::text[]::bigint[]) v (value)
  cross join lateral (
    select
      s.payment_id,
      s.version,
      s.state,
      s.flow,
      s.currency,
      s.amount,
      s.profile_id,
      s.method,
      s.brand,
      s.last4,
      s.customer_id,
      s.reference_id,
      s.order_id,
      s.country,
      s.fraud_status,
      s.policy_id,
      s.reason,
      s.created_time
    from
      payment_search s
    where
      s.app_id = $1
      and s.profile_id is not null
      and (s.profile_id, s.created_time, s.payment_id) < (v.value, $2::timestamptz, $3::bigint)
      and (s.profile_id, s.created_time) >= (v.value, $4::timestamptz)
    order by
      s.profile_id desc,
      s.created_time desc,
      s.payment_id desc
    limit
      (
        select
          1000
      )
  ) s
order by
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.placeByReason
select
  s.created_time as time,
  s.payment_id
from
  payment_search s
where
  s.app_id = $1
  and s.reason is not null
  and (s.reason, s.created_time, s.payment_id) < (($5::text[]) [1]::text, $2::timestamptz, $3::bigint)
  and (s.reason, s.created_time) >= (($5::text[]) [1]::text, $4::timestamptz)
order by
  s.reason desc,
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.placeByReasons
select
  s.created_time as time,
  s.payment_id
from
  unnest($5::text[]::text[]) v (value)
  cross join lateral (
    select
      s.payment_id,
      s.version,
      s.state,
      s.flow,
      s.currency,
      s.amount,
      s.profile_id,
      s.method,
      s.brand,
      s.last4,
      s.customer_id,
      s.reference_id,
      s.order_id,
      s.country,
      s.fraud_status,
      s.policy_id,
      s.reason,
      s.created_time
    from
      payment_search s
    where
      s.app_id = $1
      and s.reason is not null
      and (s.reason, s.created_time, s.payment_id) < (v.value, $2::timestamptz, $3::bigint)
      and (s.reason, s.created_time) >= (v.value, $4::timestamptz)
    order by
      s.reason desc,
      s.created_time desc,
      s.payment_id desc
    limit
      (
        select
          1000
      )
  ) s
order by
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.placeByState
select
  s.created_time as time,
  s.payment_id
from
  payment_search s
where
  s.app_id = $1
  and s.state is not null
  and (s.state, s.created_time, s.payment_id) < (($5::text[]) [1]::text, $2::timestamptz, $3::bigint)
  and (s.state, s.created_time) >= (($5::text[]) [1]::text, $4::timestamptz)
order by
  s.state desc,
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.placeByStates
select
  s.created_time as time,
  s.payment_id
from
  unnest($5::text[]::text[]) v (value)
  cross join lateral (
    select
      s.payment_id,
      s.version,
      s.state,
      s.flow,
      s.currency,
      s.amount,
      s.profile_id,
      s.method,
      s.brand,
      s.last4,
      s.customer_id,
      s.reference_id,
      s.order_id,
      s.country,
      s.fraud_status,
      s.policy_id,
      s.reason,
      s.created_time
    from
      payment_search s
    where
      s.app_id = $1
      and s.state is not null
      and (s.state, s.created_time, s.payment_id) < (v.value, $2::timestamptz, $3::bigint)
      and (s.state, s.created_time) >= (v.value, $4::timestamptz)
    order by
      s.state desc,
      s.created_time desc,
      s.payment_id desc
    limit
      (
        select
          1000
      )
  ) s
order by
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.placeByTime
select
  s.created_time as time,
  s.payment_id
from
  payment_search s
where
  s.app_id = $1
  and (s.created_time, s.payment_id) < ($2::timestamptz, $3::bigint)
  and s.created_time >= $4::timestamptz
  and $5::text[] is null
order by
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.saveProgress
update payment_search_progress
set
  event_time = greatest(event_time, $2),
  backfill_below = $3,
  due_time = $4
where
  app_id = $1;

-- search.skipByCurrency
select
  s.created_time as time,
  s.payment_id
from
  (
    select
      s.payment_id,
      s.version,
      s.state,
      s.flow,
      s.currency,
      s.amount,
      s.profile_id,
      s.method,
      s.brand,
      s.last4,
      s.customer_id,
      s.reference_id,
      s.order_id,
      s.country,
      s.fraud_status,
      s.policy_id,
      s.reason,
      s.created_time
    from
      payment_search s
    where
      s.app_id = $1
      and s.currency is not null
      and (s.currency, s.created_time, s.payment_id) < (($5::text[]) [1]::text, $2::timestamptz, $3::bigint)
      and (s.currency, s.created_time) >= (($5::text[]) [1]::text, $4::timestamptz)
    order by
      s.currency desc,
      s.created_time desc,
      s.payment_id desc
    limit
      (
        select
          10000
      )
  ) s
where
  (
    $7::text[] is null
    or s.state = any ($7)
  )
  and (
    $8::text[] is null
    or s.profile_id::text = any ($8)
  )
  and (
    $9::text[] is null
    or s.currency = any ($9)
  )
  and (
    $10::text[] is null
    or s.customer_id = any ($10)
  )
  and (
    $11::text[] is null
    or s.last4 = any ($11)
  )
  and (
    $12::text[] is null
    or s.policy_id::text = any ($12)
  )
  and (
    $13::text[] is null
    or s.reason = any ($13)
  )
  and (
    $14::text[] is null
    or s.order_id = any ($14)
  )
  and (
    $15::text[] is null
    or s.method = any ($15)
  )
  and (
    $16::text[] is null
    or lower(s.brand) = any ($16)
  )
  and (
    $17::text[] is null
    or s.flow = any ($17)
  )
  and (
    $18::text[] is null
    or s.country = any ($18)
  )
  and (
    $19::text[] is null
    or s.fraud_status = any ($19)
  )
  and (
    $20::text[] is null
    or not (
      array[
        'state:' || s.state,
        'profile:' || s.profile_id::text,
        'currency:' || s.currency,
        'customer:' || s.customer_id,
        'last4:' || s.last4,
        'policy:' || s.policy_id::text,
        'reason:' || s.reason,
        'order:' || s.order_id,
        'method:' || s.method,
        'brand:' || lower(s.brand),
        'flow:' || s.flow,
        'country:' || s.country,
        'fraud:' || s.fraud_status
      ] && $20
    )
  )
  and (
    $21::numeric is null
    or s.amount >= $21
  )
  and (
    $22::numeric is null
    or s.amount <= $22
  )
  and (
    $23::bigint[] is null
    or s.payment_id = any ($23)
  )
  and (
    $24::text[] is null
    or s.reference_id = any ($24)
    or exists (
      select
      from
        unnest($25::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
  )
  and (
    $26::text[] is null
    or not (
      s.reference_id = any ($26)
      or exists (
        select
        from
          unnest($27::text[]) b (text)
        where
          starts_with(s.reference_id, b.text)
      )
    )
  )
  and (
    $28::text[] is null
    or exists (
      select
      from
        unnest($28::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
    or s.payment_id::text = $29::text
    or s.last4 = $29
    or s.customer_id = any ($30::text[])
  )
order by
  s.currency desc,
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.skipByCurrencys
select
  s.created_time as time,
  s.payment_id
from
  (
    select
      s.payment_id,
      s.version,
      s.state,
      s.flow,
      s.currency,
      s.amount,
      s.profile_id,
      s.method,
      s.brand,
      s.last4,
      s.customer_id,
      s.reference_id,
      s.order_id,
      s.country,
      s.fraud_status,
      s.policy_id,
      s.reason,
      s.created_time
    from
      unnest($5::text[]::text[]) v (value)
      cross join lateral (
        select
          s.payment_id,
          s.version,
          s.state,
          s.flow,
          s.currency,
          s.amount,
          s.profile_id,
          s.method,
          s.brand,
          s.last4,
          s.customer_id,
          s.reference_id,
          s.order_id,
          s.country,
          s.fraud_status,
          s.policy_id,
          s.reason,
          s.created_time
        from
          payment_search s
        where
          s.app_id = $1
          and s.currency is not null
          and (s.currency, s.created_time, s.payment_id) < (v.value, $2::timestamptz, $3::bigint)
          and (s.currency, s.created_time) >= (v.value, $4::timestamptz)
        order by
          s.currency desc,
          s.created_time desc,
          s.payment_id desc
        limit
          (
            select
              1000
          )
      ) s
    order by
      s.created_time desc,
      s.payment_id desc
    limit
      (
        select
          1000
      )
  ) s
where
  (
    $7::text[] is null
    or s.state = any ($7)
  )
  and (
    $8::text[] is null
    or s.profile_id::text = any ($8)
  )
  and (
    $9::text[] is null
    or s.currency = any ($9)
  )
  and (
    $10::text[] is null
    or s.customer_id = any ($10)
  )
  and (
    $11::text[] is null
    or s.last4 = any ($11)
  )
  and (
    $12::text[] is null
    or s.policy_id::text = any ($12)
  )
  and (
    $13::text[] is null
    or s.reason = any ($13)
  )
  and (
    $14::text[] is null
    or s.order_id = any ($14)
  )
  and (
    $15::text[] is null
    or s.method = any ($15)
  )
  and (
    $16::text[] is null
    or lower(s.brand) = any ($16)
  )
  and (
    $17::text[] is null
    or s.flow = any ($17)
  )
  and (
    $18::text[] is null
    or s.country = any ($18)
  )
  and (
    $19::text[] is null
    or s.fraud_status = any ($19)
  )
  and (
    $20::text[] is null
    or not (
      array[
        'state:' || s.state,
        'profile:' || s.profile_id::text,
        'currency:' || s.currency,
        'customer:' || s.customer_id,
        'last4:' || s.last4,
        'policy:' || s.policy_id::text,
        'reason:' || s.reason,
        'order:' || s.order_id,
        'method:' || s.method,
        'brand:' || lower(s.brand),
        'flow:' || s.flow,
        'country:' || s.country,
        'fraud:' || s.fraud_status
      ] && $20
    )
  )
  and (
    $21::numeric is null
    or s.amount >= $21
  )
  and (
    $22::numeric is null
    or s.amount <= $22
  )
  and (
    $23::bigint[] is null
    or s.payment_id = any ($23)
  )
  and (
    $24::text[] is null
    or s.reference_id = any ($24)
    or exists (
      select
      from
        unnest($25::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
  )
  and (
    $26::text[] is null
    or not (
      s.reference_id = any ($26)
      or exists (
        select
        from
          unnest($27::text[]) b (text)
        where
          starts_with(s.reference_id, b.text)
      )
    )
  )
  and (
    $28::text[] is null
    or exists (
      select
      from
        unnest($28::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
    or s.payment_id::text = $29::text
    or s.last4 = $29
    or s.customer_id = any ($30::text[])
  )
order by
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.skipByCustomer
select
  s.created_time as time,
  s.payment_id
from
  (
    select
      s.payment_id,
      s.version,
      s.state,
      s.flow,
      s.currency,
      s.amount,
      s.profile_id,
      s.method,
      s.brand,
      s.last4,
      s.customer_id,
      s.reference_id,
      s.order_id,
      s.country,
      s.fraud_status,
      s.policy_id,
      s.reason,
      s.created_time
    from
      payment_search s
    where
      s.app_id = $1
      and s.customer_id is not null
      and (s.customer_id, s.created_time, s.payment_id) < (($5::text[]) [1]::text, $2::timestamptz, $3::bigint)
      and (s.customer_id, s.created_time) >= (($5::text[]) [1]::text, $4::timestamptz)
    order by
      s.customer_id desc,
      s.created_time desc,
      s.payment_id desc
    limit
      (
        select
          10000
      )
  ) s
where
  (
    $7::text[] is null
    or s.state = any ($7)
  )
  and (
    $8::text[] is null
    or s.profile_id::text = any ($8)
  )
  and (
    $9::text[] is null
    or s.currency = any ($9)
  )
  and (
    $10::text[] is null
    or s.customer_id = any ($10)
  )
  and (
    $11::text[] is null
    or s.last4 = any ($11)
  )
  and (
    $12::text[] is null
    or s.policy_id::text = any ($12)
  )
  and (
    $13::text[] is null
    or s.reason = any ($13)
  )
  and (
    $14::text[] is null
    or s.order_id = any ($14)
  )
  and (
    $15::text[] is null
    or s.method = any ($15)
  )
  and (
    $16::text[] is null
    or lower(s.brand) = any ($16)
  )
  and (
    $17::text[] is null
    or s.flow = any ($17)
  )
  and (
    $18::text[] is null
    or s.country = any ($18)
  )
  and (
    $19::text[] is null
    or s.fraud_status = any ($19)
  )
  and (
    $20::text[] is null
    or not (
      array[
        'state:' || s.state,
        'profile:' || s.profile_id::text,
        'currency:' || s.currency,
        'customer:' || s.customer_id,
        'last4:' || s.last4,
        'policy:' || s.policy_id::text,
        'reason:' || s.reason,
        'order:' || s.order_id,
        'method:' || s.method,
        'brand:' || lower(s.brand),
        'flow:' || s.flow,
        'country:' || s.country,
        'fraud:' || s.fraud_status
      ] && $20
    )
  )
  and (
    $21::numeric is null
    or s.amount >= $21
  )
  and (
    $22::numeric is null
    or s.amount <= $22
  )
  and (
    $23::bigint[] is null
    or s.payment_id = any ($23)
  )
  and (
    $24::text[] is null
    or s.reference_id = any ($24)
    or exists (
      select
      from
        unnest($25::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
  )
  and (
    $26::text[] is null
    or not (
      s.reference_id = any ($26)
      or exists (
        select
        from
          unnest($27::text[]) b (text)
        where
          starts_with(s.reference_id, b.text)
      )
    )
  )
  and (
    $28::text[] is null
    or exists (
      select
      from
        unnest($28::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
    or s.payment_id::text = $29::text
    or s.last4 = $29
    or s.customer_id = any ($30::text[])
  )
order by
  s.customer_id desc,
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.skipByCustomers
select
  s.created_time as time,
  s.payment_id
from
  (
    select
      s.payment_id,
      s.version,
      s.state,
      s.flow,
      s.currency,
      s.amount,
      s.profile_id,
      s.method,
      s.brand,
      s.last4,
      s.customer_id,
      s.reference_id,
      s.order_id,
      s.country,
      s.fraud_status,
      s.policy_id,
      s.reason,
      s.created_time
    from
      unnest($5::text[]::text[]) v (value)
      cross join lateral (
        select
          s.payment_id,
          s.version,
          s.state,
          s.flow,
          s.currency,
          s.amount,
          s.profile_id,
          s.method,
          s.brand,
          s.last4,
          s.customer_id,
          s.reference_id,
          s.order_id,
          s.country,
          s.fraud_status,
          s.policy_id,
          s.reason,
          s.created_time
        from
          payment_search s
        where
          s.app_id = $1
          and s.customer_id is not null
          and (s.customer_id, s.created_time, s.payment_id) < (v.value, $2::timestamptz, $3::bigint)
          and (s.customer_id, s.created_time) >= (v.value, $4::timestamptz)
        order by
          s.customer_id desc,
          s.created_time desc,
          s.payment_id desc
        limit
          (
            select
              1000
          )
      ) s
    order by
      s.created_time desc,
      s.payment_id desc
    limit
      (
        select
          1000
      )
  ) s
where
  (
    $7::text[] is null
    or s.state = any ($7)
  )
  and (
    $8::text[] is null
    or s.profile_id::text = any ($8)
  )
  and (
    $9::text[] is null
    or s.currency = any ($9)
  )
  and (
    $10::text[] is null
    or s.customer_id = any ($10)
  )
  and (
    $11::text[] is null
    or s.last4 = any ($11)
  )
  and (
    $12::text[] is null
    or s.policy_id::text = any ($12)
  )
  and (
    $13::text[] is null
    or s.reason = any ($13)
  )
  and (
    $14::text[] is null
    or s.order_id = any ($14)
  )
  and (
    $15::text[] is null
    or s.method = any ($15)
  )
  and (
    $16::text[] is null
    or lower(s.brand) = any ($16)
  )
  and (
    $17::text[] is null
    or s.flow = any ($17)
  )
  and (
    $18::text[] is null
    or s.country = any ($18)
  )
  and (
    $19::text[] is null
    or s.fraud_status = any ($19)
  )
  and (
    $20::text[] is null
    or not (
      array[
        'state:' || s.state,
        'profile:' || s.profile_id::text,
        'currency:' || s.currency,
        'customer:' || s.customer_id,
        'last4:' || s.last4,
        'policy:' || s.policy_id::text,
        'reason:' || s.reason,
        'order:' || s.order_id,
        'method:' || s.method,
        'brand:' || lower(s.brand),
        'flow:' || s.flow,
        'country:' || s.country,
        'fraud:' || s.fraud_status
      ] && $20
    )
  )
  and (
    $21::numeric is null
    or s.amount >= $21
  )
  and (
    $22::numeric is null
    or s.amount <= $22
  )
  and (
    $23::bigint[] is null
    or s.payment_id = any ($23)
  )
  and (
    $24::text[] is null
    or s.reference_id = any ($24)
    or exists (
      select
      from
        unnest($25::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
  )
  and (
    $26::text[] is null
    or not (
      s.reference_id = any ($26)
      or exists (
        select
        from
          unnest($27::text[]) b (text)
        where
          starts_with(s.reference_id, b.text)
      )
    )
  )
  and (
    $28::text[] is null
    or exists (
      select
      from
        unnest($28::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
    or s.payment_id::text = $29::text
    or s.last4 = $29
    or s.customer_id = any ($30::text[])
  )
order by
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.skipByIdss
select
  s.created_time as time,
  s.payment_id
from
  (
    select
      s.payment_id,
      s.version,
      s.state,
      s.flow,
      s.currency,
      s.amount,
      s.profile_id,
      s.method,
      s.brand,
      s.last4,
      s.customer_id,
      s.reference_id,
      s.order_id,
      s.country,
      s.fraud_status,
      s.policy_id,
      s.reason,
      s.created_time
    from
      unnest($5::text[]::bigint[]) k (id)
      cross join lateral (
        select
          s.payment_id,
          s.version,
          s.state,
          s.flow,
          s.currency,
          s.amount,
          s.profile_id,
          s.method,
          s.brand,
          s.last4,
          s.customer_id,
          s.reference_id,
          s.order_id,
          s.country,
          s.fraud_status,
          s.policy_id,
          s.reason,
          s.created_time
        from
          payment_search s
        where
          s.app_id = $1
          and (s.created_time, s.payment_id) < ($2::timestamptz, $3::bigint)
          and s.created_time >= $4::timestamptz
          and s.payment_id = k.id
        offset
          0
      ) s
    order by
      s.created_time desc,
      s.payment_id desc
  ) s
where
  (
    $7::text[] is null
    or s.state = any ($7)
  )
  and (
    $8::text[] is null
    or s.profile_id::text = any ($8)
  )
  and (
    $9::text[] is null
    or s.currency = any ($9)
  )
  and (
    $10::text[] is null
    or s.customer_id = any ($10)
  )
  and (
    $11::text[] is null
    or s.last4 = any ($11)
  )
  and (
    $12::text[] is null
    or s.policy_id::text = any ($12)
  )
  and (
    $13::text[] is null
    or s.reason = any ($13)
  )
  and (
    $14::text[] is null
    or s.order_id = any ($14)
  )
  and (
    $15::text[] is null
    or s.method = any ($15)
  )
  and (
    $16::text[] is null
    or lower(s.brand) = any ($16)
  )
  and (
    $17::text[] is null
    or s.flow = any ($17)
  )
  and (
    $18::text[] is null
    or s.country = any ($18)
  )
  and (
    $19::text[] is null
    or s.fraud_status = any ($19)
  )
  and (
    $20::text[] is null
    or not (
      array[
        'state:' || s.state,
        'profile:' || s.profile_id::text,
        'currency:' || s.currency,
        'customer:' || s.customer_id,
        'last4:' || s.last4,
        'policy:' || s.policy_id::text,
        'reason:' || s.reason,
        'order:' || s.order_id,
        'method:' || s.method,
        'brand:' || lower(s.brand),
        'flow:' || s.flow,
        'country:' || s.country,
        'fraud:' || s.fraud_status
      ] && $20
    )
  )
  and (
    $21::numeric is null
    or s.amount >= $21
  )
  and (
    $22::numeric is null
    or s.amount <= $22
  )
  and (
    $23::bigint[] is null
    or s.payment_id = any ($23)
  )
  and (
    $24::text[] is null
    or s.reference_id = any ($24)
    or exists (
      select
      from
        unnest($25::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
  )
  and (
    $26::text[] is null
    or not (
      s.reference_id = any ($26)
      or exists (
        select
        from
          unnest($27::text[]) b (text)
        where
          starts_with(s.reference_id, b.text)
      )
    )
  )
  and (
    $28::text[] is null
    or exists (
      select
      from
        unnest($28::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
    or s.payment_id::text = $29::text
    or s.last4 = $29
    or s.customer_id = any ($30::text[])
  )
order by
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.skipByLast4
select
  s.created_time as time,
  s.payment_id
from
  (
    select
      s.payment_id,
      s.version,
      s.state,
      s.flow,
      s.currency,
      s.amount,
      s.profile_id,
      s.method,
      s.brand,
      s.last4,
      s.customer_id,
      s.reference_id,
      s.order_id,
      s.country,
      s.fraud_status,
      s.policy_id,
      s.reason,
      s.created_time
    from
      payment_search s
    where
      s.app_id = $1
      and s.last4 is not null
      and (s.last4, s.created_time, s.payment_id) < (($5::text[]) [1]::text, $2::timestamptz, $3::bigint)
      and (s.last4, s.created_time) >= (($5::text[]) [1]::text, $4::timestamptz)
    order by
      s.last4 desc,
      s.created_time desc,
      s.payment_id desc
    limit
      (
        select
          10000
      )
  ) s
where
  (
    $7::text[] is null
    or s.state = any ($7)
  )
  and (
    $8::text[] is null
    or s.profile_id::text = any ($8)
  )
  and (
    $9::text[] is null
    or s.currency = any ($9)
  )
  and (
    $10::text[] is null
    or s.customer_id = any ($10)
  )
  and (
    $11::text[] is null
    or s.last4 = any ($11)
  )
  and (
    $12::text[] is null
    or s.policy_id::text = any ($12)
  )
  and (
    $13::text[] is null
    or s.reason = any ($13)
  )
  and (
    $14::text[] is null
    or s.order_id = any ($14)
  )
  and (
    $15::text[] is null
    or s.method = any ($15)
  )
  and (
    $16::text[] is null
    or lower(s.brand) = any ($16)
  )
  and (
    $17::text[] is null
    or s.flow = any ($17)
  )
  and (
    $18::text[] is null
    or s.country = any ($18)
  )
  and (
    $19::text[] is null
    or s.fraud_status = any ($19)
  )
  and (
    $20::text[] is null
    or not (
      array[
        'state:' || s.state,
        'profile:' || s.profile_id::text,
        'currency:' || s.currency,
        'customer:' || s.customer_id,
        'last4:' || s.last4,
        'policy:' || s.policy_id::text,
        'reason:' || s.reason,
        'order:' || s.order_id,
        'method:' || s.method,
        'brand:' || lower(s.brand),
        'flow:' || s.flow,
        'country:' || s.country,
        'fraud:' || s.fraud_status
      ] && $20
    )
  )
  and (
    $21::numeric is null
    or s.amount >= $21
  )
  and (
    $22::numeric is null
    or s.amount <= $22
  )
  and (
    $23::bigint[] is null
    or s.payment_id = any ($23)
  )
  and (
    $24::text[] is null
    or s.reference_id = any ($24)
    or exists (
      select
      from
        unnest($25::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
  )
  and (
    $26::text[] is null
    or not (
      s.reference_id = any ($26)
      or exists (
        select
        from
          unnest($27::text[]) b (text)
        where
          starts_with(s.reference_id, b.text)
      )
    )
  )
  and (
    $28::text[] is null
    or exists (
      select
      from
        unnest($28::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
    or s.payment_id::text = $29::text
    or s.last4 = $29
    or s.customer_id = any ($30::text[])
  )
order by
  s.last4 desc,
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.skipByLast4s
select
  s.created_time as time,
  s.payment_id
from
  (
    select
      s.payment_id,
      s.version,
      s.state,
      s.flow,
      s.currency,
      s.amount,
      s.profile_id,
      s.method,
      s.brand,
      s.last4,
      s.customer_id,
      s.reference_id,
      s.order_id,
      s.country,
      s.fraud_status,
      s.policy_id,
      s.reason,
      s.created_time
    from
      unnest($5::text[]::text[]) v (value)
      cross join lateral (
        select
          s.payment_id,
          s.version,
          s.state,
          s.flow,
          s.currency,
          s.amount,
          s.profile_id,
          s.method,
          s.brand,
          s.last4,
          s.customer_id,
          s.reference_id,
          s.order_id,
          s.country,
          s.fraud_status,
          s.policy_id,
          s.reason,
          s.created_time
        from
          payment_search s
        where
          s.app_id = $1
          and s.last4 is not null
          and (s.last4, s.created_time, s.payment_id) < (v.value, $2::timestamptz, $3::bigint)
          and (s.last4, s.created_time) >= (v.value, $4::timestamptz)
        order by
          s.last4 desc,
          s.created_time desc,
          s.payment_id desc
        limit
          (
            select
              1000
          )
      ) s
    order by
      s.created_time desc,
      s.payment_id desc
    limit
      (
        select
          1000
      )
  ) s
where
  (
    $7::text[] is null
    or s.state = any ($7)
  )
  and (
    $8::text[] is null
    or s.profile_id::text = any ($8)
  )
  and (
    $9::text[] is null
    or s.currency = any ($9)
  )
  and (
    $10::text[] is null
    or s.customer_id = any ($10)
  )
  and (
    $11::text[] is null
    or s.last4 = any ($11)
  )
  and (
    $12::text[] is null
    or s.policy_id::text = any ($12)
  )
  and (
    $13::text[] is null
    or s.reason = any ($13)
  )
  and (
    $14::text[] is null
    or s.order_id = any ($14)
  )
  and (
    $15::text[] is null
    or s.method = any ($15)
  )
  and (
    $16::text[] is null
    or lower(s.brand) = any ($16)
  )
  and (
    $17::text[] is null
    or s.flow = any ($17)
  )
  and (
    $18::text[] is null
    or s.country = any ($18)
  )
  and (
    $19::text[] is null
    or s.fraud_status = any ($19)
  )
  and (
    $20::text[] is null
    or not (
      array[
        'state:' || s.state,
        'profile:' || s.profile_id::text,
        'currency:' || s.currency,
        'customer:' || s.customer_id,
        'last4:' || s.last4,
        'policy:' || s.policy_id::text,
        'reason:' || s.reason,
        'order:' || s.order_id,
        'method:' || s.method,
        'brand:' || lower(s.brand),
        'flow:' || s.flow,
        'country:' || s.country,
        'fraud:' || s.fraud_status
      ] && $20
    )
  )
  and (
    $21::numeric is null
    or s.amount >= $21
  )
  and (
    $22::numeric is null
    or s.amount <= $22
  )
  and (
    $23::bigint[] is null
    or s.payment_id = any ($23)
  )
  and (
    $24::text[] is null
    or s.reference_id = any ($24)
    or exists (
      select
      from
        unnest($25::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
  )
  and (
    $26::text[] is null
    or not (
      s.reference_id = any ($26)
      or exists (
        select
        from
          unnest($27::text[]) b (text)
        where
          starts_with(s.reference_id, b.text)
      )
    )
  )
  and (
    $28::text[] is null
    or exists (
      select
      from
        unnest($28::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
    or s.payment_id::text = $29::text
    or s.last4 = $29
    or s.customer_id = any ($30::text[])
  )
order by
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.skipByOrder
select
  s.created_time as time,
  s.payment_id
from
  (
    select
      s.payment_id,
      s.version,
      s.state,
      s.flow,
      s.currency,
      s.amount,
      s.profile_id,
      s.method,
      s.brand,
      s.last4,
      s.customer_id,
      s.reference_id,
      s.order_id,
      s.country,
      s.fraud_status,
      s.policy_id,
      s.reason,
      s.created_time
    from
      payment_search s
    where
      s.app_id = $1
      and s.order_id is not null
      and (s.order_id, s.created_time, s.payment_id) < (($5::text[]) [1]::text, $2::timestamptz, $3::bigint)
      and (s.order_id, s.created_time) >= (($5::text[]) [1]::text, $4::timestamptz)
    order by
      s.order_id desc,
      s.created_time desc,
      s.payment_id desc
    limit
      (
        select
          10000
      )
  ) s
where
  (
    $7::text[] is null
    or s.state = any ($7)
  )
  and (
    $8::text[] is null
    or s.profile_id::text = any ($8)
  )
  and (
    $9::text[] is null
    or s.currency = any ($9)
  )
  and (
    $10::text[] is null
    or s.customer_id = any ($10)
  )
  and (
    $11::text[] is null
    or s.last4 = any ($11)
  )
  and (
    $12::text[] is null
    or s.policy_id::text = any ($12)
  )
  and (
    $13::text[] is null
    or s.reason = any ($13)
  )
  and (
    $14::text[] is null
    or s.order_id = any ($14)
  )
  and (
    $15::text[] is null
    or s.method = any ($15)
  )
  and (
    $16::text[] is null
    or lower(s.brand) = any ($16)
  )
  and (
    $17::text[] is null
    or s.flow = any ($17)
  )
  and (
    $18::text[] is null
    or s.country = any ($18)
  )
  and (
    $19::text[] is null
    or s.fraud_status = any ($19)
  )
  and (
    $20::text[] is null
    or not (
      array[
        'state:' || s.state,
        'profile:' || s.profile_id::text,
        'currency:' || s.currency,
        'customer:' || s.customer_id,
        'last4:' || s.last4,
        'policy:' || s.policy_id::text,
        'reason:' || s.reason,
        'order:' || s.order_id,
        'method:' || s.method,
        'brand:' || lower(s.brand),
        'flow:' || s.flow,
        'country:' || s.country,
        'fraud:' || s.fraud_status
      ] && $20
    )
  )
  and (
    $21::numeric is null
    or s.amount >= $21
  )
  and (
    $22::numeric is null
    or s.amount <= $22
  )
  and (
    $23::bigint[] is null
    or s.payment_id = any ($23)
  )
  and (
    $24::text[] is null
    or s.reference_id = any ($24)
    or exists (
      select
      from
        unnest($25::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
  )
  and (
    $26::text[] is null
    or not (
      s.reference_id = any ($26)
      or exists (
        select
        from
          unnest($27::text[]) b (text)
        where
          starts_with(s.reference_id, b.text)
      )
    )
  )
  and (
    $28::text[] is null
    or exists (
      select
      from
        unnest($28::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
    or s.payment_id::text = $29::text
    or s.last4 = $29
    or s.customer_id = any ($30::text[])
  )
order by
  s.order_id desc,
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.skipByOrders
select
  s.created_time as time,
  s.payment_id
from
  (
    select
      s.payment_id,
      s.version,
      s.state,
      s.flow,
      s.currency,
      s.amount,
      s.profile_id,
      s.method,
      s.brand,
      s.last4,
      s.customer_id,
      s.reference_id,
      s.order_id,
      s.country,
      s.fraud_status,
      s.policy_id,
      s.reason,
      s.created_time
    from
      unnest($5::text[]::text[]) v (value)
      cross join lateral (
        select
          s.payment_id,
          s.version,
          s.state,
          s.flow,
          s.currency,
          s.amount,
          s.profile_id,
          s.method,
          s.brand,
          s.last4,
          s.customer_id,
          s.reference_id,
          s.order_id,
          s.country,
          s.fraud_status,
          s.policy_id,
          s.reason,
          s.created_time
        from
          payment_search s
        where
          s.app_id = $1
          and s.order_id is not null
          and (s.order_id, s.created_time, s.payment_id) < (v.value, $2::timestamptz, $3::bigint)
          and (s.order_id, s.created_time) >= (v.value, $4::timestamptz)
        order by
          s.order_id desc,
          s.created_time desc,
          s.payment_id desc
        limit
          (
            select
              1000
          )
      ) s
    order by
      s.created_time desc,
      s.payment_id desc
    limit
      (
        select
          1000
      )
  ) s
where
  (
    $7::text[] is null
    or s.state = any ($7)
  )
  and (
    $8::text[] is null
    or s.profile_id::text = any ($8)
  )
  and (
    $9::text[] is null
    or s.currency = any ($9)
  )
  and (
    $10::text[] is null
    or s.customer_id = any ($10)
  )
  and (
    $11::text[] is null
    or s.last4 = any ($11)
  )
  and (
    $12::text[] is null
    or s.policy_id::text = any ($12)
  )
  and (
    $13::text[] is null
    or s.reason = any ($13)
  )
  and (
    $14::text[] is null
    or s.order_id = any ($14)
  )
  and (
    $15::text[] is null
    or s.method = any ($15)
  )
  and (
    $16::text[] is null
    or lower(s.brand) = any ($16)
  )
  and (
    $17::text[] is null
    or s.flow = any ($17)
  )
  and (
    $18::text[] is null
    or s.country = any ($18)
  )
  and (
    $19::text[] is null
    or s.fraud_status = any ($19)
  )
  and (
    $20::text[] is null
    or not (
      array[
        'state:' || s.state,
        'profile:' || s.profile_id::text,
        'currency:' || s.currency,
        'customer:' || s.customer_id,
        'last4:' || s.last4,
        'policy:' || s.policy_id::text,
        'reason:' || s.reason,
        'order:' || s.order_id,
        'method:' || s.method,
        'brand:' || lower(s.brand),
        'flow:' || s.flow,
        'country:' || s.country,
        'fraud:' || s.fraud_status
      ] && $20
    )
  )
  and (
    $21::numeric is null
    or s.amount >= $21
  )
  and (
    $22::numeric is null
    or s.amount <= $22
  )
  and (
    $23::bigint[] is null
    or s.payment_id = any ($23)
  )
  and (
    $24::text[] is null
    or s.reference_id = any ($24)
    or exists (
      select
      from
        unnest($25::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
  )
  and (
    $26::text[] is null
    or not (
      s.reference_id = any ($26)
      or exists (
        select
        from
          unnest($27::text[]) b (text)
        where
          starts_with(s.reference_id, b.text)
      )
    )
  )
  and (
    $28::text[] is null
    or exists (
      select
      from
        unnest($28::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
    or s.payment_id::text = $29::text
    or s.last4 = $29
    or s.customer_id = any ($30::text[])
  )
order by
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.skipByPolicy
select
  s.created_time as time,
  s.payment_id
from
  (
    select
      s.payment_id,
      s.version,
      s.state,
      s.flow,
      s.currency,
      s.amount,
      s.profile_id,
      s.method,
      s.brand,
      s.last4,
      s.customer_id,
      s.reference_id,
      s.order_id,
      s.country,
      s.fraud_status,
      s.policy_id,
      s.reason,
      s.created_time
    from
      payment_search s
    where
      s.app_id = $1
      and s.policy_id is not null
      and (s.policy_id, s.created_time, s.payment_id) < (($5::text[]) [1]::bigint, $2::timestamptz, $3::bigint)
      and (s.policy_id, s.created_time) >= (($5::text[]) [1]::bigint, $4::timestamptz)
    order by
      s.policy_id desc,
      s.created_time desc,
      s.payment_id desc
    limit
      (
        select
          10000
      )
  ) s
where
  (
    $7::text[] is null
    or s.state = any ($7)
  )
  and (
    $8::text[] is null
    or s.profile_id::text = any ($8)
  )
  and (
    $9::text[] is null
    or s.currency = any ($9)
  )
  and (
    $10::text[] is null
    or s.customer_id = any ($10)
  )
  and (
    $11::text[] is null
    or s.last4 = any ($11)
  )
  and (
    $12::text[] is null
    or s.policy_id::text = any ($12)
  )
  and (
    $13::text[] is null
    or s.reason = any ($13)
  )
  and (
    $14::text[] is null
    or s.order_id = any ($14)
  )
  and (
    $15::text[] is null
    or s.method = any ($15)
  )
  and (
    $16::text[] is null
    or lower(s.brand) = any ($16)
  )
  and (
    $17::text[] is null
    or s.flow = any ($17)
  )
  and (
    $18::text[] is null
    or s.country = any ($18)
  )
  and (
    $19::text[] is null
    or s.fraud_status = any ($19)
  )
  and (
    $20::text[] is null
    or not (
      array[
        'state:' || s.state,
        'profile:' || s.profile_id::text,
        'currency:' || s.currency,
        'customer:' || s.customer_id,
        'last4:' || s.last4,
        'policy:' || s.policy_id::text,
        'reason:' || s.reason,
        'order:' || s.order_id,
        'method:' || s.method,
        'brand:' || lower(s.brand),
        'flow:' || s.flow,
        'country:' || s.country,
        'fraud:' || s.fraud_status
      ] && $20
    )
  )
  and (
    $21::numeric is null
    or s.amount >= $21
  )
  and (
    $22::numeric is null
    or s.amount <= $22
  )
  and (
    $23::bigint[] is null
    or s.payment_id = any ($23)
  )
  and (
    $24::text[] is null
    or s.reference_id = any ($24)
    or exists (
      select
      from
        unnest($25::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
  )
  and (
    $26::text[] is null
    or not (
      s.reference_id = any ($26)
      or exists (
        select
        from
          unnest($27::text[]) b (text)
        where
          starts_with(s.reference_id, b.text)
      )
    )
  )
  and (
    $28::text[] is null
    or exists (
      select
      from
        unnest($28::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
    or s.payment_id::text = $29::text
    or s.last4 = $29
    or s.customer_id = any ($30::text[])
  )
order by
  s.policy_id desc,
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.skipByPolicys
select
  s.created_time as time,
  s.payment_id
from
  (
    select
      s.payment_id,
      s.version,
      s.state,
      s.flow,
      s.currency,
      s.amount,
      s.profile_id,
      s.method,
      s.brand,
      s.last4,
      s.customer_id,
      s.reference_id,
      s.order_id,
      s.country,
      s.fraud_status,
      s.policy_id,
      s.reason,
      s.created_time
    from
      unnest($5::text[]::bigint[]) v (value)
      cross join lateral (
        select
          s.payment_id,
          s.version,
          s.state,
          s.flow,
          s.currency,
          s.amount,
          s.profile_id,
          s.method,
          s.brand,
          s.last4,
          s.customer_id,
          s.reference_id,
          s.order_id,
          s.country,
          s.fraud_status,
          s.policy_id,
          s.reason,
          s.created_time
        from
          payment_search s
        where
          s.app_id = $1
          and s.policy_id is not null
          and (s.policy_id, s.created_time, s.payment_id) < (v.value, $2::timestamptz, $3::bigint)
          and (s.policy_id, s.created_time) >= (v.value, $4::timestamptz)
        order by
          s.policy_id desc,
          s.created_time desc,
          s.payment_id desc
        limit
          (
            select
              1000
          )
      ) s
    order by
      s.created_time desc,
      s.payment_id desc
    limit
      (
        select
          1000
      )
  ) s
where
  (
    $7::text[] is null
    or s.state = any ($7)
  )
  and (
    $8::text[] is null
    or s.profile_id::text = any ($8)
  )
  and (
    $9::text[] is null
    or s.currency = any ($9)
  )
  and (
    $10::text[] is null
    or s.customer_id = any ($10)
  )
  and (
    $11::text[] is null
    or s.last4 = any ($11)
  )
  and (
    $12::text[] is null
    or s.policy_id::text = any ($12)
  )
  and (
    $13::text[] is null
    or s.reason = any ($13)
  )
  and (
    $14::text[] is null
    or s.order_id = any ($14)
  )
  and (
    $15::text[] is null
    or s.method = any ($15)
  )
  and (
    $16::text[] is null
    or lower(s.brand) = any ($16)
  )
  and (
    $17::text[] is null
    or s.flow = any ($17)
  )
  and (
    $18::text[] is null
    or s.country = any ($18)
  )
  and (
    $19::text[] is null
    or s.fraud_status = any ($19)
  )
  and (
    $20::text[] is null
    or not (
      array[
        'state:' || s.state,
        'profile:' || s.profile_id::text,
        'currency:' || s.currency,
        'customer:' || s.customer_id,
        'last4:' || s.last4,
        'policy:' || s.policy_id::text,
        'reason:' || s.reason,
        'order:' || s.order_id,
        'method:' || s.method,
        'brand:' || lower(s.brand),
        'flow:' || s.flow,
        'country:' || s.country,
        'fraud:' || s.fraud_status
      ] && $20
    )
  )
  and (
    $21::numeric is null
    or s.amount >= $21
  )
  and (
    $22::numeric is null
    or s.amount <= $22
  )
  and (
    $23::bigint[] is null
    or s.payment_id = any ($23)
  )
  and (
    $24::text[] is null
    or s.reference_id = any ($24)
    or exists (
      select
      from
        unnest($25::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
  )
  and (
    $26::text[] is null
    or not (
      s.reference_id = any ($26)
      or exists (
        select
        from
          unnest($27::text[]) b (text)
        where
          starts_with(s.reference_id, b.text)
      )
    )
  )
  and (
    $28::text[] is null
    or exists (
      select
      from
        unnest($28::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
    or s.payment_id::text = $29::text
    or s.last4 = $29
    or s.customer_id = any ($30::text[])
  )
order by
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.skipByProfile
select
  s.created_time as time,
  s.payment_id
from
  (
    select
      s.payment_id,
      s.version,
      s.state,
      s.flow,
      s.currency,
      s.amount,
      s.profile_id,
      s.method,
      s.brand,
      s.last4,
      s.customer_id,
      s.reference_id,
      s.order_id,
      s.country,
      s.fraud_status,
      s.policy_id,
      s.reason,
      s.created_time
    from
      payment_search s
    where
      s.app_id = $1
      and s.profile_id is not null
      and (s.profile_id, s.created_time, s.payment_id) < (($5::text[]) [1]::bigint, $2::timestamptz, $3::bigint)
      and (s.profile_id, s.created_time) >= (($5::text[]) [1]::bigint, $4::timestamptz)
    order by
      s.profile_id desc,
      s.created_time desc,
      s.payment_id desc
    limit
      (
        select
          10000
      )
  ) s
where
  (
    $7::text[] is null
    or s.state = any ($7)
  )
  and (
    $8::text[] is null
    or s.profile_id::text = any ($8)
  )
  and (
    $9::text[] is null
    or s.currency = any ($9)
  )
  and (
    $10::text[] is null
    or s.customer_id = any ($10)
  )
  and (
    $11::text[] is null
    or s.last4 = any ($11)
  )
  and (
    $12::text[] is null
    or s.policy_id::text = any ($12)
  )
  and (
    $13::text[] is null
    or s.reason = any ($13)
  )
  and (
    $14::text[] is null
    or s.order_id = any ($14)
  )
  and (
    $15::text[] is null
    or s.method = any ($15)
  )
  and (
    $16::text[] is null
    or lower(s.brand) = any ($16)
  )
  and (
    $17::text[] is null
    or s.flow = any ($17)
  )
  and (
    $18::text[] is null
    or s.country = any ($18)
  )
  and (
    $19::text[] is null
    or s.fraud_status = any ($19)
  )
  and (
    $20::text[] is null
    or not (
      array[
        'state:' || s.state,
        'profile:' || s.profile_id::text,
        'currency:' || s.currency,
        'customer:' || s.customer_id,
        'last4:' || s.last4,
        'policy:' || s.policy_id::text,
        'reason:' || s.reason,
        'order:' || s.order_id,
        'method:' || s.method,
        'brand:' || lower(s.brand),
        'flow:' || s.flow,
        'country:' || s.country,
        'fraud:' || s.fraud_status
      ] && $20
    )
  )
  and (
    $21::numeric is null
    or s.amount >= $21
  )
  and (
    $22::numeric is null
    or s.amount <= $22
  )
  and (
    $23::bigint[] is null
    or s.payment_id = any ($23)
  )
  and (
    $24::text[] is null
    or s.reference_id = any ($24)
    or exists (
      select
      from
        unnest($25::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
  )
  and (
    $26::text[] is null
    or not (
      s.reference_id = any ($26)
      or exists (
        select
        from
          unnest($27::text[]) b (text)
        where
          starts_with(s.reference_id, b.text)
      )
    )
  )
  and (
    $28::text[] is null
    or exists (
      select
      from
        unnest($28::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
    or s.payment_id::text = $29::text
    or s.last4 = $29
    or s.customer_id = any ($30::text[])
  )
order by
  s.profile_id desc,
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.skipByProfiles
select
  s.created_time as time,
  s.payment_id
from
  (
    select
      s.payment_id,
      s.version,
      s.state,
      s.flow,
      s.currency,
      s.amount,
      s.profile_id,
      s.method,
      s.brand,
      s.last4,
      s.customer_id,
      s.reference_id,
      s.order_id,
      s.country,
      s.fraud_status,
      s.policy_id,
      s.reason,
      s.created_time
    from
      unnest($5::text[]::bigint[]) v (value)
      cross join lateral (
        select
          s.payment_id,
          s.version,
          s.state,
          s.flow,
          s.currency,
          s.amount,
          s.profile_id,
          s.method,
          s.brand,
          s.last4,
          s.customer_id,
          s.reference_id,
          s.order_id,
          s.country,
          s.fraud_status,
          s.policy_id,
          s.reason,
          s.created_time
        from
          payment_search s
        where
          s.app_id = $1
          and s.profile_id is not null
          and (s.profile_id, s.created_time, s.payment_id) < (v.value, $2::timestamptz, $3::bigint)
          and (s.profile_id, s.created_time) >= (v.value, $4::timestamptz)
        order by
          s.profile_id desc,
          s.created_time desc,
          s.payment_id desc
        limit
          (
            select
              1000
          )
      ) s
    order by
      s.created_time desc,
      s.payment_id desc
    limit
      (
        select
          1000
      )
  ) s
where
  (
    $7::text[] is null
    or s.state = any ($7)
  )
  and (
    $8::text[] is null
    or s.profile_id::text = any ($8)
  )
  and (
    $9::text[] is null
    or s.currency = any ($9)
  )
  and (
    $10::text[] is null
    or s.customer_id = any ($10)
  )
  and (
    $11::text[] is null
    or s.last4 = any ($11)
  )
  and (
    $12::text[] is null
    or s.policy_id::text = any ($12)
  )
  and (
    $13::text[] is null
    or s.reason = any ($13)
  )
  and (
    $14::text[] is null
    or s.order_id = any ($14)
  )
  and (
    $15::text[] is null
    or s.method = any ($15)
  )
  and (
    $16::text[] is null
    or lower(s.brand) = any ($16)
  )
  and (
    $17::text[] is null
    or s.flow = any ($17)
  )
  and (
    $18::text[] is null
    or s.country = any ($18)
  )
  and (
    $19::text[] is null
    or s.fraud_status = any ($19)
  )
  and (
    $20::text[] is null
    or not (
      array[
        'state:' || s.state,
        'profile:' || s.profile_id::text,
        'currency:' || s.currency,
        'customer:' || s.customer_id,
        'last4:' || s.last4,
        'policy:' || s.policy_id::text,
        'reason:' || s.reason,
        'order:' || s.order_id,
        'method:' || s.method,
        'brand:' || lower(s.brand),
        'flow:' || s.flow,
        'country:' || s.country,
        'fraud:' || s.fraud_status
      ] && $20
    )
  )
  and (
    $21::numeric is null
    or s.amount >= $21
  )
  and (
    $22::numeric is null
    or s.amount <= $22
  )
  and (
    $23::bigint[] is null
    or s.payment_id = any ($23)
  )
  and (
    $24::text[] is null
    or s.reference_id = any ($24)
    or exists (
      select
      from
        unnest($25::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
  )
  and (
    $26::text[] is null
    or not (
      s.reference_id = any ($26)
      or exists (
        select
        from
          unnest($27::text[]) b (text)
        where
          starts_with(s.reference_id, b.text)
      )
    )
  )
  and (
    $28::text[] is null
    or exists (
      select
      from
        unnest($28::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
    or s.payment_id::text = $29::text
    or s.last4 = $29
    or s.customer_id = any ($30::text[])
  )
order by
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.skipByReason
select
  s.created_time as time,
  s.payment_id
from
  (
    select
      s.payment_id,
      s.version,
      s.state,
      s.flow,
      s.currency,
      s.amount,
      s.profile_id,
      s.method,
      s.brand,
      s.last4,
      s.customer_id,
      s.reference_id,
      s.order_id,
      s.country,
      s.fraud_status,
      s.policy_id,
      s.reason,
      s.created_time
    from
      payment_search s
    where
      s.app_id = $1
      and s.reason is not null
      and (s.reason, s.created_time, s.payment_id) < (($5::text[]) [1]::text, $2::timestamptz, $3::bigint)
      and (s.reason, s.created_time) >= (($5::text[]) [1]::text, $4::timestamptz)
    order by
      s.reason desc,
      s.created_time desc,
      s.payment_id desc
    limit
      (
        select
          10000
      )
  ) s
where
  (
    $7::text[] is null
    or s.state = any ($7)
  )
  and (
    $8::text[] is null
    or s.profile_id::text = any ($8)
  )
  and (
    $9::text[] is null
    or s.currency = any ($9)
  )
  and (
    $10::text[] is null
    or s.customer_id = any ($10)
  )
  and (
    $11::text[] is null
    or s.last4 = any ($11)
  )
  and (
    $12::text[] is null
    or s.policy_id::text = any ($12)
  )
  and (
    $13::text[] is null
    or s.reason = any ($13)
  )
  and (
    $14::text[] is null
    or s.order_id = any ($14)
  )
  and (
    $15::text[] is null
    or s.method = any ($15)
  )
  and (
    $16::text[] is null
    or lower(s.brand) = any ($16)
  )
  and (
    $17::text[] is null
    or s.flow = any ($17)
  )
  and (
    $18::text[] is null
    or s.country = any ($18)
  )
  and (
    $19::text[] is null
    or s.fraud_status = any ($19)
  )
  and (
    $20::text[] is null
    or not (
      array[
        'state:' || s.state,
        'profile:' || s.profile_id::text,
        'currency:' || s.currency,
        'customer:' || s.customer_id,
        'last4:' || s.last4,
        'policy:' || s.policy_id::text,
        'reason:' || s.reason,
        'order:' || s.order_id,
        'method:' || s.method,
        'brand:' || lower(s.brand),
        'flow:' || s.flow,
        'country:' || s.country,
        'fraud:' || s.fraud_status
      ] && $20
    )
  )
  and (
    $21::numeric is null
    or s.amount >= $21
  )
  and (
    $22::numeric is null
    or s.amount <= $22
  )
  and (
    $23::bigint[] is null
    or s.payment_id = any ($23)
  )
  and (
    $24::text[] is null
    or s.reference_id = any ($24)
    or exists (
      select
      from
        unnest($25::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
  )
  and (
    $26::text[] is null
    or not (
      s.reference_id = any ($26)
      or exists (
        select
        from
          unnest($27::text[]) b (text)
        where
          starts_with(s.reference_id, b.text)
      )
    )
  )
  and (
    $28::text[] is null
    or exists (
      select
      from
        unnest($28::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
    or s.payment_id::text = $29::text
    or s.last4 = $29
    or s.customer_id = any ($30::text[])
  )
order by
  s.reason desc,
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.skipByReasons
select
  s.created_time as time,
  s.payment_id
from
  (
    select
      s.payment_id,
      s.version,
      s.state,
      s.flow,
      s.currency,
      s.amount,
      s.profile_id,
      s.method,
      s.brand,
      s.last4,
      s.customer_id,
      s.reference_id,
      s.order_id,
      s.country,
      s.fraud_status,
      s.policy_id,
      s.reason,
      s.created_time
    from
      unnest($5::text[]::text[]) v (value)
      cross join lateral (
        select
          s.payment_id,
          s.version,
          s.state,
          s.flow,
          s.currency,
          s.amount,
          s.profile_id,
          s.method,
          s.brand,
          s.last4,
          s.customer_id,
          s.reference_id,
          s.order_id,
          s.country,
          s.fraud_status,
          s.policy_id,
          s.reason,
          s.created_time
        from
          payment_search s
        where
          s.app_id = $1
          and s.reason is not null
          and (s.reason, s.created_time, s.payment_id) < (v.value, $2::timestamptz, $3::bigint)
          and (s.reason, s.created_time) >= (v.value, $4::timestamptz)
        order by
          s.reason desc,
          s.created_time desc,
          s.payment_id desc
        limit
          (
            select
              1000
          )
      ) s
    order by
      s.created_time desc,
      s.payment_id desc
    limit
      (
        select
          1000
      )
  ) s
where
  (
    $7::text[] is null
    or s.state = any ($7)
  )
  and (
    $8::text[] is null
    or s.profile_id::text = any ($8)
  )
  and (
    $9::text[] is null
    or s.currency = any ($9)
  )
  and (
    $10::text[] is null
    or s.customer_id = any ($10)
  )
  and (
    $11::text[] is null
    or s.last4 = any ($11)
  )
  and (
    $12::text[] is null
    or s.policy_id::text = any ($12)
  )
  and (
    $13::text[] is null
    or s.reason = any ($13)
  )
  and (
    $14::text[] is null
    or s.order_id = any ($14)
  )
  and (
    $15::text[] is null
    or s.method = any ($15)
  )
  and (
    $16::text[] is null
    or lower(s.brand) = any ($16)
  )
  and (
    $17::text[] is null
    or s.flow = any ($17)
  )
  and (
    $18::text[] is null
    or s.country = any ($18)
  )
  and (
    $19::text[] is null
    or s.fraud_status = any ($19)
  )
  and (
    $20::text[] is null
    or not (
      array[
        'state:' || s.state,
        'profile:' || s.profile_id::text,
        'currency:' || s.currency,
        'customer:' || s.customer_id,
        'last4:' || s.last4,
        'policy:' || s.policy_id::text,
        'reason:' || s.reason,
        'order:' || s.order_id,
        'method:' || s.method,
        'brand:' || lower(s.brand),
        'flow:' || s.flow,
        'country:' || s.country,
        'fraud:' || s.fraud_status
      ] && $20
    )
  )
  and (
    $21::numeric is null
    or s.amount >= $21
  )
  and (
    $22::numeric is null
    or s.amount <= $22
  )
  and (
    $23::bigint[] is null
    or s.payment_id = any ($23)
  )
  and (
    $24::text[] is null
    or s.reference_id = any ($24)
    or exists (
      select
      from
        unnest($25::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
  )
  and (
    $26::text[] is null
    or not (
      s.reference_id = any ($26)
      or exists (
        select
        from
          unnest($27::text[]) b (text)
        where
          starts_with(s.reference_id, b.text)
      )
    )
  )
  and (
    $28::text[] is null
    or exists (
      select
      from
        unnest($28::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
    or s.payment_id::text = $29::text
    or s.last4 = $29
    or s.customer_id = any ($30::text[])
  )
order by
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.skipByState
select
  s.created_time as time,
  s.payment_id
from
  (
    select
      s.payment_id,
      s.version,
      s.state,
      s.flow,
      s.currency,
      s.amount,
      s.profile_id,
      s.method,
      s.brand,
      s.last4,
      s.customer_id,
      s.reference_id,
      s.order_id,
      s.country,
      s.fraud_status,
      s.policy_id,
      s.reason,
      s.created_time
    from
      payment_search s
    where
      s.app_id = $1
      and s.state is not null
      and (s.state, s.created_time, s.payment_id) < (($5::text[]) [1]::text, $2::timestamptz, $3::bigint)
      and (s.state, s.created_time) >= (($5::text[]) [1]::text, $4::timestamptz)
    order by
      s.state desc,
      s.created_time desc,
      s.payment_id desc
    limit
      (
        select
          10000
      )
  ) s
where
  (
    $7::text[] is null
    or s.state = any ($7)
  )
  and (
    $8::text[] is null
    or s.profile_id::text = any ($8)
  )
  and (
    $9::text[] is null
    or s.currency = any ($9)
  )
  and (
    $10::text[] is null
    or s.customer_id = any ($10)
  )
  and (
    $11::text[] is null
    or s.last4 = any ($11)
  )
  and (
    $12::text[] is null
    or s.policy_id::text = any ($12)
  )
  and (
    $13::text[] is null
    or s.reason = any ($13)
  )
  and (
    $14::text[] is null
    or s.order_id = any ($14)
  )
  and (
    $15::text[] is null
    or s.method = any ($15)
  )
  and (
    $16::text[] is null
    or lower(s.brand) = any ($16)
  )
  and (
    $17::text[] is null
    or s.flow = any ($17)
  )
  and (
    $18::text[] is null
    or s.country = any ($18)
  )
  and (
    $19::text[] is null
    or s.fraud_status = any ($19)
  )
  and (
    $20::text[] is null
    or not (
      array[
        'state:' || s.state,
        'profile:' || s.profile_id::text,
        'currency:' || s.currency,
        'customer:' || s.customer_id,
        'last4:' || s.last4,
        'policy:' || s.policy_id::text,
        'reason:' || s.reason,
        'order:' || s.order_id,
        'method:' || s.method,
        'brand:' || lower(s.brand),
        'flow:' || s.flow,
        'country:' || s.country,
        'fraud:' || s.fraud_status
      ] && $20
    )
  )
  and (
    $21::numeric is null
    or s.amount >= $21
  )
  and (
    $22::numeric is null
    or s.amount <= $22
  )
  and (
    $23::bigint[] is null
    or s.payment_id = any ($23)
  )
  and (
    $24::text[] is null
    or s.reference_id = any ($24)
    or exists (
      select
      from
        unnest($25::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
  )
  and (
    $26::text[] is null
    or not (
      s.reference_id = any ($26)
      or exists (
        select
        from
          unnest($27::text[]) b (text)
        where
          starts_with(s.reference_id, b.text)
      )
    )
  )
  and (
    $28::text[] is null
    or exists (
      select
      from
        unnest($28::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
    or s.payment_id::text = $29::text
    or s.last4 = $29
    or s.customer_id = any ($30::text[])
  )
order by
  s.state desc,
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.skipByStates
select
  s.created_time as time,
  s.payment_id
from
  (
    select
      s.payment_id,
      s.version,
      s.state,
      s.flow,
      s.currency,
      s.amount,
      s.profile_id,
      s.method,
      s.brand,
      s.last4,
      s.customer_id,
      s.reference_id,
      s.order_id,
      s.country,
      s.fraud_status,
      s.policy_id,
      s.reason,
      s.created_time
    from
      unnest($5::text[]::text[]) v (value)
      cross join lateral (
        select
          s.payment_id,
          s.version,
          s.state,
          s.flow,
          s.currency,
          s.amount,
          s.profile_id,
          s.method,
          s.brand,
          s.last4,
          s.customer_id,
          s.reference_id,
          s.order_id,
          s.country,
          s.fraud_status,
          s.policy_id,
          s.reason,
          s.created_time
        from
          payment_search s
        where
          s.app_id = $1
          and s.state is not null
          and (s.state, s.created_time, s.payment_id) < (v.value, $2::timestamptz, $3::bigint)
          and (s.state, s.created_time) >= (v.value, $4::timestamptz)
        order by
          s.state desc,
          s.created_time desc,
          s.payment_id desc
        limit
          (
            select
              1000
          )
      ) s
    order by
      s.created_time desc,
      s.payment_id desc
    limit
      (
        select
          1000
      )
  ) s
where
  (
    $7::text[] is null
    or s.state = any ($7)
  )
  and (
    $8::text[] is null
    or s.profile_id::text = any ($8)
  )
  and (
    $9::text[] is null
    or s.currency = any ($9)
  )
  and (
    $10::text[] is null
    or s.customer_id = any ($10)
  )
  and (
    $11::text[] is null
    or s.last4 = any ($11)
  )
  and (
    $12::text[] is null
    or s.policy_id::text = any ($12)
  )
  and (
    $13::text[] is null
    or s.reason = any ($13)
  )
  and (
    $14::text[] is null
    or s.order_id = any ($14)
  )
  and (
    $15::text[] is null
    or s.method = any ($15)
  )
  and (
    $16::text[] is null
    or lower(s.brand) = any ($16)
  )
  and (
    $17::text[] is null
    or s.flow = any ($17)
  )
  and (
    $18::text[] is null
    or s.country = any ($18)
  )
  and (
    $19::text[] is null
    or s.fraud_status = any ($19)
  )
  and (
    $20::text[] is null
    or not (
      array[
        'state:' || s.state,
        'profile:' || s.profile_id::text,
        'currency:' || s.currency,
        'customer:' || s.customer_id,
        'last4:' || s.last4,
        'policy:' || s.policy_id::text,
        'reason:' || s.reason,
        'order:' || s.order_id,
        'method:' || s.method,
        'brand:' || lower(s.brand),
        'flow:' || s.flow,
        'country:' || s.country,
        'fraud:' || s.fraud_status
      ] && $20
    )
  )
  and (
    $21::numeric is null
    or s.amount >= $21
  )
  and (
    $22::numeric is null
    or s.amount <= $22
  )
  and (
    $23::bigint[] is null
    or s.payment_id = any ($23)
  )
  and (
    $24::text[] is null
    or s.reference_id = any ($24)
    or exists (
      select
      from
        unnest($25::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
  )
  and (
    $26::text[] is null
    or not (
      s.reference_id = any ($26)
      or exists (
        select
        from
          unnest($27::text[]) b (text)
        where
          starts_with(s.reference_id, b.text)
      )
    )
  )
  and (
    $28::text[] is null
    or exists (
      select
      from
        unnest($28::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
    or s.payment_id::text = $29::text
    or s.last4 = $29
    or s.customer_id = any ($30::text[])
  )
order by
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.skipByTime
select
  s.created_time as time,
  s.payment_id
from
  (
    select
      s.payment_id,
      s.version,
      s.state,
      s.flow,
      s.currency,
      s.amount,
      s.profile_id,
      s.method,
      s.brand,
      s.last4,
      s.customer_id,
      s.reference_id,
      s.order_id,
      s.country,
      s.fraud_status,
      s.policy_id,
      s.reason,
      s.created_time
    from
      payment_search s
    where
      s.app_id = $1
      and (s.created_time, s.payment_id) < ($2::timestamptz, $3::bigint)
      and s.created_time >= $4::timestamptz
      and $5::text[] is null
    order by
      s.created_time desc,
      s.payment_id desc
    limit
      (
        select
          10000
      )
  ) s
where
  (
    $7::text[] is null
    or s.state = any ($7)
  )
  and (
    $8::text[] is null
    or s.profile_id::text = any ($8)
  )
  and (
    $9::text[] is null
    or s.currency = any ($9)
  )
  and (
    $10::text[] is null
    or s.customer_id = any ($10)
  )
  and (
    $11::text[] is null
    or s.last4 = any ($11)
  )
  and (
    $12::text[] is null
    or s.policy_id::text = any ($12)
  )
  and (
    $13::text[] is null
    or s.reason = any ($13)
  )
  and (
    $14::text[] is null
    or s.order_id = any ($14)
  )
  and (
    $15::text[] is null
    or s.method = any ($15)
  )
  and (
    $16::text[] is null
    or lower(s.brand) = any ($16)
  )
  and (
    $17::text[] is null
    or s.flow = any ($17)
  )
  and (
    $18::text[] is null
    or s.country = any ($18)
  )
  and (
    $19::text[] is null
    or s.fraud_status = any ($19)
  )
  and (
    $20::text[] is null
    or not (
      array[
        'state:' || s.state,
        'profile:' || s.profile_id::text,
        'currency:' || s.currency,
        'customer:' || s.customer_id,
        'last4:' || s.last4,
        'policy:' || s.policy_id::text,
        'reason:' || s.reason,
        'order:' || s.order_id,
        'method:' || s.method,
        'brand:' || lower(s.brand),
        'flow:' || s.flow,
        'country:' || s.country,
        'fraud:' || s.fraud_status
      ] && $20
    )
  )
  and (
    $21::numeric is null
    or s.amount >= $21
  )
  and (
    $22::numeric is null
    or s.amount <= $22
  )
  and (
    $23::bigint[] is null
    or s.payment_id = any ($23)
  )
  and (
    $24::text[] is null
    or s.reference_id = any ($24)
    or exists (
      select
      from
        unnest($25::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
  )
  and (
    $26::text[] is null
    or not (
      s.reference_id = any ($26)
      or exists (
        select
        from
          unnest($27::text[]) b (text)
        where
          starts_with(s.reference_id, b.text)
      )
    )
  )
  and (
    $28::text[] is null
    or exists (
      select
      from
        unnest($28::text[]) b (text)
      where
        starts_with(s.reference_id, b.text)
    )
    or s.payment_id::text = $29::text
    or s.last4 = $29
    or s.customer_id = any ($30::text[])
  )
order by
  s.created_time desc,
  s.payment_id desc
offset
  $6
limit
  1;

-- search.write
with
  written as (
    insert into
      payment_search as s (
        app_id,
        payment_id,
        version,
        flow,
        currency,
        amount,
        amount_minor,
        customer_id,
        reference_id,
        order_id,
        created_time,
        state,
        captured_minor,
        refunded_minor,
        fee_minor,
        profile_id,
        method,
        brand,
        last4,
        country,
        fraud_status,
        decision,
        policy_id,
        reason,
        attempt
      )
    select
      p.app_id,
      p.payment_id,
      p.version,
      p.flow,
      p.currency,
      p.amount_minor * case
        when p.currency in (
          'BIF',
          'CLP',
          'DJF',
          'GNF',
          'ISK',
          'JPY',
          'KMF',
          'KRW',
          'PYG',
          'RWF',
          'UGX',
          'UYI',
          'VND',
          'VUV',
          'XAF',
          'XOF',
          'XPF'
        ) then 1
        when p.currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 0.001
        when p.currency in ('CLF', 'UYW') then 0.0001
        else 0.01
      end,
      p.amount_minor,
      p.customer_id,
      p.reference_id,
      nullif(d."orderId", ''),
      p.created_time,
      p.state,
      p.captured_minor,
      p.refunded_minor,
      coalesce((i."feeMinor")::bigint, 0),
      p.profile_id,
      p.method,
      left(i.card ->> 'brand', 40),
      left(i.card ->> 'last4', 4),
      left(coalesce(i.payer ->> 'country', i.card ->> 'country'), 2),
      p.fraud_status,
      v.decision,
      coalesce(v.policy_id, d."fraudPolicyId"),
      left(
        case
          when p.failure is null then i.declined
          else coalesce(p.failure ->> 'declineCode', p.failure ->> 'code')
        end,
        60
      ),
      p.attempt
    from
      unnest($2::text[], $3::bigint[]) as k (app_id, payment_id)
      cross join lateral (
        select
          app_id,
          payment_id,
          version,
          state,
          flow,
          currency,
          amount_minor,
          captured_minor,
          refunded_minor,
          profile_id,
          method,
          customer_id,
          reference_id,
          fraud_status,
          attempt,
          created_time,
          details,
          pay_info,
          failure
        from
          payments p
        where
          p.app_id = k.app_id
          and p.payment_id = k.payment_id
        offset
          0
      ) p
      cross join lateral json_to_record(p.details) as d ("orderId" text, "fraudPolicyId" bigint)
      left join lateral json_to_record(p.pay_info) as i (card json, payer json, "feeMinor" text, declined text) on true
      left join lateral (
        select
          v.decision,
          v.policy_id
        from
          fraud_verdicts v
        where
          v.app_id = p.app_id
          and v.payment_id = p.payment_id
        order by
          v.attempt desc
        limit
          1
      ) v on true
    order by
      p.app_id,
      p.payment_id
    on conflict (app_id, payment_id) do update
    set
      version = excluded.version,
      state = excluded.state,
      captured_minor = excluded.captured_minor,
      refunded_minor = excluded.refunded_minor,
      fee_minor = excluded.fee_minor,
      profile_id = excluded.profile_id,
      method = excluded.method,
      brand = excluded.brand,
      last4 = excluded.last4,
      country = excluded.country,
      fraud_status = excluded.fraud_status,
      decision = excluded.decision,
      policy_id = excluded.policy_id,
      reason = excluded.reason,
      attempt = excluded.attempt
    where
      s.version < excluded.version
    returning
      s.app_id,
      s.created_time
  ),
  queued as (
    insert into
      rollup_queue as q (app_id, bucket_time, due_time)
    select distinct
      app_id,
      date_bin('15 minutes', created_time, 'epoch'),
      $1::timestamptz
    from
      written
    order by
      1,
      2
    on conflict (app_id, bucket_time) do update
    set
      due_time = q.due_time
  )
select
  count(*)::integer as count
from
  written;

-- service.alive
select
  1 as alive;

-- sessions.end
delete from person_sessions
where
  person_id = $1
  and session_id = $2
returning
  session_id;

-- sessions.end_all
with
  pending as (
    delete from pending_sign_ins
    where
      person_id = $1
  ),
  fence as (
    update people
    set
      access_version = access_version + 1
    where
      person_id = $1
  )
delete from person_sessions
where
  person_id = $1
  and session_id is distinct from $2
returning
  session_id;

-- sessions.end_oldest
delete from person_sessions
where
  person_id = $1
  and session_id in (
    select
      session_id
    from
      person_sessions
    where
      person_id = $1
    order by
      last_seen_time desc,
      session_id
    offset
      $2
  );

-- sessions.find
select
  i.n,
  f.*
from
  json_to_recordset($1) as i (n integer, hash text)
  cross join lateral (
    select
      s.session_id as "session.sessionId",
      s.created_time as "session.createdTime",
      s.last_seen_time as "session.lastSeenTime",
      s.expires_time as "session.expiresTime",
      s.end_time as "session.endTime",
      s.proven_time as "session.provenTime",
      s.address as "session.address",
      s.user_agent as "session.userAgent",
      p.is_disabled,
      s.session_id as "signedIn.sessionId",
      s.proven_time as "signedIn.provenTime",
      p.person_id as "signedIn.personId",
      p.email as "signedIn.email",
      p.name as "signedIn.name",
      p.is_operator as "signedIn.isOperator",
      p.language as "signedIn.language",
      p.theme as "signedIn.theme",
      p.time_zone as "signedIn.timeZone",
      p.has_shortcuts as "signedIn.hasShortcuts",
      p.totp_enabled_time is not null as "signedIn.hasSecondFactor",
      p.totp_enabled_time as "signedIn.secondFactorTime",
      array(
        select
          json_build_object('licenseId', m.license_id, 'role', m.role, 'refundLimits', m.refund_limits)
        from
          memberships m
        where
          m.person_id = p.person_id
        order by
          m.license_id
      ) as "signedIn.memberships",
      array(
        select
          json_build_object('licenseId', v.license_id, 'until', v.expires_time)
        from
          license_visits v
        where
          v.person_id = p.person_id
          and p.is_operator
          and not exists (
            select
            from
              memberships m
            where
              m.license_id = v.license_id
              and m.person_id = v.person_id
          )
        order by
          v.license_id
      ) as visits
    from
      person_sessions s
      join people p on p.person_id = s.person_id
    where
      s.token_hash = decode(i.hash, 'hex')
    offset
      0
  ) f;

-- sessions.forget
delete from person_sessions
where
  token_hash in (
    select
      token_hash
    from
      person_sessions
    where
      expires_time < $1::timestamptz
    limit
      $2
  )
returning
  session_id;

-- sessions.insert
with
  seen as (
    update people
    set
      last_seen_time = $4
    where
      person_id = $3
  )
insert into
  person_sessions (
    token_hash,
    session_id,
    person_id,
    created_time,
    last_seen_time,
    expires_time,
    end_time,
    proven_time,
    address,
    user_agent
  )
values
  ($1, $2, $3, $4, $4, $5, $6, $4, $7, $8);

-- sessions.list
select
  session_id,
  created_time,
  last_seen_time,
  expires_time,
  end_time,
  proven_time,
  address,
  user_agent
from
  person_sessions s
where
  s.person_id = $1
  and s.expires_time > $2
order by
  s.last_seen_time desc,
  s.session_id
limit
  $3;

-- sessions.rotate
update person_sessions
set
  token_hash = $2,
  proven_time = coalesce($3, proven_time)
where
  session_id = $1
returning
  session_id;

-- sessions.touch
with
  seen as (
    update person_sessions
    set
      last_seen_time = $2,
      expires_time = least($3, end_time)
    where
      session_id = $1
      and last_seen_time < $2
    returning
      person_id
  )
update people p
set
  last_seen_time = $2
from
  seen
where
  p.person_id = seen.person_id;

-- simulation.boundary
select
  payment_id,
  created_time
from
  (
    select
      payment_id,
      created_time
    from
      payments
    where
      app_id = $1
      and payment_id < $2
    order by
      payment_id desc
    limit
      $3
  ) page
order by
  payment_id
limit
  1;

-- simulation.disputed
select distinct
  payment_id
from
  events
where
  app_id = $1
  and payment_id = any ($2)
  and state = 'Disputed';

-- simulation.page
with
  page as (
    select
      app_id,
      payment_id,
      customer_id,
      currency,
      amount_minor,
      flow,
      details,
      attempt,
      pay_info,
      refunded_minor
    from
      payments
    where
      app_id = $1
      and payment_id < $2
    order by
      payment_id desc
    limit
      $3
  )
select
  p.payment_id,
  o.attempt,
  o.created_time as time,
  o.profile_id,
  case o.status
    when 'done' then 'paid'
    when 'declined' then 'declined'
    else 'ended'
  end as outcome,
  p.customer_id,
  p.currency,
  p.amount_minor,
  p.flow = 'AutoPayment' as is_auto_payment,
  o.method = 'CreditCard' as is_card,
  coalesce(
    p.details #>> '{customerOrder,customer,address,countryCode}',
    p.details #>> '{customerOrder,customer,address,country}'
  ) as address_country,
  p.pay_info ->> 'payerIp' as payer_ip,
  case
    when o.attempt = p.attempt then p.pay_info #>> '{payer,country}'
  end as payer_country,
  case
    when o.attempt = p.attempt then (p.pay_info #>> '{risk,score}')::float8
  end as risk_score,
  case
    when o.attempt = p.attempt then p.pay_info -> 'card'
  end as card,
  p.refunded_minor > 0 as was_refunded
from
  page p
  cross join lateral (
    select
      *
    from
      operations o
    where
      o.app_id = p.app_id
      and o.payment_id = p.payment_id
      and o.step in ('start', 'charge')
    offset
      0
  ) o
order by
  p.payment_id desc,
  o.attempt;

-- statistics.young
select
  format('%I.%I', s.schemaname, s.relname) as name
from
  pg_stat_user_tables s
  join pg_class c on c.oid = s.relid
where
  s.n_mod_since_analyze > greatest($1, c.reltuples)
  and s.n_live_tup < $2;

-- system.database
select
  current_setting('server_version') as version,
  pg_database_size(current_database()) as bytes,
  (
    select
      count(*)::integer
    from
      pg_stat_activity
    where
      datname = current_database()
  ) as connections,
  current_setting('max_connections')::integer as most_connections,
  m.name as migration,
  m.applied_time as migrated_time,
  (
    select
      count(*)::integer
    from
      migrations
  ) as migration_count
from
  (
    select
      name,
      applied_time
    from
      migrations
    order by
      name desc
    limit
      1
  ) m;

-- system.ping
select
  clock_timestamp() as time;

-- system.replica
select
  pg_is_in_recovery() as is_replica,
  (
    extract(
      epoch
      from
        clock_timestamp() - pg_last_xact_replay_timestamp()
    ) * 1000
  )::float as lag_ms;

-- system.tables
select
  case n.nspname
    when current_schema() then ''
    else n.nspname || '.'
  end || c.relname as name,
  greatest(c.reltuples, 0)::bigint as rows,
  c.relpages::bigint * current_setting('block_size')::bigint as bytes
from
  pg_class c
  join pg_namespace n on n.oid = c.relnamespace
where
  c.relkind = 'r'
  and n.nspname not in ('pg_catalog', 'information_schema')
order by
  c.relpages desc,
  c.relname
limit
  8;

-- system.troubles
select
  h.app_id,
  a.friendly_name as app_name,
  p.name as profile_name,
  p.provider,
  h.says,
  h.failures,
  h.due_time
from
  (
    select
      *
    from
      profile_health
    order by
      app_id,
      profile_id
    limit
      50
  ) h
  join apps a on a.app_id = h.app_id
  join payment_profiles p on p.app_id = h.app_id
  and p.profile_id = h.profile_id
order by
  h.app_id,
  h.profile_id;

-- system.webhooks
select
  (
    select
      count(*)::integer
    from
      (
        select
        from
          deliveries
        where
          status in ('ready', 'sending')
        limit
          1000
      ) x
  ) as ready,
  (
    select
      max(
        extract(
          epoch
          from
            $1::timestamptz + a.clock_offset_ms * interval '1 millisecond' - d.queued_time
        ) * 1000
      )::float
    from
      (
        select
          app_id,
          clock_offset_ms
        from
          apps
        order by
          app_id
        limit
          1000
      ) a
      cross join lateral (
        select
          queued_time
        from
          deliveries
        where
          app_id = a.app_id
          and due_time is not null
        order by
          queued_time
        limit
          1
      ) d
  ) as lag_ms;

-- testHelpers.attempts
select
  operation_key as reference,
  payment_id
from
  operations
where
  app_id = $1
  and payment_id = $2
  and step in ('start', 'charge');

-- testHelpers.moveClock
update apps
set
  clock_offset_ms = clock_offset_ms + $2
where
  app_id = $1
  and is_sandbox
  and clock_offset_ms + $2 <= $3
returning
  clock_offset_ms;

-- testHelpers.paymentsOf
select
  operation_key as reference,
  payment_id
from
  operations
where
  app_id = $1
  and operation_key = any ($2);

-- throttles.add_network
insert into
  person_networks (person_id, network, last_used_time)
values
  ($1, $2, $3)
on conflict (person_id, network) do update
set
  last_used_time = excluded.last_used_time
returning
  xmax = 0
  and exists (
    select
    from
      person_networks o
    where
      o.person_id = $1
      and o.network <> $2
  ) as is_new;

-- throttles.clear
delete from sign_in_throttles
where
  subject_hash = $1;

-- throttles.forget
delete from sign_in_throttles
where
  subject_hash in (
    select
      subject_hash
    from
      sign_in_throttles
    where
      changed_time < $1::timestamptz - 172800000 * interval '1 millisecond'
    limit
      $2
  )
returning
  subject_hash;

-- throttles.forget_networks
delete from person_networks
where
  (person_id, network) in (
    select
      person_id,
      network
    from
      person_networks
    where
      last_used_time < $1::timestamptz - 15552000000 * interval '1 millisecond'
    limit
      $2
  )
returning
  person_id;

-- throttles.give_back
update sign_in_throttles t
set
  failures = greatest(t.failures - 1, 0),
  next_time = least(t.next_time, $2)
from
  (
    select
      subject_hash
    from
      sign_in_throttles
    where
      subject_hash = any ($1::bytea[])
    order by
      subject_hash
    for update
  ) held
where
  t.subject_hash = held.subject_hash;

-- throttles.lock
select
  subject_hash,
  failures,
  next_time,
  changed_time
from
  sign_in_throttles
where
  subject_hash = any ($1::bytea[])
order by
  subject_hash
for update;

-- throttles.reserve
insert into
  sign_in_throttles (subject_hash, failures, next_time, changed_time)
select
  subject,
  0,
  $2,
  $2
from
  unnest($1::bytea[]) subject
order by
  subject
on conflict (subject_hash) do nothing;

-- throttles.set
update sign_in_throttles t
set
  failures = i.failures,
  next_time = i.next_time,
  changed_time = $4
from
  unnest($1::bytea[], $2::integer[], $3::timestamptz[]) as i (subject, failures, next_time)
where
  t.subject_hash = i.subject;

-- throttles.trim_networks
delete from person_networks
where
  person_id = $1
  and network in (
    select
      network
    from
      person_networks
    where
      person_id = $1
    order by
      last_used_time desc,
      network
    offset
      $2
  );

-- timers.claimDue
update timers t
set
  due_time = $1::timestamptz + least(3600000, 60000 * power(2, least(t.tries, 30))) * interval '1 millisecond',
  tries = t.tries + 1
from
  (
    select
      app_id,
      payment_id,
      share_profile
    from
      (
        select
          app_id,
          payment_id,
          share_profile,
          due_time,
          of_profile + row_number() over (
            partition by
              app_id,
              share_profile
            order by
              due_time
          ) as of_profile,
          of_app + row_number() over (
            partition by
              app_id
            order by
              due_time
          ) as of_app
        from
          (
            select
              app_id,
              payment_id,
              due_time,
              (
                select
                  p.profile_id
                from
                  payments p
                where
                  p.app_id = timers.app_id
                  and p.payment_id = timers.payment_id
              ) as share_profile,
              coalesce(
                (
                  $2::jsonb -> 'profiles' ->> (
                    (
                      select
                        p.profile_id
                      from
                        payments p
                      where
                        p.app_id = timers.app_id
                        and p.payment_id = timers.payment_id
                    )
                  )::text
                )::integer,
                0
              ) as of_profile,
              coalesce(($2::jsonb -> 'apps' ->> app_id)::integer, 0) as of_app
            from
              timers
            where
              due_time <= $1
              and coalesce(
                (
                  $2::jsonb -> 'profiles' ->> (
                    (
                      select
                        p.profile_id
                      from
                        payments p
                      where
                        p.app_id = timers.app_id
                        and p.payment_id = timers.payment_id
                    )
                  )::text
                )::integer,
                0
              ) < ($2::jsonb ->> 'perProfile')::integer
              and coalesce(($2::jsonb -> 'apps' ->> app_id)::integer, 0) < ($2::jsonb ->> 'perApp')::integer
              and (
                $2::jsonb ->> 'app' is null
                or app_id = $2::jsonb ->> 'app'
              )
            order by
              due_time
            limit
              200
            for update
              skip locked
          ) due
      ) shared
    where
      of_profile <= ($2::jsonb ->> 'perProfile')::integer
      and of_app <= ($2::jsonb ->> 'perApp')::integer
    order by
      of_profile,
      due_time
    limit
      ($2::jsonb ->> 'limit')::integer
  ) claimed
where
  t.app_id = claimed.app_id
  and t.payment_id = claimed.payment_id
returning
  t.app_id,
  t.payment_id,
  claimed.share_profile as profile_id;

-- timers.shift
update timers
set
  due_time = due_time - $2 * interval '1 millisecond'
where
  app_id = $1;

-- undos.claimDue
update undos
set
  lease_token = $3,
  due_time = $4
where
  (app_id, attempt_key) in (
    select
      app_id,
      attempt_key
    from
      (
        select
          app_id,
          attempt_key,
          share_profile
        from
          (
            select
              app_id,
              attempt_key,
              share_profile,
              due_time,
              of_profile + row_number() over (
                partition by
                  app_id,
                  share_profile
                order by
                  due_time
              ) as of_profile,
              of_app + row_number() over (
                partition by
                  app_id
                order by
                  due_time
              ) as of_app
            from
              (
                select
                  app_id,
                  attempt_key,
                  due_time,
                  profile_id as share_profile,
                  coalesce(($2::jsonb -> 'profiles' ->> (profile_id)::text)::integer, 0) as of_profile,
                  coalesce(($2::jsonb -> 'apps' ->> app_id)::integer, 0) as of_app
                from
                  undos
                where
                  status = 'open'
                  and due_time <= $1
                  and coalesce(($2::jsonb -> 'profiles' ->> (profile_id)::text)::integer, 0) < ($2::jsonb ->> 'perProfile')::integer
                  and coalesce(($2::jsonb -> 'apps' ->> app_id)::integer, 0) < ($2::jsonb ->> 'perApp')::integer
                  and (
                    $2::jsonb ->> 'app' is null
                    or app_id = $2::jsonb ->> 'app'
                  )
                order by
                  due_time
                limit
                  200
                for update
                  skip locked
              ) due
          ) shared
        where
          of_profile <= ($2::jsonb ->> 'perProfile')::integer
          and of_app <= ($2::jsonb ->> 'perApp')::integer
        order by
          of_profile,
          due_time
        limit
          ($2::jsonb ->> 'limit')::integer
      ) claimed
  )
returning
  app_id,
  attempt_key,
  payment_id,
  attempt,
  profile_id,
  method,
  handles,
  status,
  result,
  tries,
  created_time,
  closed_time,
  lease_token,
  outcome;

-- undos.claimOfPayment
update undos
set
  lease_token = $4,
  due_time = $5
where
  app_id = $1
  and payment_id = $2
  and status = 'open'
  and (
    due_time <= $3
    or lease_token is null
  )
returning
  app_id,
  attempt_key,
  payment_id,
  attempt,
  profile_id,
  method,
  handles,
  status,
  result,
  tries,
  created_time,
  closed_time,
  lease_token,
  outcome;

-- undos.close
update undos
set
  status = $4,
  result = $5,
  closed_time = $6,
  due_time = null,
  tries = tries + 1,
  lease_token = null,
  outcome = $7
where
  app_id = $1
  and attempt_key = $2
  and lease_token = $3
  and status = 'open';

-- undos.name
update undos
set
  handles = $3
where
  app_id = $1
  and attempt_key = $2
  and status = 'open'
  and coalesce(handles::text, 'null') in ('null', '{}');

-- undos.noteStep
update undos
set
  outcome = $4
where
  app_id = $1
  and attempt_key = $2
  and lease_token = $3
  and status = 'open'
returning
  attempt_key;

-- undos.open
insert into
  undos as u (
    app_id,
    attempt_key,
    payment_id,
    attempt,
    profile_id,
    method,
    handles,
    status,
    created_time,
    due_time,
    lease_token
  )
values
  ($1, $2, $3, $4, $5, $6, $7, 'open', $8, $9, $10)
on conflict (app_id, attempt_key) do update
set
  status = 'open',
  result = null,
  closed_time = null,
  due_time = excluded.due_time,
  lease_token = excluded.lease_token
where
  u.status = 'done'
returning
  app_id,
  attempt_key,
  payment_id,
  attempt,
  profile_id,
  method,
  handles,
  status,
  result,
  tries,
  created_time,
  closed_time,
  lease_token,
  outcome;

-- undos.postpone
update undos
set
  due_time = $4,
  tries = tries + 1,
  lease_token = null,
  outcome = $5
where
  app_id = $1
  and attempt_key = $2
  and lease_token = $3
  and status = 'open';

-- undos.shift
update undos
set
  due_time = due_time - $2 * interval '1 millisecond'
where
  app_id = $1
  and status = 'open';

-- visitRollups.clear
delete from visit_rollups r using unnest($1::text[], $2::timestamptz[]) b (app_id, bucket_time)
where
  r.app_id = b.app_id
  and r.bucket_time = b.bucket_time
  and b.bucket_time >= $3;

-- visitRollups.count
insert into
  visit_rollups (app_id, bucket_time, opened, chosen)
select
  b.app_id,
  b.bucket_time,
  count(*) filter (
    where
      v.is_opened
  ) as opened,
  count(*) filter (
    where
      v.is_chosen
  ) as chosen
from
  unnest($1::text[], $2::timestamptz[]) b (app_id, bucket_time)
  cross join lateral (
    select
      s.payment_id,
      s.currency,
      s.profile_id,
      s.method,
      s.flow,
      s.state,
      s.reason,
      s.attempt,
      s.decision,
      s.amount_minor,
      s.captured_minor,
      s.refunded_minor,
      s.fee_minor,
      s.created_time
    from
      payment_search s
    where
      s.app_id = b.app_id
      and s.created_time >= b.bucket_time
      and s.created_time < b.bucket_time + interval '15 minutes'
    offset
      0
  ) s
  cross join lateral (
    select
      bool_or(v.step = 'opened') as is_opened,
      bool_or(v.step = 'chosen') as is_chosen
    from
      page_visits v
    where
      v.app_id = b.app_id
      and v.payment_id = s.payment_id
    offset
      0
  ) v
where
  b.bucket_time >= $3
  and (
    v.is_opened
    or v.is_chosen
  )
group by
  b.app_id,
  b.bucket_time;

-- visitRollups.sum
select
  coalesce(sum(opened), 0)::bigint as opened,
  coalesce(sum(chosen), 0)::bigint as chosen
from
  (
    select
      r.opened,
      r.chosen
    from
      visit_rollups r
    where
      r.app_id = $1
      and r.bucket_time >= $2
      and r.bucket_time < $3
      and r.bucket_time <> all ($4::timestamptz[])
    union all
    select
      count(*) filter (
        where
          v.is_opened
      ) as opened,
      count(*) filter (
        where
          v.is_chosen
      ) as chosen
    from
      unnest($5::timestamptz[], $6::timestamptz[]) l (begin_time, end_time)
      cross join lateral (
        select
          s.payment_id,
          s.currency,
          s.profile_id,
          s.method,
          s.flow,
          s.state,
          s.reason,
          s.attempt,
          s.decision,
          s.amount_minor,
          s.captured_minor,
          s.refunded_minor,
          s.fee_minor,
          s.created_time
        from
          payment_search s
        where
          s.app_id = $1
          and s.created_time >= l.begin_time
          and s.created_time < l.end_time
        offset
          0
      ) s
      cross join lateral (
        select
          bool_or(v.step = 'opened') as is_opened,
          bool_or(v.step = 'chosen') as is_chosen
        from
          page_visits v
        where
          v.app_id = $1
          and v.payment_id = s.payment_id
        offset
          0
      ) v
  ) quarters
where
  $7::bigint is null;

-- visits.appsWithOld
select
  a.app_id
from
  apps a
where
  exists (
    select
    from
      page_visits v
    where
      v.app_id = a.app_id
      and v.visit_time < $1::timestamptz - 7776000000 * interval '1 millisecond'
  );

-- visits.end
update license_visits
set
  expires_time = $3
where
  license_id = $1
  and person_id = $2
  and expires_time > $3
returning
  license_id;

-- visits.forget
delete from license_visits
where
  (license_id, person_id) in (
    select
      license_id,
      person_id
    from
      license_visits
    where
      expires_time < $1::timestamptz - 2592000000 * interval '1 millisecond'
    limit
      $2
  )
returning
  person_id;

-- visits.insert
with
  added as (
    insert into
      page_visits (app_id, payment_id, day, step, visit_time, language, country, device, method)
    select
      x."appId",
      x."paymentId",
      (x."visitTime" at time zone 'UTC')::date,
      x.step,
      x."visitTime",
      x.language,
      x.country,
      x.device,
      x.method
    from
      (
        select
          set_config('synchronous_commit', 'off', true)
        offset
          0
      ) as asynchronous,
      json_to_recordset($1) as x (
        "appId" text,
        "paymentId" bigint,
        step text,
        "visitTime" timestamptz,
        language text,
        country text,
        device text,
        method text
      )
    on conflict (app_id, payment_id, day, step) do nothing
    returning
      app_id,
      payment_id
  )
insert into
  rollup_queue as q (app_id, bucket_time, due_time)
select distinct
  p.app_id,
  date_bin('15 minutes', p.created_time, 'epoch'),
  $2::timestamptz
from
  added a
  join payments p on p.app_id = a.app_id
  and p.payment_id = a.payment_id
order by
  1,
  2
on conflict (app_id, bucket_time) do update
set
  due_time = q.due_time;

-- visits.ofPayment
select
  app_id,
  payment_id,
  step,
  visit_time,
  language,
  country,
  device,
  method
from
  page_visits
where
  app_id = $1
  and payment_id = $2
order by
  day desc,
  visit_time desc
limit
  $3;

-- visits.remove
delete from page_visits v using (
  select
    set_config('synchronous_commit', 'off', true)
  offset
    0
) as asynchronous,
(
  select
    payment_id,
    day,
    step
  from
    page_visits
  where
    app_id = $1
    and visit_time < $2
  order by
    visit_time
  limit
    $3
) old
where
  v.app_id = $1
  and v.payment_id = old.payment_id
  and v.day = old.day
  and v.step = old.step
returning
  v.payment_id;

-- visits.upsert
insert into
  license_visits (license_id, person_id, reason, created_time, expires_time)
values
  ($1, $2, $3, $4, $5)
on conflict (license_id, person_id) do update
set
  reason = excluded.reason,
  created_time = excluded.created_time,
  expires_time = excluded.expires_time;

-- webhooks.addTest
with
  event as (
    insert into
      events (app_id, payment_id, sequence, type, created_time, body)
    values
      ($1, $2, $3, $4, $5, $6)
  )
insert into
  deliveries (app_id, payment_id, sequence, endpoint, status, queued_time, due_time, lease_token)
values
  ($1, $2, $3, '', 'sending', $5, $7, $8);

-- webhooks.any_delivered
select
  exists (
    select
    from
      (
        select
          http_status
        from
          delivery_attempts
        where
          app_id = $1
        order by
          payment_id desc
        limit
          200
      ) recent
    where
      http_status between 200 and 299
  ) as found;

-- webhooks.appsWithOld
select
  a.app_id
from
  apps a
where
  exists (
    select
    from
      events e
    where
      e.app_id = a.app_id
      and e.created_time < $1::timestamptz - 2592000000 * interval '1 millisecond'
  );

-- webhooks.attempts
select
  a.payment_id,
  a.sequence,
  a.attempt,
  a.start_time,
  a.latency_ms,
  a.http_status,
  a.error,
  a.response as response,
  a.next_time
from
  unnest($2::bigint[], $3::integer[]) as k (payment_id, sequence)
  cross join lateral (
    select
      *
    from
      delivery_attempts a
    where
      a.app_id = $1
      and a.payment_id = k.payment_id
      and a.sequence = k.sequence
    order by
      a.attempt desc
    limit
      $4
  ) a
order by
  a.payment_id,
  a.sequence,
  a.attempt;

-- webhooks.bareAttempts
select
  a.payment_id,
  a.sequence,
  a.attempt,
  a.start_time,
  a.latency_ms,
  a.http_status,
  a.error,
  null as response,
  a.next_time
from
  unnest($2::bigint[], $3::integer[]) as k (payment_id, sequence)
  cross join lateral (
    select
      *
    from
      delivery_attempts a
    where
      a.app_id = $1
      and a.payment_id = k.payment_id
      and a.sequence = k.sequence
    order by
      a.attempt desc
    limit
      $4
  ) a
order by
  a.payment_id,
  a.sequence,
  a.attempt;

-- webhooks.bodies
select
  e.body
from
  unnest($2::bigint[], $3::integer[]) with ordinality as k (payment_id, sequence, place)
  cross join lateral (
    select
      body
    from
      events e
    where
      e.app_id = $1
      and e.payment_id = k.payment_id
      and e.sequence = k.sequence
    offset
      0
  ) e
order by
  k.place;

-- webhooks.claim
with recursive
  queued_apps as (
    (
      select
        d.app_id
      from
        deliveries d
      where
        d.status in ('ready', 'sending')
      order by
        d.app_id,
        d.endpoint,
        d.status,
        d.due_time
      limit
        1
    )
    union all
    select
      n.app_id
    from
      queued_apps a
      cross join lateral (
        select
          d.app_id
        from
          deliveries d
        where
          d.status in ('ready', 'sending')
          and d.app_id > a.app_id
        order by
          d.app_id,
          d.endpoint,
          d.status,
          d.due_time
        limit
          1
      ) n
  ),
  open_apps as (
    select
      a.app_id,
      l.used,
      l.after
    from
      queued_apps a
      cross join lateral (
        select
          coalesce(($5::jsonb -> a.app_id ->> 'used')::integer, 0) as used,
          coalesce($5::jsonb -> a.app_id ->> 'after', '') as after
        offset
          0
      ) l
    where
      l.used < 200
      and $4::integer < 1000 - l.used * 2.5
  ),
  endpoints as (
    select
      a.app_id,
      a.used,
      w.endpoint,
      w.n
    from
      open_apps a
      cross join lateral (
        with recursive
          walk as (
            select
              '' collate "C" as endpoint,
              0 as n
            union all
            select
              x.endpoint,
              w.n + 1
            from
              walk w
              cross join lateral (
                select
                  d.endpoint
                from
                  deliveries d
                where
                  d.app_id = a.app_id
                  and d.status in ('ready', 'sending')
                  and d.endpoint > case
                    when w.n = 0 then a.after collate "C"
                    else w.endpoint
                  end
                order by
                  d.endpoint
                limit
                  1
              ) x
            where
              w.n < 100
          )
        select
          endpoint,
          n
        from
          walk
      ) w
  ),
  rooms as (
    select
      e.app_id,
      e.endpoint,
      e.used,
      least(b.busy, 20) as busy,
      20 - case
        when h.app_id is null then b.taken
        else 0
      end as unreserved,
      least(
        200 - e.used,
        case
          when h.disabled_time is not null
          or h.due_time > $1 then 0
          when h.app_id is not null then h.allowed - b.busy
          else 20 - b.taken + coalesce(($5::jsonb -> e.app_id -> 'free' ->> e.endpoint)::integer, 0)
        end
      ) as room
    from
      endpoints e
      left join webhook_endpoints h on h.app_id = e.app_id
      and h.endpoint = e.endpoint
      and (
        h.endpoint <> ''
        or h.url = (
          select
            split_part(split_part(a.payment_webhook_url, '?', 1), '#', 1)
          from
            apps a
          where
            a.app_id = e.app_id
        )
      )
      cross join lateral (
        select
          coalesce(sum(t.busy), 0) as busy,
          coalesce(sum(t.taken), 0) as taken
        from
          (
            select
              u.permit,
              sum(u.busy) as busy,
              coalesce(max(u.slots), 0) as slots,
              coalesce(max(u.slots), sum(u.busy)) as taken
            from
              (
                select
                  split_part(s.lease_token, '.', 1) as permit,
                  count(distinct s.payment_id) as busy,
                  null::integer as slots
                from
                  deliveries s
                where
                  s.app_id = e.app_id
                  and s.endpoint = e.endpoint
                  and s.status = 'sending'
                group by
                  1
                union all
                select
                  p.lease_token,
                  0,
                  p.slots
                from
                  delivery_permits p
                where
                  p.app_id = e.app_id
                  and p.endpoint = e.endpoint
                  and p.until_time > $1
              ) u
            group by
              u.permit
          ) t
      ) b
  ),
  heads as (
    select
      h.app_id,
      h.payment_id,
      h.sequence,
      h.due_time,
      r.used,
      r.busy,
      r.room,
      r.unreserved,
      row_number() over (
        partition by
          r.app_id,
          r.endpoint
        order by
          h.due_time,
          h.payment_id,
          h.sequence
      ) as place
    from
      rooms r
      cross join lateral (
        select
          d.app_id,
          d.payment_id,
          d.sequence,
          d.due_time
        from
          deliveries d
        where
          d.app_id = r.app_id
          and d.endpoint = r.endpoint
          and d.status = 'ready'
          and (
            select
              p.sequence
            from
              deliveries p
            where
              p.app_id = d.app_id
              and p.payment_id = d.payment_id
              and p.sequence < d.sequence
              and p.status in ('ready', 'waiting', 'sending')
            limit
              1
          ) is null
        order by
          d.due_time,
          d.payment_id,
          d.sequence
        limit
          r.room
      ) h
    where
      r.room > 0
  ),
  in_app as (
    select
      *,
      used + row_number() over (
        partition by
          app_id
        order by
          busy + place,
          due_time,
          payment_id
      ) as app_nth
    from
      heads
  ),
  in_node as (
    select
      *,
      $4 + row_number() over (
        order by
          app_nth,
          due_time,
          payment_id
      ) as node_nth
    from
      in_app
    where
      app_nth <= 200 - (busy + place - 1) * 5
  ),
  chosen as (
    select
      d.app_id,
      d.payment_id,
      d.sequence,
      c.place = c.room as crowded,
      c.place > c.unreserved as borrowed
    from
      in_node c
      cross join lateral (
        select
          q.app_id,
          q.payment_id,
          q.sequence
        from
          deliveries q
        where
          q.app_id = c.app_id
          and q.payment_id = c.payment_id
          and q.sequence = c.sequence
          and q.status = 'ready'
        for update of
          q skip locked
      ) d
    where
      c.node_nth <= 1000 - (c.app_nth - 1) * 2.5
  ),
  taken as (
    update deliveries d
    set
      status = 'sending',
      due_time = $2,
      lease_token = case
        when c.borrowed then $6
        else $3
      end
    from
      chosen c
    where
      d.app_id = c.app_id
      and d.payment_id = c.payment_id
      and d.sequence = c.sequence
    returning
      d.app_id,
      d.payment_id,
      d.sequence,
      d.url,
      d.endpoint,
      d.tries,
      c.crowded,
      c.borrowed
  )
select
  t.app_id,
  t.payment_id,
  t.sequence,
  t.url,
  t.endpoint,
  t.tries,
  t.crowded,
  t.borrowed,
  e.type,
  e.body
from
  taken t
  join events e on e.app_id = t.app_id
  and e.payment_id = t.payment_id
  and e.sequence = t.sequence
union all
select
  w.app_id,
  null,
  0,
  null,
  w.endpoint,
  0,
  false,
  false,
  '',
  ''
from
  endpoints w
where
  w.n = 100;

-- webhooks.countExhausted
select
  count(*)::integer as count
from
  (
    select
      1
    from
      deliveries
    where
      app_id = $1
      and status in ('exhausted', 'dropped')
      and status = 'exhausted'
    limit
      $2
  ) few;

-- webhooks.delivered
with
  quick as materialized (
    select
      set_config('synchronous_commit', 'off', true) as value
  ),
  input as materialized (
    select
      x.*
    from
      quick,
      json_to_recordset($1) as x (
        n integer,
        app_id text,
        payment_id bigint,
        sequence integer,
        lease_token text,
        start_time timestamptz,
        latency_ms integer,
        http_status integer,
        response text
      )
    where
      n between 0 and 1000
      and quick.value = 'off'
  ),
  ended as (
    update deliveries d
    set
      status = 'delivered',
      due_time = null,
      lease_token = null,
      tries = d.tries + 1,
      attempts = d.attempts + 1
    from
      input i
    where
      d.app_id = i.app_id
      and d.payment_id = i.payment_id
      and d.sequence = i.sequence
      and d.lease_token = i.lease_token
    returning
      i.n,
      d.app_id,
      d.payment_id,
      d.sequence,
      d.endpoint,
      d.attempts,
      i.start_time,
      i.latency_ms,
      i.http_status,
      i.response
  ),
  noted as (
    insert into
      delivery_attempts (app_id, payment_id, sequence, attempt, start_time, latency_ms, http_status, response)
    select
      app_id,
      payment_id,
      sequence,
      attempts,
      start_time,
      latency_ms,
      http_status,
      response
    from
      ended
  )
select
  e.n,
  exists (
    select
    from
      deliveries d
    where
      d.app_id = e.app_id
      and d.payment_id = e.payment_id
      and d.sequence > e.sequence
      and d.status = 'ready'
  ) as has_next,
  exists (
    select
    from
      webhook_endpoints h
    where
      h.app_id = e.app_id
      and h.endpoint = e.endpoint
  ) as in_trouble
from
  ended e;

-- webhooks.end
with
  input as materialized (
    select
      *
    from
      json_to_recordset($1) as x (
        n integer,
        app_id text,
        payment_id bigint,
        sequence integer,
        lease_token text,
        status text,
        due_time timestamptz,
        now timestamptz,
        start_time timestamptz,
        latency_ms integer,
        http_status integer,
        error text,
        response text,
        next_time timestamptz
      )
    where
      n between 0 and 1000
  ),
  ended as (
    update deliveries d
    set
      status = i.status,
      due_time = i.due_time,
      lease_token = null,
      tries = d.tries + 1,
      attempts = d.attempts + case
        when i.start_time is null then 0
        else 1
      end
    from
      input i
    where
      d.app_id = i.app_id
      and d.payment_id = i.payment_id
      and d.sequence = i.sequence
      and d.lease_token = i.lease_token
    returning
      i.n,
      d.app_id,
      d.payment_id,
      d.sequence,
      d.endpoint,
      d.status,
      d.due_time,
      d.attempts,
      i.now,
      i.lease_token,
      i.start_time,
      i.latency_ms,
      i.http_status,
      i.error,
      i.response,
      i.next_time
  ),
  noted as (
    insert into
      delivery_attempts (
        app_id,
        payment_id,
        sequence,
        attempt,
        start_time,
        latency_ms,
        http_status,
        error,
        response,
        next_time
      )
    select
      app_id,
      payment_id,
      sequence,
      attempts,
      start_time,
      latency_ms,
      http_status,
      error,
      response,
      next_time
    from
      ended
    where
      start_time is not null
  ),
  followed as (
    update deliveries d
    set
      status = case
        when e.status = 'waiting' then 'waiting'
        else 'ready'
      end,
      due_time = coalesce(e.due_time, e.now),
      lease_token = null
    from
      ended e
    where
      d.app_id = e.app_id
      and d.payment_id = e.payment_id
      and d.sequence > e.sequence
      and (
        d.status = case
          when e.status = 'waiting' then 'ready'
          else 'waiting'
        end
        or e.status <> 'delivered'
        and d.lease_token = e.lease_token
      )
  )
select
  e.n,
  e.status <> 'waiting'
  and exists (
    select
    from
      deliveries d
    where
      d.app_id = e.app_id
      and d.payment_id = e.payment_id
      and d.sequence > e.sequence
      and d.status in ('ready', 'waiting')
  ) as has_next,
  exists (
    select
    from
      webhook_endpoints h
    where
      h.app_id = e.app_id
      and h.endpoint = e.endpoint
  ) as in_trouble
from
  ended e;

-- webhooks.endpointsOfApp
select
  app_id,
  endpoint,
  url,
  failures,
  pauses,
  allowed,
  failing_time,
  due_time,
  disabled_time,
  last_error
from
  webhook_endpoints
where
  app_id = $1
order by
  endpoint
limit
  $2;

-- webhooks.erase_attempts
update delivery_attempts
set
  response = null
where
  app_id = $1
  and payment_id = any ($2::bigint[])
  and response is not null;

-- webhooks.erase_events
update events e
set
  body = (
    jsonb_set(
      jsonb_set(
        e.body::jsonb,
        '{payment,customerOrder,customer}',
        jsonb_build_object('customerId', e.body::jsonb #> '{payment,customerId}'),
        false
      ),
      '{payment,payerIp}',
      'null'
    ) #- '{payment,payInfo,payer,fullName}' #- '{payment,payInfo,payer,email}' #- '{payment,payInfo,refundClaimUrl}'
  )::text
where
  e.app_id = $1
  and e.payment_id = any ($2::bigint[])
  and e.type = 'payment.state_changed';

-- webhooks.events
select
  *
from
  (
    select
      r.*,
      sum(r.size) over (
        order by
          time desc,
          payment_id desc,
          sequence desc rows unbounded preceding
      ) - r.size as before_bytes,
      count(*) over ()::integer as found
    from
      (
        select
          e.created_time as time,
          e.payment_id,
          e.sequence,
          octet_length(e.body) as size
        from
          events e
        where
          e.app_id = $1
          and e.created_time >= $2
          and (e.created_time, e.payment_id, e.sequence) < ($3, $4, $5)
        order by
          e.created_time desc,
          e.payment_id desc,
          e.sequence desc
        limit
          $6
      ) r
  ) page
where
  before_bytes + size <= $7
  or before_bytes = 0
order by
  time desc,
  payment_id desc,
  sequence desc;

-- webhooks.eventsOfPayment
select
  *
from
  (
    select
      r.*,
      sum(r.size) over (
        order by
          time desc,
          payment_id desc,
          sequence desc rows unbounded preceding
      ) - r.size as before_bytes,
      count(*) over ()::integer as found
    from
      (
        select
          e.created_time as time,
          e.payment_id,
          e.sequence,
          octet_length(e.body) as size
        from
          events e
        where
          e.app_id = $1
          and e.created_time >= $2
          and (e.created_time, e.payment_id, e.sequence) < ($3, $4, $5)
          and e.payment_id = $8
        order by
          e.sequence desc
        limit
          $6
      ) r
  ) page
where
  before_bytes + size <= $7
  or before_bytes = 0
order by
  time desc,
  payment_id desc,
  sequence desc;

-- webhooks.find
select
  e.payment_id,
  e.sequence,
  e.type,
  e.state,
  e.created_time,
  d.endpoint,
  case
    when d.status in ('ready', 'waiting', 'sending') then 'pending'
    else d.status
  end as status,
  d.tries,
  d.queued_time,
  d.due_time
from
  events e
  join deliveries d on e.app_id = d.app_id
  and e.payment_id = d.payment_id
  and e.sequence = d.sequence
where
  e.app_id = $1
  and e.payment_id = $2
  and e.sequence = $3;

-- webhooks.findEndpoint
select
  app_id,
  endpoint,
  url,
  failures,
  pauses,
  allowed,
  failing_time,
  due_time,
  disabled_time,
  last_error,
  xmin::text as version
from
  webhook_endpoints
where
  app_id = $1
  and endpoint = $2;

-- webhooks.forgetEndpoint
delete from webhook_endpoints
where
  app_id = $1
  and endpoint = $2
  and xmin::text = $3
returning
  app_id;

-- webhooks.giveUp
update deliveries d
set
  status = 'exhausted',
  due_time = null
from
  (
    select
      q.app_id,
      q.payment_id,
      q.sequence
    from
      webhook_endpoints h
      join apps a on a.app_id = h.app_id
      cross join lateral (
        select
          $1::timestamptz + a.clock_offset_ms * interval '1 millisecond' as given_up
      ) t
      cross join lateral (
        select
          r.app_id,
          r.payment_id,
          r.sequence
        from
          deliveries r
        where
          r.app_id = h.app_id
          and r.endpoint = h.endpoint
          and r.status = 'ready'
          and r.queued_time < t.given_up
        order by
          r.due_time
        limit
          $2
        for update of
          r skip locked
      ) q
    where
      h.failing_time < t.given_up
      and (
        h.due_time > $3
        or h.disabled_time is not null
      )
    limit
      $2
  ) q
where
  d.app_id = q.app_id
  and d.payment_id = q.payment_id
  and d.sequence = q.sequence
returning
  d.payment_id;

-- webhooks.grantPermit
with
  others as (
    select
      coalesce(sum(t.taken), 0) as taken,
      coalesce(sum(t.slots), 0) as slots,
      count(*) filter (
        where
          t.slots > 0
      ) as nodes
    from
      (
        select
          u.permit,
          sum(u.busy) as busy,
          coalesce(max(u.slots), 0) as slots,
          coalesce(max(u.slots), sum(u.busy)) as taken
        from
          (
            select
              split_part(s.lease_token, '.', 1) as permit,
              count(distinct s.payment_id) as busy,
              null::integer as slots
            from
              deliveries s
            where
              s.app_id = $1
              and s.endpoint = $2
              and s.status = 'sending'
            group by
              1
            union all
            select
              p.lease_token,
              0,
              p.slots
            from
              delivery_permits p
            where
              p.app_id = $1
              and p.endpoint = $2
              and p.until_time > $4
          ) u
        group by
          u.permit
      ) t
    where
      t.permit <> $3
  )
insert into
  delivery_permits as m (app_id, endpoint, lease_token, slots, until_time)
select
  $1,
  $2,
  $3,
  greatest($6::integer, least(ceil(16 / (o.nodes + 1.0)), 16 - o.slots, 20 - o.taken)),
  $5
from
  others o
where
  not exists (
    select
    from
      webhook_endpoints h
    where
      h.app_id = $1
      and h.endpoint = $2
  )
on conflict (app_id, endpoint, lease_token) do update
set
  slots = excluded.slots,
  until_time = excluded.until_time
returning
  m.slots;

-- webhooks.holdBack
with
  held as (
    update deliveries
    set
      status = 'waiting',
      due_time = $5,
      lease_token = null
    where
      app_id = $1
      and payment_id = $2
      and sequence = $3
      and lease_token = $4
    returning
      app_id,
      payment_id,
      sequence
  )
update deliveries d
set
  status = 'waiting',
  due_time = $5,
  lease_token = null
from
  held h
where
  d.app_id = h.app_id
  and d.payment_id = h.payment_id
  and d.sequence > h.sequence
  and (
    d.status = 'ready'
    or d.lease_token = $4
  );

-- webhooks.insertEndpoint
insert into
  webhook_endpoints (app_id, endpoint, url, failures, pauses, allowed, failing_time, due_time, disabled_time, last_error)
values
  ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
on conflict do nothing
returning
  app_id;

-- webhooks.lastAttempt
select
  a.start_time as time,
  a.error
from
  (
    select
      e.payment_id,
      e.sequence
    from
      events e
    where
      e.app_id = $1
    order by
      e.created_time desc,
      e.payment_id desc,
      e.sequence desc
    limit
      100
  ) e
  join delivery_attempts a on a.app_id = $1
  and a.payment_id = e.payment_id
  and a.sequence = e.sequence
order by
  a.start_time desc
limit
  1;

-- webhooks.list
select
  *
from
  (
    select
      r.*,
      sum(r.size) over (
        order by
          created_time desc,
          payment_id desc,
          sequence desc rows unbounded preceding
      ) - r.size as before_bytes,
      count(*) over ()::integer as found
    from
      (
        select
          k.*,
          400 + octet_length(k.endpoint) + tries.bytes as size
        from
          (
            select
              e.payment_id,
              e.sequence,
              e.type,
              e.state,
              e.created_time,
              d.endpoint,
              case
                when d.status in ('ready', 'waiting', 'sending') then 'pending'
                else d.status
              end as status,
              d.tries,
              d.queued_time,
              d.due_time
            from
              events e
              join deliveries d on e.app_id = d.app_id
              and e.payment_id = d.payment_id
              and e.sequence = d.sequence
            where
              e.app_id = $1
              and e.created_time >= $2
              and (e.created_time, e.payment_id, e.sequence) < ($3, $4, $5)
              and (
                $8::text[] is null
                or d.status = any ($8)
              )
            order by
              e.created_time desc,
              e.payment_id desc,
              e.sequence desc
            limit
              $6
          ) k
          cross join lateral (
            select
              coalesce(sum(200 + coalesce(octet_length(a.error), 0)), 0)::integer as bytes
            from
              (
                select
                  error
                from
                  delivery_attempts a
                where
                  a.app_id = $1
                  and a.payment_id = k.payment_id
                  and a.sequence = k.sequence
                order by
                  a.attempt desc
                limit
                  200
              ) a
          ) tries
      ) r
  ) page
where
  before_bytes + size <= $7
  or before_bytes = 0
order by
  created_time desc,
  payment_id desc,
  sequence desc;

-- webhooks.listFailed
select
  *
from
  (
    select
      r.*,
      sum(r.size) over (
        order by
          queued_time desc,
          payment_id desc,
          sequence desc rows unbounded preceding
      ) - r.size as before_bytes,
      count(*) over ()::integer as found
    from
      (
        select
          k.*,
          400 + octet_length(k.endpoint) + tries.bytes as size
        from
          (
            select
              e.payment_id,
              e.sequence,
              e.type,
              e.state,
              e.created_time,
              d.endpoint,
              case
                when d.status in ('ready', 'waiting', 'sending') then 'pending'
                else d.status
              end as status,
              d.tries,
              d.queued_time,
              d.due_time
            from
              deliveries d
              join events e on e.app_id = d.app_id
              and e.payment_id = d.payment_id
              and e.sequence = d.sequence
            where
              d.app_id = $1
              and d.queued_time >= $2
              and (d.queued_time, d.payment_id, d.sequence) < ($3, $4, $5)
              and d.status in ('exhausted', 'dropped')
              and d.status = $8
            order by
              d.queued_time desc,
              d.payment_id desc,
              d.sequence desc
            limit
              $6
          ) k
          cross join lateral (
            select
              coalesce(sum(200 + coalesce(octet_length(a.error), 0)), 0)::integer as bytes
            from
              (
                select
                  error
                from
                  delivery_attempts a
                where
                  a.app_id = $1
                  and a.payment_id = k.payment_id
                  and a.sequence = k.sequence
                order by
                  a.attempt desc
                limit
                  200
              ) a
          ) tries
      ) r
  ) page
where
  before_bytes + size <= $7
  or before_bytes = 0
order by
  queued_time desc,
  payment_id desc,
  sequence desc;

-- webhooks.listOfPayment
select
  *
from
  (
    select
      r.*,
      sum(r.size) over (
        order by
          created_time desc,
          payment_id desc,
          sequence desc rows unbounded preceding
      ) - r.size as before_bytes,
      count(*) over ()::integer as found
    from
      (
        select
          k.*,
          400 + octet_length(k.endpoint) + tries.bytes as size
        from
          (
            select
              e.payment_id,
              e.sequence,
              e.type,
              e.state,
              e.created_time,
              d.endpoint,
              case
                when d.status in ('ready', 'waiting', 'sending') then 'pending'
                else d.status
              end as status,
              d.tries,
              d.queued_time,
              d.due_time
            from
              events e
              join deliveries d on e.app_id = d.app_id
              and e.payment_id = d.payment_id
              and e.sequence = d.sequence
            where
              e.app_id = $1
              and e.created_time >= $2
              and (e.created_time, e.payment_id, e.sequence) < ($3, $4, $5)
              and (
                $8::text[] is null
                or d.status = any ($8)
              )
              and e.payment_id = $9
            order by
              e.sequence desc
            limit
              $6
          ) k
          cross join lateral (
            select
              coalesce(sum(200 + coalesce(octet_length(a.error), 0)), 0)::integer as bytes
            from
              (
                select
                  error
                from
                  delivery_attempts a
                where
                  a.app_id = $1
                  and a.payment_id = k.payment_id
                  and a.sequence = k.sequence
                order by
                  a.attempt desc
                limit
                  200
              ) a
          ) tries
      ) r
  ) page
where
  before_bytes + size <= $7
  or before_bytes = 0
order by
  created_time desc,
  payment_id desc,
  sequence desc;

-- webhooks.listPending
select
  *
from
  (
    select
      r.*,
      sum(r.size) over (
        order by
          queued_time desc,
          payment_id desc,
          sequence desc rows unbounded preceding
      ) - r.size as before_bytes,
      count(*) over ()::integer as found
    from
      (
        select
          k.*,
          400 + octet_length(k.endpoint) + tries.bytes as size
        from
          (
            select
              e.payment_id,
              e.sequence,
              e.type,
              e.state,
              e.created_time,
              d.endpoint,
              case
                when d.status in ('ready', 'waiting', 'sending') then 'pending'
                else d.status
              end as status,
              d.tries,
              d.queued_time,
              d.due_time
            from
              deliveries d
              join events e on e.app_id = d.app_id
              and e.payment_id = d.payment_id
              and e.sequence = d.sequence
            where
              d.app_id = $1
              and d.queued_time >= $2
              and (d.queued_time, d.payment_id, d.sequence) < ($3, $4, $5)
              and d.due_time is not null
            order by
              d.queued_time desc,
              d.payment_id desc,
              d.sequence desc
            limit
              $6
          ) k
          cross join lateral (
            select
              coalesce(sum(200 + coalesce(octet_length(a.error), 0)), 0)::integer as bytes
            from
              (
                select
                  error
                from
                  delivery_attempts a
                where
                  a.app_id = $1
                  and a.payment_id = k.payment_id
                  and a.sequence = k.sequence
                order by
                  a.attempt desc
                limit
                  200
              ) a
          ) tries
      ) r
  ) page
where
  before_bytes + size <= $7
  or before_bytes = 0
order by
  queued_time desc,
  payment_id desc,
  sequence desc;

-- webhooks.nextId
select
  nextval('payment_ids') as id;

-- webhooks.ready
with
  rested as (
    update deliveries d
    set
      status = 'ready'
    from
      (
        select
          app_id,
          payment_id,
          sequence
        from
          deliveries
        where
          status = 'waiting'
          and due_time <= $1
        order by
          due_time
        limit
          $2
        for update
          skip locked
      ) due
    where
      d.app_id = due.app_id
      and d.payment_id = due.payment_id
      and d.sequence = due.sequence
    returning
      d.payment_id
  ),
  lost as (
    update deliveries d
    set
      status = 'ready',
      lease_token = null
    from
      (
        select
          app_id,
          payment_id,
          sequence
        from
          deliveries
        where
          lease_token is not null
          and due_time <= $1
        order by
          due_time
        limit
          $2
        for update
          skip locked
      ) lapsed
    where
      d.app_id = lapsed.app_id
      and d.payment_id = lapsed.payment_id
      and d.sequence = lapsed.sequence
    returning
      d.payment_id
  )
select
  (
    select
      count(*)
    from
      rested
  )::integer + (
    select
      count(*)
    from
      lost
  )::integer as count;

-- webhooks.release
update deliveries d
set
  status = 'ready',
  due_time = i.now,
  lease_token = null
from
  (
    select
      *
    from
      json_to_recordset($1) as x (n integer, app_id text, payment_id bigint, sequence integer, lease_token text, now timestamptz)
    where
      n between 0 and 1000
  ) i
where
  d.app_id = i.app_id
  and d.payment_id = i.payment_id
  and d.sequence >= i.sequence
  and d.lease_token = i.lease_token
returning
  i.n;

-- webhooks.releaseHeld
update deliveries
set
  due_time = $3
where
  app_id = $1
  and status = 'waiting'
  and due_time = $2;

-- webhooks.removeOld
with
  page as (
    select
      e.created_time,
      e.payment_id,
      e.sequence,
      d.status is null as is_alone,
      d.status is null
      or d.status in ('delivered', 'dropped') as is_removed
    from
      events e
      left join deliveries d on d.app_id = e.app_id
      and d.payment_id = e.payment_id
      and d.sequence = e.sequence
    where
      e.app_id = $1
      and e.created_time < $2
      and (e.created_time, e.payment_id, e.sequence) > ($3, $4, $5)
    order by
      e.created_time,
      e.payment_id,
      e.sequence
    limit
      $6
  ),
  ended as (
    delete from deliveries x using page p
    where
      p.is_removed
      and x.app_id = $1
      and x.payment_id = p.payment_id
      and x.sequence = p.sequence
      and x.status in ('delivered', 'dropped')
    returning
      x.payment_id,
      x.sequence
  ),
  attempts as (
    delete from delivery_attempts x using ended d
    where
      x.app_id = $1
      and x.payment_id = d.payment_id
      and x.sequence = d.sequence
  ),
  told as (
    delete from events x using page p
    where
      x.app_id = $1
      and x.payment_id = p.payment_id
      and x.sequence = p.sequence
      and (
        p.is_alone
        or (p.payment_id, p.sequence) in (
          select
            payment_id,
            sequence
          from
            ended
        )
      )
  )
select
  created_time as time,
  payment_id,
  sequence,
  is_removed
from
  page
order by
  created_time,
  payment_id,
  sequence;

-- webhooks.removePermits
delete from delivery_permits
where
  until_time < $1;

-- webhooks.resend
insert into
  deliveries as d (app_id, payment_id, sequence, url, endpoint, status, queued_time, due_time)
select
  e.app_id,
  e.payment_id,
  e.sequence,
  p.webhook_url,
  left(split_part(split_part(coalesce(p.webhook_url, ''), '?', 1), '#', 1), 200),
  'ready',
  $5,
  $4
from
  events e
  left join payments p on p.app_id = e.app_id
  and p.payment_id = e.payment_id
where
  e.app_id = $1
  and e.payment_id = $2
  and e.sequence = $3
on conflict (app_id, payment_id, sequence) do update
set
  status = 'ready',
  tries = 0,
  queued_time = excluded.queued_time,
  due_time = excluded.due_time
where
  d.status <> 'sending'
returning
  d.endpoint;

-- webhooks.resendFailed
update deliveries d
set
  status = 'ready',
  tries = 0,
  queued_time = $3,
  due_time = $2
from
  (
    select
      payment_id,
      sequence
    from
      deliveries
    where
      app_id = $1
      and status in ('exhausted', 'dropped')
      and (
        $4::timestamptz is null
        or queued_time >= $4
      )
    order by
      queued_time,
      payment_id,
      sequence
    limit
      $5
    for update
      skip locked
  ) failed
where
  d.app_id = $1
  and d.payment_id = failed.payment_id
  and d.sequence = failed.sequence
returning
  d.endpoint;

-- webhooks.rotate
update apps
set
  webhook_previous_secret = webhook_secret,
  webhook_previous_until = $3,
  webhook_secret = $2,
  is_signing_enabled = true
where
  app_id = $1;

-- webhooks.setHold
update apps
set
  webhooks_held_until = $2
where
  app_id = $1
  and is_sandbox;

-- webhooks.share
select
  count(*)::integer as events,
  (
    count(*) filter (
      where
        d.attempts > 0
    )
  )::integer as tried,
  (
    count(*) filter (
      where
        d.status = 'delivered'
    )
  )::integer as acknowledged
from
  (
    select
      e.app_id,
      e.payment_id,
      e.sequence
    from
      events e
    where
      e.app_id = $1
      and e.created_time >= $2
    order by
      e.created_time desc,
      e.payment_id desc,
      e.sequence desc
    limit
      $3
  ) e
  left join deliveries d on e.app_id = d.app_id
  and e.payment_id = d.payment_id
  and e.sequence = d.sequence;

-- webhooks.shift
update deliveries
set
  due_time = due_time - $2 * interval '1 millisecond'
where
  app_id = $1
  and status = 'waiting'
  and due_time is not null;

-- webhooks.shiftEndpoints
update webhook_endpoints
set
  due_time = due_time - $2 * interval '1 millisecond'
where
  app_id = $1;

-- webhooks.stop_signing
update apps
set
  is_signing_enabled = false
where
  app_id = $1;

-- webhooks.takeTurn
select
  set_config('synchronous_commit', 'off', true),
  set_config('enable_hashjoin', 'off', true),
  set_config('enable_mergejoin', 'off', true),
  pg_advisory_xact_lock(7363266);

-- webhooks.updateEndpoint
update webhook_endpoints
set
  url = $3,
  failures = $4,
  pauses = $5,
  allowed = $6,
  failing_time = $7,
  due_time = $8,
  disabled_time = $9,
  last_error = $10
where
  app_id = $1
  and endpoint = $2
  and xmin::text = $11
returning
  app_id;
