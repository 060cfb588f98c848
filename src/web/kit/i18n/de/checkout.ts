import type { PageTexts } from '../en/checkout.ts'
import { plural } from '../plural.ts'
import { panel } from './panel.ts'

const counted = plural('de', ['one'])

export const de = {
  common: {
    language: 'Sprache',
    contact: (merchant: string) => `${merchant} kontaktieren`,
    returnTo: (merchant: string) => `Zurück zu ${merchant}`,
    terms: 'AGB',
    privacy: 'Datenschutz',
    poweredBy: 'Bereitgestellt mit Tender',
    sandbox: 'Sandbox: Es fließt kein Geld',
    testValues: 'Testkarten und Testkonten',
    skip: 'Zur Zahlung springen',
    amount: 'Betrag',
    merchant: 'Empfänger',
    method: 'Zahlungsart',
    reference: 'Referenz',
    order: 'Bestellung',
    date: 'Datum',
    state: 'Status',
    back: 'Zurück',
    refresh: 'Seite neu laden',
    copy: 'Kopieren',
    copied: 'Kopiert',
  },

  order: {
    title: (merchant: string) => `Zahlung an ${merchant}`,
    number: (orderId: string) => `Bestellung ${orderId}`,
    details: (items: number) => `Bestelldetails (${items} Artikel)`,
    breakdown: 'Bestelldetails',
    quantity: (count: string) => `Menge ${count}`,
    subtotal: 'Zwischensumme',
    shipping: 'Versand',
    handling: 'Bearbeitung',
    insurance: 'Versicherung',
    discount: 'Rabatt',
    tax: 'Steuern',
    total: 'Gesamtbetrag',
    expiresIn: (time: string) => `Diese Seite ist noch ${time} gültig.`,
    minutesLeft: (minutes: number) =>
      counted(minutes, {
        one: `Noch ${minutes} Minute Zeit zum Bezahlen.`,
        other: `Noch ${minutes} Minuten Zeit zum Bezahlen.`,
      }),
    secondsLeft: (seconds: number) =>
      counted(seconds, {
        one: `Noch ${seconds} Sekunde Zeit zum Bezahlen.`,
        other: `Noch ${seconds} Sekunden Zeit zum Bezahlen.`,
      }),
  },

  methods: {
    saved: 'Für Sie gespeichert',
    choose: 'Bezahlen mit',
    CreditCard: 'Karte',
    ElectronicCheck: 'Bankkonto',
    Paypal: 'PayPal',
    Crypto: 'Kryptowährung',
    onProviderPage: (provider: string) => `Weiter geht es bei ${provider}.`,
    cryptoHint: 'Sie erhalten eine Adresse und einen QR-Code für die Zahlung.',
    expires: (expiry: string) => `Gültig bis ${expiry}`,
    expired: 'Abgelaufen',
    defaultMethod: 'Standard',
    remove: 'Entfernen',
    removeConfirm: (method: string) => `${method} endgültig entfernen?`,
    removeButton: (method: string) => `${method} entfernen`,
    none: (merchant: string) => `${merchant} kann derzeit keine Zahlungen annehmen`,
    noneBody: (merchant: string) =>
      `Es wurde nichts abgebucht. Bitte wenden Sie sich an ${merchant} oder versuchen Sie es später erneut.`,
  },

  buttons: {
    pay: (amount: string) => `${amount} bezahlen`,
    payWith: (amount: string, method: string) => `${amount} mit ${method} bezahlen`,
    authorise: (amount: string) => `${amount} autorisieren`,
    continueTo: (provider: string) => `Weiter zu ${provider}`,
    showAddress: (amount: string) => `${amount} in Krypto bezahlen`,
    chargedLater: (merchant: string) => `Abgebucht wird erst, wenn ${merchant} Ihre Bestellung bestätigt.`,
    cancel: (merchant: string) => `Abbrechen und zurück zu ${merchant}`,
    cancelOnly: 'Zahlung abbrechen',
    cancelConfirm: 'Zahlung abbrechen? Danach können Sie auf dieser Seite nicht mehr bezahlen.',
    cancelYes: 'Ja, abbrechen',
    tryAgain: 'Erneut versuchen',
    receipt: 'Zahlungsbeleg',
    print: 'Drucken',
    working: 'Einen Moment…',
  },

  card: {
    number: 'Kartennummer',
    expiry: 'Gültig bis',
    expiryHint: 'MM / JJ',
    code: 'Prüfnummer',
    codeHint: '3 oder 4 Ziffern auf der Karte',
    name: 'Name auf der Karte',
    accepted: (brands: string) => `Akzeptiert: ${brands}`,
    problems: 'Bitte korrigieren Sie diese Felder',
    numberEmpty: 'Geben Sie die Kartennummer ein.',
    numberIncomplete: 'Die Kartennummer ist zu kurz. Geben Sie alle Ziffern ein.',
    numberWrong: 'Diese Kartennummer ist ungültig. Prüfen Sie die Ziffern.',
    brandRefused: (brand: string) => `${brand} wird hier nicht akzeptiert. Verwenden Sie eine andere Karte.`,
    expiryEmpty: 'Geben Sie das Ablaufdatum als MM / JJ ein, zum Beispiel 04 / 29.',
    expiryWrong: 'Geben Sie das Ablaufdatum als MM / JJ ein, zum Beispiel 04 / 29.',
    expiryPast: 'Diese Karte ist abgelaufen. Verwenden Sie eine andere Karte.',
    codeEmpty: 'Geben Sie die Prüfnummer ein.',
    codeWrong: (digits: number) =>
      counted(digits, {
        one: `Die Prüfnummer dieser Karte hat ${digits} Ziffer.`,
        other: `Die Prüfnummer dieser Karte hat ${digits} Ziffern.`,
      }),
    nameEmpty: 'Geben Sie den Namen so ein, wie er auf der Karte steht.',
    testCards: 'Testkarten',
    testCardUse: (number: string) => `${number} verwenden`,
  },

  bank: {
    routing: 'Bankleitzahl (Routing Number)',
    account: 'Kontonummer',
    type: 'Kontoart',
    checking: 'Girokonto',
    savings: 'Sparkonto',
    name: 'Kontoinhaber',
    routingWrong: 'Eine Bankleitzahl (Routing Number) hat 9 Ziffern.',
    accountWrong: 'Eine Kontonummer hat 4 bis 17 Ziffern.',
    nameEmpty: 'Geben Sie den Namen des Kontoinhabers ein.',
    mandate: (merchant: string) =>
      `Wenn Sie fortfahren, ermächtigen Sie ${merchant}, diesen Betrag von Ihrem Bankkonto abzubuchen.`,
  },

  consent: {
    save: (merchant: string) =>
      `Diese Zahlungsmethode speichern und ${merchant} erlauben, künftige Zahlungen darüber abzubuchen. ` +
      'Sie können sie jederzeit entfernen.',
    mandate: (merchant: string) =>
      `Mit der Zahlung erlauben Sie ${merchant}, diese Zahlungsmethode zu speichern und künftige Zahlungen ` +
      'ohne erneute Rückfrage darüber abzubuchen. Sie können sie jederzeit entfernen.',
  },

  notices: {
    partArrived: (received: string, amount: string) => `Erst ${received} von ${amount} sind eingegangen`,
    partArrivedBody: (until: string | undefined) =>
      until === undefined
        ? 'Senden Sie den Rest bald oder zahlen Sie anders. Der eingegangene Betrag wird dann zurückgegeben.'
        : `Senden Sie den Rest bis ${until} oder zahlen Sie anders. ` +
          'Der eingegangene Betrag wird dann zurückgegeben.',
    declined: 'Das hat nicht geklappt',
    notCharged: 'Es wurde nichts abgebucht.',
    cameBack: (provider: string) => `Sie sind ohne Zahlung von ${provider} zurückgekehrt`,
    cameBackBody:
      'Es wurde nichts abgebucht. Setzen Sie die Zahlung fort oder wählen Sie eine andere Zahlungsart.',
    resume: (provider: string) => `Mit ${provider} fortfahren`,
    notReached: (provider: string) => `${provider} ist gerade nicht erreichbar`,
    notReachedBody: (provider: string) =>
      `Ihre Zahlungsseite bei ${provider} ist noch offen. Damit nichts doppelt abgebucht wird, ist eine ` +
      'andere Zahlungsart noch nicht möglich. Versuchen Sie es in einer Minute erneut oder zahlen Sie dort.',
    otherTab: 'Diese Zahlung wird in einem anderen Tab abgeschlossen',
    otherTabBody: 'Hier ist nichts weiter zu tun.',
    removed: 'Die Zahlungsmethode wurde entfernt.',
  },

  declines: {
    insufficient:
      'Die Deckung dieser Karte oder dieses Kontos reicht nicht. Versuchen Sie es mit einer anderen ' +
      'Karte oder Zahlungsart.',
    expired: 'Diese Karte ist abgelaufen. Verwenden Sie eine andere Karte.',
    code: 'Die Prüfnummer war nicht richtig. Prüfen Sie sie und versuchen Sie es erneut.',
    number: 'Die Kartennummer war nicht richtig. Prüfen Sie sie und versuchen Sie es erneut.',
    limit:
      'Der Betrag übersteigt das Limit dieser Karte oder dieses Kontos. Versuchen Sie es mit einer ' +
      'anderen Karte oder Zahlungsart.',
    unsupported:
      'Diese Karte kann hier nicht verwendet werden. Versuchen Sie es mit einer anderen Karte oder ' +
      'Zahlungsart.',
    identity:
      'Ihre Bank konnte Ihre Identität nicht bestätigen. Versuchen Sie es erneut oder wählen Sie eine ' +
      'andere Zahlungsart.',
    account:
      'Die Bank hat dieses Konto nicht akzeptiert. Prüfen Sie die Nummern oder wählen Sie eine ' +
      'andere Zahlungsart.',
    refused:
      'Ihre Bank hat die Zahlung abgelehnt. Versuchen Sie es mit einer anderen Karte oder Zahlungsart ' +
      'oder fragen Sie Ihre Bank.',
    trouble: 'Auf dem Weg zu Ihrer Bank ist ein Fehler aufgetreten. Versuchen Sie es erneut.',
    cancelled: 'Sie haben beim Anbieter abgebrochen. Wählen Sie, wie Sie bezahlen möchten.',
    late: 'Die Bestätigung der Zahlung hat zu lange gedauert. Versuchen Sie es erneut.',
    underpaid: (merchant: string) =>
      `Es ist weniger als der Betrag eingegangen. Wenden Sie sich deswegen an ${merchant} oder wählen Sie ` +
      'eine andere Zahlungsart.',
    removed:
      'Diese gespeicherte Zahlungsmethode ist nicht mehr verwendbar. Wählen Sie eine andere Zahlungsart.',
  },

  challenge: {
    another: 'Anders bezahlen',
    title: 'Ihre Bank möchte Ihre Identität bestätigen',
    body: 'Beantworten Sie die Rückfrage Ihrer Bank, um die Zahlung abzuschließen.',
    open: 'Weiter zu Ihrer Bank',
    ownWindow: 'In diesem Fenster öffnen',
    slow: 'Die Seite Ihrer Bank erscheint nicht?',
    frame: 'Die Seite Ihrer Bank',
  },

  crypto: {
    title: (amount: string) => `${amount} in Kryptowährung senden`,
  },

  status: {
    title: 'Ihre Zahlung wird bestätigt…',
    slow: 'Noch in Arbeit. Das kann eine Minute dauern.',
    close: (merchant: string) =>
      `Sie können diese Seite schließen. ${merchant} wird über das Ergebnis informiert.`,
    toProvider: (provider: string) => `Weiter geht es bei ${provider}`,
    toProviderBody: 'Falls sich die Seite nicht von selbst öffnet, nutzen Sie die Schaltfläche.',
  },

  result: {
    received: 'Zahlung eingegangen',
    receivedBody: (merchant: string) =>
      `Sie haben an ${merchant} gezahlt. Bewahren Sie die Referenz für Ihre Unterlagen auf.`,
    authorised: 'Zahlung autorisiert',
    authorisedBody: (merchant: string) => `Abgebucht wird erst, wenn ${merchant} Ihre Bestellung bestätigt.`,
    review: 'Zahlung wird geprüft',
    reviewBody: (merchant: string) => `${merchant} prüft diese Bestellung. Sie haben nichts falsch gemacht.`,
    failed: 'Zahlung nicht abgeschlossen',
    failedBody: (merchant: string) =>
      `Es wurde nichts abgebucht. Kehren Sie zu ${merchant} zurück, um erneut zu bestellen.`,
    tooMany: 'Zu viele Versuche',
    tooManyBody: (merchant: string) =>
      'Diese Zahlung wurde zu oft versucht. Es wurde nichts abgebucht. ' +
      `Kehren Sie zu ${merchant} zurück, um neu zu beginnen.`,
    expired: 'Dieser Link ist abgelaufen',
    expiredBody: (merchant: string) =>
      `Es wurde nichts abgebucht. Bitten Sie ${merchant} um einen neuen Link.`,
    expiredSince: (date: string) => `Er war gültig bis ${date}.`,
    cancelled: 'Zahlung abgebrochen',
    cancelledBody: 'Es wurde nichts abgebucht.',
    cancelling: 'Zahlung wird abgebrochen',
    refunding: 'Erstattung unterwegs',
    refundingBody: (amount: string) => `${amount} werden auf Ihre Zahlungsmethode zurückgezahlt.`,
    claim: 'Erstattung abrufen',
    claimBody: 'Geben Sie an, wohin das Geld gehen soll, um es zu erhalten.',
    refunded: 'Erstattet',
    refundedBody: (amount: string) => `${amount} wurden auf Ihre Zahlungsmethode zurückgezahlt.`,
    disputed: (merchant: string) => `Wenden Sie sich an ${merchant}`,
    disputedBody: (merchant: string) =>
      `Ihre Bank hat zu dieser Zahlung nachgefragt. ${merchant} kann Ihnen mehr sagen.`,
    countdown: (merchant: string, seconds: number) =>
      counted(seconds, {
        one: `Zurück zu ${merchant} in ${seconds} Sekunde.`,
        other: `Zurück zu ${merchant} in ${seconds} Sekunden.`,
      }),
    stay: 'Auf dieser Seite bleiben',
    shopSees: 'Was der Shop sieht',
  },

  receipt: {
    title: 'Zahlungsbeleg',
    paidOn: 'Bezahlt am',
    refunded: 'Erstattet',
    paymentNumber: 'Zahlung',
    payer: 'Bezahlt von',
    note: (merchant: string) =>
      `Ausgestellt für ${merchant}. Dies ist keine Rechnung im Sinne des Steuerrechts.`,
  },

  states: {
    Created: 'Offen',
    Authorized: 'Autorisiert',
    Authorizing: 'Wird autorisiert',
    Approved: 'Genehmigt',
    Capturing: 'Wird abgebucht',
    Captured: 'Bezahlt',
    Failed: 'Fehlgeschlagen',
    Disputed: 'Beanstandet',
    SaleInProgress: 'In Bearbeitung',
    ProviderAuthorizedHold: 'In Prüfung',
    Cancelling: 'Wird abgebrochen',
    CapturedHold: 'In Prüfung',
    Refunded: 'Erstattet',
    Refunding: 'Wird erstattet',
    cancelled: 'Abgebrochen',
    expired: 'Abgelaufen',
  },

  panel,

  errors: {
    unknown: 'Wir finden diese Zahlung nicht',
    unknownBody: 'Prüfen Sie, ob der Link vollständig ist, oder fragen Sie den Shop, von dem Sie ihn haben.',
    busy: 'Zu viele Anfragen',
    busyBody: 'Bitte warten Sie kurz und versuchen Sie es erneut. Es wurde nichts doppelt abgebucht.',
    broken: 'Bei uns ist ein Fehler aufgetreten',
    brokenBody: 'Es ist nichts verloren. Laden Sie die Seite neu, um den Stand Ihrer Zahlung zu sehen.',
    away: 'Wir sind gleich wieder da',
    awayBody: 'Der Zahlungsdienst antwortet gerade nicht. Laden Sie die Seite in einem Moment neu.',
    elsewhere: 'Diese Anfrage kam von einer anderen Website',
    elsewhereBody: 'Zu Ihrer Sicherheit wurde nichts ausgeführt. Öffnen Sie die Zahlungsseite erneut.',
  },
} satisfies PageTexts
