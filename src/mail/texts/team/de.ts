import type { TeamTexts } from './en.ts'

export const de: TeamTexts = {
  labels: {
    amount: 'Betrag',
    refunded: 'Erstattet',
    reference: 'Bestellung',
    description: 'Beschreibung',
    time: 'Zeit',
    address: 'Adresse',
    device: 'Gerät',
    endpoint: 'Endpunkt',
    since: 'Fehlerhaft seit',
    error: 'Letzter Fehler',
    profile: 'Profil',
    problem: 'Problem',
    role: 'Rolle',
    until: 'Gültig bis',
    business: 'Händler',
    app: 'App',
    by: 'Von',
  },
  invitation: {
    subject: (business) => `Du bist zu ${business} eingeladen`,
    heading: (business) => `${business} beitreten`,
    body: 'In der Konsole siehst und verwaltest du Zahlungen. Nimm an, um ein Passwort zu wählen.',
    bodyBy: (person) => `${person} lädt dich zur Konsole ein, in der Zahlungen verwaltet werden.`,
    button: 'Einladung annehmen',
    ignore: 'Wenn du diese Einladung nicht erwartest, ignoriere diese E-Mail.',
  },
  reset: {
    subject: 'Neues Passwort wählen',
    heading: 'Neues Passwort wählen',
    body: 'Für dein Konto wurde ein neues Passwort angefordert. Der Link kann einmal benutzt werden.',
    button: 'Passwort wählen',
    ignore: 'Wenn du das nicht warst, ignoriere diese E-Mail: Dein Passwort bleibt, wie es ist.',
  },
  signIn: {
    subject: 'Neue Anmeldung bei deinem Konto',
    heading: 'Neue Anmeldung',
    body: 'Dein Konto wurde aus einem Netz benutzt, aus dem es bisher nicht benutzt wurde.',
    button: 'Sitzungen ansehen',
    notYou: 'Wenn du das nicht warst, beende die Sitzung und ändere dein Passwort.',
  },
  access: {
    passkey: {
      subject: 'Ein Passkey wurde zu deinem Konto hinzugefügt',
      body: 'Ein Passkey wurde hinzugefügt. Er öffnet dein Konto ohne das Passwort.',
      label: 'Passkey',
    },
    'second-factor': {
      subject: 'Ein zweiter Faktor wurde für dein Konto eingerichtet',
      body: 'Zur Anmeldung gehört jetzt auch ein Code einer Authenticator-App.',
      label: '',
    },
    role: {
      subject: 'Du hast eine neue Rolle',
      body: 'Dein Konto hat eine Rolle bekommen.',
      label: 'Rolle',
    },
    'api-key': {
      subject: 'Ein API-Schlüssel wurde in deinem Namen erstellt',
      body: 'Ein API-Schlüssel wurde erstellt oder ersetzt. Er gilt, bis er widerrufen wird oder abläuft.',
      label: 'API-Schlüssel',
    },
    subjectIn: (subject, business) => `${subject}: ${business}`,
    notYou:
      'Wenn du das nicht warst, wähle ein neues Passwort und entferne alles, was nicht von dir ist, oder ' +
      'frage einen Owner.',
    button: 'Konto ansehen',
  },
  refundMade: {
    subject: (amount, reference) => `Erstattung von ${amount} für ${reference}`,
    heading: (amount) => `${amount} wurden erstattet`,
    body: (app) => `Eine Erstattung von ${app} wurde ausgeführt.`,
    button: 'Zahlung ansehen',
  },
  endpoint: {
    subject: (app) => `Webhooks von ${app} kommen nicht an`,
    heading: 'Dein Webhook-Endpunkt antwortet nicht richtig',
    body: 'Webhooks warten und werden erneut gesendet. Nach etwa drei Tagen ohne Erfolg wird aufgegeben.',
    disabled:
      'Der Endpunkt hat 410 geantwortet und ist abgeschaltet. Ein erneutes Senden, das ankommt, schaltet ' +
      'ihn wieder ein.',
    button: 'Webhooks ansehen',
  },
  provider: {
    subject: (profile) => `${profile} ist gestört`,
    heading: (profile) => `${profile} ist gestört`,
    failed: (failed, calls) => `${failed} der letzten ${calls} Aufrufe schlugen fehl.`,
    slow: (calls, ms) => `Die Hälfte der letzten ${calls} Aufrufe dauerte über ${ms} ms.`,
    body: 'Zahlungen gehen zuerst an andere Profile, wo es sie gibt. Es wird regelmäßig neu versucht.',
    button: 'Anbieter ansehen',
  },
  authorisations: {
    subject: (count) => `${count} Autorisierungen enden in einem Tag`,
    heading: (count) => `${count} Autorisierungen enden in einem Tag`,
    body: 'Buche oder storniere diese Zahlungen. Sonst wird das reservierte Geld freigegeben.',
    one: '1 Autorisierung endet in einem Tag',
    more: (count) => `Mehr als ${count}`,
    button: 'Zahlungen ansehen',
  },
  why: 'Du erhältst diese E-Mail, weil du diese Konsole benutzt.',
  whyApp: (app) => `Du erhältst diese E-Mail, weil du über Ereignisse von ${app} informiert wirst.`,
  settings: 'Ändern, wer informiert wird',
}
