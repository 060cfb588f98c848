import { type Database, type Due, type Queryable, sql } from '../../../db/database.ts'
import { WEBHOOKS } from '../../schedule.ts'
import { slotsTaken, TAKE_TURN } from '../claim-store.ts'
import type { EndpointKey } from './slot-grant.ts'

/** The slots of an endpoint that a node requests. Grants are rows of the table `delivery_permits`. */
export interface SlotRequest extends EndpointKey {
  /** The part of the node's lease tokens before the dot. */
  readonly nodeToken: string
  readonly now: Date
  readonly until: Date
  /** Slots of the current grant that a renewal must not take away. */
  readonly kept: number
}

/**
 * Takes turns with claims, so that the slots of all grants and the deliveries in flight never exceed the
 * limit of the endpoint. Nodes share the slots equally: one that asks while others hold all of them gets its
 * share when they renew. A failing endpoint has no grants.
 */
const GRANT = sql<{ slots: number }>(
  'webhooks.grantSlots',
  `with others as (
     select coalesce(sum(t.taken), 0) as taken, coalesce(sum(t.slots), 0) as slots,
       count(*) filter (where t.slots > 0) as nodes
     from ${slotsTaken({ app: '$1', endpoint: '$2', now: '$4' })} t where t.node <> $3
   )
   insert into delivery_permits as m (app_id, endpoint, lease_token, slots, until_time)
   select $1, $2, $3, greatest($6::integer, least(
       ceil(${WEBHOOKS.perEndpointDirect} / (o.nodes + 1.0)), ${WEBHOOKS.perEndpointDirect} - o.slots,
       ${WEBHOOKS.perEndpoint} - o.taken)), $5
   from others o
   where not exists (select from webhook_endpoints h where h.app_id = $1 and h.endpoint = $2)
   on conflict (app_id, endpoint, lease_token) do update
     set slots = excluded.slots, until_time = excluded.until_time
   returning m.slots`,
)

/** The number of slots granted. */
export async function grantSlots(db: Database, request: SlotRequest): Promise<number> {
  const { appId, endpoint, nodeToken, now, until, kept } = request
  const [row] = await db.transaction(
    (tx) => tx.query(GRANT, [appId, endpoint, nodeToken, now, until, kept]),
    TAKE_TURN,
  )
  return row?.slots ?? 0
}

export const grantsOver: Due = (now) => `delivery_permits where until_time < ${now}`

const REMOVE = sql<never>('webhooks.removeGrants', `delete from ${grantsOver('$1')}`)

export const removeGrants = (db: Queryable, now: Date): Promise<never[]> => db.query(REMOVE, [now])
