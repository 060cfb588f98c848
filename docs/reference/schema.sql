-- The schema of a migrated database, rendered from PostgreSQL's catalogue by `npm run docs`.
-- The reasons for tables, constraints and indexes are in migrations/ and docs/decisions/.


create sequence payment_ids increment by 100 start with 10001;

create sequence webhook_endpoint_ids increment by 1 start with 1;

create table api_keys (
  app_id text not null,
  key_id text not null,
  key_hash bytea not null,
  name text not null,
  kind text not null,
  hint text not null,
  created_time timestamp with time zone not null,
  expires_time timestamp with time zone,
  revoked_time timestamp with time zone,
  last_used_time timestamp with time zone,
  created_by text,
  scopes text[],
  last_used_address text,
  told_time timestamp with time zone,
  constraint api_keys_pkey PRIMARY KEY (app_id, key_id),
  constraint api_keys_app_id_key_hash_key UNIQUE (app_id, key_hash),
  constraint api_keys_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint api_keys_address CHECK (((last_used_address IS NULL) OR (last_used_time IS NOT NULL))),
  constraint api_keys_kind_check CHECK ((kind = ANY (ARRAY['app'::text, 'license'::text]))),
  constraint api_keys_scopes CHECK (((scopes IS NULL) OR ((cardinality(scopes) >= 1) AND (cardinality(scopes) <= 20))))
);
CREATE INDEX api_keys_untold ON api_keys USING btree (created_time) WHERE ((created_by IS NOT NULL) AND (told_time IS NULL));

create table api_log_minutes (
  app_id text not null,
  minute timestamp with time zone not null,
  succeeded integer not null,
  refused integer not null,
  failed integer not null,
  left_out integer not null,
  total_ms bigint not null,
  constraint api_log_minutes_pkey PRIMARY KEY (app_id, minute),
  constraint api_log_minutes_failed_check CHECK ((failed >= 0)),
  constraint api_log_minutes_left_out_check CHECK ((left_out >= 0)),
  constraint api_log_minutes_refused_check CHECK ((refused >= 0)),
  constraint api_log_minutes_succeeded_check CHECK ((succeeded >= 0)),
  constraint api_log_minutes_total_ms_check CHECK ((total_ms >= 0))
) with (fillfactor=80);

create table app_endpoints (
  app_id text not null,
  endpoint_id integer not null,
  endpoint text not null,
  url text not null,
  auth_scheme text,
  auth_parameter bytea,
  secret bytea not null,
  previous_secret bytea,
  previous_until timestamp with time zone,
  states text[],
  is_paused boolean default false not null,
  created_time timestamp with time zone not null,
  kinds text[],
  constraint app_endpoints_pkey PRIMARY KEY (app_id, endpoint_id),
  constraint app_endpoints_app_id_endpoint_key UNIQUE (app_id, endpoint),
  constraint app_endpoints_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id) ON DELETE CASCADE,
  constraint app_endpoints_check CHECK ((endpoint = ('we_'::text || endpoint_id))),
  constraint app_endpoints_check1 CHECK (((previous_secret IS NULL) = (previous_until IS NULL))),
  constraint app_endpoints_endpoint_id_check CHECK ((endpoint_id > 0))
);

create table apps (
  app_id text not null,
  license_id text not null,
  is_sandbox boolean not null,
  is_active boolean default true not null,
  friendly_name text not null,
  created_time timestamp with time zone not null,
  payment_webhook_url text,
  webhook_auth_scheme text,
  webhook_auth_parameter bytea,
  webhook_secret bytea not null,
  default_fraud_policy_id bigint,
  checkout_methods text[] not null,
  first_capture_time timestamp with time zone,
  clock_offset_ms bigint default 0 not null,
  webhook_previous_secret bytea,
  webhook_previous_until timestamp with time zone,
  routing json,
  logo bytea,
  logo_type text,
  logo_hash text,
  color text,
  slogan1 text,
  slogan2 text,
  support text,
  terms_url text,
  privacy_url text,
  locale text,
  theme text,
  max_refunds_daily integer,
  refund_emails text[] default '{}'::text[] not null,
  time_zone text default 'UTC'::text not null,
  checkout_host text,
  two_factor_required boolean default false not null,
  require_otp_for_api_keys boolean default false not null,
  personal_data_days integer,
  is_signing_enabled boolean default true not null,
  payer_mails text[] default '{}'::text[] not null,
  team_mails text[] default '{endpoint-failing,provider-degraded,authorisations-ending,settlements,dispute}'::text[] not null,
  mail_from_name text,
  mail_reply_to text,
  team_addresses text[] default '{}'::text[] not null,
  webhooks_held_until timestamp with time zone,
  show_powered_by boolean default true not null,
  checkout_host_proven_time timestamp with time zone,
  refund_approval_above jsonb default '{}'::jsonb not null,
  retry_guard boolean default true not null,
  webhook_states text[],
  is_webhook_paused boolean default false not null,
  accept_late_payments boolean default false not null,
  statement_descriptor text,
  month_starts_on smallint default 1 not null,
  webhook_kinds text[],
  first_webhook_time timestamp with time zone,
  constraint apps_pkey PRIMARY KEY (app_id),
  constraint apps_license_id_is_sandbox_key UNIQUE (license_id, is_sandbox),
  constraint apps_default_fraud_policy FOREIGN KEY (app_id, default_fraud_policy_id) REFERENCES fraud_policies(app_id, policy_id),
  constraint apps_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(license_id),
  constraint apps_check CHECK ((is_sandbox OR (clock_offset_ms = 0))),
  constraint apps_check1 CHECK (((webhook_previous_secret IS NULL) = (webhook_previous_until IS NULL))),
  constraint apps_checkout_host_proven CHECK (((checkout_host_proven_time IS NULL) OR (checkout_host IS NOT NULL))),
  constraint apps_color_check CHECK ((color ~ '^#[0-9a-f]{6}$'::text)),
  constraint apps_logo_whole CHECK ((num_nulls(logo, logo_type, logo_hash) = ANY (ARRAY[0, 3]))),
  constraint apps_max_refunds_daily_check CHECK (((max_refunds_daily >= 0) AND (max_refunds_daily <= 1000000))),
  constraint apps_month_starts_on_check CHECK (((month_starts_on >= 1) AND (month_starts_on <= 28))),
  constraint apps_personal_data_days_check CHECK (((personal_data_days >= 30) AND (personal_data_days <= 3650))),
  constraint apps_statement_descriptor_check CHECK ((length(statement_descriptor) <= 22)),
  constraint apps_theme_check CHECK ((theme = ANY (ARRAY['light'::text, 'dark'::text]))),
  constraint apps_webhooks_held CHECK (((webhooks_held_until IS NULL) OR is_sandbox))
);
CREATE UNIQUE INDEX apps_checkout_host ON apps USING btree (checkout_host) WHERE (checkout_host IS NOT NULL);

create table assignments (
  app_id text not null,
  subject text not null,
  person_id text not null,
  assigned_time timestamp with time zone not null,
  constraint assignments_pkey PRIMARY KEY (app_id, subject),
  constraint assignments_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint assignments_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(person_id) ON DELETE CASCADE,
  constraint assignments_subject_check CHECK ((subject ~ '^(payment|customer):'::text))
);
CREATE INDEX assignments_of_person ON assignments USING btree (app_id, person_id, assigned_time, subject);
CREATE INDEX assignments_person ON assignments USING btree (person_id);

create table audit_log (
  license_id text not null,
  entry_id bigint generated always as identity not null,
  app_id text,
  entry_time timestamp with time zone not null,
  actor_kind text not null,
  actor_id text not null,
  actor_name text not null,
  action text not null,
  target text not null,
  before json,
  after json,
  address text not null,
  request_id text not null,
  constraint audit_log_pkey PRIMARY KEY (license_id, entry_id),
  constraint audit_log_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint audit_log_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(license_id),
  constraint audit_log_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['person'::text, 'key'::text, 'operator'::text, 'service'::text]))) NOT VALID
);
CREATE INDEX audit_log_by_action ON audit_log USING btree (license_id, action, entry_id);
CREATE INDEX audit_log_by_actor ON audit_log USING btree (license_id, actor_id, entry_id);
CREATE INDEX audit_log_by_target ON audit_log USING btree (license_id, target, entry_id);
CREATE INDEX audit_log_by_time ON audit_log USING btree (license_id, entry_time, entry_id);

create table backups (
  taken_time timestamp with time zone default now() not null,
  constraint backups_pkey PRIMARY KEY (taken_time)
);

create table block_entries (
  app_id text not null,
  entry_id bigint generated always as identity not null,
  kind text not null,
  match_key text not null,
  value text,
  reason text,
  customer_id text,
  payment_id bigint,
  created_time timestamp with time zone not null,
  created_by text,
  end_time timestamp with time zone,
  is_allowed boolean default false not null,
  constraint block_entries_pkey PRIMARY KEY (app_id, entry_id),
  constraint block_entries_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint block_entries_allowed_check CHECK (((NOT is_allowed) OR (kind = ANY (ARRAY['Card'::text, 'Email'::text, 'Address'::text, 'Customer'::text])))),
  constraint block_entries_kind_check CHECK ((kind = ANY (ARRAY['Card'::text, 'Email'::text, 'EmailDomain'::text, 'Address'::text, 'Customer'::text, 'Country'::text])))
);
CREATE UNIQUE INDEX block_entries_key ON block_entries USING btree (app_id, kind, match_key);
CREATE INDEX block_entries_of_customer ON block_entries USING btree (app_id, customer_id) WHERE (customer_id IS NOT NULL);

create table card_tries (
  app_id text not null,
  operation_key text not null,
  card text not null,
  currency text not null,
  amount_minor bigint not null,
  try_time timestamp with time zone not null,
  is_kept boolean default false not null,
  constraint card_tries_pkey PRIMARY KEY (app_id, operation_key),
  constraint card_tries_amount_minor_check CHECK ((amount_minor > 0))
);
CREATE INDEX card_tries_of_card ON card_tries USING btree (app_id, card, try_time DESC);
CREATE INDEX card_tries_old ON card_tries USING btree (app_id, try_time) WHERE (NOT is_kept);

create table charged_cards (
  app_id text not null,
  card text not null,
  version integer not null,
  constraint charged_cards_pkey PRIMARY KEY (app_id, card)
);

create table checkout_host_claims (
  app_id text not null,
  host text not null,
  token text not null,
  created_time timestamp with time zone not null,
  checked_time timestamp with time zone,
  due_time timestamp with time zone,
  tries integer default 0 not null,
  constraint checkout_host_claims_pkey PRIMARY KEY (app_id),
  constraint checkout_host_claims_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id)
);
CREATE INDEX checkout_host_claims_due ON checkout_host_claims USING btree (due_time) WHERE (due_time IS NOT NULL);

