import type { PayerTexts } from './en.ts'

export const ar: PayerTexts = {
  labels: {
    amount: 'المبلغ',
    refunded: 'المبلغ المسترد',
    reference: 'الطلب',
    description: 'الوصف',
    method: 'طريقة الدفع',
    date: 'التاريخ',
    expires: 'تنتهي في',
  },
  receipt: {
    subject: (shop) => `إيصال الدفع من ${shop}`,
    heading: (amount) => `لقد دفعت ${amount}`,
    body: (shop) => `شكرًا لك. استلم ${shop} دفعتك.`,
  },
  refund: {
    subject: (shop) => `استرداد من ${shop}`,
    heading: (amount) => `سيُعاد إليك ${amount}`,
    body: (shop) => `أعاد ${shop} دفعتك. قد يستغرق وصول المبلغ إلى حسابك بضعة أيام.`,
  },
  failed: {
    subject: (shop) => `لم تنجح دفعتك إلى ${shop}`,
    heading: (amount) => `تعذّر تحصيل ${amount}`,
    body: (shop) => `تعذّر على ${shop} التحصيل من طريقة الدفع المحفوظة. يمكنك الدفع بطريقة أخرى من هنا.`,
    button: 'ادفع الآن',
  },
  added: {
    subject: (shop) => `أُضيفت طريقة دفع لدى ${shop}`,
    heading: (method) => `تمت إضافة ${method}`,
    body: (shop) => `أصبحت طريقة الدفع هذه محفوظة لمدفوعاتك إلى ${shop}.`,
  },
  removed: {
    subject: (shop) => `أُزيلت طريقة دفع لدى ${shop}`,
    heading: (method) => `تمت إزالة ${method}`,
    body: (shop) => `لم يعد بإمكان ${shop} التحصيل من طريقة الدفع هذه.`,
  },
  notYou: 'إذا لم تكن أنت من فعل ذلك، فيرجى التواصل معنا.',
  expiring: {
    subject: (shop) => `بطاقتك لدى ${shop} تنتهي قريبًا`,
    heading: (method) => `${method} تنتهي قريبًا`,
    body: (shop) => `أضف طريقة دفع أخرى لتستمر مدفوعاتك إلى ${shop}.`,
    button: 'إضافة طريقة دفع',
  },
  linkOnce: 'الرابط صالح لسبعة أيام ويمكن فتحه مرة واحدة.',
  storedMethod: 'طريقة الدفع',
  why: (shop) => `تتلقى هذه الرسالة بسبب مدفوعاتك إلى ${shop}.`,
  support: 'تواصل معنا',
  unsubscribe: 'إيقاف رسائل التذكير',
  stop: {
    heading: 'هل تريد إيقاف رسائل التذكير؟',
    body: (shop) => `لن تصلك رسائل أخرى من ${shop} عن المدفوعات غير الناجحة والبطاقات التي تنتهي.`,
    button: 'إيقاف التذكير',
    done: 'لن تصلك رسائل تذكير أخرى.',
  },
  test: 'اختبار: لم يُنقل أي مال.',
  testMark: 'اختبار',
}
