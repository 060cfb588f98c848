import { CONSOLE_PAGES } from './base/console-pages.ts'
import type { Config } from './config.ts'

/** Log events for settings that are probably incomplete. */
export function startWarnings({ publicUrl, trustedProxies = [], role, ...config }: Config) {
  if (role === 'worker') return []
  const hasProxy = trustedProxies.length > 0 || !publicUrl.startsWith('https:')
  const hasDemo = config.production || config.sandboxBank !== false
  return [...(hasProxy ? [] : [NO_PROXY]), ...(hasDemo ? [] : [NO_DEMO])]
}

const NO_PROXY = {
  event: 'proxy.none_trusted',
  data: {
    message:
      'PUBLIC_URL is https, so a proxy stands in front of the service, but TRUSTED_PROXIES is not set: ' +
      'every client has the address of the proxy in limits, fraud rules, consents and logs.',
  },
} as const

const NO_DEMO = {
  event: 'demo.not_made',
  data: { message: 'SANDBOX_BANK is off: there is no test provider, so no demo licence is made.' },
} as const

/** The demo app, for a first payment. */
interface FirstRun {
  readonly appId: string
  readonly apiKey: string
}

interface Welcome {
  readonly url: string
  readonly role: 'all' | 'web' | 'worker'
  readonly firstRun?: FirstRun
  /** Address of the console, or of its set-up. */
  readonly consoleUrl?: string
  /** The file of the operator token; the token itself is not printed. */
  readonly operatorTokenFile?: string
}

/** The text printed once the service is ready. */
export function welcomeText({ url, role, firstRun, operatorTokenFile, ...rest }: Welcome): string {
  const { consoleUrl = url + CONSOLE_PAGES.home } = rest
  if (role === 'worker') return `Tender works in the background; its health is at ${url}/health/ready`
  if (!firstRun) return `Tender is ready at ${url} (docs: ${url}/docs)\n\n  Console  ${consoleUrl}\n`
  const { appId, apiKey } = firstRun
  const facts = [
    ['Address', url],
    ['Console', consoleUrl],
    ['Docs', `${url}/docs`],
    ['Sandbox App ID', appId],
    ['API key', `${apiKey}  (shown only now)`],
    ...(operatorTokenFile ? [['Operator token', `in ${operatorTokenFile}`]] : []),
  ]
  const width = Math.max(...facts.map(([name = '']) => name.length))
  return [
    '',
    'Tender is ready. A demo licence was made for you:',
    '',
    ...facts.map(([name = '', value]) => `  ${name.padEnd(width)}  ${value}`),
    '',
    'Create a payment and open the redirectUrl of the answer:',
    '',
    curlLine(url, firstRun),
    '',
  ].join('\n')
}

function curlLine(url: string, { appId, apiKey }: FirstRun): string {
  const body = {
    referenceId: 'order-1',
    amount: 25,
    currency: 'USD',
    returnUrl: 'https://example.com/thank-you',
    autoCapture: true,
    showPayRecurringInCheckout: false,
    customerOrder: { customer: { customerId: 'customer-1' } },
  }
  return [
    `  curl ${url}/api/apps/${appId}/payments/hosted-page`,
    `    -H 'Authorization: Bearer ${apiKey}'`,
    `    -H 'Content-Type: application/json'`,
    `    -d '${JSON.stringify(body)}'`,
  ].join(' \\\n')
}