create table country_rollups (
  app_id text not null,
  bucket_time timestamp with time zone not null,
  currency text not null,
  profile_id bigint not null,
  outcome text not null,
  country text not null,
  payments bigint not null,
  captured_minor bigint not null,
  constraint country_rollups_pkey PRIMARY KEY (app_id, bucket_time, currency, profile_id, outcome, country),
  constraint country_rollups_outcome_check CHECK ((outcome = ANY (ARRAY['paid'::text, 'approved'::text, 'declined'::text, 'blocked'::text, 'ended'::text, 'open'::text])))
);

create table customer_activity (
  app_id text not null,
  activity_id bigint generated always as identity not null,
  customer_id text not null,
  activity_time timestamp with time zone not null,
  type text not null,
  data json,
  actor json,
  constraint customer_activity_pkey PRIMARY KEY (app_id, activity_id)
);
CREATE INDEX customer_activity_of_app ON customer_activity USING btree (app_id, activity_time);
CREATE INDEX customer_activity_of_customer ON customer_activity USING btree (app_id, customer_id, activity_time);
CREATE INDEX customer_activity_old ON customer_activity USING btree (activity_time);

create table customers (
  app_id text not null,
  customer_id text not null,
  first_name text,
  last_name text,
  email text,
  mobile_number text,
  fraud_policy_id bigint,
  is_blocked boolean default false not null,
  extras json,
  created_time timestamp with time zone not null,
  erased_time timestamp with time zone,
  constraint customers_pkey PRIMARY KEY (app_id, customer_id),
  constraint customers_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint customers_fraud_policy FOREIGN KEY (app_id, fraud_policy_id) REFERENCES fraud_policies(app_id, policy_id) ON DELETE SET NULL (fraud_policy_id)
);
CREATE INDEX customers_blocked ON customers USING btree (app_id, customer_id) WHERE is_blocked;
CREATE INDEX customers_by_time ON customers USING btree (app_id, created_time, customer_id) WHERE ((customer_id !~ '^payer-[0-9a-z]{24}$'::text) OR (first_name IS NOT NULL) OR (last_name IS NOT NULL) OR (email IS NOT NULL) OR (mobile_number IS NOT NULL));
CREATE INDEX customers_of_policy ON customers USING btree (app_id, fraud_policy_id, customer_id) WHERE (fraud_policy_id IS NOT NULL);
CREATE INDEX customers_search ON customers USING gin (array_to_tsvector(ARRAY[((app_id || ':'::text) || plain_text(customer_id)), ((app_id || ':'::text) || plain_text(first_name)), ((app_id || ':'::text) || plain_text(last_name)), ((app_id || ':'::text) || plain_text(email)), ((app_id || ':'::text) || plain_text(split_part(email, '@'::text, 2))), ((app_id || ':'::text) || COALESCE(mobile_number, ''::text))]));

create table day_rollups (
  app_id text not null,
  part text not null,
  day_time timestamp with time zone not null,
  currency text not null,
  profile_id bigint not null,
  method text not null,
  state text not null,
  flow text not null,
  reason text not null,
  country text not null,
  outcome text not null,
  payments bigint not null,
  submitted bigint not null,
  refunded bigint not null,
  customers_blocked bigint not null,
  amount_minor bigint not null,
  captured_minor bigint not null,
  refunded_minor bigint not null,
  fee_minor bigint not null,
  disputed_minor bigint not null,
  constraint day_rollups_pkey PRIMARY KEY (app_id, part, day_time, currency, profile_id, method, state, flow, reason, country, outcome),
  constraint day_rollups_part_check CHECK ((part = ANY (ARRAY['money'::text, 'standing'::text, 'country'::text])))
);

create table deliveries (
  app_id text not null,
  payment_id bigint not null,
  sequence integer not null,
  url text,
  endpoint text not null,
  status text not null,
  tries integer default 0 not null,
  attempts integer default 0 not null,
  queued_time timestamp with time zone not null,
  due_time timestamp with time zone,
  lease_token text,
  endpoint_id integer default 0 not null,
  constraint deliveries_pkey PRIMARY KEY (app_id, payment_id, sequence, endpoint_id),
  constraint deliveries_check CHECK (((status = ANY (ARRAY['ready'::text, 'waiting'::text, 'sending'::text])) = (due_time IS NOT NULL))),
  constraint deliveries_check1 CHECK (((status = 'sending'::text) = (lease_token IS NOT NULL))),
  constraint deliveries_status_check CHECK ((status = ANY (ARRAY['ready'::text, 'waiting'::text, 'sending'::text, 'delivered'::text, 'exhausted'::text, 'dropped'::text])))
) with (fillfactor=80);
CREATE INDEX deliveries_due ON deliveries USING btree (due_time) WHERE (status = 'waiting'::text);
CREATE INDEX deliveries_failed ON deliveries USING btree (app_id, queued_time, payment_id, sequence, endpoint_id) WHERE (status = ANY (ARRAY['exhausted'::text, 'dropped'::text]));
CREATE INDEX deliveries_leased ON deliveries USING btree (app_id, endpoint, due_time) WHERE (lease_token IS NOT NULL);
CREATE INDEX deliveries_pending ON deliveries USING btree (app_id, queued_time, payment_id, sequence, endpoint_id) WHERE ((due_time IS NOT NULL) AND (lease_token IS NULL));
CREATE INDEX deliveries_ready ON deliveries USING btree (app_id, endpoint, due_time, payment_id, sequence) WHERE (status = 'ready'::text);

create table delivery_attempts (
  app_id text not null,
  payment_id bigint not null,
  sequence integer not null,
  attempt integer not null,
  start_time timestamp with time zone not null,
  latency_ms integer not null,
  http_status integer,
  error text,
  response text,
  next_time timestamp with time zone,
  endpoint_id integer default 0 not null,
  constraint delivery_attempts_pkey PRIMARY KEY (app_id, payment_id, sequence, endpoint_id, attempt)
);

create table delivery_permits (
  app_id text not null,
  endpoint text not null,
  lease_token text not null,
  slots integer not null,
  until_time timestamp with time zone not null,
  constraint delivery_permits_pkey PRIMARY KEY (app_id, endpoint, lease_token),
  constraint delivery_permits_slots_check CHECK ((slots >= 0))
);
CREATE INDEX delivery_permits_until ON delivery_permits USING btree (until_time);

create table dispute_answers (
  app_id text not null,
  payment_id bigint not null,
  dispute_id text not null,
  profile_id bigint not null,
  state text not null,
  sealed bytea,
  operation_key text,
  submissions integer,
  sendings integer default 0 not null,
  due_time timestamp with time zone,
  problem text,
  saved_by text,
  saved_time timestamp with time zone,
  sent_by text,
  sent_time timestamp with time zone,
  constraint dispute_answers_pkey PRIMARY KEY (app_id, payment_id, dispute_id),
  constraint dispute_answers_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint dispute_answers_check CHECK (((state = ANY (ARRAY['submitting'::text, 'accepting'::text])) = (due_time IS NOT NULL))),
  constraint dispute_answers_check1 CHECK (((state = 'draft'::text) OR (operation_key IS NOT NULL))),
  constraint dispute_answers_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'submitting'::text, 'submitted'::text, 'accepting'::text, 'accepted'::text])))
);
CREATE INDEX dispute_answers_due ON dispute_answers USING btree (due_time) WHERE (due_time IS NOT NULL);

create table dispute_files (
  app_id text not null,
  payment_id bigint not null,
  dispute_id text not null,
  kind text not null,
  media_type text not null,
  size integer not null,
  digest bytea not null,
  sealed bytea,
  saved_by text not null,
  saved_time timestamp with time zone not null,
  constraint dispute_files_pkey PRIMARY KEY (app_id, payment_id, dispute_id, kind),
  constraint dispute_files_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint dispute_files_media_type_check CHECK ((media_type = ANY (ARRAY['application/pdf'::text, 'image/jpeg'::text, 'image/png'::text]))),
  constraint dispute_files_size_check CHECK ((size > 0))
);

create table disputes (
  app_id text not null,
  payment_id bigint not null,
  dispute_id text not null,
  state text not null,
  amount_minor bigint not null,
  currency text not null,
  profile_id bigint,
  reason text,
  due_time timestamp with time zone,
  url text,
  is_refundable boolean not null,
  opened_time timestamp with time zone not null,
  decided_time timestamp with time zone,
  notices smallint default 0 not null,
  constraint disputes_pkey PRIMARY KEY (app_id, payment_id, dispute_id),
  constraint disputes_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint disputes_amount_minor_check CHECK ((amount_minor >= 0)),
  constraint disputes_check CHECK (((decided_time IS NULL) = (state = 'open'::text))),
  constraint disputes_state_check CHECK ((state = ANY (ARRAY['open'::text, 'won'::text, 'lost'::text])))
);
CREATE INDEX disputes_by_id ON disputes USING btree (app_id, dispute_id);
CREATE INDEX disputes_by_time ON disputes USING btree (app_id, opened_time, payment_id, dispute_id);
CREATE INDEX disputes_open ON disputes USING btree (app_id, due_time) WHERE (state = 'open'::text);

create table erasures (
  app_id text not null,
  customer_id text not null,
  erased_time timestamp with time zone not null,
  due_time timestamp with time zone not null,
  constraint erasures_pkey PRIMARY KEY (app_id, customer_id)
);
CREATE INDEX erasures_due ON erasures USING btree (due_time);

create table events (
  app_id text not null,
  payment_id bigint not null,
  sequence integer not null,
  type text not null,
  state text,
  created_time timestamp with time zone not null,
  body text not null,
  last_error json,
  constraint events_pkey PRIMARY KEY (app_id, payment_id, sequence)
);
CREATE INDEX events_by_time ON events USING btree (app_id, created_time, payment_id, sequence);

create table export_choices (
  app_id text not null,
  person_id text not null,
  kind text not null,
  choice json not null,
  constraint export_choices_pkey PRIMARY KEY (app_id, person_id, kind),
  constraint export_choices_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint export_choices_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(person_id) ON DELETE CASCADE
);

create table export_parts (
  app_id text not null,
  export_id text not null,
  part integer not null,
  content bytea not null,
  constraint export_parts_pkey PRIMARY KEY (app_id, export_id, part),
  constraint export_parts_app_id_export_id_fkey FOREIGN KEY (app_id, export_id) REFERENCES exports(app_id, export_id) ON DELETE CASCADE
);

