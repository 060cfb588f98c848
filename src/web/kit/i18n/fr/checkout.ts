import type { PageTexts } from '../en/checkout.ts'
import { plural } from '../plural.ts'
import { panel } from './panel.ts'

const counted = plural('fr', ['one'])

export const fr = {
  common: {
    language: 'Langue',
    contact: (merchant: string) => `Contacter ${merchant}`,
    returnTo: (merchant: string) => `Retour à ${merchant}`,
    terms: 'Conditions',
    privacy: 'Confidentialité',
    poweredBy: 'Propulsé par Tender',
    sandbox: 'Mode test\u00a0: aucun débit réel',
    testValues: 'Cartes et comptes de test',
    skip: 'Aller au paiement',
    amount: 'Montant',
    merchant: 'Bénéficiaire',
    method: 'Moyen de paiement',
    reference: 'Référence',
    order: 'Commande',
    date: 'Date',
    state: 'Statut',
    back: 'Retour',
    refresh: 'Actualiser la page',
    copy: 'Copier',
    copied: 'Copié',
  },

  order: {
    title: (merchant: string) => `Payer ${merchant}`,
    number: (orderId: string) => `Commande ${orderId}`,
    details: (items: number) =>
      counted(items, {
        one: `Détails de la commande (${items} article)`,
        other: `Détails de la commande (${items} articles)`,
      }),
    breakdown: 'Détails de la commande',
    quantity: (count: string) => `Quantité\u00a0: ${count}`,
    subtotal: 'Sous-total',
    shipping: 'Livraison',
    handling: 'Frais de traitement',
    insurance: 'Assurance',
    discount: 'Remise',
    tax: 'Taxes',
    total: 'Total',
    expiresIn: (time: string) => `Cette page est encore valable ${time}.`,
    minutesLeft: (minutes: number) =>
      counted(minutes, {
        one: `Il vous reste ${minutes} minute pour payer.`,
        other: `Il vous reste ${minutes} minutes pour payer.`,
      }),
    secondsLeft: (seconds: number) =>
      counted(seconds, {
        one: `Il vous reste ${seconds} seconde pour payer.`,
        other: `Il vous reste ${seconds} secondes pour payer.`,
      }),
  },

  methods: {
    saved: 'Vos moyens enregistrés',
    choose: 'Payer avec',
    CreditCard: 'Carte',
    ElectronicCheck: 'Compte bancaire',
    Paypal: 'PayPal',
    Crypto: 'Cryptomonnaie',
    onProviderPage: (provider: string) => `Vous continuerez sur ${provider}.`,
    cryptoHint: 'Vous obtiendrez une adresse et un code QR pour payer.',
    expires: (expiry: string) => `Expiration\u00a0: ${expiry}`,
    expired: 'Expirée',
    defaultMethod: 'Par défaut',
    remove: 'Supprimer',
    removeConfirm: (method: string) => `Supprimer définitivement ${method}\u00a0?`,
    removeButton: (method: string) => `Supprimer ${method}`,
    none: (merchant: string) => `${merchant} ne peut pas accepter de paiements pour le moment`,
    noneBody: (merchant: string) =>
      `Aucun montant n’a été débité. Veuillez contacter ${merchant} ou réessayer plus tard.`,
  },

  buttons: {
    pay: (amount: string) => `Payer ${amount}`,
    payWith: (amount: string, method: string) => `Payer ${amount} avec ${method}`,
    authorise: (amount: string) => `Autoriser ${amount}`,
    continueTo: (provider: string) => `Continuer vers ${provider}`,
    showAddress: (amount: string) => `Payer ${amount} en crypto`,
    chargedLater: (merchant: string) =>
      `Le montant sera débité lorsque ${merchant} confirmera votre commande.`,
    cancel: (merchant: string) => `Annuler et revenir à ${merchant}`,
    cancelOnly: 'Annuler ce paiement',
    cancelConfirm: 'Annuler ce paiement\u00a0? Vous ne pourrez plus payer sur cette page ensuite.',
    cancelYes: 'Oui, annuler',
    tryAgain: 'Réessayer',
    receipt: 'Reçu',
    print: 'Imprimer',
    working: 'Un instant…',
  },

  card: {
    number: 'Numéro de carte',
    expiry: 'Expiration',
    expiryHint: 'MM / AA',
    code: 'Code de sécurité',
    codeHint: '3 ou 4 chiffres sur la carte',
    name: 'Nom sur la carte',
    accepted: (brands: string) => `Cartes acceptées\u00a0: ${brands}`,
    problems: 'Veuillez corriger ces champs',
    numberEmpty: 'Saisissez le numéro de carte.',
    numberIncomplete: 'Le numéro de carte est trop court. Saisissez tous les chiffres.',
    numberWrong: 'Ce numéro de carte n’est pas valide. Vérifiez les chiffres.',
    brandRefused: (brand: string) =>
      `Les cartes ${brand} ne sont pas acceptées ici. Utilisez une autre carte.`,
    expiryEmpty: 'Saisissez la date d’expiration au format MM / AA, par exemple 04 / 29.',
    expiryWrong: 'Saisissez la date d’expiration au format MM / AA, par exemple 04 / 29.',
    expiryPast: 'Cette carte a expiré. Utilisez une autre carte.',
    codeEmpty: 'Saisissez le code de sécurité.',
    codeWrong: (digits: number) =>
      counted(digits, {
        one: `Le code de sécurité de cette carte comporte ${digits} chiffre.`,
        other: `Le code de sécurité de cette carte comporte ${digits} chiffres.`,
      }),
    nameEmpty: 'Saisissez le nom tel qu’il figure sur la carte.',
    testCards: 'Cartes de test',
    testCardUse: (number: string) => `Utiliser ${number}`,
  },

  bank: {
    routing: 'Numéro d’acheminement',
    account: 'Numéro de compte',
    type: 'Type de compte',
    checking: 'Compte courant',
    savings: 'Compte d’épargne',
    name: 'Titulaire du compte',
    routingWrong: 'Un numéro d’acheminement comporte 9 chiffres.',
    accountWrong: 'Un numéro de compte comporte de 4 à 17 chiffres.',
    nameEmpty: 'Saisissez le nom du titulaire du compte.',
    mandate: (merchant: string) =>
      `En continuant, vous autorisez ${merchant} à débiter ce montant de votre compte bancaire.`,
  },

  consent: {
    save: (merchant: string) =>
      `Enregistrer ce moyen de paiement et autoriser ${merchant} à le débiter pour de futurs paiements. ` +
      'Vous pouvez le supprimer à tout moment.',
    mandate: (merchant: string) =>
      `En payant, vous autorisez ${merchant} à enregistrer ce moyen de paiement et à le débiter pour de ` +
      'futurs paiements sans vous solliciter à chaque fois. Vous pouvez le supprimer à tout moment.',
  },

  notices: {
    partArrived: (received: string, amount: string) => `Seuls ${received} sur ${amount} sont arrivés`,
    partArrivedBody: (until: string | undefined) =>
      until === undefined
        ? 'Envoyez le reste rapidement ou choisissez un autre moyen de paiement. ' +
          'Le montant reçu sera alors rendu.'
        : `Envoyez le reste avant le ${until} ou choisissez un autre moyen de paiement. ` +
          'Le montant reçu sera alors rendu.',
    declined: 'Le paiement n’a pas abouti',
    notCharged: 'Aucun montant n’a été débité.',
    cameBack: (provider: string) => `Retour de ${provider} sans paiement`,
    cameBackBody:
      'Aucun montant n’a été débité. Reprenez là où vous en étiez ou choisissez un autre moyen de paiement.',
    resume: (provider: string) => `Reprendre avec ${provider}`,
    notReached: (provider: string) => `${provider} est momentanément injoignable`,
    notReachedBody: (provider: string) =>
      `Votre page de paiement chez ${provider} est encore ouverte. Pour éviter un double débit, un autre ` +
      'moyen de paiement n’est pas encore possible. Réessayez dans une minute ou continuez sur cette page.',
    otherTab: 'Ce paiement est en cours dans un autre onglet',
    otherTabBody: 'Vous n’avez plus rien à faire ici.',
    removed: 'Le moyen de paiement a été supprimé.',
  },

  declines: {
    insufficient:
      'La provision de cette carte ou de ce compte est insuffisante. Essayez une autre carte ou un ' +
      'autre moyen de paiement.',
    expired: 'Cette carte a expiré. Utilisez une autre carte.',
    code: 'Le code de sécurité est incorrect. Vérifiez-le et réessayez.',
    number: 'Le numéro de carte est incorrect. Vérifiez-le et réessayez.',
    limit:
      'Le montant dépasse le plafond de cette carte ou de ce compte. Essayez une autre carte ou un ' +
      'autre moyen de paiement.',
    unsupported:
      'Cette carte ne peut pas être utilisée ici. Essayez une autre carte ou un autre moyen de paiement.',
    identity:
      'Votre banque n’a pas pu confirmer votre identité. Réessayez ou choisissez un autre moyen de paiement.',
    account:
      'La banque n’a pas accepté ce compte. Vérifiez les numéros ou choisissez un autre moyen de paiement.',
    refused:
      'Votre banque a refusé le paiement. Essayez une autre carte ou un autre moyen de paiement ou ' +
      'contactez votre banque.',
    trouble: 'Un problème est survenu lors de la communication avec votre banque. Réessayez.',
    cancelled: 'Vous avez annulé chez le prestataire. Choisissez comment vous souhaitez payer.',
    late: 'La confirmation du paiement a pris trop de temps. Réessayez.',
    underpaid: (merchant: string) =>
      `La somme reçue est inférieure au montant. Contactez ${merchant} au sujet de votre envoi ou ` +
      'choisissez un autre moyen de paiement.',
    removed: 'Ce moyen de paiement enregistré n’est plus utilisable. Choisissez un autre moyen de paiement.',
  },

  challenge: {
    another: 'Payer autrement',
    title: 'Votre banque souhaite confirmer votre identité',
    body: 'Répondez à la demande de votre banque pour terminer le paiement.',
    open: 'Continuer vers votre banque',
    ownWindow: 'Ouvrir dans cette fenêtre',
    slow: 'La page de votre banque ne s’affiche pas\u00a0?',
    frame: 'Page de votre banque',
  },

  crypto: {
    title: (amount: string) => `Envoyer ${amount} en cryptomonnaie`,
  },

  status: {
    title: 'Confirmation de votre paiement…',
    slow: 'Toujours en cours. Cela peut prendre une minute.',
    close: (merchant: string) => `Vous pouvez fermer cette page. ${merchant} sera informé du résultat.`,
    toProvider: (provider: string) => `Vous continuez sur ${provider}`,
    toProviderBody: 'Si la page ne s’ouvre pas d’elle-même, utilisez le bouton.',
  },

  result: {
    received: 'Paiement reçu',
    receivedBody: (merchant: string) =>
      `Vous avez payé ${merchant}. Conservez la référence pour vos dossiers.`,
    authorised: 'Paiement autorisé',
    authorisedBody: (merchant: string) =>
      `Le montant sera débité lorsque ${merchant} confirmera votre commande.`,
    review: 'Paiement en cours de vérification',
    reviewBody: (merchant: string) => `${merchant} vérifie cette commande. Vous n’avez commis aucune erreur.`,
    failed: 'Paiement non abouti',
    failedBody: (merchant: string) =>
      `Aucun montant n’a été débité. Revenez à ${merchant} pour commander à nouveau.`,
    tooMany: 'Trop de tentatives',
    tooManyBody: (merchant: string) =>
      'Ce paiement a fait l’objet de trop de tentatives. Aucun montant n’a été débité. ' +
      `Revenez à ${merchant} pour recommencer.`,
    expired: 'Ce lien a expiré',
    expiredBody: (merchant: string) =>
      `Aucun montant n’a été débité. Demandez un nouveau lien à ${merchant}.`,
    expiredSince: (date: string) => `Il était valable jusqu’au ${date}.`,
    cancelled: 'Paiement annulé',
    cancelledBody: 'Aucun montant n’a été débité.',
    cancelling: 'Paiement en cours d’annulation',
    refunding: 'Remboursement en cours',
    refundingBody: (amount: string) =>
      `Le remboursement de ${amount} est en route vers votre moyen de paiement.`,
    claim: 'Récupérer le remboursement',
    claimBody: 'Pour recevoir l’argent, indiquez où il doit être envoyé.',
    refunded: 'Remboursé',
    refundedBody: (amount: string) =>
      `Le remboursement de ${amount} a été versé sur votre moyen de paiement.`,
    disputed: (merchant: string) => `Contactez ${merchant}`,
    disputedBody: (merchant: string) =>
      `Votre banque a demandé des précisions sur ce paiement. ${merchant} peut vous en dire plus.`,
    countdown: (merchant: string, seconds: number) =>
      counted(seconds, {
        one: `Retour à ${merchant} dans ${seconds} seconde.`,
        other: `Retour à ${merchant} dans ${seconds} secondes.`,
      }),
    stay: 'Rester sur cette page',
    shopSees: 'Ce que voit la boutique',
  },

  receipt: {
    title: 'Reçu',
    paidOn: 'Payé le',
    refunded: 'Remboursé',
    paymentNumber: 'Paiement',
    payer: 'Payé par',
    note: (merchant: string) => `Émis pour ${merchant}. Ce document n’est pas une facture fiscale.`,
  },

  states: {
    Created: 'En attente',
    Authorized: 'Autorisé',
    Authorizing: 'Autorisation en cours',
    Approved: 'Approuvé',
    Capturing: 'Débit en cours',
    Captured: 'Payé',
    Failed: 'Échoué',
    Disputed: 'Contesté',
    SaleInProgress: 'En cours',
    ProviderAuthorizedHold: 'En vérification',
    Cancelling: 'Annulation en cours',
    CapturedHold: 'En vérification',
    Refunded: 'Remboursé',
    Refunding: 'Remboursement en cours',
    cancelled: 'Annulé',
    expired: 'Expiré',
  },

  panel,

  errors: {
    unknown: 'Ce paiement est introuvable',
    unknownBody: 'Vérifiez que le lien est complet ou contactez la boutique qui vous l’a envoyé.',
    busy: 'Trop de demandes',
    busyBody: 'Veuillez patienter un instant, puis réessayer. Aucun double débit n’a eu lieu.',
    broken: 'Un problème est survenu de notre côté',
    brokenBody: 'Rien n’est perdu. Actualisez la page pour voir où en est votre paiement.',
    away: 'Nous revenons tout de suite',
    awayBody: 'Le service de paiement ne répond pas pour l’instant. Actualisez la page dans un moment.',
    elsewhere: 'Cette demande provient d’un autre site',
    elsewhereBody: 'Pour votre sécurité, rien n’a été effectué. Ouvrez de nouveau la page de paiement.',
  },
} satisfies PageTexts
