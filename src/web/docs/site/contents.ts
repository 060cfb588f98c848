/** A page of the site. */
export interface SitePage {
  readonly path: string
  readonly title: string
  /** One sentence for the index and for language models. */
  readonly description: string
  /** The Markdown file, from the root of the project. */
  readonly file?: string
  /** The page is made from the code: the file has the same content. */
  readonly isGenerated?: true
  /** The page has a route of its own. */
  readonly isOwn?: true
  /** Each row of a table that begins with code has an anchor. */
  readonly hasRowAnchors?: true
}

export interface DocumentPage extends SitePage {
  readonly file: string
}

interface SiteGroup {
  readonly title: string
  readonly pages: readonly SitePage[]
}

const guide = (name: string, title: string, description: string): DocumentPage => ({
  path: `/docs/guides/${name}`,
  title,
  description,
  file: `docs/guides/${name}.md`,
})

const provider = (name: string, title: string): SitePage =>
  guide(`providers/${name}`, title, `Connect ${title}, and what it can do.`)

/** A page with anchors of its own, made from the tables of the code. */
const generated = (name: string, title: string, description: string): SitePage => ({
  path: `/docs/${name}`,
  title,
  description,
  file: `docs/reference/${name}.md`,
  isGenerated: true,
})

const reference = (name: string, title: string, description: string): SitePage => ({
  path: `/docs/reference/${name}`,
  title,
  description,
  file: `docs/reference/${name}.md`,
})

export const SAMPLES_PAGE: DocumentPage = {
  ...guide('samples', 'Code samples', 'The main calls in curl, TypeScript, PHP and Python.'),
  isOwn: true,
}

/** The navigation. A test fails when a guide is missing. Decision 0134. */
export const SITE: readonly SiteGroup[] = [
  {
    title: 'Integrate',
    pages: [
      guide('integrate', 'Integrate', 'Create, follow, capture and refund payments, and test that.'),
      SAMPLES_PAGE,
      guide('webhooks', 'Webhooks', 'What is sent to a shop, how to verify it, retries.'),
      guide('sdk', 'The SDK', 'The client for TypeScript and JavaScript.'),
      guide('clients', 'Clients in other languages', 'PHP and Python beside TypeScript.'),
      guide('shops', 'Shop plugins', 'Vendure and Medusa: what their plugins do, and how that is proven.'),
      guide('php-and-python', 'PHP and Python', 'The calls of a shop without a library.'),
      guide('cli', 'The command line', 'Payments and webhooks from a terminal.'),
      guide('moving-in', 'Moving in', 'Import of customers, stored methods and payments, and export.'),
      guide(
        'coming-from-a-card-provider',
        'Coming from a card provider',
        'Which ids of six providers are which column of an import.',
      ),
      guide(
        'coming-from-another-orchestrator',
        'Coming from another orchestrator',
        'States, calls and concepts of others, and how to move side by side.',
      ),
    ],
  },
  {
    title: 'Run payments',
    pages: [
      guide('console', 'The console', 'Where people run payments: screens, roles, search, shortcuts.'),
      guide('going-live', 'Going live', 'What a live app should have before its first customer.'),
      guide('routing', 'Routing and failover', 'Which provider takes a payment, and which one comes next.'),
      guide('fraud', 'Fraud policies', 'Rules that accept, hold or reject a payment.'),
      guide('methods', 'Methods by name', 'iDEAL, BLIK, Klarna and others: which are offered, and where.'),
      guide('exports', 'Exports', 'Files of rows, with chosen columns, in the background and by schedule.'),
      guide(
        'charging-again',
        'Charging again after a decline',
        'Which tries the card networks allow; fresh cards.',
      ),
      guide('disputes', 'Disputes', 'Deadlines, e-mails, evidence and acceptance.'),
      guide('settlements', 'Settlements', 'Whether the money of a payment arrived, and in which payout.'),
      guide('settlements-sandbox', 'Settlements in the sandbox', 'Payouts, fees and wrong reports to try.'),
      guide('ledger', 'Ledger', 'Double entry per app, and journals for hledger and beancount.'),
      guide('e-mails', 'E-mails', 'To payers, to the team and to people who use the console.'),
      guide('personal-data', 'Personal data', 'Erasing customers, and retention.'),
    ],
  },
  {
    title: 'Run the service',
    pages: [
      guide('install', 'Install', 'npm, Docker, systemd, Kubernetes; upgrade and backup.'),
      guide('operate', 'Operate', 'Production, secrets, proxies, logs, backups.'),
      guide('monitoring', 'Monitoring', 'Metrics for Prometheus, alerts and a dashboard.'),
      guide('scale-out', 'Scale out', 'Several processes, nodes and database servers.'),
      guide('reliability', 'Reliability', 'What is promised when things fail, and how that is tested.'),
      guide('performance', 'Performance', 'What was measured, and how.'),
    ],
  },
  {
    title: 'Providers',
    pages: [
      provider('stripe', 'Stripe'),
      provider('paypal', 'PayPal'),
      provider('adyen', 'Adyen'),
      provider('authorize-net', 'Authorize.Net'),
      provider('square', 'Square'),
      provider('mollie', 'Mollie'),
      provider('btcpay', 'BTCPay Server'),
      guide('settlement-sources', 'Settlement sources', 'Where settled lines come from, and rights for it.'),
      guide('add-a-provider', 'Add a provider', 'Write an adapter for another provider.'),
      guide('add-a-screen', 'Add a screen', 'Write a page of the console with the kit.'),
      guide('translate', 'Translate', 'Change texts of payment pages and e-mails, or add a language.'),
    ],
  },
  {
    title: 'Reference',
    pages: [
      { path: '/docs', title: 'API reference', description: 'Every operation, with examples to try.' },
      generated('payment-states', 'Payment states', 'Every state and transition.'),
      generated('errors', 'Errors', 'Every code, and what to do.'),
      generated('test-values', 'Test values', 'Cards and accounts of the sandbox.'),
      { ...reference('config', 'Settings', 'Every environment variable.'), hasRowAnchors: true },
      reference('providers', 'Abilities of providers', 'What each provider can do, by method.'),
      reference('roles', 'Roles and scopes', 'What people and API keys may do.'),
      {
        path: '/docs/changelog',
        title: 'Changes',
        description: 'What each version brought.',
        file: 'CHANGELOG.md',
      },
    ],
  },
]

export const SITE_PAGES: readonly SitePage[] = SITE.flatMap(({ pages }) => pages)

/** The pages that are made from a file. */
export const DOCUMENT_PAGES: readonly DocumentPage[] = SITE_PAGES.flatMap(({ file, ...page }) =>
  file ? [{ ...page, file }] : [],
)

/** Where a document is served as Markdown. Relative links between documents stay right. */
export const markdownPath = (file: string): string =>
  file.startsWith('docs/') ? `/${file}` : `/docs/${file.toLowerCase()}`

/** Files that are served unchanged, as text. */
export const SITE_TEXTS: readonly { readonly path: string; readonly title: string; readonly file: string }[] =
  [
    {
      path: '/docs/reference/schema.sql',
      title: 'Tables of the database',
      file: 'docs/reference/schema.sql',
    },
  ]
