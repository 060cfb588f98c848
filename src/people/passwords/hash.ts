import { type ScryptOptions, scrypt } from 'node:crypto'
import { ApiError } from '../../base/errors.ts'
import type { Random } from '../../base/ids.ts'
import { sameBytes } from '../../base/secret.ts'
import { createWorkQueues, QueueFullError, type WorkQueues } from '../../net/work-queues.ts'
import { slot } from '../../node/slot.ts'
import { normalPassword } from './rules.ts'

/** Cost of scrypt. Memory is 128 · N · r bytes for each hash that is computed at the moment. */
interface PasswordCost {
  readonly n: number
  readonly r: number
  readonly p: number
}

/** OWASP's choice for 32 MiB: about 0.2 s on one core. */
const COST: PasswordCost = { n: 2 ** 15, r: 8, p: 3 }
const SALT_BYTES = 16
const HASH_BYTES = 32

/**
 * Hashing runs on the thread pool of Node, which name lookups and files use too: one of its four threads. So
 * a flood of sign-ins needs 32 MiB and one core at most, and each network has its own queue.
 */
const BOUNDS = { perOwner: 1, total: 1, queued: 16 }

/** The hashing of passwords in this process, with bounded concurrency. */
export interface PasswordWork {
  readonly cost: PasswordCost
  readonly queues: WorkQueues
}

export const createPasswordWork = (cost = COST): PasswordWork => ({ cost, queues: createWorkQueues(BOUNDS) })

export const passwordWork = slot('passwordWork', () => createPasswordWork(), {
  holds: 'passwords that are being hashed',
  until: 'the end of each',
  restart: 'nothing: the request ends too',
})

interface PasswordJob {
  readonly password: string
  /** The network of the client: the owner of the queue. */
  readonly network: string
}

interface Hashed {
  readonly cost: PasswordCost
  readonly salt: Buffer
  readonly hash: Buffer
}

/** `scrypt$n$r$p$salt$hash`: a hash keeps its own parameters, so the cost can be raised later. */
export async function hashPassword(work: PasswordWork, random: Random, job: PasswordJob): Promise<string> {
  const salt = Buffer.from(random.bytes(SALT_BYTES))
  const hash = await derive(work, job, { cost: work.cost, salt })
  const { n, r, p } = work.cost
  return ['scrypt', n, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/**
 * Whether the password matches. Without a stored hash, as for an unknown account, the same work is done, so
 * that the time of the answer tells nothing.
 */
export async function verifyPassword(
  work: PasswordWork,
  stored: string | null | undefined,
  job: PasswordJob,
): Promise<boolean> {
  const known = stored ? parse(stored) : undefined
  const { cost, salt, hash } = known ?? { cost: work.cost, salt: NO_SALT, hash: NO_HASH }
  const computed = await derive(work, job, { cost, salt })
  return sameBytes(computed, hash) && known !== undefined
}

const NO_SALT = Buffer.alloc(SALT_BYTES)
const NO_HASH = Buffer.alloc(HASH_BYTES)

/** Whether the hash was made with other parameters than new ones. */
export function needsRehash({ cost }: PasswordWork, stored: string): boolean {
  const known = parse(stored)
  return known?.cost.n !== cost.n || known.cost.r !== cost.r || known.cost.p !== cost.p
}

function parse(stored: string): Hashed | undefined {
  const [scheme, n, r, p, salt, hash] = stored.split('$')
  if (scheme !== 'scrypt' || !salt || !hash) return undefined
  return {
    cost: { n: Number(n), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  }
}

function derive(
  { queues }: PasswordWork,
  { password, network }: PasswordJob,
  { cost, salt }: Omit<Hashed, 'hash'>,
): Promise<Buffer> {
  const options: ScryptOptions = { N: cost.n, r: cost.r, p: cost.p, maxmem: 256 * cost.n * cost.r }
  const compute = () =>
    new Promise<Buffer>((resolve, reject) => {
      scrypt(normalPassword(password), salt, HASH_BYTES, options, (error, key) =>
        error ? reject(error) : resolve(key),
      )
    })
  return queues.run(network, compute).catch((error: unknown) => {
    throw error instanceof QueueFullError ? tooBusy() : error
  })
}

const tooBusy = (): ApiError =>
  new ApiError('too_many_requests', 'Too many sign-ins at once: try again in 5 s.', {
    headers: { 'retry-after': '5' },
  })
