import type { PageTexts } from '../en/checkout.ts'
import { plural } from '../plural.ts'
import { panel } from './panel.ts'

const counted = plural('pt', ['one'])

export const pt = {
  common: {
    language: 'Idioma',
    contact: (merchant: string) => `Falar com ${merchant}`,
    returnTo: (merchant: string) => `Voltar para ${merchant}`,
    terms: 'Termos',
    privacy: 'Privacidade',
    poweredBy: 'Com tecnologia Tender',
    sandbox: 'Ambiente de testes: nenhum valor é cobrado',
    testValues: 'Cartões e contas de teste',
    skip: 'Ir para o pagamento',
    amount: 'Valor',
    merchant: 'Pago a',
    method: 'Forma de pagamento',
    reference: 'Referência',
    order: 'Pedido',
    date: 'Data',
    state: 'Status',
    back: 'Voltar',
    refresh: 'Atualizar a página',
    copy: 'Copiar',
    copied: 'Copiado',
  },

  order: {
    title: (merchant: string) => `Pagar a ${merchant}`,
    number: (orderId: string) => `Pedido ${orderId}`,
    details: (items: number) =>
      counted(items, {
        one: `Detalhes do pedido (${items} item)`,
        other: `Detalhes do pedido (${items} itens)`,
      }),
    breakdown: 'Detalhes do pedido',
    quantity: (count: string) => `Quantidade: ${count}`,
    subtotal: 'Subtotal',
    shipping: 'Frete',
    handling: 'Manuseio',
    insurance: 'Seguro',
    discount: 'Desconto',
    tax: 'Impostos',
    total: 'Total',
    expiresIn: (time: string) => `Esta página é válida por mais ${time}.`,
    minutesLeft: (minutes: number) =>
      counted(minutes, {
        one: `Resta ${minutes} minuto para pagar.`,
        other: `Restam ${minutes} minutos para pagar.`,
      }),
    secondsLeft: (seconds: number) =>
      counted(seconds, {
        one: `Resta ${seconds} segundo para pagar.`,
        other: `Restam ${seconds} segundos para pagar.`,
      }),
  },

  methods: {
    saved: 'Formas salvas',
    choose: 'Pagar com',
    CreditCard: 'Cartão',
    ElectronicCheck: 'Conta bancária',
    Paypal: 'PayPal',
    Crypto: 'Criptomoeda',
    onProviderPage: (provider: string) => `Você continua em ${provider}.`,
    cryptoHint: 'Você recebe um endereço e um código QR para pagar.',
    expires: (expiry: string) => `Validade: ${expiry}`,
    expired: 'Vencido',
    defaultMethod: 'Padrão',
    remove: 'Remover',
    removeConfirm: (method: string) => `Remover ${method} definitivamente?`,
    removeButton: (method: string) => `Remover ${method}`,
    none: (merchant: string) => `${merchant} não pode receber pagamentos no momento`,
    noneBody: (merchant: string) =>
      `Nenhum valor foi cobrado. Entre em contato com ${merchant} ou tente mais tarde.`,
  },

  buttons: {
    pay: (amount: string) => `Pagar ${amount}`,
    payWith: (amount: string, method: string) => `Pagar ${amount} com ${method}`,
    authorise: (amount: string) => `Autorizar ${amount}`,
    continueTo: (provider: string) => `Continuar em ${provider}`,
    showAddress: (amount: string) => `Pagar ${amount} em cripto`,
    chargedLater: (merchant: string) => `O valor será cobrado quando ${merchant} confirmar o seu pedido.`,
    cancel: (merchant: string) => `Cancelar e voltar para ${merchant}`,
    cancelOnly: 'Cancelar este pagamento',
    cancelConfirm: 'Cancelar este pagamento? Depois, não será mais possível pagar nesta página.',
    cancelYes: 'Sim, cancelar',
    tryAgain: 'Tentar de novo',
    receipt: 'Recibo',
    print: 'Imprimir',
    working: 'Um momento…',
  },

  card: {
    number: 'Número do cartão',
    expiry: 'Validade',
    expiryHint: 'MM / AA',
    code: 'Código de segurança',
    codeHint: '3 ou 4 dígitos no cartão',
    name: 'Nome no cartão',
    accepted: (brands: string) => `Aceitamos: ${brands}`,
    problems: 'Corrija estes campos',
    numberEmpty: 'Informe o número do cartão.',
    numberIncomplete: 'O número do cartão está incompleto. Informe todos os dígitos.',
    numberWrong: 'Este número de cartão não é válido. Confira os dígitos.',
    brandRefused: (brand: string) => `Cartões ${brand} não são aceitos aqui. Use outro cartão.`,
    expiryEmpty: 'Informe a validade como MM / AA, por exemplo 04 / 29.',
    expiryWrong: 'Informe a validade como MM / AA, por exemplo 04 / 29.',
    expiryPast: 'Este cartão está vencido. Use outro cartão.',
    codeEmpty: 'Informe o código de segurança.',
    codeWrong: (digits: number) =>
      counted(digits, {
        one: `O código de segurança deste cartão tem ${digits} dígito.`,
        other: `O código de segurança deste cartão tem ${digits} dígitos.`,
      }),
    nameEmpty: 'Informe o nome como está impresso no cartão.',
    testCards: 'Cartões de teste',
    testCardUse: (number: string) => `Usar ${number}`,
  },

  bank: {
    routing: 'Código do banco (routing number)',
    account: 'Número da conta',
    type: 'Tipo de conta',
    checking: 'Conta corrente',
    savings: 'Conta poupança',
    name: 'Titular da conta',
    routingWrong: 'O código do banco (routing number) tem 9 dígitos.',
    accountWrong: 'O número da conta tem de 4 a 17 dígitos.',
    nameEmpty: 'Informe o nome do titular da conta.',
    mandate: (merchant: string) =>
      `Ao continuar, você autoriza ${merchant} a debitar este valor da sua conta bancária.`,
  },

  consent: {
    save: (merchant: string) =>
      `Salvar esta forma de pagamento e permitir que ${merchant} faça cobranças nela em pagamentos ` +
      'futuros. Você pode removê-la a qualquer momento.',
    mandate: (merchant: string) =>
      `Ao pagar, você permite que ${merchant} salve esta forma de pagamento e faça cobranças nela em ` +
      'pagamentos futuros sem consultar você a cada vez. Você pode removê-la a qualquer momento.',
  },

  notices: {
    partArrived: (received: string, amount: string) => `Só chegaram ${received} de ${amount}`,
    partArrivedBody: (until: string | undefined) =>
      until === undefined
        ? 'Envie o restante em breve ou escolha outra forma de pagamento. O valor recebido será devolvido.'
        : `Envie o restante até ${until} ou escolha outra forma de pagamento. ` +
          'O valor recebido será devolvido.',
    declined: 'Não deu certo',
    notCharged: 'Nenhum valor foi cobrado.',
    cameBack: (provider: string) => `Você voltou de ${provider} sem pagar`,
    cameBackBody: 'Nenhum valor foi cobrado. Continue de onde parou ou escolha outra forma de pagamento.',
    resume: (provider: string) => `Retomar com ${provider}`,
    notReached: (provider: string) => `Não é possível contatar ${provider} agora`,
    notReachedBody: (provider: string) =>
      `Sua página de pagamento em ${provider} ainda está aberta. Para que nada seja cobrado duas vezes, ` +
      'ainda não é possível pagar de outra forma. Tente novamente em um minuto ou continue por lá.',
    otherTab: 'Este pagamento está sendo concluído em outra aba',
    otherTabBody: 'Não é preciso fazer mais nada aqui.',
    removed: 'A forma de pagamento foi removida.',
  },

  declines: {
    insufficient:
      'Não há saldo suficiente neste cartão ou conta. Tente outro cartão ou outra forma de pagamento.',
    expired: 'Este cartão está vencido. Use outro cartão.',
    code: 'O código de segurança não está correto. Confira e tente de novo.',
    number: 'O número do cartão não está correto. Confira e tente de novo.',
    limit:
      'O valor ultrapassa o limite deste cartão ou conta. Tente outro cartão ou outra forma de pagamento.',
    unsupported: 'Este cartão não pode ser usado aqui. Tente outro cartão ou outra forma de pagamento.',
    identity:
      'O seu banco não confirmou a sua identidade. Tente de novo ou escolha outra forma de pagamento.',
    account: 'O banco não aceitou esta conta. Confira os números ou escolha outra forma de pagamento.',
    refused:
      'O seu banco recusou o pagamento. Tente outro cartão ou outra forma de pagamento ou fale com o ' +
      'seu banco.',
    trouble: 'Ocorreu um erro na comunicação com o seu banco. Tente de novo.',
    cancelled: 'Você cancelou na página do provedor. Escolha como quer pagar.',
    late: 'A confirmação do pagamento demorou demais. Tente de novo.',
    underpaid: (merchant: string) =>
      `O valor recebido é menor que o devido. Fale com ${merchant} sobre o que você enviou ou escolha ` +
      'outra forma de pagamento.',
    removed: 'Esta forma de pagamento salva não pode mais ser usada. Escolha outra forma de pagamento.',
  },

  challenge: {
    another: 'Pagar de outra forma',
    title: 'O seu banco quer confirmar a sua identidade',
    body: 'Responda ao seu banco para concluir o pagamento.',
    open: 'Continuar no seu banco',
    ownWindow: 'Abrir nesta janela',
    slow: 'A página do seu banco não aparece?',
    frame: 'Página do seu banco',
  },

  crypto: {
    title: (amount: string) => `Enviar ${amount} em criptomoeda`,
  },

  status: {
    title: 'Confirmando o seu pagamento…',
    slow: 'Ainda em andamento. Isso pode levar um minuto.',
    close: (merchant: string) => `Você pode fechar esta página. O resultado será informado a ${merchant}.`,
    toProvider: (provider: string) => `Você continua em ${provider}`,
    toProviderBody: 'Se a página não abrir sozinha, use o botão.',
  },

  result: {
    received: 'Pagamento recebido',
    receivedBody: (merchant: string) => `Você pagou a ${merchant}. Guarde a referência para consulta.`,
    authorised: 'Pagamento autorizado',
    authorisedBody: (merchant: string) => `O valor será cobrado quando ${merchant} confirmar o seu pedido.`,
    review: 'Pagamento em análise',
    reviewBody: (merchant: string) => `${merchant} está analisando este pedido. Você não fez nada de errado.`,
    failed: 'Pagamento não concluído',
    failedBody: (merchant: string) =>
      `Nenhum valor foi cobrado. Volte para ${merchant} para fazer o pedido de novo.`,
    tooMany: 'Tentativas demais',
    tooManyBody: (merchant: string) =>
      'Houve tentativas demais para este pagamento. Nenhum valor foi cobrado. ' +
      `Volte para ${merchant} para recomeçar.`,
    expired: 'Este link expirou',
    expiredBody: (merchant: string) => `Nenhum valor foi cobrado. Peça um novo link a ${merchant}.`,
    expiredSince: (date: string) => `Era válido até ${date}.`,
    cancelled: 'Pagamento cancelado',
    cancelledBody: 'Nenhum valor foi cobrado.',
    cancelling: 'O pagamento está sendo cancelado',
    refunding: 'Reembolso a caminho',
    refundingBody: (amount: string) => `O reembolso de ${amount} está a caminho da forma de pagamento usada.`,
    claim: 'Resgatar o reembolso',
    claimBody: 'Para receber o dinheiro, informe para onde ele deve ser enviado.',
    refunded: 'Reembolsado',
    refundedBody: (amount: string) => `O reembolso de ${amount} foi feito na forma de pagamento usada.`,
    disputed: (merchant: string) => `Fale com ${merchant}`,
    disputedBody: (merchant: string) =>
      `O seu banco fez uma consulta sobre este pagamento. ${merchant} pode dar mais informações.`,
    countdown: (merchant: string, seconds: number) =>
      counted(seconds, {
        one: `Voltando para ${merchant} em ${seconds} segundo.`,
        other: `Voltando para ${merchant} em ${seconds} segundos.`,
      }),
    stay: 'Ficar nesta página',
    shopSees: 'O que a loja vê',
  },

  receipt: {
    title: 'Recibo',
    paidOn: 'Pago em',
    refunded: 'Reembolsado',
    paymentNumber: 'Pagamento',
    payer: 'Pago por',
    note: (merchant: string) => `Emitido para ${merchant}. Este documento não é uma nota fiscal.`,
  },

  states: {
    Created: 'Em aberto',
    Authorized: 'Autorizado',
    Authorizing: 'Autorizando',
    Approved: 'Aprovado',
    Capturing: 'Cobrando',
    Captured: 'Pago',
    Failed: 'Falhou',
    Disputed: 'Em disputa',
    SaleInProgress: 'Em andamento',
    ProviderAuthorizedHold: 'Em análise',
    Cancelling: 'Cancelando',
    CapturedHold: 'Em análise',
    Refunded: 'Reembolsado',
    Refunding: 'Reembolsando',
    cancelled: 'Cancelado',
    expired: 'Expirado',
  },

  panel,

  errors: {
    unknown: 'Não encontramos este pagamento',
    unknownBody: 'Verifique se o link está completo ou pergunte à loja que o enviou.',
    busy: 'Solicitações demais',
    busyBody: 'Aguarde um momento e tente de novo. Nenhum valor foi cobrado em dobro.',
    broken: 'Ocorreu um erro do nosso lado',
    brokenBody: 'Nada foi perdido. Atualize a página para ver a situação do seu pagamento.',
    away: 'Voltamos em instantes',
    awayBody: 'O serviço de pagamento não está respondendo agora. Atualize a página em alguns instantes.',
    elsewhere: 'Esta solicitação veio de outro site',
    elsewhereBody: 'Para a sua segurança, nada foi feito. Abra a página de pagamento novamente.',
  },
} satisfies PageTexts
