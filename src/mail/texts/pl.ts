import type { PayerTexts } from './en.ts'

export const pl: PayerTexts = {
  labels: {
    amount: 'Kwota',
    refunded: 'Zwrócono',
    reference: 'Zamówienie',
    description: 'Opis',
    method: 'Metoda płatności',
    date: 'Data',
    expires: 'Ważna do',
  },
  receipt: {
    subject: (shop) => `Potwierdzenie płatności od ${shop}`,
    heading: (amount) => `Zapłacono ${amount}`,
    body: (shop) => `Dziękujemy. Twoja płatność dla ${shop} dotarła.`,
  },
  refund: {
    subject: (shop) => `Zwrot od ${shop}`,
    heading: (amount) => `Otrzymasz zwrot ${amount}`,
    body: (shop) =>
      `Płatność została zwrócona przez ${shop}. Zanim pieniądze dotrą na konto, może minąć kilka dni.`,
  },
  failed: {
    subject: (shop) => `Płatność dla ${shop} nie powiodła się`,
    heading: (amount) => `Nie udało się pobrać ${amount}`,
    body: (shop) => `Zapisana metoda płatności dla ${shop} nie mogła zostać obciążona. Tutaj zapłacisz inną.`,
    button: 'Zapłać teraz',
  },
  added: {
    subject: (shop) => `Dodano metodę płatności w ${shop}`,
    heading: (method) => `Dodano: ${method}`,
    body: (shop) => `Ta metoda płatności jest teraz zapisana dla Twoich płatności na rzecz ${shop}.`,
  },
  removed: {
    subject: (shop) => `Usunięto metodę płatności w ${shop}`,
    heading: (method) => `Usunięto: ${method}`,
    body: (shop) => `${shop} nie może już obciążać tej metody płatności.`,
  },
  notYou: 'Jeśli to nie Ty, skontaktuj się z nami.',
  expiring: {
    subject: (shop) => `Twoja karta w ${shop} wkrótce straci ważność`,
    heading: (method) => `${method} wkrótce straci ważność`,
    body: (shop) => `Dodaj inną metodę płatności, aby płatności na rzecz ${shop} były kontynuowane.`,
    button: 'Dodaj metodę płatności',
  },
  linkOnce: 'Link jest ważny siedem dni i można go otworzyć raz.',
  storedMethod: 'Metoda płatności',
  why: (shop) => `Otrzymujesz tę wiadomość w związku z Twoimi płatnościami na rzecz ${shop}.`,
  support: 'Kontakt',
  unsubscribe: 'Nie chcę więcej przypomnień',
  stop: {
    heading: 'Bez dalszych przypomnień?',
    body: (shop) =>
      `Nie otrzymasz więcej wiadomości od ${shop} o nieudanych płatnościach i wygasających kartach.`,
    button: 'Wyłącz przypomnienia',
    done: 'Nie otrzymasz więcej przypomnień.',
  },
  test: 'Test: nie przekazano żadnych pieniędzy.',
  testMark: 'Próba',
}
