import type { PageTexts } from '../en/checkout.ts'
import { panel } from './panel.ts'

/** Turkish leaves a counted noun as it is, so no text here depends on the count. */
export const tr = {
  common: {
    language: 'Dil',
    contact: (merchant: string) => `${merchant} ile iletişim`,
    returnTo: (merchant: string) => `${merchant} sitesine dön`,
    terms: 'Koşullar',
    privacy: 'Gizlilik',
    poweredBy: 'Tender altyapısıyla',
    sandbox: 'Test ortamı: para hareketi olmaz',
    testValues: 'Test kartları ve hesapları',
    skip: 'Ödemeye geç',
    amount: 'Tutar',
    merchant: 'Alıcı',
    method: 'Ödeme yöntemi',
    reference: 'Referans',
    order: 'Sipariş',
    date: 'Tarih',
    state: 'Durum',
    back: 'Geri',
    refresh: 'Sayfayı yenile',
    copy: 'Kopyala',
    copied: 'Kopyalandı',
  },

  order: {
    title: (merchant: string) => `${merchant} için ödeme`,
    number: (orderId: string) => `Sipariş ${orderId}`,
    details: (items: number) => `Sipariş ayrıntıları (${items} ürün)`,
    breakdown: 'Sipariş ayrıntıları',
    quantity: (count: string) => `Adet: ${count}`,
    subtotal: 'Ara toplam',
    shipping: 'Kargo',
    handling: 'İşlem ücreti',
    insurance: 'Sigorta',
    discount: 'İndirim',
    tax: 'Vergi',
    total: 'Toplam',
    expiresIn: (time: string) => `Bu sayfa ${time} daha geçerli.`,
    minutesLeft: (minutes: number) => `Ödeme için ${minutes} dakika kaldı.`,
    secondsLeft: (seconds: number) => `Ödeme için ${seconds} saniye kaldı.`,
  },

  methods: {
    saved: 'Kayıtlı yöntemleriniz',
    choose: 'Ödeme yöntemi seçin',
    CreditCard: 'Kart',
    ElectronicCheck: 'Banka hesabı',
    Paypal: 'PayPal',
    Crypto: 'Kripto para',
    onProviderPage: (provider: string) => `${provider} sayfasında devam edersiniz.`,
    cryptoHint: 'Ödeme için bir adres ve QR kodu alırsınız.',
    expires: (expiry: string) => `Son kullanma: ${expiry}`,
    expired: 'Süresi dolmuş',
    defaultMethod: 'Varsayılan',
    remove: 'Kaldır',
    removeConfirm: (method: string) => `${method} kalıcı olarak kaldırılsın mı?`,
    removeButton: (method: string) => `Kaldır: ${method}`,
    none: (merchant: string) => `${merchant} şu anda ödeme alamıyor`,
    noneBody: (merchant: string) =>
      `Sizden ücret alınmadı. Lütfen ${merchant} ile iletişime geçin veya daha sonra yeniden deneyin.`,
  },

  buttons: {
    pay: (amount: string) => `${amount} öde`,
    payWith: (amount: string, method: string) => `${method} ile ${amount} öde`,
    authorise: (amount: string) => `${amount} için onay ver`,
    continueTo: (provider: string) => `${provider} ile devam et`,
    showAddress: (amount: string) => `Kripto ile ${amount} öde`,
    chargedLater: (merchant: string) => `Ücret, ${merchant} siparişinizi onayladığında alınır.`,
    cancel: (merchant: string) => `İptal et ve ${merchant} sitesine dön`,
    cancelOnly: 'Bu ödemeyi iptal et',
    cancelConfirm: 'Bu ödeme iptal edilsin mi? Sonrasında bu sayfada ödeme yapamazsınız.',
    cancelYes: 'Evet, iptal et',
    tryAgain: 'Yeniden dene',
    receipt: 'Makbuz',
    print: 'Yazdır',
    working: 'Bir dakika…',
  },

  card: {
    number: 'Kart numarası',
    expiry: 'Son kullanma',
    expiryHint: 'AA / YY',
    code: 'Güvenlik kodu',
    codeHint: 'Kartın üzerindeki 3 veya 4 rakam',
    name: 'Kart üzerindeki ad',
    accepted: (brands: string) => `Geçerli kartlar: ${brands}`,
    problems: 'Lütfen şu alanları düzeltin',
    numberEmpty: 'Kart numarasını girin.',
    numberIncomplete: 'Kart numarası çok kısa. Tüm rakamları girin.',
    numberWrong: 'Bu kart numarası geçerli değil. Rakamları kontrol edin.',
    brandRefused: (brand: string) => `${brand} kartları burada kabul edilmiyor. Başka bir kart kullanın.`,
    expiryEmpty: 'Son kullanma tarihini AA / YY olarak girin, örneğin 04 / 29.',
    expiryWrong: 'Son kullanma tarihini AA / YY olarak girin, örneğin 04 / 29.',
    expiryPast: 'Bu kartın süresi dolmuş. Başka bir kart kullanın.',
    codeEmpty: 'Güvenlik kodunu girin.',
    codeWrong: (digits: number) => `Bu kartın güvenlik kodu ${digits} rakamdan oluşur.`,
    nameEmpty: 'Adı kartın üzerinde yazdığı gibi girin.',
    testCards: 'Test kartları',
    testCardUse: (number: string) => `${number} kullan`,
  },

  bank: {
    routing: 'Banka kodu (routing number)',
    account: 'Hesap numarası',
    type: 'Hesap türü',
    checking: 'Vadesiz hesap',
    savings: 'Tasarruf hesabı',
    name: 'Hesap sahibi',
    routingWrong: 'Banka kodu (routing number) 9 rakamdan oluşur.',
    accountWrong: 'Hesap numarası 4 ile 17 arasında rakamdan oluşur.',
    nameEmpty: 'Hesap sahibinin adını girin.',
    mandate: (merchant: string) =>
      `Devam ederek bu tutarın ${merchant} tarafından banka hesabınızdan çekilmesine izin verirsiniz.`,
  },

  consent: {
    save: (merchant: string) =>
      `Bu yöntem kaydedilsin ve gelecekteki ödemeler ${merchant} tarafından bu yöntemden alınabilsin. ` +
      'İstediğiniz zaman kaldırabilirsiniz.',
    mandate: (merchant: string) =>
      `Ödeme yaparak bu yöntemin ${merchant} tarafından kaydedilmesine ve gelecekteki ödemelerin ` +
      'her seferinde size sorulmadan bu yöntemden alınmasına izin verirsiniz. ' +
      'İstediğiniz zaman kaldırabilirsiniz.',
  },

  notices: {
    partArrived: (received: string, amount: string) =>
      `${amount} tutarının yalnızca ${received} kadarı ulaştı`,
    partArrivedBody: (until: string | undefined) =>
      until === undefined
        ? 'Kalanı kısa sürede gönderin veya başka bir ödeme yöntemi seçin. Ulaşan tutar iade edilir.'
        : `Kalanı ${until} tarihine kadar gönderin veya başka bir ödeme yöntemi seçin. ` +
          'Ulaşan tutar iade edilir.',
    declined: 'Ödeme gerçekleşmedi',
    notCharged: 'Sizden ücret alınmadı.',
    cameBack: (provider: string) => `${provider} sayfasından ödeme yapmadan döndünüz`,
    cameBackBody: 'Sizden ücret alınmadı. Kaldığınız yerden devam edin veya başka bir ödeme yöntemi seçin.',
    resume: (provider: string) => `${provider} ile sürdür`,
    notReached: (provider: string) => `${provider} şu anda yanıt vermiyor`,
    notReachedBody: (provider: string) =>
      `${provider} ödeme sayfanız hâlâ açık. Sizden iki kez ücret alınmaması için henüz başka bir yöntemle ` +
      'ödeyemezsiniz. Bir dakika sonra yeniden deneyin veya o sayfada devam edin.',
    otherTab: 'Bu ödeme başka bir sekmede tamamlanıyor',
    otherTabBody: 'Burada başka bir şey yapmanız gerekmiyor.',
    removed: 'Ödeme yöntemi kaldırıldı.',
  },

  declines: {
    insufficient: 'Bu kartta veya hesapta yeterli bakiye yok. Başka bir kart veya ödeme yöntemi deneyin.',
    expired: 'Bu kartın süresi dolmuş. Başka bir kart kullanın.',
    code: 'Güvenlik kodu doğru değil. Kontrol edip yeniden deneyin.',
    number: 'Kart numarası doğru değil. Kontrol edip yeniden deneyin.',
    limit: 'Tutar bu kartın veya hesabın limitini aşıyor. Başka bir kart veya ödeme yöntemi deneyin.',
    unsupported: 'Bu kart burada kullanılamıyor. Başka bir kart veya ödeme yöntemi deneyin.',
    identity: 'Bankanız kimliğinizi doğrulayamadı. Yeniden deneyin veya başka bir ödeme yöntemi seçin.',
    account: 'Banka bu hesabı kabul etmedi. Numaraları kontrol edin veya başka bir ödeme yöntemi seçin.',
    refused: 'Bankanız ödemeyi reddetti. Başka bir kart veya ödeme yöntemi deneyin veya bankanıza danışın.',
    trouble: 'Bankanıza bağlanırken bir sorun oluştu. Yeniden deneyin.',
    cancelled: 'Sağlayıcının sayfasında iptal ettiniz. Nasıl ödemek istediğinizi seçin.',
    late: 'Ödemenin onaylanması çok uzun sürdü. Yeniden deneyin.',
    underpaid: (merchant: string) =>
      `Gelen para tutardan az. Gönderdiğiniz para için ${merchant} ile iletişime geçin veya başka bir ` +
      'ödeme yöntemi seçin.',
    removed: 'Bu kayıtlı yöntem artık kullanılamıyor. Başka bir ödeme yöntemi seçin.',
  },

  challenge: {
    another: 'Başka bir yolla öde',
    title: 'Bankanız kimliğinizi doğrulamak istiyor',
    body: 'Ödemeyi tamamlamak için bankanızın sorusunu yanıtlayın.',
    open: 'Bankanıza devam edin',
    ownWindow: 'Bu pencerede aç',
    slow: 'Bankanızın sayfası görünmüyor mu?',
    frame: 'Bankanızın sayfası',
  },

  crypto: {
    title: (amount: string) => `Kripto para ile ${amount} gönderin`,
  },

  status: {
    title: 'Ödemeniz onaylanıyor…',
    slow: 'Hâlâ sürüyor. Bir dakika kadar zaman alabilir.',
    close: (merchant: string) => `Bu sayfayı kapatabilirsiniz. Sonuç ${merchant} tarafına bildirilecek.`,
    toProvider: (provider: string) => `${provider} sayfasında devam edersiniz`,
    toProviderBody: 'Sayfa kendiliğinden açılmazsa düğmeyi kullanın.',
  },

  result: {
    received: 'Ödeme alındı',
    receivedBody: (merchant: string) => `Ödemeniz ${merchant} için yapıldı. Referansı saklayın.`,
    authorised: 'Ödeme onaylandı',
    authorisedBody: (merchant: string) => `Ücret, ${merchant} siparişinizi onayladığında alınır.`,
    review: 'Ödeme inceleniyor',
    reviewBody: (merchant: string) => `${merchant} bu siparişi inceliyor. Yanlış bir şey yapmadınız.`,
    failed: 'Ödeme tamamlanmadı',
    failedBody: (merchant: string) =>
      `Sizden ücret alınmadı. Yeniden sipariş vermek için ${merchant} sitesine dönün.`,
    tooMany: 'Çok fazla deneme',
    tooManyBody: (merchant: string) =>
      'Bu ödeme çok kez denendi. Sizden ücret alınmadı. ' +
      `Yeniden başlamak için ${merchant} sitesine dönün.`,
    expired: 'Bu bağlantının süresi doldu',
    expiredBody: (merchant: string) =>
      `Sizden ücret alınmadı. Yeni bir bağlantı için ${merchant} ile iletişime geçin.`,
    expiredSince: (date: string) => `Son geçerlilik: ${date}.`,
    cancelled: 'Ödeme iptal edildi',
    cancelledBody: 'Sizden ücret alınmadı.',
    cancelling: 'Ödeme iptal ediliyor',
    refunding: 'İade yolda',
    refundingBody: (amount: string) => `${amount} ödeme yaptığınız yönteme iade ediliyor.`,
    claim: 'İadenizi alın',
    claimBody: 'Parayı almak için nereye gönderileceğini girin.',
    refunded: 'İade edildi',
    refundedBody: (amount: string) => `${amount} ödeme yaptığınız yönteme iade edildi.`,
    disputed: (merchant: string) => `${merchant} ile iletişime geçin`,
    disputedBody: (merchant: string) =>
      `Bankanız bu ödeme hakkında bilgi istedi. ${merchant} size daha fazla bilgi verebilir.`,
    countdown: (merchant: string, seconds: number) =>
      `${seconds} saniye içinde ${merchant} sitesine dönülüyor.`,
    stay: 'Bu sayfada kal',
    shopSees: 'Mağazanın gördüğü',
  },

  receipt: {
    title: 'Makbuz',
    paidOn: 'Ödeme tarihi',
    refunded: 'İade edilen',
    paymentNumber: 'Ödeme',
    payer: 'Ödeyen',
    note: (merchant: string) => `${merchant} adına düzenlenmiştir. Vergi faturası değildir.`,
  },

  states: {
    Created: 'Açık',
    Authorized: 'Provizyon alındı',
    Authorizing: 'Provizyon alınıyor',
    Approved: 'Onaylandı',
    Capturing: 'Tahsil ediliyor',
    Captured: 'Ödendi',
    Failed: 'Başarısız',
    Disputed: 'İtiraz edildi',
    SaleInProgress: 'İşlemde',
    ProviderAuthorizedHold: 'İncelemede',
    Cancelling: 'İptal ediliyor',
    CapturedHold: 'İncelemede',
    Refunded: 'İade edildi',
    Refunding: 'İade ediliyor',
    cancelled: 'İptal edildi',
    expired: 'Süresi doldu',
  },

  panel,

  errors: {
    unknown: 'Bu ödemeyi bulamıyoruz',
    unknownBody: 'Bağlantının eksiksiz olduğunu kontrol edin veya gönderen mağazaya sorun.',
    busy: 'Çok fazla istek',
    busyBody: 'Lütfen biraz bekleyip yeniden deneyin. Sizden iki kez ücret alınmadı.',
    broken: 'Bizden kaynaklanan bir sorun oluştu',
    brokenBody: 'Hiçbir şey kaybolmadı. Ödemenizin durumunu görmek için sayfayı yenileyin.',
    away: 'Hemen döneceğiz',
    awayBody: 'Ödeme hizmeti şu anda yanıt vermiyor. Birazdan sayfayı yenileyin.',
    elsewhere: 'Bu istek başka bir siteden geldi',
    elsewhereBody: 'Güvenliğiniz için hiçbir işlem yapılmadı. Ödeme sayfasını yeniden açın.',
  },
} satisfies PageTexts
