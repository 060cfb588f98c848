import type { PayerTexts } from './en.ts'

export const ja: PayerTexts = {
  labels: {
    amount: '金額',
    refunded: '返金額',
    reference: '注文番号',
    description: '内容',
    method: 'お支払い方法',
    date: '日付',
    expires: '有効期限',
  },
  receipt: {
    subject: (shop) => `${shop}からの領収メール`,
    heading: (amount) => `${amount}のお支払いが完了しました`,
    body: (shop) => `ありがとうございます。${shop}がお支払いを受け取りました。`,
  },
  refund: {
    subject: (shop) => `${shop}からの返金`,
    heading: (amount) => `${amount}が返金されます`,
    body: (shop) => `${shop}がお支払いを返金しました。口座に反映されるまで数日かかることがあります。`,
  },
  failed: {
    subject: (shop) => `${shop}へのお支払いができませんでした`,
    heading: (amount) => `${amount}を請求できませんでした`,
    body: (shop) =>
      `${shop}は登録済みのお支払い方法に請求できませんでした。こちらから別の方法でお支払いいただけます。`,
    button: '今すぐ支払う',
  },
  added: {
    subject: (shop) => `${shop}にお支払い方法が追加されました`,
    heading: (method) => `${method}が追加されました`,
    body: (shop) => `このお支払い方法は${shop}へのお支払い用に登録されました。`,
  },
  removed: {
    subject: (shop) => `${shop}からお支払い方法が削除されました`,
    heading: (method) => `${method}が削除されました`,
    body: (shop) => `${shop}は今後このお支払い方法に請求できません。`,
  },
  notYou: 'お心当たりがない場合は、ご連絡ください。',
  expiring: {
    subject: (shop) => `${shop}に登録のカードの有効期限が近づいています`,
    heading: (method) => `${method}の有効期限が近づいています`,
    body: (shop) => `${shop}へのお支払いを続けるには、別のお支払い方法を追加してください。`,
    button: 'お支払い方法を追加',
  },
  linkOnce: 'リンクの有効期間は7日間で、開けるのは1回だけです。',
  storedMethod: 'お支払い方法',
  why: (shop) => `このメールは${shop}へのお支払いに関してお送りしています。`,
  support: 'お問い合わせ',
  unsubscribe: '今後のお知らせを停止する',
  stop: {
    heading: 'お知らせを停止しますか？',
    body: (shop) => `お支払いの失敗やカードの有効期限について、${shop}からのメールは届かなくなります。`,
    button: 'お知らせを停止',
    done: 'お知らせを停止しました。',
  },
  test: 'テスト：実際の入出金はありません。',
  testMark: 'テスト',
}