create table export_schedules (
  app_id text not null,
  schedule_id text not null,
  kind text not null,
  every text not null,
  spec json not null,
  recipients text[] not null,
  is_paused boolean default false not null,
  created_by json not null,
  created_time timestamp with time zone not null,
  next_time timestamp with time zone not null,
  constraint export_schedules_pkey PRIMARY KEY (app_id, schedule_id),
  constraint export_schedules_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint export_schedules_every_check CHECK ((every = ANY (ARRAY['day'::text, 'week'::text, 'month'::text])))
);
CREATE INDEX export_schedules_due ON export_schedules USING btree (next_time) WHERE (NOT is_paused);

create table exports (
  app_id text not null,
  export_id text not null,
  kind text not null,
  spec json not null,
  requested_by json not null,
  schedule_id text,
  period_start timestamp with time zone,
  state text not null,
  problem text,
  created_time timestamp with time zone not null,
  ended_time timestamp with time zone,
  row_count bigint default 0 not null,
  part_count integer default 0 not null,
  file_bytes bigint default 0 not null,
  stored_bytes bigint default 0 not null,
  place json,
  tries integer default 0 not null,
  due_time timestamp with time zone,
  lease_token text,
  constraint exports_pkey PRIMARY KEY (app_id, export_id),
  constraint exports_app_id_schedule_id_period_start_key UNIQUE (app_id, schedule_id, period_start),
  constraint exports_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint exports_check CHECK (((schedule_id IS NULL) = (period_start IS NULL))),
  constraint exports_check1 CHECK (((due_time IS NOT NULL) = (state = ANY (ARRAY['waiting'::text, 'running'::text])))),
  constraint exports_check2 CHECK (((ended_time IS NULL) = (state = ANY (ARRAY['waiting'::text, 'running'::text])))),
  constraint exports_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'done'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE INDEX exports_due ON exports USING btree (due_time) WHERE (due_time IS NOT NULL);
CREATE INDEX exports_ended ON exports USING btree (ended_time) WHERE (ended_time IS NOT NULL);

create table fraud_customers (
  app_id text not null,
  customer_id text not null,
  version integer not null,
  reset_time timestamp with time zone,
  constraint fraud_customers_pkey PRIMARY KEY (app_id, customer_id)
) with (fillfactor=80);

create table fraud_policies (
  app_id text not null,
  policy_id bigint generated always as identity not null,
  version integer not null,
  name text not null,
  rules json not null,
  firewall json not null,
  created_time timestamp with time zone not null,
  constraint fraud_policies_pkey PRIMARY KEY (app_id, policy_id),
  constraint fraud_policies_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id)
);

create table fraud_policy_versions (
  app_id text not null,
  policy_id bigint not null,
  version integer not null,
  change text not null,
  name text not null,
  rules json not null,
  firewall json not null,
  changed_time timestamp with time zone not null,
  changed_by text,
  changed_name text,
  constraint fraud_policy_versions_pkey PRIMARY KEY (app_id, policy_id, version),
  constraint fraud_policy_versions_change_check CHECK ((change = ANY (ARRAY['Created'::text, 'Changed'::text, 'Deleted'::text])))
);

create table fraud_verdicts (
  app_id text not null,
  payment_id bigint not null,
  attempt integer not null,
  customer_id text not null,
  verdict_time timestamp with time zone not null,
  policy_id bigint,
  policy_version integer,
  currency text not null,
  amount_minor bigint not null,
  profile_id bigint not null,
  card text,
  decision text not null,
  outcome text not null,
  checks json not null,
  constraint fraud_verdicts_pkey PRIMARY KEY (app_id, payment_id, attempt),
  constraint fraud_verdicts_decision_check CHECK ((decision = ANY (ARRAY['Accept'::text, 'Hold'::text, 'Reject'::text, 'Block'::text]))),
  constraint fraud_verdicts_outcome_check CHECK ((outcome = ANY (ARRAY['open'::text, 'paid'::text, 'declined'::text, 'ended'::text, 'rejected'::text])))
) with (fillfactor=80);
CREATE INDEX fraud_verdicts_of_customer ON fraud_verdicts USING btree (app_id, customer_id, verdict_time);
CREATE INDEX fraud_verdicts_stopped ON fraud_verdicts USING btree (app_id, verdict_time) WHERE (decision <> 'Accept'::text);

create table idempotency_keys (
  app_id text not null,
  idempotency_key text not null,
  fingerprint bytea not null,
  status integer,
  headers json,
  body text,
  created_time timestamp with time zone not null,
  locked_until timestamp with time zone not null,
  constraint idempotency_keys_pkey PRIMARY KEY (app_id, idempotency_key)
);
CREATE INDEX idempotency_keys_created ON idempotency_keys USING btree (created_time);

create table import_chunks (
  app_id text not null,
  import_id text not null,
  chunk integer not null,
  sealed bytea not null,
  constraint import_chunks_pkey PRIMARY KEY (app_id, import_id, chunk),
  constraint import_chunks_app_id_import_id_fkey FOREIGN KEY (app_id, import_id) REFERENCES imports(app_id, import_id) ON DELETE CASCADE
);

create table import_problems (
  app_id text not null,
  import_id text not null,
  line integer not null,
  problem json not null,
  constraint import_problems_pkey PRIMARY KEY (app_id, import_id, line),
  constraint import_problems_app_id_import_id_fkey FOREIGN KEY (app_id, import_id) REFERENCES imports(app_id, import_id) ON DELETE CASCADE
);

create table imports (
  app_id text not null,
  import_id text not null,
  state text not null,
  is_dry_run boolean not null,
  file_name text,
  digest bytea not null,
  requested_by json not null,
  created_time timestamp with time zone not null,
  ended_time timestamp with time zone,
  line_count integer not null,
  done_count integer default 0 not null,
  added_count integer default 0 not null,
  wrong_count integer default 0 not null,
  chunk_count integer not null,
  chunk integer default 1 not null,
  tries integer default 0 not null,
  due_time timestamp with time zone,
  lease_token text,
  reads_at_once integer default 24 not null,
  constraint imports_pkey PRIMARY KEY (app_id, import_id),
  constraint imports_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint imports_check CHECK (((due_time IS NOT NULL) = (state = ANY (ARRAY['waiting'::text, 'running'::text])))),
  constraint imports_check1 CHECK (((ended_time IS NULL) = (state = ANY (ARRAY['waiting'::text, 'running'::text])))),
  constraint imports_check2 CHECK (((done_count <= line_count) AND ((added_count + wrong_count) <= done_count))),
  constraint imports_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'done'::text, 'cancelled'::text])))
);
CREATE INDEX imports_due ON imports USING btree (due_time) WHERE (due_time IS NOT NULL);
CREATE INDEX imports_ended ON imports USING btree (ended_time) WHERE (ended_time IS NOT NULL);

create table installation_keys (
  purpose text not null,
  sealed bytea not null,
  constraint installation_keys_pkey PRIMARY KEY (purpose)
);

create table latency_rollups (
  app_id text not null,
  bucket_time timestamp with time zone not null,
  profile_id bigint not null,
  bin integer not null,
  calls bigint not null,
  constraint latency_rollups_pkey PRIMARY KEY (app_id, bucket_time, profile_id, bin)
);

create table ledger_days (
  app_id text not null,
  account text not null,
  profile_id bigint not null,
  currency text not null,
  booking_day date not null,
  amount_minor bigint not null,
  constraint ledger_days_pkey PRIMARY KEY (app_id, account, profile_id, currency, booking_day)
);

create table ledger_entries (
  app_id text not null,
  entry_id bigint not null,
  entry_key text not null,
  booking_day date not null,
  occurred_time timestamp with time zone not null,
  kind text not null,
  payment_id bigint,
  line_id bigint,
  payout_id bigint,
  late_for date,
  constraint ledger_entries_pkey PRIMARY KEY (app_id, entry_id),
  constraint ledger_entries_app_id_entry_key_key UNIQUE (app_id, entry_key),
  constraint ledger_entries_check CHECK ((late_for < booking_day)),
  constraint ledger_entries_kind_check CHECK ((kind = ANY (ARRAY['capture'::text, 'capture-failure'::text, 'refund'::text, 'refund-correction'::text, 'dispute'::text, 'dispute-reversal'::text, 'line'::text, 'unknown-line'::text, 'match'::text, 'payout'::text])))
);
CREATE INDEX ledger_entries_day ON ledger_entries USING btree (app_id, booking_day, entry_id);
CREATE INDEX ledger_entries_unknown ON ledger_entries USING btree (app_id, line_id) WHERE (kind = 'unknown-line'::text);

create table ledger_fee_progress (
  app_id text not null,
  entry_id bigint not null,
  constraint ledger_fee_progress_pkey PRIMARY KEY (app_id),
  constraint ledger_fee_progress_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id)
);

create table ledger_fees (
  app_id text not null,
  booking_day date not null,
  profile_id bigint not null,
  method text not null,
  country text not null,
  currency text not null,
  fee_minor bigint not null,
  gross_minor bigint not null,
  constraint ledger_fees_pkey PRIMARY KEY (app_id, booking_day, profile_id, method, country, currency)
);

create table ledger_months (
  app_id text not null,
  month date not null,
  closed_time timestamp with time zone not null,
  constraint ledger_months_pkey PRIMARY KEY (app_id, month),
  constraint ledger_months_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric))
);

create table ledger_payments (
  app_id text not null,
  payment_id bigint not null,
  sequence integer not null,
  profile_id bigint not null,
  currency text not null,
  captured_minor bigint not null,
  refunded_minor bigint not null,
  disputed_minor bigint not null,
  line_sales_minor bigint not null,
  line_refunds_minor bigint not null,
  line_disputes_minor bigint not null,
  constraint ledger_payments_pkey PRIMARY KEY (app_id, payment_id)
) with (fillfactor=60);

create table ledger_payouts (
  app_id text not null,
  payout_id bigint not null,
  currency text not null,
  booked_minor bigint not null,
  entries integer not null,
  constraint ledger_payouts_pkey PRIMARY KEY (app_id, payout_id)
);

create table ledger_postings (
  app_id text not null,
  entry_id bigint not null,
  place integer not null,
  account text not null,
  profile_id bigint,
  currency text not null,
  amount_minor bigint not null,
  constraint ledger_postings_pkey PRIMARY KEY (app_id, entry_id, place),
  constraint ledger_postings_account_check CHECK ((account = ANY (ARRAY['clearing'::text, 'reserves'::text, 'bank'::text, 'sales'::text, 'refunds'::text, 'fees'::text, 'disputes'::text, 'adjustments'::text, 'conversion'::text, 'differences'::text]))),
  constraint ledger_postings_amount_minor_check CHECK ((amount_minor <> 0)),
  constraint ledger_postings_check CHECK (((profile_id IS NOT NULL) = (account = ANY (ARRAY['clearing'::text, 'reserves'::text, 'fees'::text]))))
);

