import type { PayerTexts } from './en.ts'

export const es: PayerTexts = {
  labels: {
    amount: 'Importe',
    refunded: 'Reembolsado',
    reference: 'Pedido',
    description: 'Descripción',
    method: 'Pagado con',
    date: 'Fecha',
    expires: 'Caduca',
  },
  receipt: {
    subject: (shop) => `Su recibo de ${shop}`,
    heading: (amount) => `Ha pagado ${amount}`,
    body: (shop) => `Gracias. ${shop} ha recibido su pago.`,
  },
  refund: {
    subject: (shop) => `Su reembolso de ${shop}`,
    heading: (amount) => `Se le devuelven ${amount}`,
    body: (shop) => `${shop} ha reembolsado su pago. El dinero puede tardar unos días en llegar a su cuenta.`,
  },
  failed: {
    subject: (shop) => `Su pago a ${shop} no se ha completado`,
    heading: (amount) => `No se han podido cobrar ${amount}`,
    body: (shop) => `${shop} no ha podido cobrar con su método de pago guardado. Aquí puede pagar con otro.`,
    button: 'Pagar ahora',
  },
  added: {
    subject: (shop) => `Se ha añadido un método de pago en ${shop}`,
    heading: (method) => `${method}: método de pago añadido`,
    body: (shop) => `Este método de pago está ahora guardado para sus pagos a ${shop}.`,
  },
  removed: {
    subject: (shop) => `Se ha eliminado un método de pago en ${shop}`,
    heading: (method) => `${method}: método de pago eliminado`,
    body: (shop) => `${shop} ya no puede cobrar con este método de pago.`,
  },
  notYou: 'Si no ha sido usted, póngase en contacto con nosotros.',
  expiring: {
    subject: (shop) => `Su tarjeta en ${shop} caduca pronto`,
    heading: (method) => `${method} caduca pronto`,
    body: (shop) => `Añada otro método de pago para que sus pagos a ${shop} continúen.`,
    button: 'Añadir un método de pago',
  },
  linkOnce: 'El enlace es válido durante siete días y solo se puede abrir una vez.',
  storedMethod: 'Método de pago',
  why: (shop) => `Recibe este correo por sus pagos a ${shop}.`,
  support: 'Contacto',
  unsubscribe: 'No recibir más recordatorios',
  stop: {
    heading: '¿No recibir más recordatorios?',
    body: (shop) => `No recibirá más correos de ${shop} sobre pagos fallidos y tarjetas que caducan.`,
    button: 'Detener recordatorios',
    done: 'No recibirá más recordatorios.',
  },
  test: 'Prueba: no se ha movido dinero.',
  testMark: 'Prueba',
}
