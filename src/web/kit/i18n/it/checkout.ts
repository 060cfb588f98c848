import type { PageTexts } from '../en/checkout.ts'
import { plural } from '../plural.ts'
import { panel } from './panel.ts'

const counted = plural('it', ['one'])

export const it = {
  common: {
    language: 'Lingua',
    contact: (merchant: string) => `Contatta ${merchant}`,
    returnTo: (merchant: string) => `Torna a ${merchant}`,
    terms: 'Condizioni',
    privacy: 'Informativa privacy',
    poweredBy: 'Realizzato con Tender',
    sandbox: 'Ambiente di prova: nessun addebito reale',
    testValues: 'Carte e conti di prova',
    skip: 'Vai al pagamento',
    amount: 'Importo',
    merchant: 'Beneficiario',
    method: 'Metodo di pagamento',
    reference: 'Riferimento',
    order: 'Ordine',
    date: 'Data',
    state: 'Stato',
    back: 'Indietro',
    refresh: 'Aggiorna la pagina',
    copy: 'Copia',
    copied: 'Copiato',
  },

  order: {
    title: (merchant: string) => `Pagamento a ${merchant}`,
    number: (orderId: string) => `Ordine ${orderId}`,
    details: (items: number) =>
      counted(items, {
        one: `Dettagli dell’ordine (${items} articolo)`,
        other: `Dettagli dell’ordine (${items} articoli)`,
      }),
    breakdown: 'Dettagli dell’ordine',
    quantity: (count: string) => `Quantità: ${count}`,
    subtotal: 'Subtotale',
    shipping: 'Spedizione',
    handling: 'Gestione',
    insurance: 'Assicurazione',
    discount: 'Sconto',
    tax: 'Imposte',
    total: 'Totale',
    expiresIn: (time: string) => `Questa pagina è valida ancora per ${time}.`,
    minutesLeft: (minutes: number) =>
      counted(minutes, {
        one: `Resta ${minutes} minuto per pagare.`,
        other: `Restano ${minutes} minuti per pagare.`,
      }),
    secondsLeft: (seconds: number) =>
      counted(seconds, {
        one: `Resta ${seconds} secondo per pagare.`,
        other: `Restano ${seconds} secondi per pagare.`,
      }),
  },

  methods: {
    saved: 'I Suoi metodi salvati',
    choose: 'Paga con',
    CreditCard: 'Carta',
    ElectronicCheck: 'Conto bancario',
    Paypal: 'PayPal',
    Crypto: 'Criptovaluta',
    onProviderPage: (provider: string) => `Si prosegue su ${provider}.`,
    cryptoHint: 'Riceverà un indirizzo e un codice QR per pagare.',
    expires: (expiry: string) => `Scadenza: ${expiry}`,
    expired: 'Scaduta',
    defaultMethod: 'Predefinito',
    remove: 'Rimuovi',
    removeConfirm: (method: string) => `Rimuovere definitivamente ${method}?`,
    removeButton: (method: string) => `Rimuovi ${method}`,
    none: (merchant: string) => `${merchant} al momento non può accettare pagamenti`,
    noneBody: (merchant: string) =>
      `Non è stato addebitato alcun importo. Contatti ${merchant} o riprovi più tardi.`,
  },

  buttons: {
    pay: (amount: string) => `Paga ${amount}`,
    payWith: (amount: string, method: string) => `Paga ${amount} con ${method}`,
    authorise: (amount: string) => `Autorizza ${amount}`,
    continueTo: (provider: string) => `Continua su ${provider}`,
    showAddress: (amount: string) => `Paga ${amount} in cripto`,
    chargedLater: (merchant: string) => `L’addebito avverrà quando ${merchant} confermerà il Suo ordine.`,
    cancel: (merchant: string) => `Annulla e torna a ${merchant}`,
    cancelOnly: 'Annulla questo pagamento',
    cancelConfirm: 'Annullare questo pagamento? Poi non sarà più possibile pagare su questa pagina.',
    cancelYes: 'Sì, annulla',
    tryAgain: 'Riprova',
    receipt: 'Ricevuta',
    print: 'Stampa',
    working: 'Un momento…',
  },

  card: {
    number: 'Numero della carta',
    expiry: 'Scadenza',
    expiryHint: 'MM / AA',
    code: 'Codice di sicurezza',
    codeHint: '3 o 4 cifre sulla carta',
    name: 'Nome sulla carta',
    accepted: (brands: string) => `Accettate: ${brands}`,
    problems: 'Corregga questi campi',
    numberEmpty: 'Inserisca il numero della carta.',
    numberIncomplete: 'Il numero della carta è troppo corto. Inserisca tutte le cifre.',
    numberWrong: 'Questo numero di carta non è valido. Controlli le cifre.',
    brandRefused: (brand: string) => `Le carte ${brand} non sono accettate qui. Usi un’altra carta.`,
    expiryEmpty: 'Inserisca la scadenza nel formato MM / AA, per esempio 04 / 29.',
    expiryWrong: 'Inserisca la scadenza nel formato MM / AA, per esempio 04 / 29.',
    expiryPast: 'Questa carta è scaduta. Usi un’altra carta.',
    codeEmpty: 'Inserisca il codice di sicurezza.',
    codeWrong: (digits: number) =>
      counted(digits, {
        one: `Il codice di sicurezza di questa carta ha ${digits} cifra.`,
        other: `Il codice di sicurezza di questa carta ha ${digits} cifre.`,
      }),
    nameEmpty: 'Inserisca il nome così come è riportato sulla carta.',
    testCards: 'Carte di prova',
    testCardUse: (number: string) => `Usa ${number}`,
  },

  bank: {
    routing: 'Codice bancario (routing number)',
    account: 'Numero di conto',
    type: 'Tipo di conto',
    checking: 'Conto corrente',
    savings: 'Conto di risparmio',
    name: 'Intestatario del conto',
    routingWrong: 'Il codice bancario (routing number) ha 9 cifre.',
    accountWrong: 'Il numero di conto ha da 4 a 17 cifre.',
    nameEmpty: 'Inserisca il nome dell’intestatario del conto.',
    mandate: (merchant: string) =>
      `Continuando, Lei autorizza ${merchant} ad addebitare questo importo sul Suo conto bancario.`,
  },

  consent: {
    save: (merchant: string) =>
      `Salvare questo metodo di pagamento e consentire a ${merchant} di usarlo per addebiti futuri. ` +
      'Può rimuoverlo in qualsiasi momento.',
    mandate: (merchant: string) =>
      `Pagando, Lei consente a ${merchant} di salvare questo metodo di pagamento e di usarlo per ` +
      'addebiti futuri senza chiederLe conferma ogni volta. Può rimuoverlo in qualsiasi momento.',
  },

  notices: {
    partArrived: (received: string, amount: string) => `Sono arrivati solo ${received} di ${amount}`,
    partArrivedBody: (until: string | undefined) =>
      until === undefined
        ? 'Invii il resto al più presto o scelga un altro metodo di pagamento. ' +
          'L’importo ricevuto sarà restituito.'
        : `Invii il resto entro il ${until} o scelga un altro metodo di pagamento. ` +
          'L’importo ricevuto sarà restituito.',
    declined: 'Il pagamento non è riuscito',
    notCharged: 'Non è stato addebitato alcun importo.',
    cameBack: (provider: string) => `Rientro da ${provider} senza pagamento`,
    cameBackBody:
      'Non è stato addebitato alcun importo. Riprenda da dove ha interrotto o scelga un altro metodo.',
    resume: (provider: string) => `Riprendi con ${provider}`,
    notReached: (provider: string) => `${provider} al momento non è raggiungibile`,
    notReachedBody: (provider: string) =>
      `La sua pagina di pagamento su ${provider} è ancora aperta. Per evitare un doppio addebito non può ` +
      'ancora usare un altro metodo. Riprovi tra un minuto o continui su quella pagina.',
    otherTab: 'Questo pagamento è in corso in un’altra scheda',
    otherTabBody: 'Qui non serve fare altro.',
    removed: 'Il metodo di pagamento è stato rimosso.',
  },

  declines: {
    insufficient:
      'I fondi su questa carta o conto non sono sufficienti. Provi un’altra carta o un altro metodo ' +
      'di pagamento.',
    expired: 'Questa carta è scaduta. Usi un’altra carta.',
    code: 'Il codice di sicurezza non è corretto. Lo controlli e riprovi.',
    number: 'Il numero della carta non è corretto. Lo controlli e riprovi.',
    limit:
      'L’importo supera il limite di questa carta o conto. Provi un’altra carta o un altro metodo di ' +
      'pagamento.',
    unsupported:
      'Questa carta non può essere usata qui. Provi un’altra carta o un altro metodo di pagamento.',
    identity:
      'La Sua banca non ha potuto confermare la Sua identità. Riprovi o scelga un altro metodo di pagamento.',
    account:
      'La banca non ha accettato questo conto. Controlli i numeri o scelga un altro metodo di pagamento.',
    refused:
      'La Sua banca ha rifiutato il pagamento. Provi un’altra carta o un altro metodo di pagamento o ' +
      'si rivolga alla banca.',
    trouble: 'Si è verificato un errore nella comunicazione con la Sua banca. Riprovi.',
    cancelled: 'Ha annullato sulla pagina del fornitore. Scelga come desidera pagare.',
    late: 'La conferma del pagamento ha richiesto troppo tempo. Riprovi.',
    underpaid: (merchant: string) =>
      `È arrivato meno dell’importo dovuto. Contatti ${merchant} per quanto ha inviato o scelga un altro ` +
      'metodo di pagamento.',
    removed: 'Questo metodo salvato non può più essere usato. Scelga un altro metodo di pagamento.',
  },

  challenge: {
    another: 'Pagare in un altro modo',
    title: 'La Sua banca vuole confermare la Sua identità',
    body: 'Risponda alla richiesta della banca per completare il pagamento.',
    open: 'Continua con la banca',
    ownWindow: 'Apri in questa finestra',
    slow: 'La pagina della banca non compare?',
    frame: 'Pagina della Sua banca',
  },

  crypto: {
    title: (amount: string) => `Invia ${amount} in criptovaluta`,
  },

  status: {
    title: 'Conferma del pagamento in corso…',
    slow: 'Ancora in corso. Può richiedere un minuto.',
    close: (merchant: string) => `Può chiudere questa pagina. L’esito sarà comunicato a ${merchant}.`,
    toProvider: (provider: string) => `Si prosegue su ${provider}`,
    toProviderBody: 'Se la pagina non si apre da sola, usi il pulsante.',
  },

  result: {
    received: 'Pagamento ricevuto',
    receivedBody: (merchant: string) => `Ha pagato ${merchant}. Conservi il riferimento.`,
    authorised: 'Pagamento autorizzato',
    authorisedBody: (merchant: string) => `L’addebito avverrà quando ${merchant} confermerà il Suo ordine.`,
    review: 'Pagamento in verifica',
    reviewBody: (merchant: string) =>
      `${merchant} sta verificando questo ordine. Non ha commesso alcun errore.`,
    failed: 'Pagamento non completato',
    failedBody: (merchant: string) =>
      `Non è stato addebitato alcun importo. Torni a ${merchant} per ordinare di nuovo.`,
    tooMany: 'Troppi tentativi',
    tooManyBody: (merchant: string) =>
      'Sono stati fatti troppi tentativi per questo pagamento. Non è stato addebitato alcun importo. ' +
      `Torni a ${merchant} per ricominciare.`,
    expired: 'Questo link è scaduto',
    expiredBody: (merchant: string) =>
      `Non è stato addebitato alcun importo. Chieda un nuovo link a ${merchant}.`,
    expiredSince: (date: string) => `Era valido fino al ${date}.`,
    cancelled: 'Pagamento annullato',
    cancelledBody: 'Non è stato addebitato alcun importo.',
    cancelling: 'Annullamento del pagamento in corso',
    refunding: 'Rimborso in arrivo',
    refundingBody: (amount: string) => `Il rimborso di ${amount} è in arrivo sul metodo usato per pagare.`,
    claim: 'Riscuoti il rimborso',
    claimBody: 'Per ricevere il denaro, indichi dove inviarlo.',
    refunded: 'Rimborsato',
    refundedBody: (amount: string) =>
      `Il rimborso di ${amount} è stato effettuato sul metodo usato per pagare.`,
    disputed: (merchant: string) => `Contatti ${merchant}`,
    disputedBody: (merchant: string) =>
      `La Sua banca ha chiesto informazioni su questo pagamento. ${merchant} può dirLe di più.`,
    countdown: (merchant: string, seconds: number) =>
      counted(seconds, {
        one: `Ritorno a ${merchant} tra ${seconds} secondo.`,
        other: `Ritorno a ${merchant} tra ${seconds} secondi.`,
      }),
    stay: 'Resta su questa pagina',
    shopSees: 'Che cosa vede il negozio',
  },

  receipt: {
    title: 'Ricevuta',
    paidOn: 'Pagato il',
    refunded: 'Rimborsato',
    paymentNumber: 'Pagamento',
    payer: 'Pagato da',
    note: (merchant: string) => `Emessa per ${merchant}. Questo documento non è una fattura fiscale.`,
  },

  states: {
    Created: 'In attesa',
    Authorized: 'Autorizzato',
    Authorizing: 'Autorizzazione in corso',
    Approved: 'Approvato',
    Capturing: 'Addebito in corso',
    Captured: 'Pagato',
    Failed: 'Non riuscito',
    Disputed: 'Contestato',
    SaleInProgress: 'In corso',
    ProviderAuthorizedHold: 'In verifica',
    Cancelling: 'Annullamento in corso',
    CapturedHold: 'In verifica',
    Refunded: 'Rimborsato',
    Refunding: 'Rimborso in corso',
    cancelled: 'Annullato',
    expired: 'Scaduto',
  },

  panel,

  errors: {
    unknown: 'Non troviamo questo pagamento',
    unknownBody: 'Controlli che il link sia completo o si rivolga al negozio che lo ha inviato.',
    busy: 'Troppe richieste',
    busyBody: 'Attenda un momento e riprovi. Nessun importo è stato addebitato due volte.',
    broken: 'Si è verificato un errore da parte nostra',
    brokenBody: 'Nulla è andato perso. Aggiorni la pagina per vedere a che punto è il pagamento.',
    away: 'Torniamo subito',
    awayBody: 'Il servizio di pagamento al momento non risponde. Aggiorni la pagina tra qualche istante.',
    elsewhere: 'Questa richiesta proviene da un altro sito',
    elsewhereBody: 'Per la Sua sicurezza non è stato eseguito nulla. Apra di nuovo la pagina di pagamento.',
  },
} satisfies PageTexts