create table ledger_progress (
  app_id text not null,
  next_entry_id bigint default 1 not null,
  event_time timestamp with time zone not null,
  event_payment_id bigint default 0 not null,
  event_sequence integer default 0 not null,
  late_event_time timestamp with time zone not null,
  late_event_payment_id bigint default 0 not null,
  late_event_sequence integer default 0 not null,
  line_id bigint default 0 not null,
  late_line_id bigint default 0 not null,
  unknown_line_id bigint default 0 not null,
  due_time timestamp with time zone not null,
  constraint ledger_progress_pkey PRIMARY KEY (app_id),
  constraint ledger_progress_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id)
);
CREATE INDEX ledger_progress_due ON ledger_progress USING btree (due_time);

create table license_codes (
  license_id text not null,
  host text not null,
  code_hash bytea not null,
  granted_by text not null,
  created_time timestamp with time zone not null,
  constraint license_codes_pkey PRIMARY KEY (license_id, host),
  constraint license_codes_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(license_id)
);

create table license_visits (
  license_id text not null,
  person_id text not null,
  reason text not null,
  created_time timestamp with time zone not null,
  expires_time timestamp with time zone not null,
  constraint license_visits_pkey PRIMARY KEY (license_id, person_id),
  constraint license_visits_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(license_id),
  constraint license_visits_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(person_id) ON DELETE CASCADE
);
CREATE INDEX license_visits_ended ON license_visits USING btree (expires_time);
CREATE INDEX license_visits_of_person ON license_visits USING btree (person_id);

create table licenses (
  license_id text not null,
  name text not null,
  code_hash bytea not null,
  created_time timestamp with time zone not null,
  constraint licenses_pkey PRIMARY KEY (license_id)
);

create table list_columns (
  person_id text not null,
  columns text[] not null,
  constraint list_columns_pkey PRIMARY KEY (person_id),
  constraint list_columns_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(person_id) ON DELETE CASCADE,
  constraint list_columns_columns_check CHECK (((cardinality(columns) >= 1) AND (cardinality(columns) <= 50)))
);

create table log_batches (
  app_id text not null,
  kind text not null,
  last_time timestamp with time zone not null,
  batch_id bigint generated always as identity not null,
  first_time timestamp with time zone not null,
  line_count integer not null,
  keys text[] not null,
  lines bytea not null,
  constraint log_batches_pkey PRIMARY KEY (app_id, kind, last_time, batch_id),
  constraint log_batches_check CHECK ((first_time <= last_time)),
  constraint log_batches_kind_check CHECK ((kind = ANY (ARRAY['api'::text, 'provider'::text]))),
  constraint log_batches_line_count_check CHECK ((line_count > 0))
) with (toast_tuple_target=8160);
CREATE INDEX log_batches_keys ON log_batches USING gin (keys);

create table mail_days (
  app_id text not null,
  day date not null,
  count integer not null,
  constraint mail_days_pkey PRIMARY KEY (app_id, day),
  constraint mail_days_count_check CHECK ((count >= 0))
);
CREATE INDEX mail_days_day ON mail_days USING btree (day);

create table mail_opt_outs (
  app_id text not null,
  address_hash bytea not null,
  created_time timestamp with time zone not null,
  constraint mail_opt_outs_pkey PRIMARY KEY (app_id, address_hash),
  constraint mail_opt_outs_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id)
);

create table mail_walks (
  app_id text not null,
  source text not null,
  position_time timestamp with time zone not null,
  position_id bigint default 0 not null,
  position_part integer default 0 not null,
  due_time timestamp with time zone not null,
  constraint mail_walks_pkey PRIMARY KEY (app_id, source),
  constraint mail_walks_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint mail_walks_source_check CHECK ((source = ANY (ARRAY['events'::text, 'late-events'::text, 'activity'::text, 'late-activity'::text, 'cards'::text, 'authorisations'::text, 'settlements'::text])))
);
CREATE INDEX mail_walks_due ON mail_walks USING btree (due_time);

create table mails (
  app_id text not null,
  mail_id text not null,
  kind text not null,
  status text default 'waiting'::text not null,
  customer_id text,
  tries integer default 0 not null,
  queued_time timestamp with time zone not null,
  expires_time timestamp with time zone not null,
  due_time timestamp with time zone,
  lease_token text,
  ended_time timestamp with time zone,
  last_error text,
  content bytea,
  constraint mails_pkey PRIMARY KEY (app_id, mail_id),
  constraint mails_check CHECK (((status = 'waiting'::text) = (due_time IS NOT NULL))),
  constraint mails_check1 CHECK (((status = 'waiting'::text) = (content IS NOT NULL))),
  constraint mails_check2 CHECK (((status = 'waiting'::text) = (ended_time IS NULL))),
  constraint mails_check3 CHECK (((lease_token IS NULL) OR (status = 'waiting'::text))),
  constraint mails_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'sent'::text, 'failed'::text, 'dropped'::text])))
) with (fillfactor=80);
CREATE INDEX mails_due ON mails USING btree (due_time) WHERE (due_time IS NOT NULL);
CREATE INDEX mails_ended ON mails USING btree (ended_time) WHERE (ended_time IS NOT NULL);
CREATE INDEX mails_of_customer ON mails USING btree (app_id, customer_id) WHERE (due_time IS NOT NULL);

create table memberships (
  license_id text not null,
  person_id text not null,
  role text not null,
  refund_limits json,
  created_time timestamp with time zone not null,
  constraint memberships_pkey PRIMARY KEY (license_id, person_id),
  constraint memberships_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(license_id),
  constraint memberships_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(person_id) ON DELETE CASCADE,
  constraint memberships_role_check CHECK (((role = ANY (ARRAY['Owner'::text, 'Admin'::text, 'Manager'::text, 'Support'::text, 'Developer'::text, 'Finance'::text, 'Risk'::text, 'Viewer'::text])) OR (role ~~ 'role\_%'::text)))
);
CREATE INDEX memberships_of_person ON memberships USING btree (person_id);

create table method_keepings (
  app_id text not null,
  keeping_key text not null,
  customer_id text not null,
  profile_id bigint not null,
  kind text not null,
  handles json,
  consent_text text not null,
  consent_time timestamp with time zone not null,
  consent_ip text,
  created_time timestamp with time zone not null,
  constraint method_keepings_pkey PRIMARY KEY (app_id, keeping_key),
  constraint method_keepings_app_id_customer_id_fkey FOREIGN KEY (app_id, customer_id) REFERENCES customers(app_id, customer_id),
  constraint method_keepings_app_id_profile_id_fkey FOREIGN KEY (app_id, profile_id) REFERENCES payment_profiles(app_id, profile_id)
);
CREATE INDEX method_keepings_old ON method_keepings USING btree (created_time);

create table method_removals (
  app_id text not null,
  token_id bigint not null,
  profile_id bigint not null,
  token bytea not null,
  tries integer default 0 not null,
  created_time timestamp with time zone not null,
  due_time timestamp with time zone not null,
  constraint method_removals_pkey PRIMARY KEY (app_id, token_id)
);
CREATE INDEX method_removals_due ON method_removals USING btree (due_time);

create table method_storings (
  app_id text not null,
  attempt_key text not null,
  payment_id bigint not null,
  profile_id bigint not null,
  status text not null,
  tries integer default 0 not null,
  created_time timestamp with time zone not null,
  due_time timestamp with time zone,
  lease_token text,
  constraint method_storings_pkey PRIMARY KEY (app_id, attempt_key),
  constraint method_storings_check CHECK (((status = 'open'::text) = (due_time IS NOT NULL))),
  constraint method_storings_status_check CHECK ((status = ANY (ARRAY['open'::text, 'done'::text, 'refused'::text])))
) with (fillfactor=80);
CREATE INDEX method_storings_due ON method_storings USING btree (due_time) WHERE (status = 'open'::text);

create table migrations (
  name text not null,
  applied_time timestamp with time zone default now() not null,
  constraint migrations_pkey PRIMARY KEY (name)
);

create table notes (
  app_id text not null,
  note_id bigint generated always as identity not null,
  subject text not null,
  author_kind text not null,
  author_id text not null,
  author_name text not null,
  text text not null,
  created_time timestamp with time zone not null,
  constraint notes_pkey PRIMARY KEY (app_id, note_id),
  constraint notes_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint notes_subject_check CHECK ((subject ~ '^(payment|customer):'::text)),
  constraint notes_text_check CHECK (((length(text) >= 1) AND (length(text) <= 2000)))
);
CREATE INDEX notes_of_subject ON notes USING btree (app_id, subject, note_id);

create table notice_reads (
  app_id text not null,
  notice_id text not null,
  person_id text not null,
  constraint notice_reads_pkey PRIMARY KEY (app_id, notice_id, person_id),
  constraint notice_reads_app_id_notice_id_fkey FOREIGN KEY (app_id, notice_id) REFERENCES notices(app_id, notice_id) ON DELETE CASCADE,
  constraint notice_reads_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(person_id) ON DELETE CASCADE
);
CREATE INDEX notice_reads_person ON notice_reads USING btree (person_id);

create table notices (
  app_id text not null,
  notice_id text not null,
  kind text not null,
  data json not null,
  person_id text,
  caused_by text,
  created_time timestamp with time zone not null,
  constraint notices_pkey PRIMARY KEY (app_id, notice_id),
  constraint notices_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint notices_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(person_id) ON DELETE CASCADE
);
CREATE INDEX notices_newest ON notices USING btree (app_id, created_time, notice_id);
CREATE INDEX notices_old ON notices USING btree (created_time);
CREATE INDEX notices_person ON notices USING btree (person_id) WHERE (person_id IS NOT NULL);

create table oidc_identities (
  issuer text not null,
  subject text not null,
  person_id text not null,
  created_time timestamp with time zone not null,
  last_used_time timestamp with time zone not null,
  constraint oidc_identities_pkey PRIMARY KEY (issuer, subject),
  constraint oidc_identities_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(person_id) ON DELETE CASCADE
);
CREATE INDEX oidc_identities_of_person ON oidc_identities USING btree (person_id);

