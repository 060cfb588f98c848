import type { PageTexts } from '../en/checkout.ts'
import { plural } from '../plural.ts'
import { panel } from './panel.ts'

const counted = plural('he', ['one', 'two'])

/** The isolates keep the month before the year, as they are typed. */
const EXPIRY = 'יש להזין את התוקף (חודש ואז שנה) בתבנית \u2066MM / YY\u2069, לדוגמה \u206604 / 29\u2069.'

export const he = {
  common: {
    language: 'שפה',
    contact: (merchant: string) => `יצירת קשר עם ${merchant}`,
    returnTo: (merchant: string) => `חזרה אל ${merchant}`,
    terms: 'תנאי שימוש',
    privacy: 'פרטיות',
    poweredBy: 'מופעל על ידי Tender',
    sandbox: 'סביבת בדיקה: לא מועבר כסף',
    testValues: 'כרטיסים וחשבונות לבדיקה',
    skip: 'מעבר לתשלום',
    amount: 'סכום',
    merchant: 'שולם אל',
    method: 'אמצעי תשלום',
    reference: 'מספר אסמכתא',
    order: 'הזמנה',
    date: 'תאריך',
    state: 'מצב',
    back: 'חזרה',
    refresh: 'רענון הדף',
    copy: 'העתקה',
    copied: 'הועתק',
  },

  order: {
    title: (merchant: string) => `תשלום אל ${merchant}`,
    number: (orderId: string) => `הזמנה ${orderId}`,
    details: (items: number) =>
      counted(items, {
        one: 'פרטי ההזמנה (פריט אחד)',
        two: 'פרטי ההזמנה (שני פריטים)',
        other: `פרטי ההזמנה (${items} פריטים)`,
      }),
    breakdown: 'פרטי ההזמנה',
    quantity: (count: string) => `כמות: ${count}`,
    subtotal: 'סכום ביניים',
    shipping: 'משלוח',
    handling: 'דמי טיפול',
    insurance: 'ביטוח',
    discount: 'הנחה',
    tax: 'מס',
    total: 'סה״כ',
    expiresIn: (time: string) => `הדף בתוקף לעוד ${time}.`,
    minutesLeft: (minutes: number) =>
      counted(minutes, {
        one: 'נותרה דקה אחת לתשלום.',
        two: 'נותרו שתי דקות לתשלום.',
        other: `נותרו ${minutes} דקות לתשלום.`,
      }),
    secondsLeft: (seconds: number) =>
      counted(seconds, {
        one: 'נותרה שנייה אחת לתשלום.',
        two: 'נותרו שתי שניות לתשלום.',
        other: `נותרו ${seconds} שניות לתשלום.`,
      }),
  },

  methods: {
    saved: 'אמצעי תשלום שמורים',
    choose: 'תשלום באמצעות',
    CreditCard: 'כרטיס',
    ElectronicCheck: 'חשבון בנק',
    Paypal: 'PayPal',
    Crypto: 'מטבע קריפטו',
    onProviderPage: (provider: string) => `ההמשך בדף של ${provider}.`,
    cryptoHint: 'יוצגו כתובת וקוד QR לתשלום.',
    expires: (expiry: string) => `בתוקף עד ${expiry}`,
    expired: 'פג תוקף',
    defaultMethod: 'ברירת מחדל',
    remove: 'הסרה',
    removeConfirm: (method: string) => `להסיר את ${method} לצמיתות?`,
    removeButton: (method: string) => `הסרת ${method}`,
    none: (merchant: string) => `לא ניתן לשלם אל ${merchant} כרגע`,
    noneBody: (merchant: string) => `לא בוצע חיוב. אפשר לפנות אל ${merchant} או לנסות שוב מאוחר יותר.`,
  },

  buttons: {
    pay: (amount: string) => `תשלום ${amount}`,
    payWith: (amount: string, method: string) => `תשלום ${amount} עם ${method}`,
    authorise: (amount: string) => `אישור ${amount}`,
    continueTo: (provider: string) => `המשך אל ${provider}`,
    showAddress: (amount: string) => `תשלום ${amount} בקריפטו`,
    chargedLater: (merchant: string) => `החיוב יתבצע כאשר ההזמנה תאושר על ידי ${merchant}.`,
    cancel: (merchant: string) => `ביטול וחזרה אל ${merchant}`,
    cancelOnly: 'ביטול התשלום',
    cancelConfirm: 'לבטל את התשלום? לאחר מכן לא ניתן יהיה לשלם בדף הזה.',
    cancelYes: 'כן, לבטל',
    tryAgain: 'ניסיון נוסף',
    receipt: 'אישור תשלום',
    print: 'הדפסה',
    working: 'רק רגע…',
  },

  card: {
    number: 'מספר כרטיס',
    expiry: 'תוקף',
    expiryHint: 'MM / YY',
    code: 'קוד אבטחה',
    codeHint: '3 או 4 ספרות על הכרטיס',
    name: 'השם על הכרטיס',
    accepted: (brands: string) => `כרטיסים מתקבלים: ${brands}`,
    problems: 'יש לתקן את השדות הבאים',
    numberEmpty: 'יש להזין את מספר הכרטיס.',
    numberIncomplete: 'מספר הכרטיס קצר מדי. יש להזין את כל הספרות.',
    numberWrong: 'מספר הכרטיס אינו תקין. יש לבדוק את הספרות.',
    brandRefused: (brand: string) => `כרטיסי ${brand} אינם מתקבלים כאן. יש להשתמש בכרטיס אחר.`,
    expiryEmpty: EXPIRY,
    expiryWrong: EXPIRY,
    expiryPast: 'תוקף הכרטיס פג. יש להשתמש בכרטיס אחר.',
    codeEmpty: 'יש להזין את קוד האבטחה.',
    codeWrong: (digits: number) =>
      counted(digits, {
        one: 'קוד האבטחה של הכרטיס הזה הוא בן ספרה אחת.',
        two: 'קוד האבטחה של הכרטיס הזה הוא בן שתי ספרות.',
        other: `קוד האבטחה של הכרטיס הזה הוא בן ${digits} ספרות.`,
      }),
    nameEmpty: 'יש להזין את השם כפי שהוא מופיע על הכרטיס.',
    testCards: 'כרטיסים לבדיקה',
    testCardUse: (number: string) => `שימוש ב-${number}`,
  },

  bank: {
    routing: 'מספר ניתוב',
    account: 'מספר חשבון',
    type: 'סוג חשבון',
    checking: 'חשבון עובר ושב',
    savings: 'חשבון חיסכון',
    name: 'בעל/ת החשבון',
    routingWrong: 'מספר ניתוב הוא בן 9 ספרות.',
    accountWrong: 'מספר חשבון הוא בן 4 עד 17 ספרות.',
    nameEmpty: 'יש להזין את שם בעל/ת החשבון.',
    mandate: (merchant: string) => `בהמשך התהליך אתם מרשים ל-${merchant} לחייב את חשבון הבנק שלכם בסכום זה.`,
  },

  consent: {
    save: (merchant: string) =>
      `לשמור את אמצעי התשלום ולאפשר ל-${merchant} לחייב אותו בתשלומים עתידיים. אפשר להסיר אותו בכל עת.`,
    mandate: (merchant: string) =>
      `בביצוע התשלום אתם מאפשרים ל-${merchant} לשמור את אמצעי התשלום ולחייב אותו בתשלומים עתידיים ` +
      'בלי לבקש אישור בכל פעם. אפשר להסיר אותו בכל עת.',
  },

  notices: {
    partArrived: (received: string, amount: string) => `הגיעו רק ${received} מתוך ${amount}`,
    partArrivedBody: (until: string | undefined) =>
      until === undefined
        ? 'אפשר לשלוח את היתרה בקרוב או לבחור אמצעי תשלום אחר. הסכום שהגיע יוחזר.'
        : `אפשר לשלוח את היתרה עד ${until} או לבחור אמצעי תשלום אחר. הסכום שהגיע יוחזר.`,
    declined: 'התשלום לא הצליח',
    notCharged: 'לא בוצע חיוב.',
    cameBack: (provider: string) => `חזרתם מ-${provider} בלי לשלם`,
    cameBackBody: 'לא בוצע חיוב. אפשר להמשיך מאותה נקודה או לבחור אמצעי תשלום אחר.',
    resume: (provider: string) => `חידוש התשלום עם ${provider}`,
    notReached: (provider: string) => `אין כרגע מענה מ-${provider}`,
    notReachedBody: (provider: string) =>
      `דף התשלום אצל ${provider} עדיין פתוח. כדי שלא יבוצע חיוב כפול, עדיין אי אפשר לשלם בדרך אחרת. ` +
      'אפשר לנסות שוב בעוד דקה או להמשיך שם.',
    otherTab: 'התשלום הזה מושלם בלשונית אחרת',
    otherTabBody: 'אין צורך לעשות כאן דבר נוסף.',
    removed: 'אמצעי התשלום הוסר.',
  },

  declines: {
    insufficient: 'אין מספיק כסף בכרטיס או בחשבון. כדאי לנסות כרטיס אחר או אמצעי תשלום אחר.',
    expired: 'תוקף הכרטיס פג. יש להשתמש בכרטיס אחר.',
    code: 'קוד האבטחה שגוי. יש לבדוק אותו ולנסות שוב.',
    number: 'מספר הכרטיס שגוי. יש לבדוק אותו ולנסות שוב.',
    limit: 'הסכום חורג מהמסגרת של הכרטיס או החשבון. כדאי לנסות כרטיס אחר או אמצעי תשלום אחר.',
    unsupported: 'לא ניתן להשתמש בכרטיס הזה כאן. כדאי לנסות כרטיס אחר או אמצעי תשלום אחר.',
    identity: 'הבנק לא הצליח לאמת את זהותכם. אפשר לנסות שוב או לבחור אמצעי תשלום אחר.',
    account: 'הבנק לא קיבל את החשבון הזה. יש לבדוק את המספרים או לבחור אמצעי תשלום אחר.',
    refused: 'הבנק דחה את התשלום. כדאי לנסות כרטיס אחר או אמצעי תשלום אחר או לפנות לבנק.',
    trouble: 'אירעה תקלה בתקשורת עם הבנק. יש לנסות שוב.',
    cancelled: 'התשלום בוטל בדף הספק. יש לבחור איך לשלם.',
    late: 'אישור התשלום ארך זמן רב מדי. יש לנסות שוב.',
    underpaid: (merchant: string) =>
      `התקבל סכום נמוך מהנדרש. יש לפנות אל ${merchant} לגבי מה שנשלח, או לבחור אמצעי תשלום אחר.`,
    removed: 'לא ניתן עוד להשתמש באמצעי התשלום השמור הזה. יש לבחור אמצעי תשלום אחר.',
  },

  challenge: {
    another: 'תשלום בדרך אחרת',
    title: 'הבנק מבקש לאמת את זהותכם',
    body: 'יש לענות על שאלת הבנק כדי להשלים את התשלום.',
    open: 'המשך אל הבנק',
    ownWindow: 'פתיחה בחלון הזה',
    slow: 'הדף של הבנק לא מופיע?',
    frame: 'הדף של הבנק',
  },

  crypto: {
    title: (amount: string) => `שליחת ${amount} בקריפטו`,
  },

  status: {
    title: 'התשלום בתהליך אישור…',
    slow: 'עדיין בתהליך. זה עשוי להימשך דקה.',
    close: (merchant: string) => `אפשר לסגור את הדף. התוצאה תימסר אל ${merchant}.`,
    toProvider: (provider: string) => `ההמשך בדף של ${provider}`,
    toProviderBody: 'אם הדף לא נפתח מעצמו, השתמשו בכפתור.',
  },

  result: {
    received: 'התשלום התקבל',
    receivedBody: (merchant: string) => `שילמתם אל ${merchant}. כדאי לשמור את מספר האסמכתא.`,
    authorised: 'התשלום אושר',
    authorisedBody: (merchant: string) => `החיוב יתבצע כאשר ההזמנה תאושר על ידי ${merchant}.`,
    review: 'התשלום בבדיקה',
    reviewBody: (merchant: string) => `ההזמנה נבדקת אצל ${merchant}. לא עשיתם שום דבר לא נכון.`,
    failed: 'התשלום לא הושלם',
    failedBody: (merchant: string) => `לא בוצע חיוב. כדי להזמין שוב, חזרו אל ${merchant}.`,
    tooMany: 'יותר מדי ניסיונות',
    tooManyBody: (merchant: string) =>
      `היו יותר מדי ניסיונות לתשלום הזה. לא בוצע חיוב. כדי להתחיל מחדש, חזרו אל ${merchant}.`,
    expired: 'תוקף הקישור פג',
    expiredBody: (merchant: string) => `לא בוצע חיוב. אפשר לבקש קישור חדש אצל ${merchant}.`,
    expiredSince: (date: string) => `הוא היה בתוקף עד ${date}.`,
    cancelled: 'התשלום בוטל',
    cancelledBody: 'לא בוצע חיוב.',
    cancelling: 'התשלום בתהליך ביטול',
    refunding: 'ההחזר בדרך',
    refundingBody: (amount: string) => `${amount} בדרך חזרה לאמצעי התשלום ששימש לתשלום.`,
    claim: 'קבלת ההחזר',
    claimBody: 'כדי לקבל את הכסף יש להזין לאן לשלוח אותו.',
    refunded: 'הוחזר',
    refundedBody: (amount: string) => `${amount} הוחזרו לאמצעי התשלום ששימש לתשלום.`,
    disputed: (merchant: string) => `פנו אל ${merchant}`,
    disputedBody: (merchant: string) =>
      `הבנק ביקש בירור לגבי התשלום הזה. מידע נוסף אפשר לקבל אצל ${merchant}.`,
    countdown: (merchant: string, seconds: number) =>
      counted(seconds, {
        one: `חזרה אל ${merchant} בעוד שנייה אחת.`,
        two: `חזרה אל ${merchant} בעוד שתי שניות.`,
        other: `חזרה אל ${merchant} בעוד ${seconds} שניות.`,
      }),
    stay: 'הישארות בדף הזה',
    shopSees: 'מה החנות רואה',
  },

  receipt: {
    title: 'אישור תשלום',
    paidOn: 'שולם בתאריך',
    refunded: 'הוחזר',
    paymentNumber: 'תשלום',
    payer: 'שולם על ידי',
    note: (merchant: string) => `הופק עבור ${merchant}. מסמך זה אינו חשבונית מס.`,
  },

  states: {
    Created: 'פתוח',
    Authorized: 'מאושר לחיוב',
    Authorizing: 'בתהליך אישור',
    Approved: 'אושר',
    Capturing: 'בתהליך חיוב',
    Captured: 'שולם',
    Failed: 'נכשל',
    Disputed: 'במחלוקת',
    SaleInProgress: 'בתהליך',
    ProviderAuthorizedHold: 'בבדיקה',
    Cancelling: 'בתהליך ביטול',
    CapturedHold: 'בבדיקה',
    Refunded: 'הוחזר',
    Refunding: 'בתהליך החזר',
    cancelled: 'בוטל',
    expired: 'פג תוקף',
  },

  panel,

  errors: {
    unknown: 'התשלום הזה לא נמצא',
    unknownBody: 'כדאי לוודא שהקישור מלא, או לפנות לחנות ששלחה אותו.',
    busy: 'יותר מדי בקשות',
    busyBody: 'נא להמתין רגע ולנסות שוב. לא בוצע חיוב כפול.',
    broken: 'אירעה תקלה אצלנו',
    brokenBody: 'שום דבר לא אבד. רענון הדף יציג את מצב התשלום.',
    away: 'מיד נחזור',
    awayBody: 'שירות התשלומים אינו מגיב כרגע. יש לרענן את הדף בעוד רגע.',
    elsewhere: 'הבקשה הגיעה מאתר אחר',
    elsewhereBody: 'למען הביטחון לא בוצעה שום פעולה. יש לפתוח שוב את דף התשלום.',
  },
} satisfies PageTexts
