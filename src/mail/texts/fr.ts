import type { PayerTexts } from './en.ts'

export const fr: PayerTexts = {
  labels: {
    amount: 'Montant',
    refunded: 'Remboursé',
    reference: 'Commande',
    description: 'Objet',
    method: 'Payé avec',
    date: 'Le',
    expires: 'Expire fin',
  },
  receipt: {
    subject: (shop) => `Votre reçu de ${shop}`,
    heading: (amount) => `Vous avez payé ${amount}`,
    body: (shop) => `Merci. ${shop} a bien reçu votre paiement.`,
  },
  refund: {
    subject: (shop) => `Votre remboursement de ${shop}`,
    heading: (amount) => `${amount} vous sont remboursés`,
    body: (shop) =>
      `${shop} a remboursé votre paiement. L’argent peut mettre quelques jours à arriver sur votre compte.`,
  },
  failed: {
    subject: (shop) => `Votre paiement à ${shop} n’a pas abouti`,
    heading: (amount) => `${amount} n’ont pas pu être débités`,
    body: (shop) =>
      `${shop} n’a pas pu débiter votre moyen de paiement enregistré. Vous pouvez payer autrement ici.`,
    button: 'Payer maintenant',
  },
  added: {
    subject: (shop) => `Un moyen de paiement a été ajouté chez ${shop}`,
    heading: (method) => `${method} : moyen de paiement ajouté`,
    body: (shop) => `Ce moyen de paiement est maintenant enregistré pour vos paiements à ${shop}.`,
  },
  removed: {
    subject: (shop) => `Un moyen de paiement a été supprimé chez ${shop}`,
    heading: (method) => `${method} : moyen de paiement supprimé`,
    body: (shop) => `${shop} ne peut plus débiter ce moyen de paiement.`,
  },
  notYou: 'Si ce n’était pas vous, contactez-nous.',
  expiring: {
    subject: (shop) => `Votre carte chez ${shop} expire bientôt`,
    heading: (method) => `${method} expire bientôt`,
    body: (shop) => `Ajoutez un autre moyen de paiement pour que vos paiements à ${shop} continuent.`,
    button: 'Ajouter un moyen de paiement',
  },
  linkOnce: 'Le lien est valable sept jours et ne peut être ouvert qu’une fois.',
  storedMethod: 'Moyen de paiement',
  why: (shop) => `Vous recevez cet e-mail en raison de vos paiements à ${shop}.`,
  support: 'Nous contacter',
  unsubscribe: 'Ne plus recevoir de rappels',
  stop: {
    heading: 'Ne plus recevoir de rappels ?',
    body: (shop) =>
      `Vous ne recevrez plus d’e-mails de ${shop} sur les paiements échoués et les cartes qui expirent.`,
    button: 'Arrêter les rappels',
    done: 'Vous ne recevrez plus de rappels.',
  },
  test: 'Test : aucun argent n’a été transféré.',
  testMark: 'Essai',
}
