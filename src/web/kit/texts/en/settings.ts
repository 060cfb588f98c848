export const settings = {
  title: 'Settings',
  tabs: {
    general: 'General',
    checkout: 'Checkout',
    host: 'Checkout host',
    'e-mails': 'E-mails',
    data: 'Data',
    danger: 'Danger zone',
  },
  fields: {
    friendlyName: { label: 'Name', hint: 'Payers see it on the checkout and on receipts.' },
    timeZone: {
      label: 'Time zone',
      hint: 'Decides when a day of the app begins, for daily limits and reports.',
    },
    defaultFraudPolicyId: { label: 'Default fraud policy' },
    isTwoFactorAuthenticationEnabled: { label: 'Require a second factor for refunds and marks' },
    requireOtpForApiKeys: { label: 'Also with API keys: a code of the person who made the key' },
    maxThresholdRefundCountDaily: { label: 'Refunds a day', hint: 'Empty: any number. 0: none at all.' },
    refundProcessReceiverEmails: {
      label: 'Notification addresses',
      hint: 'Told of refunds. One e-mail address a line.',
    },
    personalDataDays: {
      label: 'Keep personal data for (days)',
      hint: '30 to 3650 days after the last payment. Empty: kept until erased by hand.',
    },
    domain: { label: 'Host name', hint: 'In lower case, without scheme and port, such as pay.shop.example.' },
    slogan1: {
      label: 'Headline',
      hint: 'Beneath the name, at most 120 characters; up to 40 fit on a phone.',
    },
    slogan2: { label: 'Supporting line', hint: 'At the foot of the page, at most 120 characters.' },
    support: { label: 'Support', hint: 'A web address or an e-mail address.' },
    termsUrl: { label: 'Terms' },
    privacyUrl: { label: 'Privacy policy' },
  },
  notes: {
    saved: 'The settings are saved.',
    removed: 'The host name is removed.',
    cleared: (count: string) => `The sandbox is empty. ${count} rows were removed.`,
    blocked: 'The app is blocked.',
    unblocked: 'The app is no longer blocked.',
  },
  readOnly: 'Your role may read these settings, not change them.',
  saveSettings: 'Save settings',
  about: 'App',
  noPolicy: 'None',
  protection: 'Refunds and marks',
  look: 'Look',
  logo: 'Logo',
  logoHint: 'PNG, JPEG, GIF, WebP or SVG of at most 64 KiB, shown 40 pixels high.',
  removeLogo: 'Remove the logo',
  currentLogo: 'Current logo',
  colour: 'Colour',
  colourHint: 'Of buttons and links, such as #3b5bdb. Empty: the default.',
  pickColour: 'Pick a colour',
  verdictGood: (ratio: string) => `Easy to read: contrast ${ratio}:1 on buttons.`,
  verdictChanged: (colour: string, ratio: string) =>
    `Too light beside white: shown as ${colour}, contrast ${ratio}:1 on buttons.`,
  theme: 'Theme',
  themes: { device: 'As the payer’s device', light: 'Light', dark: 'Dark' },
  locale: 'Language',
  localeDevice: 'As the payer’s browser',
  words: 'Texts and links',
  saveCheckout: 'Save checkout',
  preview: 'Preview',
  previewTitle: 'Preview of the checkout',
  previewHint: 'An example that is not saved and cannot be paid. It shows the saved logo.',
  screen: 'Screen',
  screens: { phone: 'Phone', desktop: 'Desktop' },
  shade: 'Light or dark',
  shades: { '': 'As the theme', light: 'Light', dark: 'Dark' },
  poweredBy: 'Note “Powered by Tender”',
  poweredByShown: 'Shown at the foot of the page',
  poweredByHidden: 'Not shown',
  example: 'Example order',
  hostIntro:
    'Payment links may begin with a host name of your own. New payments use it; a payment keeps the link ' +
    'that it was made with.',
  hostNow: 'Payment links begin with',
  hostTarget: 'Point the name there (CNAME)',
  hostCertificates:
    'Certificates stay with the proxy in front of this installation: it must serve the host name and pass ' +
    'on the Host header.',
  saveHost: 'Save host name',
  checkHost: 'Check host name',
  checkProof: 'Check now',
  proofTitle: (host: string) => `Prove that ${host} is yours`,
  proofRecord: 'Until then it has no effect. Create this TXT entry in the DNS of the name:',
  proofName: 'Name of the entry',
  proofValue: 'Value of the entry',
  proofFile: 'Or let the server that answers this name now serve a file:',
  proofUrl: 'Address of the file',
  proofContent: 'Content of the file',
  proofJob:
    'The service looks for it every few hours, more often at first, for 30 days. If another app proves the ' +
    'name first, the name is taken.',
  proofVerdicts: {
    proven: (host: string) => `${host} is proved. New payment links begin with it.`,
    'not-found': (host: string) =>
      `Neither the DNS entry nor the file of ${host} was found. A new DNS entry may need some minutes.`,
    taken: (host: string) => `Another app has proved ${host} before. Remove it there first.`,
  },
  hostVerdicts: {
    ok: (host: string) => `${host} leads here, and its certificate is valid.`,
    'unknown-name': (host: string) =>
      `${host} has no DNS entry. Create the CNAME entry; it may take some minutes until it is known.`,
    private: (host: string) => `${host} leads to an address in a private network, which payers cannot reach.`,
    refused: (host: string) => `${host} leads to a server that takes no https connections on port 443.`,
    certificate: (host: string) =>
      `The certificate of ${host} is missing, expired or for another name. It is set up at the proxy.`,
    timeout: (host: string) =>
      `${host} did not answer in time. Check the DNS entry, the proxy and its firewall.`,
    elsewhere: (host: string) =>
      `${host} is answered by another server or page. Check where the DNS entry and the proxy lead.`,
    'host-header': (host: string) =>
      `${host} leads here, but the proxy does not pass the Host header on, so payment links would not open.`,
  },
  removeHost: 'Remove host name',
  removeHostTitle: 'Remove the host name?',
  removeHostBody: (host: string) =>
    `New payment links no longer begin with ${host}. Keep the DNS entry while payments with such links ` +
    'are open.',
  retention: 'Personal data',
  retentionIntro:
    'Customers without a payment for this long are erased: their stored methods and personal fields. ' +
    'Payments and sums stay.',
  exports: 'Exports',
  exportsBody: 'Lists are exported as CSV from their own pages.',
  exportPayments: 'Payments',
  exportAudit: 'Audit log as CSV',
  block: 'Block app',
  unblock: 'Unblock app',
  blockIntro: 'The app takes no payments until it is unblocked. Nothing is deleted.',
  unblockIntro: 'The app is blocked: it takes no payments.',
  blockTitle: (name: string) => `Block ${name}?`,
  unblockTitle: (name: string) => `Unblock ${name}?`,
  blockEffects: {
    api: 'The API refuses every request of this app with 403 “app_blocked”, by API key and by session.',
    pages:
      'Open checkouts, payment links and customer panels are closed: they answer that the payment or page ' +
      'cannot be found. Payers who are on a provider’s page at this moment can still finish there.',
    charges: 'Stored methods are not charged, and no e-mails are sent to payers and the team.',
    running:
      'Payments that have begun are still followed at their providers, and webhooks are still delivered.',
    people: 'People can still read, capture, cancel and refund in the console, and unblock the app.',
  },
  unblockEffects: {
    works: 'The API, checkouts, payment links and customer panels work again at once.',
    expired: 'Payment links that expired in the meantime stay expired.',
  },
  clear: 'Clear sandbox',
  clearIntro:
    'Removes payments, customers, events and everything else about them from this sandbox app. API keys, ' +
    'provider profiles, fraud policies and settings stay.',
  clearTitle: 'Clear this sandbox app?',
  clearBody: (name: string) => `All test payments and customers of ${name} are removed.`,
  clearedPart: (count: string) => `${count} rows were removed, and more are left. Clear the sandbox again.`,
}
