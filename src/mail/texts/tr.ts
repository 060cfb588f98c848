import type { PayerTexts } from './en.ts'

export const tr: PayerTexts = {
  labels: {
    amount: 'Tutar',
    refunded: 'İade edilen',
    reference: 'Sipariş',
    description: 'Açıklama',
    method: 'Ödeme yöntemi',
    date: 'Tarih',
    expires: 'Son kullanma',
  },
  receipt: {
    subject: (shop) => `${shop} ödeme makbuzunuz`,
    heading: (amount) => `${amount} ödediniz`,
    body: (shop) => `Teşekkür ederiz. ${shop} ödemenizi aldı.`,
  },
  refund: {
    subject: (shop) => `${shop} iadeniz`,
    heading: (amount) => `${amount} size iade ediliyor`,
    body: (shop) => `${shop} ödemenizi iade etti. Paranın hesabınıza geçmesi birkaç gün sürebilir.`,
  },
  failed: {
    subject: (shop) => `${shop} ödemeniz gerçekleşmedi`,
    heading: (amount) => `${amount} tahsil edilemedi`,
    body: (shop) =>
      `${shop} kayıtlı ödeme yönteminizden tahsilat yapamadı. Buradan başka bir yöntemle ödeyebilirsiniz.`,
    button: 'Şimdi öde',
  },
  added: {
    subject: (shop) => `${shop}: ödeme yöntemi eklendi`,
    heading: (method) => `${method} eklendi`,
    body: (shop) => `Bu ödeme yöntemi artık ${shop} ödemeleriniz için kayıtlı.`,
  },
  removed: {
    subject: (shop) => `${shop}: ödeme yöntemi kaldırıldı`,
    heading: (method) => `${method} kaldırıldı`,
    body: (shop) => `${shop} artık bu ödeme yönteminden tahsilat yapamaz.`,
  },
  notYou: 'Bunu siz yapmadıysanız lütfen bizimle iletişime geçin.',
  expiring: {
    subject: (shop) => `${shop} için kayıtlı kartınızın süresi doluyor`,
    heading: (method) => `${method} süresi yakında doluyor`,
    body: (shop) => `${shop} ödemelerinizin sürmesi için başka bir ödeme yöntemi ekleyin.`,
    button: 'Ödeme yöntemi ekle',
  },
  linkOnce: 'Bağlantı yedi gün geçerlidir ve bir kez açılabilir.',
  storedMethod: 'Ödeme yöntemi',
  why: (shop) => `Bu e-postayı ${shop} ödemeleriniz nedeniyle alıyorsunuz.`,
  support: 'İletişim',
  unsubscribe: 'Artık hatırlatma gönderme',
  stop: {
    heading: 'Hatırlatmalar durdurulsun mu?',
    body: (shop) =>
      `${shop} artık başarısız ödemeler ve süresi dolan kartlar hakkında e-posta göndermeyecek.`,
    button: 'Hatırlatmaları durdur',
    done: 'Artık hatırlatma almayacaksınız.',
  },
  test: 'Deneme: para aktarılmadı.',
  testMark: 'Deneme',
}
