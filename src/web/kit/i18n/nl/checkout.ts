import type { PageTexts } from '../en/checkout.ts'
import { plural } from '../plural.ts'
import { panel } from './panel.ts'

const counted = plural('nl', ['one'])

export const nl = {
  common: {
    language: 'Taal',
    contact: (merchant: string) => `Contact met ${merchant}`,
    returnTo: (merchant: string) => `Terug naar ${merchant}`,
    terms: 'Voorwaarden',
    privacy: 'Privacybeleid',
    poweredBy: 'Mogelijk gemaakt door Tender',
    sandbox: 'Testomgeving: er gaat geen geld om',
    testValues: 'Testkaarten en testrekeningen',
    skip: 'Direct naar de betaling',
    amount: 'Bedrag',
    merchant: 'Ontvanger',
    method: 'Betaalmethode',
    reference: 'Referentie',
    order: 'Bestelling',
    date: 'Datum',
    state: 'Status',
    back: 'Terug',
    refresh: 'Pagina vernieuwen',
    copy: 'Kopiëren',
    copied: 'Gekopieerd',
  },

  order: {
    title: (merchant: string) => `Betaling aan ${merchant}`,
    number: (orderId: string) => `Bestelling ${orderId}`,
    details: (items: number) =>
      counted(items, {
        one: `Bestelgegevens (${items} artikel)`,
        other: `Bestelgegevens (${items} artikelen)`,
      }),
    breakdown: 'Bestelgegevens',
    quantity: (count: string) => `Aantal: ${count}`,
    subtotal: 'Subtotaal',
    shipping: 'Verzending',
    handling: 'Behandelingskosten',
    insurance: 'Verzekering',
    discount: 'Korting',
    tax: 'Belasting',
    total: 'Totaal',
    expiresIn: (time: string) => `Deze pagina is nog ${time} geldig.`,
    minutesLeft: (minutes: number) =>
      counted(minutes, {
        one: `Nog ${minutes} minuut om te betalen.`,
        other: `Nog ${minutes} minuten om te betalen.`,
      }),
    secondsLeft: (seconds: number) =>
      counted(seconds, {
        one: `Nog ${seconds} seconde om te betalen.`,
        other: `Nog ${seconds} seconden om te betalen.`,
      }),
  },

  methods: {
    saved: 'Voor u opgeslagen',
    choose: 'Betalen met',
    CreditCard: 'Kaart',
    ElectronicCheck: 'Bankrekening',
    Paypal: 'PayPal',
    Crypto: 'Cryptovaluta',
    onProviderPage: (provider: string) => `U gaat verder bij ${provider}.`,
    cryptoHint: 'U krijgt een adres en een QR-code om te betalen.',
    expires: (expiry: string) => `Geldig tot ${expiry}`,
    expired: 'Verlopen',
    defaultMethod: 'Standaard',
    remove: 'Verwijderen',
    removeConfirm: (method: string) => `${method} definitief verwijderen?`,
    removeButton: (method: string) => `${method} verwijderen`,
    none: (merchant: string) => `${merchant} kan op dit moment geen betalingen ontvangen`,
    noneBody: (merchant: string) =>
      `Er is niets afgeschreven. Neem contact op met ${merchant} of probeer het later opnieuw.`,
  },

  buttons: {
    pay: (amount: string) => `${amount} betalen`,
    payWith: (amount: string, method: string) => `${amount} betalen met ${method}`,
    authorise: (amount: string) => `${amount} autoriseren`,
    continueTo: (provider: string) => `Doorgaan naar ${provider}`,
    showAddress: (amount: string) => `${amount} betalen in crypto`,
    chargedLater: (merchant: string) =>
      `Het bedrag wordt afgeschreven wanneer ${merchant} uw bestelling bevestigt.`,
    cancel: (merchant: string) => `Annuleren en terug naar ${merchant}`,
    cancelOnly: 'Deze betaling annuleren',
    cancelConfirm: 'Deze betaling annuleren? Daarna kunt u op deze pagina niet meer betalen.',
    cancelYes: 'Ja, annuleren',
    tryAgain: 'Opnieuw proberen',
    receipt: 'Betaalbewijs',
    print: 'Afdrukken',
    working: 'Een ogenblik…',
  },

  card: {
    number: 'Kaartnummer',
    expiry: 'Vervaldatum',
    expiryHint: 'MM / JJ',
    code: 'Beveiligingscode',
    codeHint: '3 of 4 cijfers op de kaart',
    name: 'Naam op de kaart',
    accepted: (brands: string) => `Geaccepteerd: ${brands}`,
    problems: 'Corrigeer deze velden',
    numberEmpty: 'Vul het kaartnummer in.',
    numberIncomplete: 'Het kaartnummer is te kort. Vul alle cijfers in.',
    numberWrong: 'Dit kaartnummer is niet geldig. Controleer de cijfers.',
    brandRefused: (brand: string) =>
      `${brand}-kaarten worden hier niet geaccepteerd. Gebruik een andere kaart.`,
    expiryEmpty: 'Vul de vervaldatum in als MM / JJ, bijvoorbeeld 04 / 29.',
    expiryWrong: 'Vul de vervaldatum in als MM / JJ, bijvoorbeeld 04 / 29.',
    expiryPast: 'Deze kaart is verlopen. Gebruik een andere kaart.',
    codeEmpty: 'Vul de beveiligingscode in.',
    codeWrong: (digits: number) =>
      counted(digits, {
        one: `De beveiligingscode van deze kaart heeft ${digits} cijfer.`,
        other: `De beveiligingscode van deze kaart heeft ${digits} cijfers.`,
      }),
    nameEmpty: 'Vul de naam in zoals die op de kaart staat.',
    testCards: 'Testkaarten',
    testCardUse: (number: string) => `${number} gebruiken`,
  },

  bank: {
    routing: 'Bankcode (routing number)',
    account: 'Rekeningnummer',
    type: 'Soort rekening',
    checking: 'Betaalrekening',
    savings: 'Spaarrekening',
    name: 'Rekeninghouder',
    routingWrong: 'Een bankcode (routing number) heeft 9 cijfers.',
    accountWrong: 'Een rekeningnummer heeft 4 tot 17 cijfers.',
    nameEmpty: 'Vul de naam van de rekeninghouder in.',
    mandate: (merchant: string) =>
      `Door verder te gaan machtigt u ${merchant} om dit bedrag van uw bankrekening af te schrijven.`,
  },

  consent: {
    save: (merchant: string) =>
      `Deze betaalmethode opslaan en ${merchant} toestaan er toekomstige betalingen van af te schrijven. ` +
      'U kunt de methode op elk moment verwijderen.',
    mandate: (merchant: string) =>
      `Door te betalen staat u ${merchant} toe deze betaalmethode op te slaan en er toekomstige betalingen ` +
      'van af te schrijven zonder het telkens te vragen. U kunt de methode op elk moment verwijderen.',
  },

  notices: {
    partArrived: (received: string, amount: string) => `Er is pas ${received} van ${amount} ontvangen`,
    partArrivedBody: (until: string | undefined) =>
      until === undefined
        ? 'Stuur de rest spoedig of kies een andere betaalmethode. ' +
          'Het ontvangen bedrag wordt dan teruggegeven.'
        : `Stuur de rest vóór ${until} of kies een andere betaalmethode. ` +
          'Het ontvangen bedrag wordt dan teruggegeven.',
    declined: 'De betaling is niet gelukt',
    notCharged: 'Er is niets afgeschreven.',
    cameBack: (provider: string) => `U bent zonder te betalen teruggekeerd van ${provider}`,
    cameBackBody: 'Er is niets afgeschreven. Ga verder waar u gebleven was of kies een andere betaalmethode.',
    resume: (provider: string) => `Verder met ${provider}`,
    notReached: (provider: string) => `${provider} is op dit moment niet bereikbaar`,
    notReachedBody: (provider: string) =>
      `Uw betaalpagina bij ${provider} is nog open. Om dubbel afschrijven te voorkomen kunt u nog niet op ` +
      'een andere manier betalen. Probeer het over een minuut opnieuw of ga daar verder.',
    otherTab: 'Deze betaling wordt in een ander tabblad afgerond',
    otherTabBody: 'U hoeft hier niets meer te doen.',
    removed: 'De betaalmethode is verwijderd.',
  },

  declines: {
    insufficient:
      'Het saldo van deze kaart of rekening is niet toereikend. Probeer een andere kaart of betaalmethode.',
    expired: 'Deze kaart is verlopen. Gebruik een andere kaart.',
    code: 'De beveiligingscode klopt niet. Controleer de code en probeer het opnieuw.',
    number: 'Het kaartnummer klopt niet. Controleer het nummer en probeer het opnieuw.',
    limit:
      'Het bedrag is hoger dan de limiet van deze kaart of rekening. Probeer een andere kaart of ' +
      'betaalmethode.',
    unsupported: 'Deze kaart kan hier niet worden gebruikt. Probeer een andere kaart of betaalmethode.',
    identity:
      'Uw bank kon uw identiteit niet bevestigen. Probeer het opnieuw of kies een andere betaalmethode.',
    account: 'De bank accepteert deze rekening niet. Controleer de nummers of kies een andere betaalmethode.',
    refused:
      'Uw bank heeft de betaling geweigerd. Probeer een andere kaart of betaalmethode of vraag het uw bank.',
    trouble: 'Er is iets misgegaan in de verbinding met uw bank. Probeer het opnieuw.',
    cancelled: 'U hebt bij de aanbieder geannuleerd. Kies hoe u wilt betalen.',
    late: 'Het bevestigen van de betaling duurde te lang. Probeer het opnieuw.',
    underpaid: (merchant: string) =>
      `Er is minder dan het bedrag ontvangen. Neem contact op met ${merchant} over wat u hebt gestuurd of ` +
      'kies een andere betaalmethode.',
    removed: 'Deze opgeslagen methode kan niet meer worden gebruikt. Kies een andere betaalmethode.',
  },

  challenge: {
    another: 'Op een andere manier betalen',
    title: 'Uw bank wil uw identiteit bevestigen',
    body: 'Beantwoord de vraag van uw bank om de betaling af te ronden.',
    open: 'Doorgaan naar uw bank',
    ownWindow: 'In dit venster openen',
    slow: 'Verschijnt de pagina van uw bank niet?',
    frame: 'Pagina van uw bank',
  },

  crypto: {
    title: (amount: string) => `${amount} in cryptovaluta sturen`,
  },

  status: {
    title: 'Uw betaling wordt bevestigd…',
    slow: 'Nog bezig. Dit kan een minuut duren.',
    close: (merchant: string) => `U kunt deze pagina sluiten. ${merchant} krijgt bericht van het resultaat.`,
    toProvider: (provider: string) => `U gaat verder bij ${provider}`,
    toProviderBody: 'Gebruik de knop als de pagina niet vanzelf opent.',
  },

  result: {
    received: 'Betaling ontvangen',
    receivedBody: (merchant: string) =>
      `U hebt aan ${merchant} betaald. Bewaar de referentie voor uw administratie.`,
    authorised: 'Betaling geautoriseerd',
    authorisedBody: (merchant: string) =>
      `Het bedrag wordt afgeschreven wanneer ${merchant} uw bestelling bevestigt.`,
    review: 'Betaling wordt gecontroleerd',
    reviewBody: (merchant: string) =>
      `${merchant} controleert deze bestelling. U hebt niets verkeerd gedaan.`,
    failed: 'Betaling niet voltooid',
    failedBody: (merchant: string) =>
      `Er is niets afgeschreven. Ga terug naar ${merchant} om opnieuw te bestellen.`,
    tooMany: 'Te veel pogingen',
    tooManyBody: (merchant: string) =>
      'Deze betaling is te vaak geprobeerd. Er is niets afgeschreven. ' +
      `Ga terug naar ${merchant} om opnieuw te beginnen.`,
    expired: 'Deze link is verlopen',
    expiredBody: (merchant: string) => `Er is niets afgeschreven. Vraag ${merchant} om een nieuwe link.`,
    expiredSince: (date: string) => `De link was geldig tot ${date}.`,
    cancelled: 'Betaling geannuleerd',
    cancelledBody: 'Er is niets afgeschreven.',
    cancelling: 'Betaling wordt geannuleerd',
    refunding: 'Terugbetaling onderweg',
    refundingBody: (amount: string) => `${amount} wordt teruggestort naar de methode waarmee u hebt betaald.`,
    claim: 'Terugbetaling ophalen',
    claimBody: 'Geef aan waar het geld naartoe moet om het te ontvangen.',
    refunded: 'Terugbetaald',
    refundedBody: (amount: string) => `${amount} is teruggestort naar de methode waarmee u hebt betaald.`,
    disputed: (merchant: string) => `Neem contact op met ${merchant}`,
    disputedBody: (merchant: string) =>
      `Uw bank heeft navraag gedaan over deze betaling. ${merchant} kan u meer vertellen.`,
    countdown: (merchant: string, seconds: number) =>
      counted(seconds, {
        one: `Terug naar ${merchant} over ${seconds} seconde.`,
        other: `Terug naar ${merchant} over ${seconds} seconden.`,
      }),
    stay: 'Op deze pagina blijven',
    shopSees: 'Wat de winkel ziet',
  },

  receipt: {
    title: 'Betaalbewijs',
    paidOn: 'Betaald op',
    refunded: 'Terugbetaald',
    paymentNumber: 'Betaling',
    payer: 'Betaald door',
    note: (merchant: string) => `Afgegeven voor ${merchant}. Dit is geen btw-factuur.`,
  },

  states: {
    Created: 'Openstaand',
    Authorized: 'Geautoriseerd',
    Authorizing: 'Wordt geautoriseerd',
    Approved: 'Goedgekeurd',
    Capturing: 'Wordt afgeschreven',
    Captured: 'Betaald',
    Failed: 'Mislukt',
    Disputed: 'Betwist',
    SaleInProgress: 'In behandeling',
    ProviderAuthorizedHold: 'In controle',
    Cancelling: 'Wordt geannuleerd',
    CapturedHold: 'In controle',
    Refunded: 'Terugbetaald',
    Refunding: 'Wordt terugbetaald',
    cancelled: 'Geannuleerd',
    expired: 'Verlopen',
  },

  panel,

  errors: {
    unknown: 'We kunnen deze betaling niet vinden',
    unknownBody: 'Controleer of de link volledig is of vraag het de winkel die u de link heeft gestuurd.',
    busy: 'Te veel verzoeken',
    busyBody: 'Wacht even en probeer het opnieuw. Er is niets dubbel afgeschreven.',
    broken: 'Er is bij ons iets misgegaan',
    brokenBody: 'Er is niets verloren gegaan. Vernieuw de pagina om de stand van uw betaling te zien.',
    away: 'We zijn zo terug',
    awayBody: 'De betaaldienst reageert op dit moment niet. Vernieuw de pagina over een ogenblik.',
    elsewhere: 'Dit verzoek kwam van een andere website',
    elsewhereBody: 'Voor uw veiligheid is er niets uitgevoerd. Open de betaalpagina opnieuw.',
  },
} satisfies PageTexts
