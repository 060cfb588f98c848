import type { ConsoleTexts } from '../texts.ts'

export const settings: ConsoleTexts['settings'] = {
  title: 'Einstellungen',
  tabs: {
    general: 'Allgemein',
    checkout: 'Checkout',
    host: 'Checkout-Host',
    'e-mails': 'E-Mails',
    data: 'Daten',
    danger: 'Gefahrenbereich',
  },
  fields: {
    friendlyName: { label: 'Name', hint: 'Zahlende sehen ihn im Checkout und auf Belegen.' },
    timeZone: {
      label: 'Zeitzone',
      hint: 'Bestimmt, wann ein Tag der App beginnt: für Tagesgrenzen und Berichte.',
    },
    defaultFraudPolicyId: { label: 'Standard-Betrugsregel' },
    isTwoFactorAuthenticationEnabled: { label: 'Zweiten Faktor für Erstattungen und Vermerke verlangen' },
    requireOtpForApiKeys: {
      label: 'Auch mit API-Schlüsseln: ein Code der Person, die den Schlüssel erstellt hat',
    },
    maxThresholdRefundCountDaily: { label: 'Erstattungen pro Tag', hint: 'Leer: beliebig viele. 0: keine.' },
    refundProcessReceiverEmails: {
      label: 'Adressen für Benachrichtigungen',
      hint: 'Erfahren von Erstattungen. Eine E-Mail-Adresse je Zeile.',
    },
    personalDataDays: {
      label: 'Personenbezogene Daten behalten (Tage)',
      hint: '30 bis 3650 Tage nach der letzten Zahlung. Leer: bis sie von Hand gelöscht werden.',
    },
    domain: {
      label: 'Hostname',
      hint: 'In Kleinbuchstaben, ohne Schema und Port, zum Beispiel pay.shop.example.',
    },
    slogan1: {
      label: 'Überschrift',
      hint: 'Unter dem Namen, höchstens 120 Zeichen; bis zu 40 passen auf ein Telefon.',
    },
    slogan2: { label: 'Ergänzende Zeile', hint: 'Am Fuß der Seite, höchstens 120 Zeichen.' },
    support: { label: 'Hilfe', hint: 'Eine Web- oder E-Mail-Adresse.' },
    termsUrl: { label: 'Geschäftsbedingungen' },
    privacyUrl: { label: 'Datenschutzerklärung' },
  },
  notes: {
    saved: 'Die Einstellungen sind gespeichert.',
    removed: 'Der Hostname ist entfernt.',
    cleared: (count) => `Die Sandbox ist leer. ${count} Zeilen wurden entfernt.`,
    blocked: 'Die App ist gesperrt.',
    unblocked: 'Die App ist nicht mehr gesperrt.',
  },
  readOnly: 'Ihre Rolle darf diese Einstellungen lesen, nicht ändern.',
  saveSettings: 'Einstellungen speichern',
  about: 'App',
  noPolicy: 'Keine',
  protection: 'Erstattungen und Vermerke',
  look: 'Aussehen',
  logo: 'Logo',
  logoHint: 'PNG, JPEG, GIF, WebP oder SVG mit höchstens 64 KiB, 40 Pixel hoch gezeigt.',
  removeLogo: 'Logo entfernen',
  currentLogo: 'Aktuelles Logo',
  colour: 'Farbe',
  colourHint: 'Für Knöpfe und Links, zum Beispiel #3b5bdb. Leer: die Standardfarbe.',
  pickColour: 'Farbe wählen',
  verdictGood: (ratio) => `Gut lesbar: Kontrast ${ratio}:1 auf Knöpfen.`,
  verdictChanged: (colour, ratio) =>
    `Zu hell neben Weiß: gezeigt als ${colour}, Kontrast ${ratio}:1 auf Knöpfen.`,
  theme: 'Erscheinungsbild',
  themes: { device: 'Wie das Gerät', light: 'Hell', dark: 'Dunkel' },
  locale: 'Sprache',
  localeDevice: 'Wie der Browser',
  words: 'Texte und Links',
  saveCheckout: 'Checkout speichern',
  preview: 'Vorschau',
  previewTitle: 'Vorschau des Checkouts',
  previewHint:
    'Ein Beispiel, das nicht gespeichert ist und nicht bezahlt werden kann, mit dem gespeicherten Logo.',
  screen: 'Bildschirm',
  screens: { phone: 'Telefon', desktop: 'Rechner' },
  shade: 'Hell oder dunkel',
  shades: { '': 'Wie eingestellt', light: 'Hell', dark: 'Dunkel' },
  poweredBy: 'Hinweis „Bereitgestellt mit Tender“',
  poweredByShown: 'Unten auf der Seite',
  poweredByHidden: 'Nicht anzeigen',
  example: 'Beispielbestellung',
  hostIntro:
    'Zahlungslinks dürfen mit einem eigenen Hostnamen beginnen. Neue Zahlungen verwenden ihn; eine Zahlung ' +
    'behält den Link, mit dem sie erstellt wurde.',
  hostNow: 'Zahlungslinks beginnen mit',
  hostTarget: 'Ziel des Namens (CNAME)',
  hostCertificates:
    'Zertifikate bleiben beim Proxy vor dieser Installation: Er muss den Hostnamen bedienen und den ' +
    'Host-Header weitergeben.',
  saveHost: 'Hostnamen speichern',
  checkHost: 'Hostnamen prüfen',
  checkProof: 'Jetzt prüfen',
  proofTitle: (host: string) => `Nachweisen, dass ${host} dir gehört`,
  proofRecord: 'Bis dahin wirkt der Name nicht. Lege diesen TXT-Eintrag im DNS des Namens an:',
  proofName: 'Name des Eintrags',
  proofValue: 'Wert des Eintrags',
  proofFile: 'Oder lass den Server, der jetzt unter diesem Namen antwortet, eine Datei ausliefern:',
  proofUrl: 'Adresse der Datei',
  proofContent: 'Inhalt der Datei',
  proofJob:
    'Der Dienst sucht alle paar Stunden danach, anfangs öfter, 30 Tage lang. Weist eine andere App den ' +
    'Namen zuerst nach, ist er vergeben.',
  proofVerdicts: {
    proven: (host: string) => `${host} ist nachgewiesen. Neue Zahlungslinks beginnen damit.`,
    'not-found': (host: string) =>
      `Weder der DNS-Eintrag noch die Datei von ${host} wurde gefunden. Ein neuer Eintrag ` +
      'braucht einige Minuten.',
    taken: (host: string) =>
      `Eine andere App hat ${host} schon nachgewiesen. Entferne den Namen dort zuerst.`,
  },
  hostVerdicts: {
    ok: (host) => `${host} führt hierher, und das Zertifikat ist gültig.`,
    'unknown-name': (host) =>
      `${host} hat keinen DNS-Eintrag. Bitte den CNAME-Eintrag anlegen; bis er überall bekannt ist, können ` +
      'einige Minuten vergehen.',
    private: (host) => `${host} führt zu einer Adresse in einem privaten Netz, die Zahlende nicht erreichen.`,
    refused: (host) => `${host} führt zu einem Server, der auf Port 443 keine https-Verbindungen annimmt.`,
    certificate: (host) =>
      `Das Zertifikat von ${host} fehlt, ist abgelaufen oder gilt für einen anderen Namen. Es wird ` +
      'am Proxy eingerichtet.',
    timeout: (host) =>
      `${host} hat nicht rechtzeitig geantwortet. Bitte DNS-Eintrag, Proxy und Firewall prüfen.`,
    elsewhere: (host) =>
      `Unter ${host} antwortet ein anderer Server oder eine andere Seite. Bitte prüfen, wohin DNS-Eintrag ` +
      'und Proxy führen.',
    'host-header': (host) =>
      `${host} führt hierher, aber der Proxy gibt den Host-Header nicht weiter. Zahlungslinks würden sich ` +
      'nicht öffnen.',
  },
  removeHost: 'Hostnamen entfernen',
  removeHostTitle: 'Den Hostnamen entfernen?',
  removeHostBody: (host) =>
    `Neue Zahlungslinks beginnen nicht mehr mit ${host}. Behalten Sie den DNS-Eintrag, solange Zahlungen ` +
    'mit solchen Links offen sind.',
  retention: 'Personenbezogene Daten',
  retentionIntro:
    'Kunden ohne Zahlung in dieser Zeit werden gelöscht: ihre gespeicherten Zahlungsmittel und ' +
    'persönlichen Angaben. Zahlungen und Summen bleiben.',
  exports: 'Exporte',
  exportsBody: 'Listen werden auf ihren eigenen Seiten als CSV exportiert.',
  exportPayments: 'Zahlungen',
  exportAudit: 'Protokoll als CSV',
  block: 'App sperren',
  unblock: 'App entsperren',
  blockIntro: 'Die App nimmt keine Zahlungen an, bis sie entsperrt wird. Nichts wird gelöscht.',
  unblockIntro: 'Die App ist gesperrt: Sie nimmt keine Zahlungen an.',
  blockTitle: (name) => `${name} sperren?`,
  unblockTitle: (name) => `${name} entsperren?`,
  blockEffects: {
    api: 'Die API weist jede Anfrage dieser App mit 403 „app_blocked“ ab, mit API-Schlüssel und mit Sitzung.',
    pages:
      'Offene Checkouts, Zahlungslinks und Kundenbereiche sind geschlossen: Sie antworten, dass die ' +
      'Zahlung oder Seite nicht zu finden ist. Wer gerade auf der Seite eines Anbieters ist, kann dort ' +
      'abschließen.',
    charges:
      'Gespeicherte Zahlungsmittel werden nicht belastet, und Zahlende und Team erhalten keine E-Mails.',
    running:
      'Begonnene Zahlungen werden weiter beim Anbieter verfolgt, und Webhooks werden weiter zugestellt.',
    people:
      'In der Konsole kann weiter gelesen, eingezogen, storniert, erstattet und die App entsperrt werden.',
  },
  unblockEffects: {
    works: 'API, Checkouts, Zahlungslinks und Kundenbereiche funktionieren sofort wieder.',
    expired: 'Zahlungslinks, die inzwischen abgelaufen sind, bleiben abgelaufen.',
  },
  clear: 'Sandbox leeren',
  clearIntro:
    'Entfernt Zahlungen, Kunden, Ereignisse und alles andere dazu aus dieser Sandbox-App. API-Schlüssel, ' +
    'Anbieterprofile, Betrugsregeln und Einstellungen bleiben.',
  clearTitle: 'Diese Sandbox-App leeren?',
  clearBody: (name) => `Alle Testzahlungen und Kunden von ${name} werden entfernt.`,
  clearedPart: (count) =>
    `${count} Zeilen wurden entfernt, weitere sind übrig. Leeren Sie die Sandbox noch einmal.`,
}