create table operations (
  app_id text not null,
  operation_key text not null,
  payment_id bigint not null,
  step text not null,
  attempt integer not null,
  profile_id bigint not null,
  method text,
  amount_minor bigint not null,
  status text not null,
  tries integer default 0 not null,
  created_time timestamp with time zone not null,
  closed_time timestamp with time zone,
  due_time timestamp with time zone,
  lease_token text,
  handles json,
  outcome json,
  description text,
  request_key text,
  reason text,
  constraint operations_pkey PRIMARY KEY (app_id, operation_key),
  constraint operations_open_is_due CHECK (
CASE
    WHEN (status = ANY (ARRAY['open'::text, 'waiting'::text])) THEN (due_time IS NOT NULL)
    ELSE ((due_time IS NULL) OR (status = 'not-done'::text))
END) NOT VALID,
  constraint operations_reason_check CHECK ((reason = ANY (ARRAY['duplicate'::text, 'fraudulent'::text, 'requested-by-customer'::text, 'other'::text]))),
  constraint operations_status_check CHECK ((status = ANY (ARRAY['open'::text, 'waiting'::text, 'done'::text, 'declined'::text, 'not-done'::text, 'abandoned'::text]))),
  constraint operations_step_check CHECK ((step = ANY (ARRAY['start'::text, 'resume'::text, 'charge'::text, 'capture'::text, 'cancel'::text, 'refund'::text])))
) with (fillfactor=80);
CREATE INDEX operations_due ON operations USING btree (due_time) WHERE (status = ANY (ARRAY['open'::text, 'waiting'::text]));
CREATE INDEX operations_lookup ON operations USING btree (app_id, profile_id, ((handles ->> 'lookup'::text))) WHERE ((handles ->> 'lookup'::text) IS NOT NULL);
CREATE INDEX operations_of_payment ON operations USING btree (app_id, payment_id);
CREATE UNIQUE INDEX operations_one_open ON operations USING btree (app_id, payment_id) WHERE (status = ANY (ARRAY['open'::text, 'waiting'::text]));
CREATE UNIQUE INDEX operations_request ON operations USING btree (app_id, payment_id, request_key) WHERE (request_key IS NOT NULL);
CREATE INDEX operations_second_look ON operations USING btree (due_time) WHERE ((status = 'not-done'::text) AND (due_time IS NOT NULL));

create table own_roles (
  role_id text not null,
  license_id text not null,
  name text not null,
  permissions text[] not null,
  created_time timestamp with time zone not null,
  constraint own_roles_pkey PRIMARY KEY (role_id),
  constraint own_roles_license_id_name_key UNIQUE (license_id, name),
  constraint own_roles_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(license_id) ON DELETE CASCADE,
  constraint own_roles_role_id_check CHECK ((role_id ~~ 'role\_%'::text))
);

create table page_visits (
  app_id text not null,
  payment_id bigint not null,
  day date not null,
  step text not null,
  visit_time timestamp with time zone not null,
  language text not null,
  country text,
  device text not null,
  method text,
  constraint page_visits_pkey PRIMARY KEY (app_id, payment_id, day, step),
  constraint page_visits_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
  constraint page_visits_device_check CHECK ((device = ANY (ARRAY['mobile'::text, 'desktop'::text]))),
  constraint page_visits_step_check CHECK ((step = ANY (ARRAY['opened'::text, 'chosen'::text, 'submitted'::text])))
);
CREATE INDEX page_visits_time ON page_visits USING btree (app_id, visit_time);

create table panel_sessions (
  app_id text not null,
  session_hash bytea not null,
  link_hash bytea not null,
  customer_id text not null,
  link_grant json not null,
  tries integer default 0 not null,
  expires_time timestamp with time zone not null,
  constraint panel_sessions_pkey PRIMARY KEY (app_id, session_hash),
  constraint panel_sessions_link UNIQUE (app_id, link_hash),
  constraint panel_sessions_app_id_customer_id_fkey FOREIGN KEY (app_id, customer_id) REFERENCES customers(app_id, customer_id)
);
CREATE INDEX panel_sessions_ended ON panel_sessions USING btree (expires_time);

create table passkeys (
  credential_id text not null,
  person_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  is_synced boolean not null,
  created_time timestamp with time zone not null,
  last_used_time timestamp with time zone,
  constraint passkeys_pkey PRIMARY KEY (credential_id),
  constraint passkeys_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(person_id) ON DELETE CASCADE
);
CREATE INDEX passkeys_of_person ON passkeys USING btree (person_id);

create table past_payments (
  app_id text not null,
  reference_id text not null,
  customer_id text not null,
  payment_time timestamp with time zone not null,
  currency text not null,
  amount_minor bigint not null,
  outcome text not null,
  profile_id bigint,
  constraint past_payments_pkey PRIMARY KEY (app_id, reference_id),
  constraint past_payments_app_id_customer_id_fkey FOREIGN KEY (app_id, customer_id) REFERENCES customers(app_id, customer_id),
  constraint past_payments_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint past_payments_amount_minor_check CHECK ((amount_minor > 0)),
  constraint past_payments_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint past_payments_outcome_check CHECK ((outcome = ANY (ARRAY['paid'::text, 'declined'::text])))
);
CREATE INDEX past_payments_of_customer ON past_payments USING btree (app_id, customer_id, payment_time);

create table payment_link_places (
  app_id text not null,
  link_id text not null,
  reference_id text not null,
  taken_time timestamp with time zone not null,
  held_until timestamp with time zone not null,
  constraint payment_link_places_pkey PRIMARY KEY (app_id, reference_id),
  constraint payment_link_places_app_id_link_id_fkey FOREIGN KEY (app_id, link_id) REFERENCES payment_links(app_id, link_id)
);
CREATE INDEX payment_link_places_list ON payment_link_places USING btree (app_id, link_id, taken_time, reference_id);

create table payment_links (
  app_id text not null,
  link_id text not null,
  link_key text not null,
  least_minor bigint not null,
  most_minor bigint not null,
  currency text not null,
  description text not null,
  reference_prefix text,
  maximum_payments integer,
  auto_capture boolean not null,
  return_url text,
  created_time timestamp with time zone not null,
  expiration_time timestamp with time zone,
  withdrawn_time timestamp with time zone,
  constraint payment_links_pkey PRIMARY KEY (app_id, link_id),
  constraint payment_links_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint payment_links_check CHECK ((most_minor >= least_minor)),
  constraint payment_links_least_minor_check CHECK ((least_minor > 0)),
  constraint payment_links_maximum_payments_check CHECK ((maximum_payments > 0))
);
CREATE UNIQUE INDEX payment_links_key ON payment_links USING btree (app_id, link_key);
CREATE INDEX payment_links_list ON payment_links USING btree (app_id, created_time, link_id);

create table payment_method_tokens (
  app_id text not null,
  token_id bigint generated always as identity not null,
  payment_method_id bigint not null,
  profile_id bigint not null,
  token bytea not null,
  created_time timestamp with time zone not null,
  removed_time timestamp with time zone,
  currency text,
  currency_time timestamp with time zone,
  is_forgotten boolean,
  token_hash bytea,
  constraint payment_method_tokens_pkey PRIMARY KEY (app_id, token_id),
  constraint payment_method_tokens_app_id_payment_method_id_fkey FOREIGN KEY (app_id, payment_method_id) REFERENCES payment_methods(app_id, payment_method_id),
  constraint payment_method_tokens_app_id_profile_id_fkey FOREIGN KEY (app_id, profile_id) REFERENCES payment_profiles(app_id, profile_id)
);
CREATE INDEX payment_method_tokens_by_hash ON payment_method_tokens USING btree (app_id, profile_id, token_hash) WHERE ((removed_time IS NULL) AND (token_hash IS NOT NULL));
CREATE INDEX payment_method_tokens_of_method ON payment_method_tokens USING btree (app_id, payment_method_id);
CREATE INDEX payment_method_tokens_of_profile ON payment_method_tokens USING btree (app_id, profile_id) WHERE (removed_time IS NULL);
CREATE UNIQUE INDEX payment_method_tokens_one_per_profile ON payment_method_tokens USING btree (app_id, payment_method_id, profile_id) WHERE (removed_time IS NULL);

create table payment_methods (
  app_id text not null,
  payment_method_id bigint generated always as identity not null,
  customer_id text not null,
  kind text not null,
  label text not null,
  fingerprint text,
  card json,
  nickname text,
  is_default boolean default false not null,
  verification_state text not null,
  created_time timestamp with time zone not null,
  removed_time timestamp with time zone,
  consent_text text,
  consent_time timestamp with time zone,
  consent_ip text,
  card_changed_time timestamp with time zone,
  imported_time timestamp with time zone,
  import_id text,
  constraint payment_methods_pkey PRIMARY KEY (app_id, payment_method_id),
  constraint payment_methods_app_id_customer_id_fkey FOREIGN KEY (app_id, customer_id) REFERENCES customers(app_id, customer_id),
  constraint payment_methods_kind_check CHECK ((kind = ANY (ARRAY['CreditCard'::text, 'ElectronicCheck'::text, 'Crypto'::text, 'Paypal'::text])))
);
CREATE INDEX payment_methods_of_customer ON payment_methods USING btree (app_id, customer_id);
CREATE UNIQUE INDEX payment_methods_one_default ON payment_methods USING btree (app_id, customer_id) WHERE (is_default AND (removed_time IS NULL));

create table payment_profiles (
  app_id text not null,
  profile_id bigint generated always as identity not null,
  name text not null,
  provider text not null,
  methods text[] not null,
  currency text not null,
  currencies text[],
  is_active boolean not null,
  settings bytea not null,
  webhook_key text not null,
  created_time timestamp with time zone not null,
  fees json,
  account text,
  accepted_time timestamp with time zone,
  account_methods text[],
  account_methods_time timestamp with time zone,
  constraint payment_profiles_pkey PRIMARY KEY (app_id, profile_id),
  constraint payment_profiles_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint payment_profiles_account_methods CHECK (((account_methods IS NULL) = (account_methods_time IS NULL))),
  constraint payment_profiles_methods_check CHECK ((cardinality(methods) > 0))
);
CREATE INDEX payment_profiles_by_id ON payment_profiles USING btree (profile_id);

create table payment_rollups (
  app_id text not null,
  bucket_time timestamp with time zone not null,
  currency text not null,
  profile_id bigint not null,
  method text not null,
  flow text not null,
  state text not null,
  outcome text not null,
  reason text not null,
  payments bigint not null,
  submitted bigint not null,
  refunded bigint not null,
  customers_blocked bigint not null,
  amount_minor bigint not null,
  captured_minor bigint not null,
  refunded_minor bigint not null,
  fee_minor bigint not null,
  disputed_minor bigint default 0 not null,
  constraint payment_rollups_pkey PRIMARY KEY (app_id, bucket_time, currency, profile_id, method, flow, state, outcome, reason),
  constraint payment_rollups_outcome_check CHECK ((outcome = ANY (ARRAY['paid'::text, 'approved'::text, 'declined'::text, 'blocked'::text, 'ended'::text, 'open'::text])))
);

