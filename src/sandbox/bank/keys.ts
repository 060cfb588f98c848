import { hmacSha256, sameBytes } from '../../base/secret.ts'

/**
 * All keys of an account are derived from the bank's secret, so there is no table of keys and keys cannot be
 * forged. A key contains its account: `bank_sk.{account}.{mac}`.
 */
export interface Keys {
  secretKey(account: string): string
  publishableKey(account: string): string
  /** The account of a key, or undefined if the key is not valid. */
  ownerOf(key: string): { readonly account: string; readonly secret: boolean } | undefined
  /** The signed last segment of a page URL. It contains the id of the payment or stored method. */
  session(account: string, paymentId: string): string
  paymentOf(session: string): { readonly account: string; readonly paymentId: string } | undefined
  mac(purpose: string, text: string): string
  hasMac(purpose: string, text: string, mac: string): boolean
}

const ACCOUNT = /^[0-9A-Za-z_-]{1,64}$/

const isAccount = (text: string): boolean => ACCOUNT.test(text)

export function createKeys(secret: () => Uint8Array): Keys {
  const mac = (purpose: string, text: string) =>
    hmacSha256(secret(), `${purpose}:${text}`).toString('base64url')
  const hasMac = (purpose: string, text: string, given: string) =>
    sameBytes(Buffer.from(mac(purpose, text)), Buffer.from(given))
  return {
    mac,
    hasMac,
    secretKey: (account) => `bank_sk.${account}.${mac('sk', account)}`,
    publishableKey: (account) => `bank_pk.${account}.${mac('pk', account)}`,
    ownerOf(key) {
      const [prefix, account = '', given = '', ...rest] = key.split('.')
      const secretPart = prefix === 'bank_sk'
      if ((!secretPart && prefix !== 'bank_pk') || rest.length > 0 || !isAccount(account)) return undefined
      return hasMac(secretPart ? 'sk' : 'pk', account, given) ? { account, secret: secretPart } : undefined
    },
    session: (account, paymentId) => `${account}.${paymentId}.${mac('page', `${account}.${paymentId}`)}`,
    paymentOf(session) {
      const [account = '', paymentId = '', given = '', ...rest] = session.split('.')
      if (rest.length > 0 || !hasMac('page', `${account}.${paymentId}`, given)) return undefined
      return { account, paymentId }
    },
  }
}
