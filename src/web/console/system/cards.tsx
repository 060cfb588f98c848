import { SECOND } from '../../../base/clock.ts'
import type { Disk } from '../../../db/embedded/disk.ts'
import { MAX_COUNTED, type SystemState } from '../../../insights/system.ts'
import { numberText } from '../../kit/format/numbers.ts'
import { Time } from '../../kit/format/time.tsx'
import type { PersonRequest } from '../../kit/frame/request.ts'
import { Card, KeyValue, Notice } from '../../kit/html/layout.tsx'
import { usePersonRequest } from '../../kit/screen.tsx'

export interface StateProps {
  readonly state: SystemState
}

interface InstallationProps extends StateProps {
  readonly version: string
  readonly disk: Disk | undefined
  readonly backupTime: Date | null
}

export function InstallationCard({ state, version, disk, backupTime }: InstallationProps) {
  const request = usePersonRequest()
  const { texts, ctx } = request
  const { system } = texts
  const { database } = state
  const { role, workers = 1 } = ctx.config
  return (
    <Card title={system.installation}>
      <KeyValue
        rows={[
          [system.version, version],
          [system.runtime, process.versions.node],
          [system.role, <code>{role}</code>],
          [system.processes, numberText(request, workers)],
          [system.uptime, durationText(request, process.uptime() * SECOND)],
          [system.memory, bytesText(request, process.memoryUsage.rss())],
          disk && [
            system.disk,
            system.diskFree({
              free: bytesText(request, disk.freeBytes),
              total: bytesText(request, disk.totalBytes),
            }),
          ],
          [system.backup, backupTime ? <Time time={backupTime} /> : system.noBackup],
          [system.metrics, <MetricsLink />],
          database && [
            system.migrations,
            system.migrationsDone({
              count: numberText(request, database.migrationCount),
              last: database.migration,
            }),
          ],
        ]}
      />
    </Card>
  )
}

/** By the name in the public address: the monitoring may know the machine by another. */
function MetricsLink() {
  const request = usePersonRequest()
  const { system } = request.texts
  const { metricsPort, publicUrl } = request.ctx.config
  if (metricsPort === undefined) return <>{system.metricsOff}</>
  const url = `http://${new URL(publicUrl).hostname}:${metricsPort}/metrics`
  return <a href={url}>{system.metricsOn({ port: String(metricsPort) })}</a>
}

export function DatabaseCard({ state }: StateProps) {
  const request = usePersonRequest()
  const { system } = request.texts
  const { database, latencyMs, skewMs } = state
  const count = (value: number) => numberText(request, value)
  return (
    <Card title={system.database}>
      <KeyValue
        rows={[
          database && [system.server, database.version],
          database && [system.size, bytesText(request, Number(database.bytes))],
          [system.latency, durationText(request, latencyMs)],
          database && [
            system.connections,
            system.connectionsOf({
              count: count(database.connections),
              most: count(database.mostConnections),
            }),
          ],
          [system.skew, durationText(request, Math.round(skewMs))],
          [system.replica, replicaText(request, state)],
        ]}
      />
    </Card>
  )
}

function replicaText(request: PersonRequest, state: SystemState): string {
  const { system } = request.texts
  if (!state.hasReplica) return system.noReplica
  if (!state.replica?.isReplica) return system.replicaAway
  return system.replicaLag({ lag: durationText(request, state.replica.lagMs ?? 0) })
}

export function SettingsCard({ warnings }: { readonly warnings: readonly string[] }) {
  const { system } = usePersonRequest().texts
  return (
    <Card title={system.settings}>
      {warnings.length === 0 ? (
        <p>{system.settingsOk}</p>
      ) : (
        warnings.map((text) => <Notice kind="info" title={text} />)
      )}
    </Card>
  )
}

export function WebhooksCard({ state }: StateProps) {
  const request = usePersonRequest()
  const { system } = request.texts
  const { ready = 0, lagMs = null } = state.webhooks ?? {}
  const lag = lagMs === null ? system.webhooksNone : durationText(request, Math.max(0, lagMs))
  return (
    <Card title={system.webhooks}>
      <KeyValue
        rows={[
          [system.webhooksReady, depthText(request, ready)],
          [system.webhooksLag, lag],
        ]}
      />
    </Card>
  )
}

/** `1,000+` where the count stopped. */
export const depthText = (request: PersonRequest, depth: number): string =>
  depth >= MAX_COUNTED ? `${numberText(request, MAX_COUNTED)}+` : numberText(request, depth)

const TIMES = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
  ['millisecond', 1],
] as const

const SIZES = [
  ['terabyte', 1e12],
  ['gigabyte', 1e9],
  ['megabyte', 1e6],
  ['kilobyte', 1e3],
  ['byte', 1],
] as const

type Seen = Pick<PersonRequest, 'language'>
type Units = readonly (readonly [unit: string, size: number])[]

function inUnits({ language }: Seen, value: number, units: Units): string {
  const [unit, size] = units.find(([, least]) => Math.abs(value) >= least) ?? units.at(-1) ?? ['', 1]
  const style = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(language.intl, style).format(value / size)
}

/** `3.2 sec` */
const durationText = (request: Seen, ms: number): string => inUnits(request, ms, TIMES)

/** `12.5 MB` */
export const bytesText = (request: Seen, bytes: number): string => inUnits(request, bytes, SIZES)
