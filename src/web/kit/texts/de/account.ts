import type { ConsoleTexts } from '../texts.ts'

export const account: ConsoleTexts['account'] = {
  title: 'Anmelden',
  email: 'E-Mail',
  password: 'Passwort',
  newPassword: 'Neues Passwort',
  passwordHint: 'Mindestens 12 Zeichen. Einige Wörter ohne Zusammenhang lassen sich gut merken.',
  name: 'Dein Name',
  licenseName: 'Name deines Unternehmens',
  signIn: 'Anmelden',
  forgot: 'Passwort vergessen?',
  withPasskey: 'Passkey benutzen',
  withProvider: (name: string) => `Weiter mit ${name}`,
  passkeyFailed: 'Es wurde kein Passkey benutzt. Versuche es noch einmal, oder wähle einen anderen Weg.',
  refused: 'E-Mail oder Passwort ist falsch.',
  refusedCode: 'Der Code ist falsch oder wurde schon benutzt.',
  wait: (seconds: string) => `Zu viele Versuche. Bitte ${seconds} Sekunden warten und noch einmal versuchen.`,

  codeTitle: 'Zweiter Schritt',
  code: 'Code',
  codeHint: 'Sechs Ziffern aus der Authenticator-App oder ein Wiederherstellungscode.',
  codeButton: 'Anmelden',

  setupTitle: 'Tender einrichten',
  setupIntro: 'Lege das Konto des Inhabers an. Weitere Personen werden auf der Teamseite eingeladen.',
  setupWrong: 'Dieser Link ist ungültig',
  setupWrongBody: 'Starte den Dienst und öffne die Adresse, die er nach „Console“ ausgibt.',
  setupNoToken: 'Setze OPERATOR_TOKEN und starte den Dienst neu: die Einrichtung fragt nach diesem Token.',
  operatorToken: 'Operator-Token',
  operatorTokenHint: 'Die Einstellung OPERATOR_TOKEN dieser Installation.',
  createAccount: 'Konto anlegen',

  joinTitle: (business: string) => `${business} beitreten`,
  joinIntro: (email: string, role: string) => `Du bist als ${role} eingeladen, mit der Adresse ${email}.`,
  joinSignIn: 'Es gibt ein Konto mit dieser Adresse. Melde dich an, um die Einladung anzunehmen.',
  join: 'Dem Team beitreten',
  joinUnproved:
    'Die E-Mail-Adresse dieses Kontos ist nicht bestätigt, deshalb kann es keinem zweiten Händler ' +
    'beitreten. Melde dich bei deinem OpenID-Anbieter an oder lass dir einen Link für ein neues Passwort ' +
    'schicken. ' +
    'Alles, was davor eingerichtet wurde, endet dann.',
  joinOther: (email: string) => `Die Einladung ist für ${email}. Bitte zuerst abmelden.`,

  resetTitle: 'Neues Passwort wählen',
  resetButton: 'Passwort ändern',
  restoreTitle: 'Zugang wiederherstellen',
  restoreIntro:
    'Wähle ein neues Passwort. Zweiter Faktor, Passkeys und Anmeldungen bei OpenID-Anbietern werden auch ' +
    'entfernt; richte sie nach der Anmeldung neu ein.',
  firstProof:
    'Damit bestätigst du zum ersten Mal, dass die E-Mail-Adresse dir gehört. Passwort, Passkeys, zweiter ' +
    'Faktor, Anmeldungen bei OpenID-Anbietern und Sitzungen von davor enden.',
  otherWays: 'Auch damit lässt sich dein Konto öffnen:',
  endedWays: 'Bis dahin öffnen auch diese dein Konto:',
  otherPasskey: 'Passkey',
  otherProvider: 'Single Sign-on',
  removeOthers: 'Alle entfernen. Lass das angekreuzt, wenn du nicht jede Zeile kennst.',
  secondTitle: 'Zweiten Faktor entfernen',
  secondIntro:
    'Zum Anmelden braucht es weiterhin das Passwort. Richte danach einen neuen zweiten Faktor ein.',
  secondButton: 'Zweiten Faktor entfernen',
  linkGone: 'Dieser Link ist abgelaufen oder wurde schon benutzt',
  linkGoneBody: 'Bitte um einen neuen.',

  forgotTitle: 'Passwort vergessen?',
  forgotIntro: 'Gib die E-Mail-Adresse deines Kontos ein. Du erhältst einen Link für ein neues Passwort.',
  sendReset: 'Link senden',
  resetSent: 'Wenn es ein Konto mit dieser Adresse gibt, ist ein Link unterwegs. Er gilt einen Tag.',
  forgotBody:
    'Bitte einen Admin oder Inhaber deines Teams um einen Link zum Zurücksetzen; er steht auf ' +
    'der Teamseite neben deinem Namen. Ein Inhaber ohne Zugang wendet sich an den Betreiber ' +
    'dieser Installation.',
  back: 'Zurück zur Anmeldung',

  grantTitle: 'Shop verbinden',
  grantAsks:
    'bittet um Zugriff auf deine Zahlungen. Der Shop bekommt API-Schlüssel der Sandbox-App und ' +
    'der Live-App und darf damit:',
  grantList: [
    'Zahlungen anlegen, einziehen, abbrechen und erstatten',
    'den Verlauf der Zahlungen sehen',
    'Kunden sehen und ändern',
    'Zahlungsanbieter und Einstellungen verwalten',
  ],
  grantLicense: 'Lizenz',
  grantWarning:
    'Erlaube das nur, wenn du selbst von dieser Seite gekommen bist. Auf der Teamseite kannst du ' +
    'den Shop trennen.',
  grantForbidden: 'Nur Inhaber und Admins dürfen einen Shop verbinden. Bitte einen von ihnen darum.',
  grant: 'Erlauben',
  deny: 'Ablehnen',
  grantWrong: 'Dieser Link ist ungültig',
  grantWrongBody: 'Die Adresse für den Rückweg muss mit https:// oder http:// beginnen.',
  notes: {
    ended: 'Du bist abgemeldet.',
    expired: 'Bitte noch einmal anmelden.',
    changed: 'Das Passwort ist geändert. Bitte anmelden.',
    joined: 'Das Konto ist bereit. Bitte anmelden.',
    'second-factor-removed': 'Der zweite Faktor ist entfernt. Bitte anmelden und einen neuen einrichten.',
    'passkey-refused':
      'Der Passkey wurde nicht angenommen. Versuche es noch einmal, oder benutze dein Passwort.',
    'provider-refused':
      'Die Anmeldung beim Anbieter ist nicht gelungen. Frage einen Inhaber oder Admin, ' +
      'ob du eingeladen bist.',
  },
}
