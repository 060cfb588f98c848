-- Problems of payments and diagnoses of profiles are stored as codes with their values instead of sentences.
-- What is shown does not depend on the wording of the day on which a row was written. A sentence that is not
-- known is kept as the code `text`.

create function problem_of_sentence(message text) returns json language plpgsql as $$
declare
  parts text[];
  known record;
begin
  select code, value into known from (values
    ('declined', 'generic', 'The payment was declined.'),
    ('declined', 'insufficient-funds', 'The account does not have enough money.'),
    ('declined', 'lost-card', 'The card is reported lost.'),
    ('declined', 'stolen-card', 'The card is reported stolen.'),
    ('declined', 'expired-card', 'The card has expired.'),
    ('declined', 'incorrect-number', 'The card number is not valid.'),
    ('declined', 'incorrect-cvc', 'The security code is wrong.'),
    ('declined', 'incorrect-address', 'The address does not match the card.'),
    ('declined', 'limit-exceeded', 'The amount exceeds a limit of the card or account.'),
    ('declined', 'card-not-supported', 'The card is not supported.'),
    ('declined', 'currency-not-supported', 'The currency is not supported.'),
    ('declined', 'authentication-required', 'The bank wants the customer to confirm the payment.'),
    ('declined', 'authentication-failed', 'The customer could not be authenticated.'),
    ('declined', 'suspected-fraud', 'The bank suspects fraud.'),
    ('declined', 'blocked', 'The provider blocked the payment.'),
    ('declined', 'do-not-honour', 'The customer''s bank declined without a reason.'),
    ('declined', 'issuer-unavailable', 'The customer''s bank could not be reached.'),
    ('declined', 'processing-error', 'The provider could not process the payment. Nothing was charged.'),
    ('declined', 'account-closed', 'The bank account is closed.'),
    ('declined', 'no-account', 'The bank account does not exist.'),
    ('declined', 'debit-not-authorised', 'The customer did not authorise the debit.'),
    ('declined', 'mandate-revoked', 'The customer withdrew the permission to debit.'),
    ('declined', 'method-removed', 'The stored method no longer exists at the provider.'),
    ('declined', 'duplicate', 'The provider took it for a duplicate.'),
    ('declined', 'customer-cancelled', 'The customer cancelled.'),
    ('declined', 'expired', 'The customer did not finish in time.'),
    ('declined', 'underpaid', 'Less than the amount was paid.'),
    ('not-done', 'not-sent', 'The provider could not be reached. Nothing was charged.'),
    ('not-done', 'bad-request', 'The provider did not accept the request.'),
    ('not-done', 'bad-credentials', 'The provider did not accept the profile''s credentials.'),
    ('not-done', 'rate-limited', 'The provider was asked too often. Nothing was charged.'),
    ('not-done', 'unsupported', 'The provider cannot do this.'),
    ('not-done', 'not-found', 'The provider does not know the payment.'),
    ('not-done', 'wrong-state', 'The payment is not in a state for this at the provider.'),
    ('link-expired', null, 'The payment link expired before it was paid.'),
    ('cancelled', null, 'The payment was cancelled.'),
    ('stopped', null, 'The payment was stopped by a fraud rule.'),
    ('unreached', null, 'The payment did not reach the provider. Nothing was charged.'),
    ('cancelled-there', null, 'The payment was cancelled at the provider. Nothing was charged.'),
    ('authorisation-expired', null, 'The authorisation expired before it was captured.'),
    ('voided-there', null, 'The authorisation was voided at the provider.'),
    ('bank-return', null, 'bank_return'),
    ('capture-given-up', null, 'The capture failed, and the provider did not capture again in time.'),
    ('no-reason', null, 'the provider gives no reason.'),
    ('not-returned', null, 'the provider could not return the money.')
  ) as sentences (code, value, sentence) where sentence = message;
  if found then
    return json_strip_nulls(json_build_object('code', known.code,
      'reason', case when known.code = 'declined' then known.value end,
      'why', case when known.code = 'not-done' then known.value end));
  end if;

  -- The provider's own text, in brackets after a sentence of ours.
  parts := regexp_match(message, '^([^()]{1,200}\.) \((.+)\)$');
  if parts is not null and problem_of_sentence(parts[1]) ->> 'code' = 'not-done' then
    return json_build_object('code', 'not-done', 'why', problem_of_sentence(parts[1]) ->> 'why',
      'detail', parts[2]);
  end if;

  parts := regexp_match(message, '^The (capture|cancellation|refund|release) was refused: (.*)$');
  if parts is not null then
    return json_build_object('code', 'refused', 'step', replace(parts[1], 'cancellation', 'cancel'),
      'because', problem_of_sentence(parts[2]));
  end if;

  parts := regexp_match(message,
    '^The (capture|cancellation|refund|release) '
    '(did not reach the provider\. Try again|is not possible at the provider any more)\.$');
  if parts is not null then
    return json_build_object('code',
      case when parts[2] like 'did%' then 'step-unreached' else 'step-impossible' end,
      'step', replace(parts[1], 'cancellation', 'cancel'));
  end if;

  parts := regexp_match(message,
    '^Waiting for (.+) to confirm the (payment|capture|cancellation|refund)\.$');
  if parts is not null then
    return json_build_object('code', 'waiting', 'provider', parts[1],
      'step', replace(parts[2], 'cancellation', 'cancel'));
  end if;

  -- The digits of an amount without its point are its minor units.
  parts := regexp_match(message,
    '^Only ([0-9]{1,15}(?:\.[0-9]{1,4})?) ([A-Z]{3}) of ([0-9]{1,15}(?:\.[0-9]{1,4})?) [A-Z]{3} has arrived\.'
    '(?: The rest may come until (\S+)\.)? Cancel the payment to give it back\.$');
  if parts is not null then
    return json_strip_nulls(json_build_object('code', 'part-arrived',
      'minor', replace(parts[1], '.', '')::bigint::text, 'until', parts[4],
      'wholeMinor', replace(parts[3], '.', '')::bigint::text, 'currency', parts[2]));
  end if;

  select code, regexp_match(message, pattern) as amount into known from (values
    ('part-paid', '^Only ([0-9]{1,15}(?:\.[0-9]{1,4})?) ([A-Z]{3}) was paid\. It is given back\.$'),
    ('captured-late',
      '^A further ([0-9]{1,15}(?:\.[0-9]{1,4})?) ([A-Z]{3}) '
      'was captured at the provider after the refund\.$'),
    ('refund-failed-later',
      '^A refund of ([0-9]{1,15}(?:\.[0-9]{1,4})?) ([A-Z]{3}) failed later; '
      'the money is still with the provider\.$'),
    ('dispute-won-late',
      '^A dispute of ([0-9]{1,15}(?:\.[0-9]{1,4})?) ([A-Z]{3}) was won after it was lost; '
      'the money is with you again\.$')
  ) as sentences (code, pattern) where message ~ pattern;
  if found then
    return json_build_object('code', known.code,
      'minor', replace(known.amount[1], '.', '')::bigint::text, 'currency', known.amount[2]);
  end if;

  parts := regexp_match(message, '^The capture failed, and the provider tries again(?:: (.+)|\.)$');
  if parts is not null then
    return json_strip_nulls(json_build_object('code', 'capture-repeated', 'detail', parts[1]));
  end if;

  return json_build_object('code', 'text', 'text', message);