create table payment_search (
  app_id text not null,
  payment_id bigint not null,
  version integer not null,
  state text not null,
  flow text not null,
  currency text not null,
  amount numeric not null,
  amount_minor bigint not null,
  captured_minor bigint not null,
  refunded_minor bigint not null,
  fee_minor bigint not null,
  profile_id bigint,
  method text,
  brand text,
  last4 text,
  customer_id text not null,
  reference_id text not null,
  order_id text,
  country text,
  fraud_status text not null,
  decision text,
  policy_id bigint,
  reason text,
  attempt integer not null,
  created_time timestamp with time zone not null,
  disputed_minor bigint default 0 not null,
  dispute_count smallint default 0 not null,
  constraint payment_search_pkey PRIMARY KEY (app_id, payment_id)
) with (fillfactor=80);
CREATE INDEX payment_search_by_amount ON payment_search USING btree (app_id, amount, payment_id);
CREATE INDEX payment_search_by_currency ON payment_search USING btree (app_id, currency, created_time, payment_id);
CREATE INDEX payment_search_by_customer ON payment_search USING btree (app_id, customer_id, created_time, payment_id) INCLUDE (currency, amount_minor);
CREATE INDEX payment_search_by_last4 ON payment_search USING btree (app_id, last4, created_time, payment_id) WHERE (last4 IS NOT NULL);
CREATE INDEX payment_search_by_order ON payment_search USING btree (app_id, order_id, created_time, payment_id) WHERE (order_id IS NOT NULL);
CREATE INDEX payment_search_by_policy ON payment_search USING btree (app_id, policy_id, created_time, payment_id) INCLUDE (currency, amount_minor) WHERE (policy_id IS NOT NULL);
CREATE INDEX payment_search_by_profile ON payment_search USING btree (app_id, profile_id, created_time, payment_id) WHERE (profile_id IS NOT NULL);
CREATE INDEX payment_search_by_reason ON payment_search USING btree (app_id, reason, created_time, payment_id) INCLUDE (currency, amount_minor) WHERE (reason IS NOT NULL);
CREATE INDEX payment_search_by_state ON payment_search USING btree (app_id, state, created_time, payment_id) INCLUDE (currency, amount_minor);
CREATE INDEX payment_search_by_time ON payment_search USING btree (app_id, created_time, payment_id);
CREATE INDEX payment_search_failed_charges ON payment_search USING btree (app_id, created_time, payment_id) WHERE ((flow = 'AutoPayment'::text) AND (state = 'Failed'::text));

create table payment_search_progress (
  app_id text not null,
  event_time timestamp with time zone not null,
  backfill_below bigint,
  due_time timestamp with time zone not null,
  constraint payment_search_progress_pkey PRIMARY KEY (app_id),
  constraint payment_search_progress_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id)
);
CREATE INDEX payment_search_progress_due ON payment_search_progress USING btree (due_time);

create table payments (
  app_id text not null,
  payment_id bigint not null,
  version integer not null,
  sequence integer not null,
  state text not null,
  flow text not null,
  reference_id text not null,
  payment_key text not null,
  amount_minor bigint not null,
  captured_minor bigint default 0 not null,
  refunded_minor bigint default 0 not null,
  currency text not null,
  auto_capture boolean not null,
  auto_payment text not null,
  fraud_status text not null,
  customer_id text not null,
  return_url text,
  webhook_url text,
  created_time timestamp with time zone not null,
  state_time timestamp with time zone not null,
  expiration_time timestamp with time zone,
  details json not null,
  attempt integer default 0 not null,
  attempt_key text,
  profile_id bigint,
  method text,
  payment_method_id bigint,
  token_id bigint,
  handles json,
  pay_info json,
  authorised_until timestamp with time zone,
  redirect_url text,
  failure json,
  last_error json,
  constraint payments_pkey PRIMARY KEY (app_id, payment_id),
  constraint payments_key UNIQUE (app_id, payment_key),
  constraint payments_reference UNIQUE (app_id, reference_id),
  constraint payments_amount_minor_check CHECK ((amount_minor > 0)),
  constraint payments_auto_payment_check CHECK ((auto_payment = ANY (ARRAY['None'::text, 'Register'::text, 'Use'::text]))),
  constraint payments_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint payments_failed_says_why CHECK (((state = 'Failed'::text) = (failure IS NOT NULL))),
  constraint payments_flow_check CHECK ((flow = ANY (ARRAY['HostedPage'::text, 'Direct'::text, 'ProviderHostedPage'::text, 'AutoPayment'::text]))),
  constraint payments_refunded_all CHECK (((state <> 'Refunded'::text) OR (refunded_minor = captured_minor))),
  constraint payments_state_check CHECK ((state = ANY (ARRAY['Created'::text, 'Authorized'::text, 'Authorizing'::text, 'Approved'::text, 'Capturing'::text, 'Captured'::text, 'Failed'::text, 'Disputed'::text, 'SaleInProgress'::text, 'ProviderAuthorizedHold'::text, 'Cancelling'::text, 'CapturedHold'::text, 'Refunded'::text, 'Refunding'::text]))),
  constraint payments_sums CHECK (((0 <= refunded_minor) AND (refunded_minor <= captured_minor) AND (captured_minor <= amount_minor)))
) with (fillfactor=60);
CREATE INDEX payments_of_customer ON payments USING btree (app_id, customer_id, payment_id);

create table payouts (
  app_id text not null,
  payout_id bigint generated always as identity not null,
  profile_id bigint not null,
  provider_payout_id text not null,
  amount_minor bigint,
  currency text,
  state text not null,
  payout_time timestamp with time zone not null,
  arrival_time timestamp with time zone,
  bank_reference text,
  is_changed boolean default true not null,
  sums json,
  constraint payouts_pkey PRIMARY KEY (app_id, payout_id),
  constraint payouts_app_id_profile_id_provider_payout_id_key UNIQUE (app_id, profile_id, provider_payout_id),
  constraint payouts_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'paid'::text, 'failed'::text])))
);
CREATE INDEX payouts_changed ON payouts USING btree (app_id, profile_id, payout_id) WHERE is_changed;
CREATE INDEX payouts_time ON payouts USING btree (app_id, payout_time, payout_id);

create table pending_sign_ins (
  token_hash bytea not null,
  person_id text not null,
  tries integer default 0 not null,
  expires_time timestamp with time zone not null,
  constraint pending_sign_ins_pkey PRIMARY KEY (token_hash),
  constraint pending_sign_ins_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(person_id) ON DELETE CASCADE
);
CREATE INDEX pending_sign_ins_ended ON pending_sign_ins USING btree (expires_time);
CREATE INDEX pending_sign_ins_of_person ON pending_sign_ins USING btree (person_id);

create table people (
  person_id text not null,
  email text not null,
  name text not null,
  password_hash text,
  totp_secret bytea,
  totp_enabled_time timestamp with time zone,
  totp_last_step bigint default 0 not null,
  recovery_codes bytea[] default '{}'::bytea[] not null,
  theme text,
  language text,
  time_zone text,
  has_shortcuts boolean default true not null,
  is_operator boolean default false not null,
  is_disabled boolean default false not null,
  created_time timestamp with time zone not null,
  last_seen_time timestamp with time zone,
  verified_time timestamp with time zone,
  access_version integer default 0 not null,
  constraint people_pkey PRIMARY KEY (person_id),
  constraint people_email UNIQUE (email),
  constraint people_check CHECK (((totp_enabled_time IS NULL) OR (totp_secret IS NOT NULL))),
  constraint people_theme_check CHECK ((theme = ANY (ARRAY['light'::text, 'dark'::text])))
);

create table person_links (
  link_hash bytea not null,
  link_id text not null,
  kind text not null,
  email text not null,
  license_id text,
  role text,
  refund_limits json,
  person_id text,
  created_by text,
  created_time timestamp with time zone not null,
  expires_time timestamp with time zone not null,
  used_time timestamp with time zone,
  maker_id text,
  is_mailed boolean default false not null,
  constraint person_links_pkey PRIMARY KEY (link_hash),
  constraint person_links_id UNIQUE (link_id),
  constraint person_links_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(license_id),
  constraint person_links_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(person_id) ON DELETE CASCADE,
  constraint person_links_check CHECK (
CASE
    WHEN (kind = 'invitation'::text) THEN ((license_id IS NOT NULL) AND (role IS NOT NULL))
    ELSE (person_id IS NOT NULL)
END),
  constraint person_links_kind_check CHECK ((kind = ANY (ARRAY['invitation'::text, 'password-reset'::text, 'second-factor-reset'::text, 'owner-restore'::text]))),
  constraint person_links_role_check CHECK (((role = ANY (ARRAY['Owner'::text, 'Admin'::text, 'Manager'::text, 'Support'::text, 'Developer'::text, 'Finance'::text, 'Risk'::text, 'Viewer'::text])) OR (role ~~ 'role\_%'::text)))
);
CREATE INDEX person_links_by_email ON person_links USING btree (email) WHERE (used_time IS NULL);
CREATE INDEX person_links_ended ON person_links USING btree (expires_time);
CREATE INDEX person_links_of_license ON person_links USING btree (license_id) WHERE (used_time IS NULL);
CREATE INDEX person_links_of_maker ON person_links USING btree (maker_id) WHERE (used_time IS NULL);
CREATE INDEX person_links_of_person ON person_links USING btree (person_id) WHERE (used_time IS NULL);

create table person_networks (
  person_id text not null,
  network text not null,
  last_used_time timestamp with time zone not null,
  constraint person_networks_pkey PRIMARY KEY (person_id, network),
  constraint person_networks_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(person_id) ON DELETE CASCADE
);
CREATE INDEX person_networks_old ON person_networks USING btree (last_used_time);

create table person_refunds (
  app_id text not null,
  payment_id bigint not null,
  request_key text not null,
  license_id text not null,
  person_id text not null,
  currency text not null,
  amount_minor bigint not null,
  day date not null,
  created_time timestamp with time zone not null,
  constraint person_refunds_pkey PRIMARY KEY (app_id, payment_id, request_key),
  constraint person_refunds_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint person_refunds_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(license_id),
  constraint person_refunds_amount_minor_check CHECK ((amount_minor > 0))
);
CREATE INDEX person_refunds_of_day ON person_refunds USING btree (license_id, person_id, currency, day);
CREATE INDEX person_refunds_old ON person_refunds USING btree (created_time);

create table person_sessions (
  token_hash bytea not null,
  session_id text not null,
  person_id text not null,
  created_time timestamp with time zone not null,
  last_seen_time timestamp with time zone not null,
  expires_time timestamp with time zone not null,
  end_time timestamp with time zone not null,
  proven_time timestamp with time zone not null,
  address text not null,
  user_agent text not null,
  constraint person_sessions_pkey PRIMARY KEY (token_hash),
  constraint person_sessions_id UNIQUE (session_id),
  constraint person_sessions_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(person_id) ON DELETE CASCADE,
  constraint person_sessions_check CHECK ((expires_time <= end_time))
);
CREATE INDEX person_sessions_ended ON person_sessions USING btree (expires_time);
CREATE INDEX person_sessions_of_person ON person_sessions USING btree (person_id);

