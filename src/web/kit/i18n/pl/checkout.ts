import type { PageTexts } from '../en/checkout.ts'
import { plural } from '../plural.ts'
import { panel } from './panel.ts'

const counted = plural('pl', ['one', 'few', 'many'])

export const pl = {
  common: {
    language: 'Język',
    contact: (merchant: string) => `Kontakt: ${merchant}`,
    returnTo: (merchant: string) => `Wróć do ${merchant}`,
    terms: 'Regulamin',
    privacy: 'Prywatność',
    poweredBy: 'Obsługuje Tender',
    sandbox: 'Tryb testowy: bez przepływu pieniędzy',
    testValues: 'Testowe karty i konta',
    skip: 'Przejdź do płatności',
    amount: 'Kwota',
    merchant: 'Odbiorca',
    method: 'Metoda płatności',
    reference: 'Numer referencyjny',
    order: 'Zamówienie',
    date: 'Data',
    state: 'Status',
    back: 'Wstecz',
    refresh: 'Odśwież stronę',
    copy: 'Kopiuj',
    copied: 'Skopiowano',
  },

  order: {
    title: (merchant: string) => `Płatność dla ${merchant}`,
    number: (orderId: string) => `Zamówienie ${orderId}`,
    details: (items: number) =>
      counted(items, {
        one: `Szczegóły zamówienia (${items} pozycja)`,
        few: `Szczegóły zamówienia (${items} pozycje)`,
        many: `Szczegóły zamówienia (${items} pozycji)`,
        other: `Szczegóły zamówienia (${items} pozycji)`,
      }),
    breakdown: 'Szczegóły zamówienia',
    quantity: (count: string) => `Ilość: ${count}`,
    subtotal: 'Suma częściowa',
    shipping: 'Dostawa',
    handling: 'Obsługa',
    insurance: 'Ubezpieczenie',
    discount: 'Rabat',
    tax: 'Podatek',
    total: 'Razem',
    expiresIn: (time: string) => `Ta strona jest ważna jeszcze przez ${time}.`,
    minutesLeft: (minutes: number) =>
      counted(minutes, {
        one: `Na płatność pozostała ${minutes} minuta.`,
        few: `Na płatność pozostały ${minutes} minuty.`,
        many: `Na płatność pozostało ${minutes} minut.`,
        other: `Na płatność pozostało ${minutes} minuty.`,
      }),
    secondsLeft: (seconds: number) =>
      counted(seconds, {
        one: `Na płatność pozostała ${seconds} sekunda.`,
        few: `Na płatność pozostały ${seconds} sekundy.`,
        many: `Na płatność pozostało ${seconds} sekund.`,
        other: `Na płatność pozostało ${seconds} sekundy.`,
      }),
  },

  methods: {
    saved: 'Zapisane metody',
    choose: 'Zapłać za pomocą',
    CreditCard: 'Karta',
    ElectronicCheck: 'Konto bankowe',
    Paypal: 'PayPal',
    Crypto: 'Kryptowaluta',
    onProviderPage: (provider: string) => `Dalszy ciąg w serwisie ${provider}.`,
    cryptoHint: 'Pojawi się adres i kod QR do zapłaty.',
    expires: (expiry: string) => `Ważna do ${expiry}`,
    expired: 'Wygasła',
    defaultMethod: 'Domyślna',
    remove: 'Usuń',
    removeConfirm: (method: string) => `Usunąć ${method} na stałe?`,
    removeButton: (method: string) => `Usuń ${method}`,
    none: (merchant: string) => `${merchant} nie może teraz przyjmować płatności`,
    noneBody: (merchant: string) =>
      `Nie pobrano żadnej kwoty. Prosimy o kontakt z ${merchant} lub ponowną próbę później.`,
  },

  buttons: {
    pay: (amount: string) => `Zapłać ${amount}`,
    payWith: (amount: string, method: string) => `Zapłać ${amount} – ${method}`,
    authorise: (amount: string) => `Autoryzuj ${amount}`,
    continueTo: (provider: string) => `Przejdź do ${provider}`,
    showAddress: (amount: string) => `Zapłać ${amount} w krypto`,
    chargedLater: (merchant: string) => `Kwota zostanie pobrana, gdy ${merchant} potwierdzi zamówienie.`,
    cancel: (merchant: string) => `Anuluj i wróć do ${merchant}`,
    cancelOnly: 'Anuluj tę płatność',
    cancelConfirm: 'Anulować tę płatność? Później nie będzie już można zapłacić na tej stronie.',
    cancelYes: 'Tak, anuluj',
    tryAgain: 'Spróbuj ponownie',
    receipt: 'Potwierdzenie',
    print: 'Drukuj',
    working: 'Chwileczkę…',
  },

  card: {
    number: 'Numer karty',
    expiry: 'Data ważności',
    expiryHint: 'MM / RR',
    code: 'Kod zabezpieczający',
    codeHint: '3 lub 4 cyfry na karcie',
    name: 'Imię i nazwisko na karcie',
    accepted: (brands: string) => `Akceptowane: ${brands}`,
    problems: 'Popraw te pola',
    numberEmpty: 'Wpisz numer karty.',
    numberIncomplete: 'Numer karty jest za krótki. Wpisz wszystkie cyfry.',
    numberWrong: 'Ten numer karty jest nieprawidłowy. Sprawdź cyfry.',
    brandRefused: (brand: string) => `Karty ${brand} nie są tu akceptowane. Użyj innej karty.`,
    expiryEmpty: 'Wpisz datę ważności w formacie MM / RR, na przykład 04 / 29.',
    expiryWrong: 'Wpisz datę ważności w formacie MM / RR, na przykład 04 / 29.',
    expiryPast: 'Ta karta straciła ważność. Użyj innej karty.',
    codeEmpty: 'Wpisz kod zabezpieczający.',
    codeWrong: (digits: number) =>
      counted(digits, {
        one: `Kod zabezpieczający tej karty ma ${digits} cyfrę.`,
        few: `Kod zabezpieczający tej karty ma ${digits} cyfry.`,
        many: `Kod zabezpieczający tej karty ma ${digits} cyfr.`,
        other: `Kod zabezpieczający tej karty ma ${digits} cyfry.`,
      }),
    nameEmpty: 'Wpisz imię i nazwisko tak, jak na karcie.',
    testCards: 'Karty testowe',
    testCardUse: (number: string) => `Użyj ${number}`,
  },

  bank: {
    routing: 'Numer banku (routing number)',
    account: 'Numer konta',
    type: 'Rodzaj konta',
    checking: 'Konto bieżące',
    savings: 'Konto oszczędnościowe',
    name: 'Posiadacz konta',
    routingWrong: 'Numer banku (routing number) ma 9 cyfr.',
    accountWrong: 'Numer konta ma od 4 do 17 cyfr.',
    nameEmpty: 'Wpisz imię i nazwisko posiadacza konta.',
    mandate: (merchant: string) =>
      `Kontynuacja oznacza upoważnienie ${merchant} do pobrania tej kwoty z konta bankowego.`,
  },

  consent: {
    save: (merchant: string) =>
      `Zgadzam się na zapisanie tej metody płatności i obciążanie jej przez ${merchant} przy przyszłych ` +
      'płatnościach. Można ją usunąć w każdej chwili.',
    mandate: (merchant: string) =>
      `Dokonanie płatności oznacza zgodę na zapisanie tej metody i obciążanie jej przez ${merchant} przy ` +
      'przyszłych płatnościach bez pytania za każdym razem. Można ją usunąć w każdej chwili.',
  },

  notices: {
    partArrived: (received: string, amount: string) => `Dotarło tylko ${received} z ${amount}`,
    partArrivedBody: (until: string | undefined) =>
      until === undefined
        ? 'Wyślij wkrótce resztę lub wybierz inną metodę płatności. Otrzymana kwota zostanie wtedy zwrócona.'
        : `Wyślij resztę do ${until} lub wybierz inną metodę płatności. ` +
          'Otrzymana kwota zostanie wtedy zwrócona.',
    declined: 'Płatność się nie powiodła',
    notCharged: 'Nie pobrano żadnej kwoty.',
    cameBack: (provider: string) => `Powrót z ${provider} bez zapłaty`,
    cameBackBody: 'Nie pobrano żadnej kwoty. Dokończ płatność lub wybierz inną metodę.',
    resume: (provider: string) => `Kontynuuj z ${provider}`,
    notReached: (provider: string) => `Nie można teraz połączyć się z ${provider}`,
    notReachedBody: (provider: string) =>
      `Strona płatności w ${provider} jest nadal otwarta. Aby nic nie zostało pobrane dwa razy, innej ` +
      'metody nie można jeszcze użyć. Spróbuj ponownie za minutę lub dokończ płatność tam.',
    otherTab: 'Ta płatność jest realizowana w innej karcie przeglądarki',
    otherTabBody: 'Tutaj nie trzeba już nic robić.',
    removed: 'Metoda płatności została usunięta.',
  },

  declines: {
    insufficient: 'Na tej karcie lub koncie brakuje środków. Spróbuj użyć innej karty lub metody płatności.',
    expired: 'Ta karta straciła ważność. Użyj innej karty.',
    code: 'Kod zabezpieczający jest nieprawidłowy. Sprawdź go i spróbuj ponownie.',
    number: 'Numer karty jest nieprawidłowy. Sprawdź go i spróbuj ponownie.',
    limit: 'Kwota przekracza limit tej karty lub konta. Spróbuj użyć innej karty lub metody płatności.',
    unsupported: 'Tej karty nie można tu użyć. Spróbuj użyć innej karty lub metody płatności.',
    identity: 'Bank nie mógł potwierdzić tożsamości. Spróbuj ponownie lub wybierz inną metodę płatności.',
    account: 'Bank nie zaakceptował tego konta. Sprawdź numery lub wybierz inną metodę płatności.',
    refused:
      'Bank odrzucił płatność. Spróbuj użyć innej karty lub metody płatności albo skontaktuj się z bankiem.',
    trouble: 'Wystąpił problem z połączeniem z bankiem. Spróbuj ponownie.',
    cancelled: 'Płatność anulowano na stronie dostawcy. Wybierz sposób płatności.',
    late: 'Potwierdzanie płatności trwało zbyt długo. Spróbuj ponownie.',
    underpaid: (merchant: string) =>
      `Wpłynęło mniej niż wymagana kwota. Skontaktuj się z ${merchant} w sprawie wysłanych środków lub ` +
      'wybierz inną metodę płatności.',
    removed: 'Tej zapisanej metody nie można już użyć. Wybierz inną metodę płatności.',
  },

  challenge: {
    another: 'Zapłać inaczej',
    title: 'Bank prosi o potwierdzenie tożsamości',
    body: 'Odpowiedz na pytanie banku, aby dokończyć płatność.',
    open: 'Przejdź do banku',
    ownWindow: 'Otwórz w tym oknie',
    slow: 'Strona banku się nie pojawia?',
    frame: 'Strona banku',
  },

  crypto: {
    title: (amount: string) => `Wyślij ${amount} w kryptowalucie`,
  },

  status: {
    title: 'Potwierdzanie płatności…',
    slow: 'Wciąż trwa. Może to zająć minutę.',
    close: (merchant: string) => `Można zamknąć tę stronę. ${merchant} otrzyma informację o wyniku.`,
    toProvider: (provider: string) => `Dalszy ciąg w serwisie ${provider}`,
    toProviderBody: 'Jeśli strona nie otworzy się sama, użyj przycisku.',
  },

  result: {
    received: 'Płatność przyjęta',
    receivedBody: (merchant: string) =>
      `Odbiorca płatności: ${merchant}. Prosimy zachować numer referencyjny.`,
    authorised: 'Płatność autoryzowana',
    authorisedBody: (merchant: string) => `Kwota zostanie pobrana, gdy ${merchant} potwierdzi zamówienie.`,
    review: 'Płatność jest sprawdzana',
    reviewBody: (merchant: string) =>
      `${merchant} sprawdza to zamówienie. Nie oznacza to żadnego błędu z Państwa strony.`,
    failed: 'Płatność niezrealizowana',
    failedBody: (merchant: string) => `Nie pobrano żadnej kwoty. Wróć do ${merchant}, aby zamówić ponownie.`,
    tooMany: 'Zbyt wiele prób',
    tooManyBody: (merchant: string) =>
      'Zbyt wiele razy próbowano zrealizować tę płatność. Nie pobrano żadnej kwoty. ' +
      `Wróć do ${merchant}, aby zacząć od nowa.`,
    expired: 'Ten link wygasł',
    expiredBody: (merchant: string) => `Nie pobrano żadnej kwoty. Nowy link może przesłać ${merchant}.`,
    expiredSince: (date: string) => `Był ważny do: ${date}.`,
    cancelled: 'Płatność anulowana',
    cancelledBody: 'Nie pobrano żadnej kwoty.',
    cancelling: 'Trwa anulowanie płatności',
    refunding: 'Zwrot w drodze',
    refundingBody: (amount: string) => `Zwrot ${amount} jest w drodze na użytą metodę płatności.`,
    claim: 'Odbierz zwrot',
    claimBody: 'Aby otrzymać pieniądze, podaj, dokąd mają trafić.',
    refunded: 'Zwrócono',
    refundedBody: (amount: string) => `Zwrot ${amount} został wykonany na użytą metodę płatności.`,
    disputed: (merchant: string) => `Skontaktuj się z ${merchant}`,
    disputedBody: (merchant: string) =>
      `Bank zapytał o tę płatność. ${merchant} może udzielić więcej informacji.`,
    countdown: (merchant: string, seconds: number) =>
      counted(seconds, {
        one: `Powrót do ${merchant} za ${seconds} sekundę.`,
        few: `Powrót do ${merchant} za ${seconds} sekundy.`,
        many: `Powrót do ${merchant} za ${seconds} sekund.`,
        other: `Powrót do ${merchant} za ${seconds} sekundy.`,
      }),
    stay: 'Zostań na tej stronie',
    shopSees: 'Co widzi sklep',
  },

  receipt: {
    title: 'Potwierdzenie płatności',
    paidOn: 'Data płatności',
    refunded: 'Zwrócono',
    paymentNumber: 'Płatność',
    payer: 'Płatnik',
    note: (merchant: string) => `Wystawiono dla ${merchant}. To nie jest faktura VAT.`,
  },

  states: {
    Created: 'Oczekuje',
    Authorized: 'Autoryzowana',
    Authorizing: 'Trwa autoryzacja',
    Approved: 'Zatwierdzona',
    Capturing: 'Trwa pobieranie',
    Captured: 'Opłacona',
    Failed: 'Nieudana',
    Disputed: 'Sporna',
    SaleInProgress: 'W toku',
    ProviderAuthorizedHold: 'Sprawdzana',
    Cancelling: 'Trwa anulowanie',
    CapturedHold: 'Sprawdzana',
    Refunded: 'Zwrócona',
    Refunding: 'Trwa zwrot',
    cancelled: 'Anulowana',
    expired: 'Wygasła',
  },

  panel,

  errors: {
    unknown: 'Nie możemy znaleźć tej płatności',
    unknownBody: 'Sprawdź, czy link jest kompletny, lub zapytaj sklep, z którego pochodzi.',
    busy: 'Zbyt wiele żądań',
    busyBody: 'Odczekaj chwilę i spróbuj ponownie. Żadnej kwoty nie pobrano podwójnie.',
    broken: 'Wystąpił błąd po naszej stronie',
    brokenBody: 'Nic nie przepadło. Odśwież stronę, aby zobaczyć stan płatności.',
    away: 'Zaraz wracamy',
    awayBody: 'Usługa płatności chwilowo nie odpowiada. Odśwież stronę za chwilę.',
    elsewhere: 'To żądanie pochodzi z innej witryny',
    elsewhereBody: 'Dla bezpieczeństwa nic nie zostało wykonane. Otwórz ponownie stronę płatności.',
  },
} satisfies PageTexts
