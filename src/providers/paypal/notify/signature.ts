import { verify, X509Certificate } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { parseUrl } from '../../../base/text.ts'
import { valueAt } from '../../kit/json.ts'
import type { InboundCall } from '../../port.ts'
import { callApi, type PaypalContext } from '../api.ts'

/** The proof of a notification, from its headers. */
interface Proof {
  readonly algorithm: string
  readonly certificateUrl: string
  readonly id: string
  readonly signature: string
  readonly time: string
}

/** By their address, also while they are fetched. They never change; the oldest are forgotten first. */
export type Certificates = Map<string, Promise<X509Certificate | undefined>>
const MAX_CERTIFICATES = 16

/**
 * Whether PayPal signed the notification for this profile's webhook. Verified here with PayPal's certificate;
 * if the certificate cannot be had, PayPal is asked. Throws if neither works now.
 */
export async function isGenuine(
  ctx: PaypalContext,
  call: InboundCall,
  certificates: Certificates,
): Promise<boolean> {
  const proof = proofIn(call)
  const { webhookId } = ctx.config
  if (!proof || webhookId === undefined || !isPaypals(ctx, proof.certificateUrl)) return false
  const certificate =
    proof.algorithm === 'SHA256withRSA'
      ? await findCertificate(ctx, proof.certificateUrl, certificates)
      : undefined
  if (!certificate) return asksPaypal(ctx, call, proof, webhookId)
  const text = `${proof.id}|${proof.time}|${webhookId}|${crc32(call.rawBody)}`
  return verify(
    'RSA-SHA256',
    Buffer.from(text),
    certificate.publicKey,
    Buffer.from(proof.signature, 'base64'),
  )
}

const HEADERS = {
  algorithm: ['paypal-auth-algo', /^[A-Za-z0-9]{1,100}$/],
  certificateUrl: ['paypal-cert-url', /^https?:\/\/[\x21-\x7e]{1,490}$/],
  id: ['paypal-transmission-id', /^[A-Za-z0-9-]{1,50}$/],
  signature: ['paypal-transmission-sig', /^[A-Za-z0-9+/=]{1,500}$/],
  time: ['paypal-transmission-time', /^[0-9TZ:.+-]{1,100}$/],
} as const

function proofIn({ headers }: InboundCall): Proof | undefined {
  const read = ([name, pattern]: readonly [string, RegExp]): string | undefined => {
    const value = headers[name] ?? ''
    return pattern.test(value) ? value : undefined
  }
  const proof = Object.entries(HEADERS).map(([member, header]) => [member, read(header)] as const)
  return proof.some(([, value]) => value === undefined)
    ? undefined
    : (Object.fromEntries(proof) as unknown as Proof)
}

const CERTIFICATE_PATH = /^\/v1\/notifications\/certs\/[\w.-]{1,200}$/

/** Only PayPal of this environment, or the origin that takes its place, may serve the certificate. */
function isPaypals({ origin, sandbox }: Pick<PaypalContext, 'origin' | 'sandbox'>, address: string): boolean {
  const url = parseUrl(address)
  if (!url || !CERTIFICATE_PATH.test(url.pathname) || url.search !== '' || url.username !== '') return false
  const domain = sandbox ? 'sandbox.paypal.com' : 'paypal.com'
  return [`https://api.${domain}`, `https://api-m.${domain}`, origin].includes(url.origin)
}

async function findCertificate(
  ctx: PaypalContext,
  url: string,
  certificates: Certificates,
): Promise<X509Certificate | undefined> {
  const known = certificates.get(url)
  if (known) return known
  const oldest = certificates.keys().next()
  if (certificates.size >= MAX_CERTIFICATES && !oldest.done) certificates.delete(oldest.value)
  const fetching = fetchCertificate(ctx, url)
  certificates.set(url, fetching)
  const found = await fetching.catch(() => undefined)
  // The next notification tries again.
  if (!found && certificates.get(url) === fetching) certificates.delete(url)
  return found
}

async function fetchCertificate(ctx: PaypalContext, url: string): Promise<X509Certificate | undefined> {
  const reply = await ctx.http.call({ method: 'GET', url, headers: { accept: '*/*' }, signal: ctx.signal })
  return reply.kind === 'reply' && reply.status === 200 ? certificateIn(reply.body) : undefined
}

function certificateIn(body: unknown): X509Certificate | undefined {
  try {
    return typeof body === 'string' ? new X509Certificate(body) : undefined
  } catch {
    return undefined
  }
}

/** The event is sent as it was received: parsed and written again it would have another checksum. */
async function asksPaypal(
  ctx: PaypalContext,
  { rawBody }: InboundCall,
  proof: Proof,
  webhookId: string,
): Promise<boolean> {
  const claim = JSON.stringify({
    auth_algo: proof.algorithm,
    cert_url: proof.certificateUrl,
    transmission_id: proof.id,
    transmission_sig: proof.signature,
    transmission_time: proof.time,
    webhook_id: webhookId,
  })
  const text = `${claim.slice(0, -1)},"webhook_event":${Buffer.from(rawBody).toString('utf8')}}`
  const path = '/v1/notifications/verify-webhook-signature'
  const reply = await callApi(ctx, { method: 'POST', path, text })
  const status = reply.kind === 'reply' ? valueAt(reply.body, 'verification_status') : undefined
  if (status === 'SUCCESS') return true
  // PayPal refuses a request with a malformed signature.
  if (status === 'FAILURE' || (reply.kind === 'reply' && reply.status === 400)) return false
  throw new Error('the notification cannot be verified now')
}
