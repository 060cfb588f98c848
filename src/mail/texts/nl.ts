import type { PayerTexts } from './en.ts'

export const nl: PayerTexts = {
  labels: {
    amount: 'Bedrag',
    refunded: 'Terugbetaald',
    reference: 'Bestelling',
    description: 'Omschrijving',
    method: 'Betaald met',
    date: 'Datum',
    expires: 'Geldig tot',
  },
  receipt: {
    subject: (shop) => `Uw betaalbewijs van ${shop}`,
    heading: (amount) => `U hebt ${amount} betaald`,
    body: (shop) => `Bedankt. ${shop} heeft uw betaling ontvangen.`,
  },
  refund: {
    subject: (shop) => `Uw terugbetaling van ${shop}`,
    heading: (amount) => `U krijgt ${amount} terug`,
    body: (shop) =>
      `${shop} heeft uw betaling terugbetaald. Het duurt soms enkele dagen tot het op uw rekening staat.`,
  },
  failed: {
    subject: (shop) => `Uw betaling aan ${shop} is niet gelukt`,
    heading: (amount) => `${amount} kon niet worden afgeschreven`,
    body: (shop) =>
      `${shop} kon uw opgeslagen betaalmethode niet gebruiken. Hier kunt u met een andere betalen.`,
    button: 'Nu betalen',
  },
  added: {
    subject: (shop) => `Betaalmethode toegevoegd bij ${shop}`,
    heading: (method) => `${method} is toegevoegd`,
    body: (shop) => `Deze betaalmethode is nu opgeslagen voor uw betalingen aan ${shop}.`,
  },
  removed: {
    subject: (shop) => `Betaalmethode verwijderd bij ${shop}`,
    heading: (method) => `${method} is verwijderd`,
    body: (shop) => `${shop} kan deze betaalmethode niet meer gebruiken.`,
  },
  notYou: 'Was u dit niet? Neem dan contact met ons op.',
  expiring: {
    subject: (shop) => `Uw kaart bij ${shop} verloopt binnenkort`,
    heading: (method) => `${method} verloopt binnenkort`,
    body: (shop) => `Voeg een andere betaalmethode toe zodat uw betalingen aan ${shop} doorgaan.`,
    button: 'Betaalmethode toevoegen',
  },
  linkOnce: 'De link is zeven dagen geldig en kan één keer worden geopend.',
  storedMethod: 'Betaalmethode',
  why: (shop) => `U ontvangt deze e-mail vanwege uw betalingen aan ${shop}.`,
  support: 'Neem contact op',
  unsubscribe: 'Geen herinneringen meer',
  stop: {
    heading: 'Geen herinneringen meer?',
    body: (shop) =>
      `U ontvangt van ${shop} geen e-mails meer over mislukte betalingen en verlopende kaarten.`,
    button: 'Herinneringen stoppen',
    done: 'U ontvangt geen herinneringen meer.',
  },
  test: 'Test: er is geen geld overgemaakt.',
  testMark: 'Testbericht',
}