create table profile_health (
  app_id text not null,
  profile_id bigint not null,
  failures integer not null,
  due_time timestamp with time zone not null,
  diagnosis json not null,
  constraint profile_health_pkey PRIMARY KEY (app_id, profile_id),
  constraint profile_health_app_id_profile_id_fkey FOREIGN KEY (app_id, profile_id) REFERENCES payment_profiles(app_id, profile_id)
);

create table profile_notifications (
  app_id text not null,
  profile_id bigint not null,
  last_time timestamp with time zone not null,
  constraint profile_notifications_pkey PRIMARY KEY (app_id, profile_id),
  constraint profile_notifications_app_id_profile_id_fkey FOREIGN KEY (app_id, profile_id) REFERENCES payment_profiles(app_id, profile_id)
);

create table provider_errors (
  app_id text not null,
  start_time timestamp with time zone not null,
  line_id bigint generated always as identity not null,
  profile_id bigint not null,
  payment_id bigint,
  step text not null,
  method text not null,
  url text not null,
  outcome text not null,
  status integer,
  ms bigint not null,
  constraint provider_errors_pkey PRIMARY KEY (app_id, start_time, line_id),
  constraint provider_errors_check CHECK (((outcome = 'reply'::text) = (status IS NOT NULL))),
  constraint provider_errors_ms_check CHECK ((ms >= 0)),
  constraint provider_errors_outcome_check CHECK ((outcome = ANY (ARRAY['reply'::text, 'not-sent'::text, 'timeout'::text, 'connection-lost'::text, 'unreadable-reply'::text])))
);
CREATE INDEX provider_errors_of_profile ON provider_errors USING btree (app_id, profile_id, start_time);

create table provider_movements (
  app_id text not null,
  attempt_key text not null,
  movement text not null,
  received_time timestamp with time zone not null,
  sealed bytea not null,
  constraint provider_movements_pkey PRIMARY KEY (app_id, attempt_key, movement)
);

create table provider_notifications (
  app_id text not null,
  profile_id bigint not null,
  digest bytea not null,
  received_time timestamp with time zone not null,
  headers json,
  url text,
  body bytea,
  status text not null,
  tries integer default 0 not null,
  due_time timestamp with time zone,
  hints json,
  is_unmatched boolean default false not null,
  constraint provider_notifications_pkey PRIMARY KEY (app_id, profile_id, digest),
  constraint provider_notifications_check CHECK (((status = 'new'::text) = (due_time IS NOT NULL))),
  constraint provider_notifications_status_check CHECK ((status = ANY (ARRAY['new'::text, 'done'::text, 'forged'::text, 'ignored'::text, 'exhausted'::text]))) NOT VALID
);
CREATE INDEX provider_notifications_blank_due ON provider_notifications USING btree (received_time) WHERE ((status <> 'new'::text) AND (body IS NOT NULL));
CREATE INDEX provider_notifications_due ON provider_notifications USING btree (due_time) WHERE (status = 'new'::text);
CREATE INDEX provider_notifications_ended ON provider_notifications USING btree (received_time) WHERE (status <> 'new'::text);
CREATE INDEX provider_notifications_unmatched ON provider_notifications USING btree (app_id, profile_id, received_time) WHERE (is_unmatched AND (status = 'new'::text));

create table refund_approvals (
  approval_id text not null,
  app_id text not null,
  payment_id bigint not null,
  currency text not null,
  amount_minor bigint not null,
  reason text,
  asked_by text not null,
  asked_name text not null,
  asked_time timestamp with time zone not null,
  state text default 'open'::text not null,
  decided_by text,
  decided_name text,
  decided_time timestamp with time zone,
  constraint refund_approvals_pkey PRIMARY KEY (approval_id),
  constraint refund_approvals_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id) ON DELETE CASCADE,
  constraint refund_approvals_check CHECK (((state = 'open'::text) = (decided_time IS NULL))),
  constraint refund_approvals_state_check CHECK ((state = ANY (ARRAY['open'::text, 'approved'::text, 'refused'::text])))
);
CREATE INDEX refund_approvals_newest ON refund_approvals USING btree (app_id, asked_time DESC, approval_id);
CREATE UNIQUE INDEX refund_approvals_open ON refund_approvals USING btree (app_id, payment_id) WHERE (state = 'open'::text);

create table refund_counts (
  app_id text not null,
  day date not null,
  refunds integer not null,
  constraint refund_counts_pkey PRIMARY KEY (app_id),
  constraint refund_counts_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint refund_counts_refunds_check CHECK ((refunds >= 0))
) with (fillfactor=50);

create table refunds (
  app_id text not null,
  payment_id bigint not null,
  refund_id text not null,
  amount_minor bigint not null,
  state text not null,
  description text,
  created_time timestamp with time zone not null,
  reason text,
  constraint refunds_pkey PRIMARY KEY (app_id, payment_id, refund_id),
  constraint refunds_amount_minor_check CHECK ((amount_minor > 0)),
  constraint refunds_reason_check CHECK ((reason = ANY (ARRAY['duplicate'::text, 'fraudulent'::text, 'requested-by-customer'::text, 'other'::text]))),
  constraint refunds_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'done'::text, 'failed'::text])))
);
CREATE INDEX refunds_by_time ON refunds USING btree (app_id, created_time, payment_id, refund_id);

create table retention_walks (
  app_id text not null,
  after_customer_id text default ''::text not null,
  due_time timestamp with time zone not null,
  constraint retention_walks_pkey PRIMARY KEY (app_id),
  constraint retention_walks_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id)
);
CREATE INDEX retention_walks_due ON retention_walks USING btree (due_time);

create table rollup_queue (
  app_id text not null,
  bucket_time timestamp with time zone not null,
  due_time timestamp with time zone not null,
  constraint rollup_queue_pkey PRIMARY KEY (app_id, bucket_time)
);
CREATE INDEX rollup_queue_due ON rollup_queue USING btree (due_time);

create table saved_views (
  person_id text not null,
  app_id text not null,
  name text not null,
  query text not null,
  created_time timestamp with time zone not null,
  is_shared boolean default false not null,
  constraint saved_views_pkey PRIMARY KEY (person_id, app_id, name),
  constraint saved_views_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint saved_views_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(person_id) ON DELETE CASCADE
);
CREATE INDEX saved_views_app ON saved_views USING btree (app_id);

create table settlement_exceptions (
  app_id text not null,
  exception_id bigint generated always as identity not null,
  profile_id bigint not null,
  kind text not null,
  payment_id bigint,
  line_id bigint,
  payout_id bigint,
  subject text not null,
  details json not null,
  opened_time timestamp with time zone not null,
  closed_time timestamp with time zone,
  closed_by text,
  reason text,
  constraint settlement_exceptions_pkey PRIMARY KEY (app_id, exception_id),
  constraint settlement_exceptions_kind_check CHECK ((kind = ANY (ARRAY['missing'::text, 'unknown'::text, 'amount'::text, 'currency'::text, 'doubled'::text, 'unseen'::text, 'fee'::text, 'payout'::text, 'unpaid'::text])))
);
CREATE INDEX settlement_exceptions_age ON settlement_exceptions USING btree (opened_time) WHERE (closed_time IS NULL);
CREATE INDEX settlement_exceptions_closed ON settlement_exceptions USING btree (app_id, kind, exception_id) WHERE (closed_time IS NOT NULL);
CREATE INDEX settlement_exceptions_kind ON settlement_exceptions USING btree (app_id, kind, exception_id) INCLUDE (opened_time) WHERE (closed_time IS NULL);
CREATE INDEX settlement_exceptions_list ON settlement_exceptions USING btree (app_id, ((closed_time IS NULL)), exception_id);
CREATE UNIQUE INDEX settlement_exceptions_open ON settlement_exceptions USING btree (app_id, profile_id, kind, subject) WHERE (closed_time IS NULL);
CREATE INDEX settlement_exceptions_opened ON settlement_exceptions USING btree (app_id, opened_time);
CREATE INDEX settlement_exceptions_payment ON settlement_exceptions USING btree (app_id, payment_id, exception_id) WHERE (payment_id IS NOT NULL);
CREATE INDEX settlement_exceptions_subject ON settlement_exceptions USING btree (app_id, profile_id, kind, subject);

create table settlement_keys (
  app_id text not null,
  profile_id bigint not null,
  key text not null,
  payment_id bigint not null,
  attempt integer not null,
  refund_id text,
  constraint settlement_keys_pkey PRIMARY KEY (app_id, profile_id, key, payment_id)
);

create table settlement_lines (
  app_id text not null,
  line_id bigint generated always as identity not null,
  profile_id bigint not null,
  provider_line_id text not null,
  report_id bigint not null,
  kind text not null,
  provider_ids text[] not null,
  reference text,
  gross_minor bigint not null,
  currency text not null,
  fee_minor bigint,
  net_minor bigint,
  settlement_currency text,
  rate text,
  line_time timestamp with time zone not null,
  received_time timestamp with time zone not null,
  payout_id bigint,
  constraint settlement_lines_pkey PRIMARY KEY (app_id, line_id),
  constraint settlement_lines_app_id_profile_id_provider_line_id_key UNIQUE (app_id, profile_id, provider_line_id)
);
CREATE INDEX settlement_lines_payout ON settlement_lines USING btree (app_id, payout_id, line_time, line_id) WHERE (payout_id IS NOT NULL);
CREATE INDEX settlement_lines_time ON settlement_lines USING btree (app_id, line_time, line_id);

create table settlement_matches (
  app_id text not null,
  line_id bigint not null,
  payment_id bigint not null,
  match text not null,
  attempt integer,
  refund_id text,
  constraint settlement_matches_pkey PRIMARY KEY (app_id, line_id),
  constraint settlement_matches_match_check CHECK ((match = ANY (ARRAY['exact'::text, 'suggested'::text])))
);
CREATE INDEX settlement_matches_payment ON settlement_matches USING btree (app_id, payment_id);

create table settlement_progress (
  app_id text not null,
  from_time timestamp with time zone not null,
  event_time timestamp with time zone not null,
  payment_id bigint not null,
  sequence integer not null,
  due_time timestamp with time zone not null,
  late_event_time timestamp with time zone not null,
  late_payment_id bigint default 0 not null,
  late_sequence integer default 0 not null,
  constraint settlement_progress_pkey PRIMARY KEY (app_id),
  constraint settlement_progress_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id)
);
CREATE INDEX settlement_progress_due ON settlement_progress USING btree (due_time);

create table settlement_reports (
  app_id text not null,
  report_id bigint generated always as identity not null,
  profile_id bigint not null,
  source text not null,
  digest bytea not null,
  line_count integer not null,
  bad_rows json,
  received_time timestamp with time zone not null,
  file_name text,
  from_time timestamp with time zone,
  until_time timestamp with time zone,
  constraint settlement_reports_pkey PRIMARY KEY (app_id, report_id),
  constraint settlement_reports_app_id_profile_id_digest_key UNIQUE (app_id, profile_id, digest),
  constraint settlement_reports_source_check CHECK ((source = ANY (ARRAY['api'::text, 'file'::text])))
);

