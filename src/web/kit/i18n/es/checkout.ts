import type { PageTexts } from '../en/checkout.ts'
import { plural } from '../plural.ts'
import { panel } from './panel.ts'

const counted = plural('es', ['one'])

export const es = {
  common: {
    language: 'Idioma',
    contact: (merchant: string) => `Contactar con ${merchant}`,
    returnTo: (merchant: string) => `Volver a ${merchant}`,
    terms: 'Condiciones',
    privacy: 'Privacidad',
    poweredBy: 'Con la tecnología de Tender',
    sandbox: 'Entorno de pruebas: no se mueve dinero',
    testValues: 'Tarjetas y cuentas de prueba',
    skip: 'Ir al pago',
    amount: 'Importe',
    merchant: 'Pagado a',
    method: 'Método de pago',
    reference: 'Referencia',
    order: 'Pedido',
    date: 'Fecha',
    state: 'Estado',
    back: 'Volver',
    refresh: 'Actualizar la página',
    copy: 'Copiar',
    copied: 'Copiado',
  },

  order: {
    title: (merchant: string) => `Pagar a ${merchant}`,
    number: (orderId: string) => `Pedido ${orderId}`,
    details: (items: number) =>
      counted(items, {
        one: `Detalles del pedido (${items} artículo)`,
        other: `Detalles del pedido (${items} artículos)`,
      }),
    breakdown: 'Detalles del pedido',
    quantity: (count: string) => `Cantidad: ${count}`,
    subtotal: 'Subtotal',
    shipping: 'Envío',
    handling: 'Gestión',
    insurance: 'Seguro',
    discount: 'Descuento',
    tax: 'Impuestos',
    total: 'Total',
    expiresIn: (time: string) => `Esta página es válida durante ${time} más.`,
    minutesLeft: (minutes: number) =>
      counted(minutes, {
        one: `Queda ${minutes} minuto para pagar.`,
        other: `Quedan ${minutes} minutos para pagar.`,
      }),
    secondsLeft: (seconds: number) =>
      counted(seconds, {
        one: `Queda ${seconds} segundo para pagar.`,
        other: `Quedan ${seconds} segundos para pagar.`,
      }),
  },

  methods: {
    saved: 'Sus métodos guardados',
    choose: 'Pagar con',
    CreditCard: 'Tarjeta',
    ElectronicCheck: 'Cuenta bancaria',
    Paypal: 'PayPal',
    Crypto: 'Criptomoneda',
    onProviderPage: (provider: string) => `Continuará en ${provider}.`,
    cryptoHint: 'Recibirá una dirección y un código QR para pagar.',
    expires: (expiry: string) => `Caduca: ${expiry}`,
    expired: 'Caducada',
    defaultMethod: 'Predeterminado',
    remove: 'Eliminar',
    removeConfirm: (method: string) => `¿Eliminar ${method} definitivamente?`,
    removeButton: (method: string) => `Eliminar ${method}`,
    none: (merchant: string) => `${merchant} no puede aceptar pagos en este momento`,
    noneBody: (merchant: string) =>
      `No se le ha cobrado nada. Póngase en contacto con ${merchant} o inténtelo más tarde.`,
  },

  buttons: {
    pay: (amount: string) => `Pagar ${amount}`,
    payWith: (amount: string, method: string) => `Pagar ${amount} con ${method}`,
    authorise: (amount: string) => `Autorizar ${amount}`,
    continueTo: (provider: string) => `Continuar a ${provider}`,
    showAddress: (amount: string) => `Pagar ${amount} en cripto`,
    chargedLater: (merchant: string) => `Se le cobrará cuando ${merchant} confirme su pedido.`,
    cancel: (merchant: string) => `Cancelar y volver a ${merchant}`,
    cancelOnly: 'Cancelar este pago',
    cancelConfirm: '¿Cancelar este pago? Después ya no podrá pagar en esta página.',
    cancelYes: 'Sí, cancelar',
    tryAgain: 'Reintentar',
    receipt: 'Recibo',
    print: 'Imprimir',
    working: 'Un momento…',
  },

  card: {
    number: 'Número de tarjeta',
    expiry: 'Caducidad',
    expiryHint: 'MM / AA',
    code: 'Código de seguridad',
    codeHint: '3 o 4 cifras en la tarjeta',
    name: 'Nombre en la tarjeta',
    accepted: (brands: string) => `Se aceptan: ${brands}`,
    problems: 'Corrija estos campos',
    numberEmpty: 'Introduzca el número de tarjeta.',
    numberIncomplete: 'El número de tarjeta es demasiado corto. Introduzca todas las cifras.',
    numberWrong: 'Este número de tarjeta no es válido. Compruebe las cifras.',
    brandRefused: (brand: string) => `Aquí no se aceptan tarjetas ${brand}. Utilice otra tarjeta.`,
    expiryEmpty: 'Introduzca la caducidad como MM / AA, por ejemplo 04 / 29.',
    expiryWrong: 'Introduzca la caducidad como MM / AA, por ejemplo 04 / 29.',
    expiryPast: 'Esta tarjeta ha caducado. Utilice otra tarjeta.',
    codeEmpty: 'Introduzca el código de seguridad.',
    codeWrong: (digits: number) =>
      counted(digits, {
        one: `El código de seguridad de esta tarjeta tiene ${digits} cifra.`,
        other: `El código de seguridad de esta tarjeta tiene ${digits} cifras.`,
      }),
    nameEmpty: 'Introduzca el nombre tal como figura en la tarjeta.',
    testCards: 'Tarjetas de prueba',
    testCardUse: (number: string) => `Usar ${number}`,
  },

  bank: {
    routing: 'Número de ruta',
    account: 'Número de cuenta',
    type: 'Tipo de cuenta',
    checking: 'Cuenta corriente',
    savings: 'Cuenta de ahorro',
    name: 'Titular de la cuenta',
    routingWrong: 'Un número de ruta tiene 9 cifras.',
    accountWrong: 'Un número de cuenta tiene entre 4 y 17 cifras.',
    nameEmpty: 'Introduzca el nombre del titular de la cuenta.',
    mandate: (merchant: string) =>
      `Al continuar, autoriza a ${merchant} a cargar este importe en su cuenta bancaria.`,
  },

  consent: {
    save: (merchant: string) =>
      `Guardar este método de pago y permitir que ${merchant} realice cargos en él para pagos futuros. ` +
      'Puede eliminarlo en cualquier momento.',
    mandate: (merchant: string) =>
      `Al pagar, permite que ${merchant} guarde este método de pago y realice cargos en él para pagos ` +
      'futuros sin consultarle cada vez. Puede eliminarlo en cualquier momento.',
  },

  notices: {
    partArrived: (received: string, amount: string) => `Solo han llegado ${received} de ${amount}`,
    partArrivedBody: (until: string | undefined) =>
      until === undefined
        ? 'Envíe el resto pronto o elija otra forma de pago. Lo recibido se devolverá.'
        : `Envíe el resto antes del ${until} o elija otra forma de pago. Lo recibido se devolverá.`,
    declined: 'El pago no se ha realizado',
    notCharged: 'No se le ha cobrado nada.',
    cameBack: (provider: string) => `Ha vuelto de ${provider} sin pagar`,
    cameBackBody: 'No se le ha cobrado nada. Continúe donde lo dejó o elija otra forma de pago.',
    resume: (provider: string) => `Continuar con ${provider}`,
    notReached: (provider: string) => `Ahora no se puede contactar con ${provider}`,
    notReachedBody: (provider: string) =>
      `Su página de pago en ${provider} sigue abierta. Para que nunca se le cobre dos veces, todavía no ` +
      'puede pagar de otra forma. Inténtelo de nuevo en un minuto o continúe allí.',
    otherTab: 'Este pago se está completando en otra pestaña',
    otherTabBody: 'No tiene que hacer nada más aquí.',
    removed: 'El método de pago se ha eliminado.',
  },

  declines: {
    insufficient:
      'No hay saldo suficiente en esta tarjeta o cuenta. Pruebe con otra tarjeta o forma de pago.',
    expired: 'Esta tarjeta ha caducado. Utilice otra tarjeta.',
    code: 'El código de seguridad no es correcto. Compruébelo e inténtelo de nuevo.',
    number: 'El número de tarjeta no es correcto. Compruébelo e inténtelo de nuevo.',
    limit: 'El importe supera el límite de esta tarjeta o cuenta. Pruebe con otra tarjeta o forma de pago.',
    unsupported: 'Esta tarjeta no se puede usar aquí. Pruebe con otra tarjeta o forma de pago.',
    identity: 'Su banco no ha podido confirmar su identidad. Inténtelo de nuevo o elija otra forma de pago.',
    account: 'El banco no ha aceptado esta cuenta. Compruebe los números o elija otra forma de pago.',
    refused: 'Su banco ha rechazado el pago. Pruebe con otra tarjeta o forma de pago o consulte a su banco.',
    trouble: 'Se ha producido un error al comunicar con su banco. Inténtelo de nuevo.',
    cancelled: 'Ha cancelado en la página del proveedor. Elija cómo quiere pagar.',
    late: 'La confirmación del pago ha tardado demasiado. Inténtelo de nuevo.',
    underpaid: (merchant: string) =>
      `Se ha recibido menos del importe. Póngase en contacto con ${merchant} sobre lo que ha enviado o ` +
      'elija otra forma de pago.',
    removed: 'Este método guardado ya no se puede usar. Elija otra forma de pago.',
  },

  challenge: {
    another: 'Pagar de otra forma',
    title: 'Su banco quiere confirmar su identidad',
    body: 'Responda a su banco para completar el pago.',
    open: 'Continuar a su banco',
    ownWindow: 'Abrir en esta ventana',
    slow: '¿No aparece la página de su banco?',
    frame: 'Página de su banco',
  },

  crypto: {
    title: (amount: string) => `Enviar ${amount} en criptomoneda`,
  },

  status: {
    title: 'Confirmando su pago…',
    slow: 'Seguimos en ello. Puede tardar un minuto.',
    close: (merchant: string) => `Puede cerrar esta página. Se comunicará el resultado a ${merchant}.`,
    toProvider: (provider: string) => `Continuará en ${provider}`,
    toProviderBody: 'Si la página no se abre sola, utilice el botón.',
  },

  result: {
    received: 'Pago recibido',
    receivedBody: (merchant: string) => `Ha pagado a ${merchant}. Conserve la referencia.`,
    authorised: 'Pago autorizado',
    authorisedBody: (merchant: string) => `Se le cobrará cuando ${merchant} confirme su pedido.`,
    review: 'Pago en revisión',
    reviewBody: (merchant: string) => `${merchant} está revisando este pedido. No ha hecho nada mal.`,
    failed: 'Pago no completado',
    failedBody: (merchant: string) =>
      `No se le ha cobrado nada. Vuelva a ${merchant} para hacer el pedido de nuevo.`,
    tooMany: 'Demasiados intentos',
    tooManyBody: (merchant: string) =>
      'Este pago se ha intentado demasiadas veces. No se le ha cobrado nada. ' +
      `Vuelva a ${merchant} para empezar de nuevo.`,
    expired: 'Este enlace ha caducado',
    expiredBody: (merchant: string) => `No se le ha cobrado nada. Pida un enlace nuevo a ${merchant}.`,
    expiredSince: (date: string) => `Era válido hasta el ${date}.`,
    cancelled: 'Pago cancelado',
    cancelledBody: 'No se le ha cobrado nada.',
    cancelling: 'El pago se está cancelando',
    refunding: 'Reembolso en camino',
    refundingBody: (amount: string) => `Se están devolviendo ${amount} al método con el que pagó.`,
    claim: 'Cobrar el reembolso',
    claimBody: 'Para recibir el dinero, indique adónde debe enviarse.',
    refunded: 'Reembolsado',
    refundedBody: (amount: string) => `Se han devuelto ${amount} al método con el que pagó.`,
    disputed: (merchant: string) => `Contacte con ${merchant}`,
    disputedBody: (merchant: string) =>
      `Su banco ha preguntado por este pago. ${merchant} puede darle más información.`,
    countdown: (merchant: string, seconds: number) =>
      counted(seconds, {
        one: `Volverá a ${merchant} en ${seconds} segundo.`,
        other: `Volverá a ${merchant} en ${seconds} segundos.`,
      }),
    stay: 'Quedarse en esta página',
    shopSees: 'Lo que ve la tienda',
  },

  receipt: {
    title: 'Recibo',
    paidOn: 'Fecha de pago',
    refunded: 'Reembolsado',
    paymentNumber: 'Pago',
    payer: 'Pagado por',
    note: (merchant: string) => `Emitido para ${merchant}. Este documento no es una factura fiscal.`,
  },

  states: {
    Created: 'Pendiente',
    Authorized: 'Autorizado',
    Authorizing: 'Autorizando',
    Approved: 'Aprobado',
    Capturing: 'Cobrando',
    Captured: 'Pagado',
    Failed: 'Fallido',
    Disputed: 'En disputa',
    SaleInProgress: 'En curso',
    ProviderAuthorizedHold: 'En revisión',
    Cancelling: 'Cancelando',
    CapturedHold: 'En revisión',
    Refunded: 'Reembolsado',
    Refunding: 'Reembolsando',
    cancelled: 'Cancelado',
    expired: 'Caducado',
  },

  panel,

  errors: {
    unknown: 'No encontramos este pago',
    unknownBody: 'Compruebe que el enlace está completo o consulte a la tienda que se lo envió.',
    busy: 'Demasiadas solicitudes',
    busyBody: 'Espere un momento e inténtelo de nuevo. No se le ha cobrado dos veces.',
    broken: 'Se ha producido un error por nuestra parte',
    brokenBody: 'No se ha perdido nada. Actualice la página para ver el estado de su pago.',
    away: 'Volvemos enseguida',
    awayBody: 'El servicio de pago no responde en este momento. Actualice la página dentro de un momento.',
    elsewhere: 'Esta solicitud procede de otro sitio',
    elsewhereBody: 'Por su seguridad, no se ha realizado nada. Abra de nuevo la página de pago.',
  },
} satisfies PageTexts
