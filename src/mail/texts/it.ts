import type { PayerTexts } from './en.ts'

export const it: PayerTexts = {
  labels: {
    amount: 'Importo',
    refunded: 'Rimborsato',
    reference: 'Ordine',
    description: 'Descrizione',
    method: 'Pagato con',
    date: 'Data',
    expires: 'Scadenza',
  },
  receipt: {
    subject: (shop) => `La ricevuta di ${shop}`,
    heading: (amount) => `Hai pagato ${amount}`,
    body: (shop) => `Grazie. ${shop} ha ricevuto il tuo pagamento.`,
  },
  refund: {
    subject: (shop) => `Il rimborso di ${shop}`,
    heading: (amount) => `Ti vengono restituiti ${amount}`,
    body: (shop) =>
      `${shop} ha rimborsato il tuo pagamento. Possono volerci alcuni giorni prima che il denaro arrivi.`,
  },
  failed: {
    subject: (shop) => `Il pagamento a ${shop} non è riuscito`,
    heading: (amount) => `Non è stato possibile addebitare ${amount}`,
    body: (shop) =>
      `${shop} non ha potuto addebitare il metodo di pagamento salvato. Qui puoi pagare con un altro.`,
    button: 'Paga ora',
  },
  added: {
    subject: (shop) => `È stato aggiunto un metodo di pagamento su ${shop}`,
    heading: (method) => `${method}: metodo di pagamento aggiunto`,
    body: (shop) => `Questo metodo di pagamento è ora salvato per i tuoi pagamenti a ${shop}.`,
  },
  removed: {
    subject: (shop) => `È stato rimosso un metodo di pagamento su ${shop}`,
    heading: (method) => `${method}: metodo di pagamento rimosso`,
    body: (shop) => `${shop} non può più addebitare questo metodo di pagamento.`,
  },
  notYou: 'Se non sei stato tu, contattaci.',
  expiring: {
    subject: (shop) => `La tua carta su ${shop} scade presto`,
    heading: (method) => `${method} scade presto`,
    body: (shop) => `Aggiungi un altro metodo di pagamento per continuare i tuoi pagamenti a ${shop}.`,
    button: 'Aggiungi un metodo di pagamento',
  },
  linkOnce: 'Il link vale sette giorni e può essere aperto una volta sola.',
  storedMethod: 'Metodo di pagamento',
  why: (shop) => `Ricevi questa e-mail per i tuoi pagamenti a ${shop}.`,
  support: 'Contatti',
  unsubscribe: 'Non ricevere più promemoria',
  stop: {
    heading: 'Non ricevere più promemoria?',
    body: (shop) => `Non riceverai più e-mail di ${shop} su pagamenti non riusciti e carte in scadenza.`,
    button: 'Interrompi i promemoria',
    done: 'Non riceverai più promemoria.',
  },
  test: 'Prova: nessun denaro è stato trasferito.',
  testMark: 'Prova',
}