create table settlement_rows (
  app_id text not null,
  line_id bigint not null,
  received_time timestamp with time zone not null,
  sealed bytea not null,
  report_id bigint,
  constraint settlement_rows_pkey PRIMARY KEY (app_id, line_id)
);
CREATE INDEX settlement_rows_age ON settlement_rows USING brin (received_time);

create table settlement_sources (
  app_id text not null,
  profile_id bigint not null,
  is_active boolean not null,
  begin_time timestamp with time zone not null,
  covered_until timestamp with time zone,
  unpaid_until timestamp with time zone not null,
  read_until timestamp with time zone,
  window_until timestamp with time zone,
  page_cursor text,
  tries integer default 0 not null,
  due_time timestamp with time zone,
  lease_token text,
  last_read_time timestamp with time zone,
  problem json,
  constraint settlement_sources_pkey PRIMARY KEY (app_id, profile_id),
  constraint settlement_sources_app_id_profile_id_fkey FOREIGN KEY (app_id, profile_id) REFERENCES payment_profiles(app_id, profile_id)
);
CREATE INDEX settlement_sources_due ON settlement_sources USING btree (due_time) WHERE is_active;

create table settlement_states (
  app_id text not null,
  payment_id bigint not null,
  profile_id bigint not null,
  state text not null,
  payout_id bigint,
  difference_minor bigint not null,
  due_time timestamp with time zone,
  constraint settlement_states_pkey PRIMARY KEY (app_id, payment_id),
  constraint settlement_states_state_check CHECK ((state = ANY (ARRAY['unsettled'::text, 'settled'::text, 'difference'::text])))
);
CREATE INDEX settlement_states_due ON settlement_states USING btree (app_id, profile_id, due_time) WHERE (due_time IS NOT NULL);

create table settlement_waiting (
  app_id text not null,
  profile_id bigint not null,
  line_id bigint not null,
  tries integer default 0 not null,
  due_time timestamp with time zone not null,
  constraint settlement_waiting_pkey PRIMARY KEY (app_id, line_id)
);
CREATE INDEX settlement_waiting_due ON settlement_waiting USING btree (app_id, due_time);

create table sign_in_throttles (
  subject_hash bytea not null,
  failures integer not null,
  next_time timestamp with time zone not null,
  changed_time timestamp with time zone not null,
  constraint sign_in_throttles_pkey PRIMARY KEY (subject_hash)
);
CREATE INDEX sign_in_throttles_old ON sign_in_throttles USING btree (changed_time);

create table timers (
  app_id text not null,
  payment_id bigint not null,
  due_time timestamp with time zone not null,
  tries integer default 0 not null,
  constraint timers_pkey PRIMARY KEY (app_id, payment_id)
);
CREATE INDEX timers_due ON timers USING btree (due_time);

create table undos (
  app_id text not null,
  attempt_key text not null,
  payment_id bigint not null,
  attempt integer not null,
  profile_id bigint not null,
  method text not null,
  handles json,
  status text not null,
  result text,
  tries integer default 0 not null,
  created_time timestamp with time zone not null,
  closed_time timestamp with time zone,
  due_time timestamp with time zone,
  lease_token text,
  outcome json,
  constraint undos_pkey PRIMARY KEY (app_id, attempt_key),
  constraint undos_check CHECK (((status = 'open'::text) = (due_time IS NOT NULL))),
  constraint undos_check1 CHECK (((status = 'done'::text) = (result IS NOT NULL))),
  constraint undos_result_check CHECK ((result = ANY (ARRAY['nothing'::text, 'closed'::text, 'voided'::text, 'refunded'::text]))),
  constraint undos_status_check CHECK ((status = ANY (ARRAY['open'::text, 'done'::text, 'refused'::text])))
) with (fillfactor=80);
CREATE INDEX undos_by_time ON undos USING btree (app_id, created_time) WHERE (handles IS NOT NULL);
CREATE INDEX undos_due ON undos USING btree (due_time) WHERE (status = 'open'::text);
CREATE INDEX undos_of_payment ON undos USING btree (app_id, payment_id);

create table used_challenges (
  challenge_hash bytea not null,
  expires_time timestamp with time zone not null,
  constraint used_challenges_pkey PRIMARY KEY (challenge_hash)
);
CREATE INDEX used_challenges_ended ON used_challenges USING btree (expires_time);

create table visit_rollups (
  app_id text not null,
  bucket_time timestamp with time zone not null,
  opened bigint not null,
  chosen bigint not null,
  constraint visit_rollups_pkey PRIMARY KEY (app_id, bucket_time),
  constraint visit_rollups_chosen_check CHECK ((chosen >= 0)),
  constraint visit_rollups_opened_check CHECK ((opened >= 0))
);

create table webhook_endpoints (
  app_id text not null,
  endpoint text not null,
  url text not null,
  failures integer not null,
  pauses integer not null,
  allowed integer not null,
  failing_time timestamp with time zone not null,
  due_time timestamp with time zone,
  disabled_time timestamp with time zone,
  last_error text not null,
  constraint webhook_endpoints_pkey PRIMARY KEY (app_id, endpoint),
  constraint webhook_endpoints_allowed_check CHECK ((allowed > 0))
);

create schema sandbox_bank;

create table sandbox_bank.accounts (
  account text not null,
  version integer not null,
  clock_offset_ms bigint not null,
  faults json not null,
  constraint accounts_pkey PRIMARY KEY (account),
  constraint accounts_clock_offset_ms_check CHECK ((clock_offset_ms >= 0))
);

create table sandbox_bank.ledger (
  account text not null,
  payment_id text not null,
  entry integer not null,
  kind text not null,
  amount_minor bigint not null,
  status text not null,
  operation_key text not null,
  entry_time timestamp with time zone not null,
  constraint ledger_pkey PRIMARY KEY (account, payment_id, entry),
  constraint ledger_amount_minor_check CHECK ((amount_minor >= 0)),
  constraint ledger_kind_check CHECK ((kind = ANY (ARRAY['authorise'::text, 'sale'::text, 'capture'::text, 'void'::text, 'refund'::text]))),
  constraint ledger_status_check CHECK ((status = ANY (ARRAY['done'::text, 'pending'::text, 'declined'::text])))
);

create table sandbox_bank.lines (
  account text not null,
  line_id text not null,
  shop text not null,
  kind text not null,
  payment_id text,
  movement_id text,
  reference text,
  amount_minor bigint not null,
  fee_minor bigint not null,
  currency text not null,
  line_time timestamp with time zone not null,
  available_time timestamp with time zone not null,
  first_time timestamp with time zone not null,
  report_time timestamp with time zone not null,
  payout_id text,
  lie text,
  recorded_time timestamp with time zone not null,
  constraint lines_pkey PRIMARY KEY (account, line_id),
  constraint lines_check CHECK (((kind = 'payout'::text) = (payment_id IS NULL))),
  constraint lines_check1 CHECK (((kind <> 'payout'::text) OR (payout_id = line_id))),
  constraint lines_kind_check CHECK ((kind = ANY (ARRAY['sale'::text, 'refund'::text, 'dispute'::text, 'dispute-reversal'::text, 'return'::text, 'reserve'::text, 'payout'::text]))),
  constraint lines_lie_check CHECK ((lie = ANY (ARRAY['missing'::text, 'doubled'::text, 'altered'::text, 'currency'::text])))
) with (fillfactor=80);
CREATE INDEX lines_recorded ON sandbox_bank.lines USING btree (recorded_time);
CREATE INDEX lines_report ON sandbox_bank.lines USING btree (account, shop, report_time, line_id);
CREATE INDEX lines_unpaid ON sandbox_bank.lines USING btree (account, available_time) WHERE (payout_id IS NULL);

create table sandbox_bank.notifications (
  account text not null,
  notification_id bigint generated always as identity not null,
  url text not null,
  body text not null,
  is_forged boolean not null,
  tries integer default 0 not null,
  due_time timestamp with time zone not null,
  constraint notifications_pkey PRIMARY KEY (account, notification_id)
) with (fillfactor=80);
CREATE INDEX notifications_due ON sandbox_bank.notifications USING btree (due_time);

create table sandbox_bank.payments (
  account text not null,
  payment_id text not null,
  version integer not null,
  reference text not null,
  status text not null,
  amount_minor bigint not null,
  captured_minor bigint not null,
  refunded_minor bigint not null,
  currency text not null,
  due_time timestamp with time zone,
  document json not null,
  opened_time timestamp with time zone default now() not null,
  settled_version integer default 0 not null,
  constraint payments_pkey PRIMARY KEY (account, payment_id),
  constraint payments_reference UNIQUE (account, reference),
  constraint payments_amount_minor_check CHECK ((amount_minor > 0)),
  constraint payments_status_check CHECK ((status = ANY (ARRAY['needs-customer'::text, 'approved'::text, 'in-review'::text, 'processing'::text, 'authorised'::text, 'captured'::text, 'declined'::text, 'cancelled'::text, 'expired'::text]))),
  constraint payments_sums CHECK (((0 <= refunded_minor) AND (refunded_minor <= captured_minor) AND (captured_minor <= amount_minor)))
) with (fillfactor=80);
CREATE INDEX payments_due ON sandbox_bank.payments USING btree (due_time) WHERE (due_time IS NOT NULL);
CREATE INDEX payments_opened ON sandbox_bank.payments USING btree (opened_time);

create table sandbox_bank.requests (
  account text not null,
  request_key text not null,
  fingerprint text not null,
  status integer not null,
  answer text not null,
  answered_time timestamp with time zone default now() not null,
  constraint requests_pkey PRIMARY KEY (account, request_key)
);
CREATE INDEX requests_answered ON sandbox_bank.requests USING btree (answered_time);

create table sandbox_bank.secret (
  only_row boolean default true not null,
  sealed bytea not null,
  constraint secret_pkey PRIMARY KEY (only_row),
  constraint secret_only_row_check CHECK (only_row)
);

create table sandbox_bank.settlements (
  account text not null,
  time_zone text not null,
  paid_until timestamp with time zone,
  payout_count integer default 0 not null,
  told_count integer default 0 not null,
  reported json default '{}'::json not null,
  faults json default '[]'::json not null,
  constraint settlements_pkey PRIMARY KEY (account)
);

create table sandbox_bank.stored_methods (
  account text not null,
  token text not null,
  document json not null,
  is_forgotten boolean default false not null,
  version integer default 0 not null,
  constraint stored_methods_pkey PRIMARY KEY (account, token)
);