end $$;

alter table payments rename column last_error to last_error_sentence;
alter table payments add column last_error json;
update payments set
  last_error = case when last_error_sentence is not null then problem_of_sentence(last_error_sentence) end,
  failure = case when failure is not null then json_strip_nulls(json_build_object(
    'code', failure -> 'code', 'declineCode', failure -> 'declineCode',
    'problem', problem_of_sentence(coalesce(failure ->> 'message', '')))) end
where last_error_sentence is not null or failure is not null;
alter table payments drop column last_error_sentence;

-- The problem of the payment when it entered the state. The body is what was sent and stays as it is.
alter table events add column last_error json;

create function problem_of_event(body text) returns json language plpgsql as $$
begin
  return problem_of_sentence(body::json #>> '{payment,lastError}');
exception when others then
  -- A body that PostgreSQL cannot read.
  return null;
end $$;

update events set last_error = problem_of_event(body)
where state is not null and body like '%"lastError":%"%'
  and body not like '%"lastError":null%' and body not like '%"lastError": null%';

drop function problem_of_event;
drop function problem_of_sentence;

alter table profile_health add column diagnosis json;
update profile_health set diagnosis = case
  when says ~ '^\d{1,9} of the last \d{1,9} calls failed$' then
    json_build_object('code', 'failed', 'failed', split_part(says, ' ', 1)::integer,
      'calls', split_part(says, ' ', 5)::integer)
  when says ~ '^half of the last \d{1,9} calls took over \d{1,9} ms$' then
    json_build_object('code', 'slow', 'calls', split_part(says, ' ', 5)::integer,
      'ms', split_part(says, ' ', 9)::integer)
  else json_build_object('code', 'text', 'text', says) end;
alter table profile_health alter column diagnosis set not null, drop column says;
