import type { PageTexts } from '../en/checkout.ts'
import { plural } from '../plural.ts'
import { panel } from './panel.ts'

const counted = plural('ar', ['one', 'two', 'few', 'many'])

/** The isolates keep the month before the year, as they are typed. */
const EXPIRY = 'أدخل تاريخ الانتهاء (شهر ثم سنة) بالصيغة \u2066MM / YY\u2069، مثل \u206604 / 29\u2069.'

export const ar = {
  common: {
    language: 'اللغة',
    contact: (merchant: string) => `التواصل مع ${merchant}`,
    returnTo: (merchant: string) => `العودة إلى ${merchant}`,
    terms: 'الشروط',
    privacy: 'الخصوصية',
    poweredBy: 'مدعوم من Tender',
    sandbox: 'بيئة تجريبية: لا تُحوَّل أي أموال',
    testValues: 'بطاقات وحسابات تجريبية',
    skip: 'الانتقال إلى الدفع',
    amount: 'المبلغ',
    merchant: 'المستفيد',
    method: 'طريقة الدفع',
    reference: 'الرقم المرجعي',
    order: 'الطلب',
    date: 'التاريخ',
    state: 'الحالة',
    back: 'رجوع',
    refresh: 'تحديث الصفحة',
    copy: 'نسخ',
    copied: 'تم النسخ',
  },

  order: {
    title: (merchant: string) => `الدفع إلى ${merchant}`,
    number: (orderId: string) => `الطلب ${orderId}`,
    details: (items: number) =>
      counted(items, {
        one: 'تفاصيل الطلب (منتج واحد)',
        two: 'تفاصيل الطلب (منتجان)',
        few: `تفاصيل الطلب (${items} منتجات)`,
        many: `تفاصيل الطلب (${items} منتجًا)`,
        other: `تفاصيل الطلب (${items} منتج)`,
      }),
    breakdown: 'تفاصيل الطلب',
    quantity: (count: string) => `الكمية: ${count}`,
    subtotal: 'المجموع الفرعي',
    shipping: 'الشحن',
    handling: 'المناولة',
    insurance: 'التأمين',
    discount: 'الخصم',
    tax: 'الضريبة',
    total: 'الإجمالي',
    expiresIn: (time: string) => `الوقت المتبقي لصلاحية هذه الصفحة: ${time}.`,
    minutesLeft: (minutes: number) =>
      counted(minutes, {
        one: 'تبقّت دقيقة واحدة للدفع.',
        two: 'تبقّت دقيقتان للدفع.',
        few: `تبقّت ${minutes} دقائق للدفع.`,
        many: `تبقّت ${minutes} دقيقة للدفع.`,
        other: `تبقّت ${minutes} دقيقة للدفع.`,
      }),
    secondsLeft: (seconds: number) =>
      counted(seconds, {
        one: 'تبقّت ثانية واحدة للدفع.',
        two: 'تبقّت ثانيتان للدفع.',
        few: `تبقّت ${seconds} ثوانٍ للدفع.`,
        many: `تبقّت ${seconds} ثانية للدفع.`,
        other: `تبقّت ${seconds} ثانية للدفع.`,
      }),
  },

  methods: {
    saved: 'طرق الدفع المحفوظة',
    choose: 'الدفع بواسطة',
    CreditCard: 'بطاقة',
    ElectronicCheck: 'حساب مصرفي',
    Paypal: 'PayPal',
    Crypto: 'عملة مشفّرة',
    onProviderPage: (provider: string) => `ستتابع على صفحة ${provider}.`,
    cryptoHint: 'ستحصل على عنوان ورمز QR للدفع.',
    expires: (expiry: string) => `تنتهي في ${expiry}`,
    expired: 'منتهية',
    defaultMethod: 'الافتراضية',
    remove: 'إزالة',
    removeConfirm: (method: string) => `هل تريد إزالة ${method} نهائيًا؟`,
    removeButton: (method: string) => `إزالة ${method}`,
    none: (merchant: string) => `لا يمكن لـ ${merchant} قبول المدفوعات حاليًا`,
    noneBody: (merchant: string) => `لم يُخصم أي مبلغ. يُرجى التواصل مع ${merchant} أو المحاولة لاحقًا.`,
  },

  buttons: {
    pay: (amount: string) => `ادفع ${amount}`,
    payWith: (amount: string, method: string) => `ادفع ${amount} عبر ${method}`,
    authorise: (amount: string) => `تفويض ${amount}`,
    continueTo: (provider: string) => `المتابعة إلى ${provider}`,
    showAddress: (amount: string) => `ادفع ${amount} بعملة مشفّرة`,
    chargedLater: (merchant: string) => `سيُخصم المبلغ عندما يؤكد ${merchant} طلبك.`,
    cancel: (merchant: string) => `إلغاء والعودة إلى ${merchant}`,
    cancelOnly: 'إلغاء عملية الدفع',
    cancelConfirm: 'هل تريد إلغاء عملية الدفع؟ لن يمكنك الدفع من هذه الصفحة بعد ذلك.',
    cancelYes: 'نعم، إلغاء',
    tryAgain: 'إعادة المحاولة',
    receipt: 'الإيصال',
    print: 'طباعة',
    working: 'لحظة من فضلك…',
  },

  card: {
    number: 'رقم البطاقة',
    expiry: 'تاريخ الانتهاء',
    expiryHint: 'MM / YY',
    code: 'رمز الأمان',
    codeHint: '3 أو 4 أرقام على البطاقة',
    name: 'الاسم على البطاقة',
    accepted: (brands: string) => `البطاقات المقبولة: ${brands}`,
    problems: 'يُرجى تصحيح هذه الحقول',
    numberEmpty: 'أدخل رقم البطاقة.',
    numberIncomplete: 'رقم البطاقة قصير جدًا. أدخل جميع الأرقام.',
    numberWrong: 'رقم البطاقة هذا غير صالح. تحقق من الأرقام.',
    brandRefused: (brand: string) => `بطاقات ${brand} غير مقبولة هنا. استخدم بطاقة أخرى.`,
    expiryEmpty: EXPIRY,
    expiryWrong: EXPIRY,
    expiryPast: 'انتهت صلاحية هذه البطاقة. استخدم بطاقة أخرى.',
    codeEmpty: 'أدخل رمز الأمان.',
    codeWrong: (digits: number) =>
      counted(digits, {
        one: 'يتكوّن رمز أمان هذه البطاقة من رقم واحد.',
        two: 'يتكوّن رمز أمان هذه البطاقة من رقمين.',
        few: `يتكوّن رمز أمان هذه البطاقة من ${digits} أرقام.`,
        many: `يتكوّن رمز أمان هذه البطاقة من ${digits} رقمًا.`,
        other: `يتكوّن رمز أمان هذه البطاقة من ${digits} رقم.`,
      }),
    nameEmpty: 'أدخل الاسم كما هو مكتوب على البطاقة.',
    testCards: 'بطاقات تجريبية',
    testCardUse: (number: string) => `استخدام ${number}`,
  },

  bank: {
    routing: 'رقم توجيه المصرف',
    account: 'رقم الحساب',
    type: 'نوع الحساب',
    checking: 'حساب جارٍ',
    savings: 'حساب توفير',
    name: 'صاحب الحساب',
    routingWrong: 'يتكوّن رقم التوجيه من 9 أرقام.',
    accountWrong: 'يتكوّن رقم الحساب من 4 إلى 17 رقمًا.',
    nameEmpty: 'أدخل اسم صاحب الحساب.',
    mandate: (merchant: string) => `بالمتابعة، فإنك تفوّض ${merchant} بخصم هذا المبلغ من حسابك المصرفي.`,
  },

  consent: {
    save: (merchant: string) =>
      `حفظ طريقة الدفع هذه والسماح لـ ${merchant} بالخصم منها للمدفوعات المستقبلية. ` +
      'يمكنك إزالتها في أي وقت.',
    mandate: (merchant: string) =>
      `بإتمام الدفع، فإنك تسمح لـ ${merchant} بحفظ طريقة الدفع هذه والخصم منها للمدفوعات المستقبلية ` +
      'دون سؤالك في كل مرة. يمكنك إزالتها في أي وقت.',
  },

  notices: {
    partArrived: (received: string, amount: string) => `وصل ${received} فقط من ${amount}`,
    partArrivedBody: (until: string | undefined) =>
      until === undefined
        ? 'أرسل الباقي قريبًا أو اختر طريقة دفع أخرى. سيُعاد المبلغ الذي وصل.'
        : `أرسل الباقي قبل ${until} أو اختر طريقة دفع أخرى. سيُعاد المبلغ الذي وصل.`,
    declined: 'لم تنجح عملية الدفع',
    notCharged: 'لم يُخصم أي مبلغ.',
    cameBack: (provider: string) => `عدت من ${provider} دون إتمام الدفع`,
    cameBackBody: 'لم يُخصم أي مبلغ. تابع من حيث توقفت، أو اختر طريقة دفع أخرى.',
    resume: (provider: string) => `استئناف الدفع عبر ${provider}`,
    notReached: (provider: string) => `يتعذّر الاتصال بـ ${provider} حاليًا`,
    notReachedBody: (provider: string) =>
      `صفحة الدفع لدى ${provider} ما زالت مفتوحة. لن يُخصم المبلغ مرتين، لذلك لا يمكن الدفع بطريقة أخرى ` +
      'بعد. حاول مرة أخرى بعد دقيقة، أو تابع الدفع هناك.',
    otherTab: 'يجري إتمام عملية الدفع هذه في علامة تبويب أخرى',
    otherTabBody: 'لا يلزم أي إجراء آخر هنا.',
    removed: 'تمت إزالة طريقة الدفع.',
  },

  declines: {
    insufficient: 'رصيد هذه البطاقة أو الحساب غير كافٍ. جرّب بطاقة أخرى أو طريقة دفع أخرى.',
    expired: 'انتهت صلاحية هذه البطاقة. استخدم بطاقة أخرى.',
    code: 'رمز الأمان غير صحيح. تحقق منه وأعد المحاولة.',
    number: 'رقم البطاقة غير صحيح. تحقق منه وأعد المحاولة.',
    limit: 'المبلغ يتجاوز حد هذه البطاقة أو الحساب. جرّب بطاقة أخرى أو طريقة دفع أخرى.',
    unsupported: 'لا يمكن استخدام هذه البطاقة هنا. جرّب بطاقة أخرى أو طريقة دفع أخرى.',
    identity: 'تعذّر على مصرفك التحقق من هويتك. أعد المحاولة أو اختر طريقة دفع أخرى.',
    account: 'لم يقبل المصرف هذا الحساب. تحقق من الأرقام أو اختر طريقة دفع أخرى.',
    refused: 'رفض مصرفك عملية الدفع. جرّب بطاقة أخرى أو طريقة دفع أخرى أو تواصل مع مصرفك.',
    trouble: 'حدث خطأ أثناء الاتصال بمصرفك. أعد المحاولة.',
    cancelled: 'ألغيت العملية لدى مزوّد الدفع. اختر كيف تريد الدفع.',
    late: 'استغرق تأكيد عملية الدفع وقتًا طويلًا. أعد المحاولة.',
    underpaid: (merchant: string) =>
      `وصل مبلغ أقل من المطلوب. تواصل مع ${merchant} بشأن ما أرسلته، أو اختر طريقة دفع أخرى.`,
    removed: 'لم يعد بالإمكان استخدام طريقة الدفع المحفوظة هذه. اختر طريقة دفع أخرى.',
  },

  challenge: {
    another: 'الدفع بطريقة أخرى',
    title: 'يريد مصرفك التحقق من هويتك',
    body: 'أجب عن سؤال مصرفك لإتمام عملية الدفع.',
    open: 'المتابعة إلى مصرفك',
    ownWindow: 'الفتح في هذه النافذة',
    slow: 'ألا تظهر صفحة مصرفك؟',
    frame: 'صفحة مصرفك',
  },

  crypto: {
    title: (amount: string) => `أرسل ${amount} بعملة مشفّرة`,
  },

  status: {
    title: 'جارٍ تأكيد عملية الدفع…',
    slow: 'ما زال العمل جاريًا. قد يستغرق ذلك دقيقة.',
    close: (merchant: string) => `يمكنك إغلاق هذه الصفحة. سيُبلَّغ ${merchant} بالنتيجة.`,
    toProvider: (provider: string) => `ستتابع على صفحة ${provider}`,
    toProviderBody: 'إذا لم تُفتح الصفحة تلقائيًا، فاستخدم الزر.',
  },

  result: {
    received: 'تم استلام الدفعة',
    receivedBody: (merchant: string) => `لقد دفعت إلى ${merchant}. احتفظ بالرقم المرجعي في سجلاتك.`,
    authorised: 'تم تفويض الدفعة',
    authorisedBody: (merchant: string) => `سيُخصم المبلغ عندما يؤكد ${merchant} طلبك.`,
    review: 'الدفعة قيد المراجعة',
    reviewBody: (merchant: string) => `يراجع ${merchant} هذا الطلب. لم ترتكب أي خطأ.`,
    failed: 'لم تكتمل عملية الدفع',
    failedBody: (merchant: string) => `لم يُخصم أي مبلغ. عُد إلى ${merchant} لتقديم الطلب من جديد.`,
    tooMany: 'محاولات كثيرة جدًا',
    tooManyBody: (merchant: string) =>
      `تكررت محاولات هذه الدفعة أكثر من اللازم. لم يُخصم أي مبلغ. عُد إلى ${merchant} للبدء من جديد.`,
    expired: 'انتهت صلاحية هذا الرابط',
    expiredBody: (merchant: string) => `لم يُخصم أي مبلغ. اطلب رابطًا جديدًا من ${merchant}.`,
    expiredSince: (date: string) => `كان صالحًا حتى ${date}.`,
    cancelled: 'أُلغيت عملية الدفع',
    cancelledBody: 'لم يُخصم أي مبلغ.',
    cancelling: 'جارٍ إلغاء عملية الدفع',
    refunding: 'المبلغ المسترد في الطريق',
    refundingBody: (amount: string) => `يجري رد ${amount} إلى الطريقة التي دفعت بها.`,
    claim: 'استلام المبلغ المسترد',
    claimBody: 'لاستلام المبلغ، حدّد إلى أين يُرسَل.',
    refunded: 'تم رد المبلغ',
    refundedBody: (amount: string) => `تم رد ${amount} إلى الطريقة التي دفعت بها.`,
    disputed: (merchant: string) => `تواصل مع ${merchant}`,
    disputedBody: (merchant: string) => `استفسر مصرفك عن هذه الدفعة. يمكن لـ ${merchant} إخبارك بالمزيد.`,
    countdown: (merchant: string, seconds: number) =>
      counted(seconds, {
        one: `العودة إلى ${merchant} خلال ثانية واحدة.`,
        two: `العودة إلى ${merchant} خلال ثانيتين.`,
        few: `العودة إلى ${merchant} خلال ${seconds} ثوانٍ.`,
        many: `العودة إلى ${merchant} خلال ${seconds} ثانية.`,
        other: `العودة إلى ${merchant} خلال ${seconds} ثانية.`,
      }),
    stay: 'البقاء في هذه الصفحة',
    shopSees: 'ما يراه المتجر',
  },

  receipt: {
    title: 'الإيصال',
    paidOn: 'تاريخ الدفع',
    refunded: 'المبلغ المسترد',
    paymentNumber: 'رقم الدفعة',
    payer: 'الدافع',
    note: (merchant: string) => `صدر لصالح ${merchant}. هذا ليس فاتورة ضريبية.`,
  },

  states: {
    Created: 'مفتوحة',
    Authorized: 'مفوَّضة',
    Authorizing: 'قيد التفويض',
    Approved: 'موافَق عليها',
    Capturing: 'قيد التحصيل',
    Captured: 'مدفوعة',
    Failed: 'فاشلة',
    Disputed: 'متنازع عليها',
    SaleInProgress: 'قيد التنفيذ',
    ProviderAuthorizedHold: 'قيد المراجعة',
    Cancelling: 'قيد الإلغاء',
    CapturedHold: 'قيد المراجعة',
    Refunded: 'مستردة',
    Refunding: 'قيد الاسترداد',
    cancelled: 'ملغاة',
    expired: 'منتهية الصلاحية',
  },

  panel,

  errors: {
    unknown: 'لا يمكننا العثور على هذه الدفعة',
    unknownBody: 'تأكد من اكتمال الرابط، أو اسأل المتجر الذي أرسله إليك.',
    busy: 'طلبات كثيرة جدًا',
    busyBody: 'يُرجى الانتظار لحظة ثم إعادة المحاولة. لم يُخصم أي مبلغ مرتين.',
    broken: 'حدث خطأ من جانبنا',
    brokenBody: 'لم يُفقد أي شيء. حدّث الصفحة لمعرفة حالة دفعتك.',
    away: 'سنعود حالًا',
    awayBody: 'خدمة الدفع لا تستجيب حاليًا. حدّث الصفحة بعد لحظات.',
    elsewhere: 'ورد هذا الطلب من موقع آخر',
    elsewhereBody: 'حرصًا على أمانك لم يُنفَّذ أي إجراء. افتح صفحة الدفع من جديد.',
  },
} satisfies PageTexts
