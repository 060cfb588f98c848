import type { PayerTexts } from './en.ts'

export const de: PayerTexts = {
  labels: {
    amount: 'Betrag',
    refunded: 'Erstattet',
    reference: 'Bestellung',
    description: 'Beschreibung',
    method: 'Bezahlt mit',
    date: 'Datum',
    expires: 'Gültig bis',
  },
  receipt: {
    subject: (shop) => `Ihr Zahlungsbeleg von ${shop}`,
    heading: (amount) => `Sie haben ${amount} bezahlt`,
    body: (shop) => `Vielen Dank. ${shop} hat Ihre Zahlung erhalten.`,
  },
  refund: {
    subject: (shop) => `Ihre Erstattung von ${shop}`,
    heading: (amount) => `Sie erhalten ${amount} zurück`,
    body: (shop) =>
      `${shop} hat Ihre Zahlung erstattet. Es kann einige Tage dauern, bis das Geld auf Ihrem Konto ist.`,
  },
  failed: {
    subject: (shop) => `Ihre Zahlung an ${shop} ist fehlgeschlagen`,
    heading: (amount) => `${amount} konnten nicht abgebucht werden`,
    body: (shop) =>
      `${shop} konnte Ihre gespeicherte Zahlungsart nicht belasten. Hier können Sie anders bezahlen.`,
    button: 'Jetzt bezahlen',
  },
  added: {
    subject: (shop) => `Neue Zahlungsart bei ${shop}`,
    heading: (method) => `${method} wurde hinzugefügt`,
    body: (shop) => `Diese Zahlungsart ist jetzt für Ihre Zahlungen an ${shop} gespeichert.`,
  },
  removed: {
    subject: (shop) => `Zahlungsart bei ${shop} entfernt`,
    heading: (method) => `${method} wurde entfernt`,
    body: (shop) => `${shop} kann diese Zahlungsart nicht mehr belasten.`,
  },
  notYou: 'Wenn Sie das nicht waren, melden Sie sich bitte bei uns.',
  expiring: {
    subject: (shop) => `Ihre Karte bei ${shop} läuft bald ab`,
    heading: (method) => `${method} läuft bald ab`,
    body: (shop) =>
      `Fügen Sie eine andere Zahlungsart hinzu, damit Ihre Zahlungen an ${shop} weiter funktionieren.`,
    button: 'Zahlungsart hinzufügen',
  },
  linkOnce: 'Der Link gilt sieben Tage und kann einmal geöffnet werden.',
  storedMethod: 'Zahlungsart',
  why: (shop) => `Sie erhalten diese E-Mail wegen Ihrer Zahlungen an ${shop}.`,
  support: 'Kontakt',
  unsubscribe: 'Keine Erinnerungen mehr',
  stop: {
    heading: 'Keine Erinnerungen mehr?',
    body: (shop) =>
      `Sie erhalten von ${shop} keine E-Mails mehr über fehlgeschlagene Zahlungen und ablaufende Karten.`,
    button: 'Erinnerungen beenden',
    done: 'Sie erhalten keine Erinnerungen mehr.',
  },
  test: 'Test: Es wurde kein Geld bewegt.',
  testMark: 'Testnachricht',
}
