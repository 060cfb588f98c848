import type { PayerTexts } from './en.ts'

export const pt: PayerTexts = {
  labels: {
    amount: 'Valor',
    refunded: 'Reembolsado',
    reference: 'Pedido',
    description: 'Descrição',
    method: 'Pago com',
    date: 'Data',
    expires: 'Validade',
  },
  receipt: {
    subject: (shop) => `O seu recibo de ${shop}`,
    heading: (amount) => `Pagou ${amount}`,
    body: (shop) => `Obrigado. ${shop} recebeu o seu pagamento.`,
  },
  refund: {
    subject: (shop) => `O seu reembolso de ${shop}`,
    heading: (amount) => `Vai receber ${amount} de volta`,
    body: (shop) =>
      `${shop} reembolsou o seu pagamento. O dinheiro pode demorar alguns dias a chegar à sua conta.`,
  },
  failed: {
    subject: (shop) => `O seu pagamento a ${shop} não foi concluído`,
    heading: (amount) => `Não foi possível cobrar ${amount}`,
    body: (shop) =>
      `${shop} não conseguiu cobrar o seu método de pagamento guardado. Aqui pode pagar com outro.`,
    button: 'Pagar agora',
  },
  added: {
    subject: (shop) => `Foi adicionado um método de pagamento em ${shop}`,
    heading: (method) => `${method}: método de pagamento adicionado`,
    body: (shop) => `Este método de pagamento está agora guardado para os seus pagamentos a ${shop}.`,
  },
  removed: {
    subject: (shop) => `Foi removido um método de pagamento em ${shop}`,
    heading: (method) => `${method}: método de pagamento removido`,
    body: (shop) => `${shop} já não pode cobrar este método de pagamento.`,
  },
  notYou: 'Se não foi você, contacte-nos.',
  expiring: {
    subject: (shop) => `O seu cartão em ${shop} expira em breve`,
    heading: (method) => `${method} expira em breve`,
    body: (shop) => `Adicione outro método de pagamento para que os seus pagamentos a ${shop} continuem.`,
    button: 'Adicionar método de pagamento',
  },
  linkOnce: 'A ligação é válida durante sete dias e só pode ser aberta uma vez.',
  storedMethod: 'Método de pagamento',
  why: (shop) => `Recebe este e-mail por causa dos seus pagamentos a ${shop}.`,
  support: 'Contacto',
  unsubscribe: 'Não receber mais lembretes',
  stop: {
    heading: 'Não receber mais lembretes?',
    body: (shop) => `Não receberá mais e-mails de ${shop} sobre pagamentos falhados e cartões a expirar.`,
    button: 'Parar lembretes',
    done: 'Não receberá mais lembretes.',
  },
  test: 'Teste: não foi movimentado dinheiro.',
  testMark: 'Teste',
}
