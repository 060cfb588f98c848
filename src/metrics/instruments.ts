import type { Registry } from 'prom-client'

type Client = typeof import('prom-client')

/** From a read by id to the time limit of a request. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** From the built-in bank to the time limit of a call. */
const CALL_SECONDS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40]

export type MetricInstruments = ReturnType<typeof createInstruments>

/** Every metric of the service, beside those of the process that the library adds. */
export function createInstruments({ Counter, Gauge, Histogram }: Client, register: Registry) {
  const registers = [register]
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Counter<L>({ name: `tender_${name}`, help, labelNames, registers })
  const gauge = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Gauge<L>({ name: `tender_${name}`, help, labelNames, registers })
  const histogram = <L extends string>(name: string, help: string, buckets: number[], ...labelNames: L[]) =>
    new Histogram<L>({ name: `tender_${name}`, help, buckets, labelNames, registers })
  return {
    build: gauge('build_info', 'Always 1.', 'version', 'role'),
    requests: counter('http_requests_total', 'Requests answered.', 'method', 'route', 'status'),
    requestTime: histogram(
      'http_request_duration_seconds',
      'From the headers of a request to the end of its answer.',
      REQUEST_SECONDS,
      ...(['method', 'route'] as const),
    ),
    limits: counter('limits_hit_total', 'Requests refused with 429, by limit.', 'limit'),
    states: counter('payment_state_changes_total', 'States that payments entered.', 'state', 'mode'),
    calls: counter('provider_calls_total', 'Calls to providers.', 'provider', 'step', 'outcome'),
    callTime: histogram(
      'provider_call_duration_seconds',
      'Calls to providers, with all requests of each.',
      CALL_SECONDS,
      ...(['provider', 'step'] as const),
    ),
    unlisted: counter('provider_unlisted_codes_total', 'Unknown codes, events and types.', 'provider'),
    troubles: gauge('profiles_in_trouble', 'Provider profiles that fail, at most 50.', 'provider'),
    tries: counter('webhook_tries_total', 'Tries to deliver a webhook.', 'result'),
    tryTime: histogram('webhook_try_duration_seconds', 'Tries to deliver a webhook.', CALL_SECONDS),
    webhooksReady: gauge('webhooks_ready', 'Webhooks that are sent or can be sent, at most 1,000.'),
    webhookLag: gauge('webhook_lag_seconds', 'Age of the oldest webhook to deliver, 0 without one.'),
    settled: counter('settlement_lines_total', 'Lines of settlement reports, known ones too.', 'provider'),
    exceptions: gauge('settlement_exceptions_open', 'Open exceptions, at most 10,000.', 'kind', 'mode'),
    exceptionAge: gauge('settlement_exception_oldest_seconds', 'Age, 0 without one.', 'kind', 'mode'),
    sourcesFailing: gauge('settlement_sources_failing', 'Sources that cannot be read.', 'provider', 'mode'),
    sourceLag: gauge('settlement_source_lag_seconds', 'Of the slowest, 0 without one.', 'provider', 'mode'),
    lines: counter('log_events_total', 'Warnings and errors in the log.', 'level', 'event'),
    spans: counter('trace_spans_total', 'Spans of traces, by what became of them.', 'result'),
    dueRows: gauge('queue_due_rows', 'Rows that a job has to do, at most 1,000 a table.', 'queue'),
    dueAge: gauge('queue_oldest_due_seconds', 'For how long the oldest row is due, 0 without one.', 'queue'),
    databaseUp: gauge('database_up', 'Whether the database answered the last read for metrics.'),
    connections: gauge('database_connections', 'Open connections of this process.', 'state'),
    mostConnections: gauge('database_connections_max', 'Most connections of this process.'),
    waiters: gauge('database_connection_waiters', 'Statements that wait for a connection.'),
    batches: counter('database_batches_total', 'Batches of inputs sent as one statement.', 'statement'),
    batchInputs: counter('database_batch_inputs_total', 'Inputs in these batches.', 'statement'),
    batchWaiting: gauge('database_batch_waiting', 'Inputs that wait for a lane.', 'statement'),
  }
}
