import type { ConsoleTexts } from '../texts.ts'

export const overview: ConsoleTexts['overview'] = {
  title: 'Übersicht',
  ranges: { today: 'Heute', '7d': '7 Tage', '30d': '30 Tage', custom: 'Eigener Zeitraum' },
  range: 'Zeitraum',
  from: 'Von',
  to: 'Bis',
  show: 'Zeigen',
  comparedWith: 'verglichen mit dem Zeitraum davor',
  period: (from: string, to: string) => `${from} bis ${to}`,

  approval: 'Genehmigt',
  captured: 'Eingezogen',
  declined: 'Abgelehnt',
  held: 'Angehalten',
  refunded: 'Erstattet',
  disputed: 'Angefochten',
  blocked: 'Vom Betrugsschutz gestoppt',
  up: (change: string) => `plus ${change}`,
  down: (change: string) => `minus ${change}`,
  same: 'unverändert',
  points: (change: string) => `${change} Punkte`,

  money: 'Geld nach Währung',
  moneyHint: 'Nie umgerechnet.',
  currency: 'Währung',
  volume: 'Eingezogen',
  fees: 'Gebühren',
  net: 'Netto',
  payments: 'Zahlungen',

  series: 'Eingezogen und abgelehnt im Verlauf',
  time: 'Zeit',
  seriesHint: 'Zahlungen nach der Zeit ihrer Anlage.',

  funnel: 'Von der Anlage zur Zahlung',
  funnelHint: 'Zahlungen der gehosteten Seite.',
  created: 'Angelegt',
  opened: 'Seite geöffnet',
  method: 'Methode gewählt',
  submitted: 'Abgeschickt',
  paid: 'Bezahlt',

  providers: 'Anbieter',
  provider: 'Anbieter',
  approvalRate: 'Genehmigt',
  latency: 'p95-Dauer',
  health: 'Zustand',
  healthy: 'In Ordnung',
  milliseconds: (count: string) => `${count} ms`,

  reasons: 'Gründe der Ablehnung',
  noReasons: 'Nichts wurde abgelehnt.',

  attention: 'Braucht Aufmerksamkeit',
  nothing: 'Nichts braucht Aufmerksamkeit.',
  disputedPayments: (count: number) =>
    count === 1 ? '1 Zahlung ist angefochten' : `${count} Zahlungen sind angefochten`,
  heldPayments: (count: number) =>
    count === 1
      ? '1 angehaltene Zahlung wartet auf eine Prüfung'
      : `${count} angehaltene Zahlungen warten auf eine Prüfung`,
  failingEndpoints: (count: number) =>
    count === 1 ? '1 Webhook-Adresse schlägt fehl' : `${count} Webhook-Adressen schlagen fehl`,
  exhausted: (count: number) =>
    count === 1 ? '1 Webhook wurde aufgegeben' : `${count} Webhooks wurden aufgegeben`,
  trouble: (profile: string, problem: string) => `${profile}: ${problem}`,

  setup: 'Einrichten',
  setupIntro: 'Vier Schritte bis zur ersten Zahlung eines Kunden.',
  done: 'Erledigt',
  open: 'Offen',
  steps: {
    pay: 'Eine Testzahlung machen',
    payBody:
      'Öffnet eine Kasse über 25,00 in einem neuen Tab. Zahle mit der Karte 4242 4242 4242 4242. ' +
      'Es fließt kein Geld.',
    payButton: 'Eine Testzahlung machen',
    webhook: 'Einen Webhook empfangen',
    webhookBody: 'Tender ruft den Shop auf, wenn sich eine Zahlung ändert. Trage die Adresse des Shops ein.',
    webhookButton: 'Adresse eintragen',
    webhookListen: 'Auf dem eigenen Rechner bringt die Kommandozeile die Webhooks:',
    provider: 'Einen Anbieter verbinden',
    providerBody: 'Füge die Schlüssel des Kontos bei einem Zahlungsanbieter ein.',
    providerButton: 'Anbieter verbinden',
    live: 'Live gehen',
    liveBody: 'Vor dem ersten echten Kunden in der Sandbox ausprobieren:',
    liveWebhook: 'ein Webhook wurde mit 2xx beantwortet',
    liveSignature: 'der Shop prüft die Signatur der Webhooks (Tender sieht das nicht)',
    liveSignatureLink: 'so wird sie geprüft',
    liveRefund: 'eine Zahlung wurde erstattet',
    liveDecline: 'eine Zahlung wurde abgelehnt',
  },
  protect: 'Schütze dein Konto mit einem Passkey oder einem zweiten Faktor.',
  protectLink: 'Passkey oder Code-App einrichten',
  testItem: 'Testzahlung aus der Konsole',
}
