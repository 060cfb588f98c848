import type { PageTexts } from '../en/checkout.ts'
import { panel } from './panel.ts'

/** Japanese has one form for every count. */
export const ja = {
  common: {
    language: '言語',
    contact: (merchant: string) => `${merchant}に問い合わせる`,
    returnTo: (merchant: string) => `${merchant}に戻る`,
    terms: '利用規約',
    privacy: 'プライバシー',
    poweredBy: 'Tenderによる決済',
    sandbox: 'テスト環境：実際の請求は発生しません',
    testValues: 'テスト用のカードと口座',
    skip: 'お支払いへ移動',
    amount: '金額',
    merchant: 'お支払い先',
    method: 'お支払い方法',
    reference: '参照番号',
    order: 'ご注文',
    date: '日付',
    state: '状態',
    back: '戻る',
    refresh: 'ページを更新',
    copy: 'コピー',
    copied: 'コピーしました',
  },

  order: {
    title: (merchant: string) => `${merchant}へのお支払い`,
    number: (orderId: string) => `注文番号 ${orderId}`,
    details: (items: number) => `ご注文の詳細（${items}点）`,
    breakdown: 'ご注文の詳細',
    quantity: (count: string) => `数量 ${count}`,
    subtotal: '小計',
    shipping: '送料',
    handling: '手数料',
    insurance: '保険',
    discount: '割引',
    tax: '税',
    total: '合計',
    expiresIn: (time: string) => `このページの有効期限まであと${time}です。`,
    minutesLeft: (minutes: number) => `お支払い期限まであと${minutes}分です。`,
    secondsLeft: (seconds: number) => `お支払い期限まであと${seconds}秒です。`,
  },

  methods: {
    saved: '保存済みのお支払い方法',
    choose: 'お支払い方法',
    CreditCard: 'カード',
    ElectronicCheck: '銀行口座',
    Paypal: 'PayPal',
    Crypto: '暗号資産',
    onProviderPage: (provider: string) => `${provider}のページに進みます。`,
    cryptoHint: '送金先のアドレスとQRコードが表示されます。',
    expires: (expiry: string) => `有効期限 ${expiry}`,
    expired: '期限切れ',
    defaultMethod: '既定',
    remove: '削除',
    removeConfirm: (method: string) => `${method}を完全に削除しますか？`,
    removeButton: (method: string) => `${method}を削除`,
    none: (merchant: string) => `${merchant}は現在お支払いを受け付けていません`,
    noneBody: (merchant: string) =>
      `請求は発生していません。${merchant}にお問い合わせいただくか、後でもう一度お試しください。`,
  },

  buttons: {
    pay: (amount: string) => `${amount}を支払う`,
    payWith: (amount: string, method: string) => `${method}で${amount}を支払う`,
    authorise: (amount: string) => `${amount}を承認する`,
    continueTo: (provider: string) => `${provider}に進む`,
    showAddress: (amount: string) => `暗号資産で${amount}を支払う`,
    chargedLater: (merchant: string) => `${merchant}がご注文を確定した時点で請求されます。`,
    cancel: (merchant: string) => `キャンセルして${merchant}に戻る`,
    cancelOnly: 'お支払いをキャンセル',
    cancelConfirm: 'お支払いをキャンセルしますか？以後このページではお支払いいただけません。',
    cancelYes: 'キャンセルする',
    tryAgain: 'もう一度試す',
    receipt: '領収書',
    print: '印刷',
    working: 'お待ちください…',
  },

  card: {
    number: 'カード番号',
    expiry: '有効期限',
    expiryHint: '月 / 年',
    code: 'セキュリティコード',
    codeHint: 'カードに記載の3桁または4桁の数字',
    name: 'カードの名義',
    accepted: (brands: string) => `ご利用可能：${brands}`,
    problems: '次の項目を修正してください',
    numberEmpty: 'カード番号を入力してください。',
    numberIncomplete: 'カード番号の桁数が足りません。すべての数字を入力してください。',
    numberWrong: 'カード番号が正しくありません。数字をご確認ください。',
    brandRefused: (brand: string) => `${brand}はご利用いただけません。別のカードをお使いください。`,
    expiryEmpty: '有効期限を「月 / 年」の形式で入力してください（例：04 / 29）。',
    expiryWrong: '有効期限を「月 / 年」の形式で入力してください（例：04 / 29）。',
    expiryPast: 'このカードは有効期限が切れています。別のカードをお使いください。',
    codeEmpty: 'セキュリティコードを入力してください。',
    codeWrong: (digits: number) => `このカードのセキュリティコードは${digits}桁です。`,
    nameEmpty: 'カードに記載のとおりに名義を入力してください。',
    testCards: 'テストカード',
    testCardUse: (number: string) => `${number}を使う`,
  },

  bank: {
    routing: 'ルーティング番号',
    account: '口座番号',
    type: '口座の種類',
    checking: '当座預金',
    savings: '普通預金',
    name: '口座名義',
    routingWrong: 'ルーティング番号は9桁です。',
    accountWrong: '口座番号は4桁から17桁です。',
    nameEmpty: '口座名義を入力してください。',
    mandate: (merchant: string) =>
      `続行すると、${merchant}がこの金額をお客様の銀行口座から引き落とすことを承認したことになります。`,
  },

  consent: {
    save: (merchant: string) =>
      `このお支払い方法を保存し、${merchant}が今後のお支払いを請求することを許可します。` +
      'いつでも削除できます。',
    mandate: (merchant: string) =>
      `お支払いにより、${merchant}がこのお支払い方法を保存し、今後のお支払いを都度の確認なしに` +
      '請求することを許可したことになります。いつでも削除できます。',
  },

  notices: {
    partArrived: (received: string, amount: string) => `${amount} のうち ${received} のみ届いています`,
    partArrivedBody: (until: string | undefined) =>
      until === undefined
        ? '残額をお早めにお送りいただくか、別のお支払い方法をお選びください。届いた金額は返金されます。'
        : `${until} までに残額をお送りいただくか、別のお支払い方法をお選びください。届いた金額は返金されます。`,
    declined: 'お支払いできませんでした',
    notCharged: '請求は発生していません。',
    cameBack: (provider: string) => `${provider}でのお支払いが完了していません`,
    cameBackBody: '請求は発生していません。続きから再開するか、別のお支払い方法をお選びください。',
    resume: (provider: string) => `${provider}で再開する`,
    notReached: (provider: string) => `現在${provider}に接続できません`,
    notReachedBody: (provider: string) =>
      `${provider}のお支払いページがまだ開いています。二重請求を防ぐため、別の方法ではまだお支払いいただけません。` +
      '1分ほど待ってもう一度お試しいただくか、そのページで続けてください。',
    otherTab: 'このお支払いは別のタブで手続き中です',
    otherTabBody: 'このページでの操作は必要ありません。',
    removed: 'お支払い方法を削除しました。',
  },

  declines: {
    insufficient: 'カードまたは口座の残高が不足しています。別のカードまたはお支払い方法をお試しください。',
    expired: 'このカードは有効期限が切れています。別のカードをお使いください。',
    code: 'セキュリティコードが正しくありません。ご確認のうえ、もう一度お試しください。',
    number: 'カード番号が正しくありません。ご確認のうえ、もう一度お試しください。',
    limit: '金額がカードまたは口座の限度額を超えています。別のカードまたはお支払い方法をお試しください。',
    unsupported: 'このカードはご利用いただけません。別のカードまたはお支払い方法をお試しください。',
    identity: '銀行がご本人確認を完了できませんでした。もう一度お試しいただくか、別の方法をお選びください。',
    account: '銀行がこの口座を受け付けませんでした。番号をご確認いただくか、別の方法をお選びください。',
    refused:
      '銀行がお支払いを承認しませんでした。別のカードや方法をお試しいただくか、銀行にお問い合わせください。',
    trouble: '銀行との通信中に問題が発生しました。もう一度お試しください。',
    cancelled: '決済サービスでキャンセルされました。お支払い方法をお選びください。',
    late: 'お支払いの確認に時間がかかりすぎました。もう一度お試しください。',
    underpaid: (merchant: string) =>
      `入金額が不足しています。送金済みの分については${merchant}にお問い合わせいただくか、` +
      '別のお支払い方法をお選びください。',
    removed: 'この保存済みのお支払い方法は利用できなくなりました。別の方法をお選びください。',
  },

  challenge: {
    another: '別の方法で支払う',
    title: '銀行によるご本人確認が必要です',
    body: 'お支払いを完了するには、銀行の確認にお答えください。',
    open: '銀行のページに進む',
    ownWindow: 'このウィンドウで開く',
    slow: '銀行のページが表示されませんか？',
    frame: '銀行のページ',
  },

  crypto: {
    title: (amount: string) => `暗号資産で${amount}を送金`,
  },

  status: {
    title: 'お支払いを確認しています…',
    slow: '処理を続けています。1分ほどかかることがあります。',
    close: (merchant: string) => `このページを閉じても構いません。結果は${merchant}に通知されます。`,
    toProvider: (provider: string) => `${provider}に進みます`,
    toProviderBody: 'ページが自動的に開かない場合は、ボタンを押してください。',
  },

  result: {
    received: 'お支払いを受け付けました',
    receivedBody: (merchant: string) => `${merchant}へのお支払いが完了しました。参照番号をお控えください。`,
    authorised: 'お支払いが承認されました',
    authorisedBody: (merchant: string) => `${merchant}がご注文を確定した時点で請求されます。`,
    review: 'お支払いを確認中です',
    reviewBody: (merchant: string) => `${merchant}がご注文を確認しています。お客様の操作に問題はありません。`,
    failed: 'お支払いが完了しませんでした',
    failedBody: (merchant: string) => `請求は発生していません。${merchant}に戻り、もう一度ご注文ください。`,
    tooMany: '試行回数の上限に達しました',
    tooManyBody: (merchant: string) =>
      `このお支払いの試行回数が上限に達しました。請求は発生していません。` +
      `${merchant}に戻り、最初からやり直してください。`,
    expired: 'このリンクは有効期限が切れています',
    expiredBody: (merchant: string) => `請求は発生していません。${merchant}に新しいリンクをご依頼ください。`,
    expiredSince: (date: string) => `有効期限：${date}`,
    cancelled: 'お支払いはキャンセルされました',
    cancelledBody: '請求は発生していません。',
    cancelling: 'お支払いをキャンセルしています',
    refunding: '返金手続き中',
    refundingBody: (amount: string) => `${amount}をお支払いに使われた方法へ返金しています。`,
    claim: '返金を受け取る',
    claimBody: '返金を受け取るには、送金先をご入力ください。',
    refunded: '返金済み',
    refundedBody: (amount: string) => `${amount}をお支払いに使われた方法へ返金しました。`,
    disputed: (merchant: string) => `${merchant}にお問い合わせください`,
    disputedBody: (merchant: string) =>
      `銀行からこのお支払いについて照会がありました。詳しくは${merchant}にお問い合わせください。`,
    countdown: (merchant: string, seconds: number) => `${seconds}秒後に${merchant}に戻ります。`,
    stay: 'このページにとどまる',
    shopSees: 'ショップ側の表示',
  },

  receipt: {
    title: '領収書',
    paidOn: 'お支払い日',
    refunded: '返金額',
    paymentNumber: 'お支払い番号',
    payer: 'お支払い者',
    note: (merchant: string) => `${merchant}のために発行されました。税務上の請求書ではありません。`,
  },

  states: {
    Created: '未払い',
    Authorized: '承認済み',
    Authorizing: '承認中',
    Approved: '認可済み',
    Capturing: '請求処理中',
    Captured: '支払い済み',
    Failed: '失敗',
    Disputed: '異議申し立て中',
    SaleInProgress: '処理中',
    ProviderAuthorizedHold: '確認中',
    Cancelling: 'キャンセル中',
    CapturedHold: '確認中',
    Refunded: '返金済み',
    Refunding: '返金中',
    cancelled: 'キャンセル済み',
    expired: '期限切れ',
  },

  panel,

  errors: {
    unknown: 'このお支払いが見つかりません',
    unknownBody: 'リンクが完全かどうかをご確認いただくか、送信元のショップにお問い合わせください。',
    busy: 'アクセスが集中しています',
    busyBody: '少し待ってからもう一度お試しください。二重に請求されてはいません。',
    broken: 'システムで問題が発生しました',
    brokenBody: '情報は失われていません。ページを更新して、お支払いの状況をご確認ください。',
    away: 'まもなく再開します',
    awayBody: '決済サービスが応答していません。しばらくしてからページを更新してください。',
    elsewhere: '別のサイトからの操作です',
    elsewhereBody: '安全のため、処理を行いませんでした。お支払いページをもう一度開いてください。',
  },
} satisfies PageTexts
