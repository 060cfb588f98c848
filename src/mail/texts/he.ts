import type { PayerTexts } from './en.ts'

export const he: PayerTexts = {
  labels: {
    amount: 'סכום',
    refunded: 'הוחזר',
    reference: 'הזמנה',
    description: 'תיאור',
    method: 'אמצעי תשלום',
    date: 'תאריך',
    expires: 'בתוקף עד',
  },
  receipt: {
    subject: (shop) => `הקבלה שלך מ־${shop}`,
    heading: (amount) => `שילמת ${amount}`,
    body: (shop) => `תודה. התשלום שלך התקבל אצל ${shop}.`,
  },
  refund: {
    subject: (shop) => `ההחזר שלך מ־${shop}`,
    heading: (amount) => `${amount} יוחזרו אליך`,
    body: (shop) => `התשלום שלך הוחזר על ידי ${shop}. ייתכן שיעברו כמה ימים עד שהכסף יגיע לחשבונך.`,
  },
  failed: {
    subject: (shop) => `התשלום שלך אל ${shop} לא הצליח`,
    heading: (amount) => `לא ניתן היה לחייב ${amount}`,
    body: (shop) => `${shop}: לא ניתן היה לחייב את אמצעי התשלום השמור שלך. אפשר לשלם כאן באמצעי אחר.`,
    button: 'לתשלום עכשיו',
  },
  added: {
    subject: (shop) => `נוסף אמצעי תשלום אצל ${shop}`,
    heading: (method) => `${method} נוסף`,
    body: (shop) => `אמצעי התשלום הזה שמור כעת לתשלומים שלך אל ${shop}.`,
  },
  removed: {
    subject: (shop) => `הוסר אמצעי תשלום אצל ${shop}`,
    heading: (method) => `${method} הוסר`,
    body: (shop) => `${shop}: לא ניתן עוד לחייב את אמצעי התשלום הזה.`,
  },
  notYou: 'אם לא ביצעת את הפעולה, נא ליצור איתנו קשר.',
  expiring: {
    subject: (shop) => `תוקף הכרטיס שלך אצל ${shop} עומד לפוג`,
    heading: (method) => `תוקף ${method} עומד לפוג`,
    body: (shop) => `כדאי להוסיף אמצעי תשלום אחר כדי שהתשלומים שלך אל ${shop} יימשכו.`,
    button: 'הוספת אמצעי תשלום',
  },
  linkOnce: 'הקישור בתוקף לשבעה ימים וניתן לפתוח אותו פעם אחת.',
  storedMethod: 'אמצעי תשלום',
  why: (shop) => `ההודעה הזו נשלחה בגלל התשלומים שלך אל ${shop}.`,
  support: 'יצירת קשר',
  unsubscribe: 'ללא תזכורות נוספות',
  stop: {
    heading: 'להפסיק את התזכורות?',
    body: (shop) => `לא יישלחו עוד הודעות מ־${shop} על תשלומים שנכשלו וכרטיסים שתוקפם פג.`,
    button: 'הפסקת התזכורות',
    done: 'לא יישלחו עוד תזכורות.',
  },
  test: 'בדיקה: לא הועבר כסף.',
  testMark: 'בדיקה',
}
