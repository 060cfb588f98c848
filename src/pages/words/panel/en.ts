/** What a customer reads in the panel, in English: a group of the catalogue, kept apart for its length. */
export const panel = {
  title: (merchant: string) => `Your payments at ${merchant}`,
  hello: (name: string) => `Hello ${name}`,
  until: (time: string) => `You are signed in until ${time}.`,
  overview: 'Back to the overview',
  done: (merchant: string) => `Done – return to ${merchant}`,
  doneTitle: 'All done',
  closePage: 'You may close this page.',
  signOut: 'Sign out',
  signedOut: 'You are signed out',
  signedOutBody: (merchant: string) => `To come back, ask ${merchant} for a new link.`,

  methods: {
    title: 'Payment methods',
    none: 'No payment method is saved.',
    add: 'Add a method',
    makeDefault: 'Make default',
    makeDefaultOf: (method: string) => `Make ${method} the default method`,
    madeDefault: (method: string) => `${method} is now your default method.`,
    added: (method: string) => `${method} was saved.`,
    removed: (method: string) => `${method} was removed.`,
  },

  adding: {
    title: 'Add a payment method',
    body: 'Nothing is charged now.',
    choose: 'Kind of method',
    consent: (merchant: string) =>
      `By saving this method you let ${merchant} charge it for future payments without asking you each time. ` +
      'You can remove it at any time.',
    save: 'Save this method',
    refused: 'This method was not accepted',
    refusedBody: 'Your bank did not accept it. Try another one, or ask your bank.',
    trouble: 'The method could not be saved',
    troubleBody: 'The provider does not answer just now. Nothing was charged. Try again in a moment.',
    none: (merchant: string) => `${merchant} takes no new methods here right now.`,
  },

  removing: {
    title: (method: string) => `Remove ${method}?`,
    body: (merchant: string) =>
      `${merchant} can then no longer charge it. What you have already paid stays as it is.`,
    stops: 'These automatic payments stop:',
    keep: 'Keep it',
  },

  auto: {
    title: 'Automatic payments',
    body: (merchant: string) => `${merchant} may charge these methods without asking you each time.`,
    none: 'There are no automatic payments.',
    last: (amount: string, date: string) => `Last charged ${amount} on ${date}`,
    never: 'Not charged yet',
    stop: 'Stop',
    stopOf: (method: string) => `Stop automatic payments with ${method}`,
    stopTitle: (method: string) => `Stop automatic payments with ${method}?`,
    stopBody: (merchant: string) =>
      `${merchant} can then no longer charge it without you. A subscription that is still running there will ` +
      'need another method.',
    stopGone: 'It also leaves your saved payment methods.',
    keep: 'Let them run',
    stopped: (method: string) => `Automatic payments with ${method} were stopped.`,
  },

  payments: {
    title: 'Payments',
    none: 'There are no payments yet.',
    all: 'All payments',
    older: 'Older payments',
    newest: 'Newest payments',
    description: 'Description',
    number: (paymentId: string) => `Payment ${paymentId}`,
    show: (date: string) => `Details and receipt of the payment of ${date}`,
    open: 'This payment is still open.',
    failed: (merchant: string) =>
      `You were not charged. If ${merchant} tries again, a method that works should be saved.`,
  },

  details: {
    title: 'Your details',
    firstName: 'First name',
    lastName: 'Last name',
    email: 'E-mail address',
    phone: 'Phone number',
    save: 'Save your details',
    saved: 'Your details were saved.',
    emailWrong: 'Enter an e-mail address such as dana@example.com, or leave the field empty.',
    phoneWrong: 'Enter a phone number such as +44 20 7946 0000, or leave the field empty.',
    tooLong: 'This is too long. Use fewer characters.',
    notHere: 'A card number does not belong here. Add the card as a payment method instead.',
  },

  link: {
    expired: 'This link is no longer valid',
    expiredBody: (merchant: string) => `Ask ${merchant} for a new link.`,
    unknownBody: 'Ask the shop that sent it to you for a new one.',
    ended: 'You have been signed out',
    endedBody: 'That happens after 30 minutes without a click, so that nobody else can go on here.',
    stale: 'Nothing was changed',
    staleBody: 'The page you used was out of date. This is how things stand now.',
    gone: 'This is no longer here',
    goneBody: 'It may have been removed in the meantime.',
  },
}
