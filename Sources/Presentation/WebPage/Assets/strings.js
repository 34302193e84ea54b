// The texts of the page in Korean and English. Those of one market are in market-strings.js.

/** Each text in Korean and in English; `{0}` takes the first value. */
const STRINGS = {
    skip: ["본문으로 이동", "Skip to content"],
    navigation: ["화면", "Screens"],
    "page.market": ["거래소", "Markets"],
    "page.transfers": ["입출금", "Transfers"],
    "page.portfolio": ["보유자산", "Portfolio"],
    "page.alerts": ["알림", "Alerts"],
    "page.missing": ["없는 페이지입니다", "This page does not exist"],
    toMarkets: ["거래소로 가기", "Go to the markets"],
    "page.unloaded": [
        "화면을 불러오지 못했습니다. 새로고침하세요", "Could not load this screen. Reload the page",
    ],
    unseen: ["새 알림 {0}개", "{0} new"],

    "feed.live": ["빗썸", "Bithumb"],
    "feed.simulated": ["모의 SIMULATED", "SIMULATED"],
    "short.live": ["빗썸", "Bithumb"],
    "short.simulated": ["모의", "SIMULATED"],
    "short.replay": ["재생", "REPLAY"],
    "feed.replay": ["재생 REPLAY", "REPLAY"],
    "state.loading": ["불러오는 중", "Loading"],
    "state.live": ["실시간", "Live"],
    "state.stale": ["지연", "Behind"],
    "state.offline": ["끊김", "Cut off"],
    "state.ended": ["재생 끝", "Replay ended"],
    "state.found": ["다시 연결됨", "Connected again"],
    "state.failed": ["오류", "Error"],
    "state.idle": ["로그인 필요", "Sign-in needed"],
    "behind.seconds": ["지연 {0}초", "{0}s behind"],
    "behind.minutes": ["지연 {0}분", "{0}min behind"],
    "behind.hours": ["지연 {0}시간", "{0}h behind"],
    "behind.days": ["지연 {0}일", "{0}d behind"],
    retryIn: ["{0}초 후 재시도", "retry in {0}s"],
    retry: ["재시도", "Retry"],

    settings: ["설정", "Settings"],
    language: ["언어", "Language"],
    "language.ko": ["한국어", "한국어"],
    "language.en": ["English", "English"],
    theme: ["테마", "Theme"],
    "theme.system": ["자동", "Auto"],
    "theme.light": ["밝게", "Light"],
    "theme.dark": ["어둡게", "Dark"],
    colors: ["색상", "Colors"],
    "colors.korean": ["상승 빨강·하락 파랑", "Red up, blue down"],
    "colors.western": ["상승 초록·하락 빨강", "Green up, red down"],
    shortcuts: ["단축키", "Keyboard shortcuts"],
    "shortcuts.on": ["사용", "On"],
    "shortcuts.off": ["사용 안 함", "Off"],
    close: ["닫기", "Close"],
    cancel: ["취소", "Cancel"],
    save: ["저장", "Save"],
    edit: ["수정", "Edit"],
    remove: ["삭제", "Remove"],

    signIn: ["로그인", "Sign in"],
    signOut: ["로그아웃", "Sign out"],
    signedIn: ["{0}님으로 로그인했습니다", "Signed in as {0}"],
    signedOut: ["로그아웃했습니다", "Signed out"],
    token: ["토큰", "Token"],
    "token.note": [
        "토큰은 이 탭에만 보관되고 탭을 닫으면 삭제됩니다. "
            + "토큰이 없으면 서버 관리자에게 요청하세요 (hoga user token new NAME)",
        "The token is kept in this tab only, until you close it. "
            + "No token? Ask the server's operator (hoga user token new NAME)",
    ],
    "token.public": [
        "이 서버에서는 시세를 보려면 토큰이 필요합니다.",
        "This server requires a token even for market data.",
    ],
    "token.empty": ["토큰을 입력하세요", "Enter a token"],
    "token.invalid": [
        "토큰이 유효하지 않습니다. 새 토큰으로 다시 로그인하세요",
        "The token is not valid. Sign in with a new one",
    ],
    "refused.forbidden_scope": [
        "읽기 전용 토큰입니다. 쓰기 토큰으로 로그인하세요",
        "The token is read-only. Sign in with one that can write",
    ],
    "refused.read_only": [
        "이 서버에서는 변경할 수 없습니다. 다른 서버 주소로 접속하세요",
        "This server accepts no changes. Use another server's address",
    ],
    "favorites.signIn": ["관심 자산을 보려면 로그인하세요", "Sign in to see your favorites"],
    "portfolio.signIn": ["보유자산을 보려면 로그인하세요", "Sign in to see your portfolio"],
    "alerts.signIn": ["알림을 보려면 로그인하세요", "Sign in to see your alerts"],
    unreachable: [
        "서버에 연결할 수 없습니다. 네트워크를 확인하고 다시 시도하세요",
        "Cannot reach the server. Check your network and try again",
    ],
    notSaved: ["저장 안 됨", "Not saved"],

    search: ["검색", "Search"],
    "search.hint": ["이름·심볼·초성 검색", "Search by name or symbol"],
    tabs: ["목록", "List"],
    "tab.krw": ["원화", "KRW"],
    "tab.btc": ["BTC", "BTC"],
    "tab.popular": ["인기", "Popular"],
    "tab.favorites": ["관심", "Favorites"],
    period: ["변동률 기간", "Change period"],
    "period.24H": ["24시간", "24h"],
    "period.MID": ["어제대비", "Today"],
    "period.12H": ["12시간", "12h"],
    "period.1H": ["1시간", "1h"],
    "period.30M": ["30분", "30m"],
    "column.favorite": ["관심", "Favorite"],
    "column.rank": ["순위", "#"],
    "column.name": ["자산명", "Name"],
    "column.price": ["현재가", "Price"],
    "column.changeRate": ["변동률", "Change"],
    "column.changeAmount": ["변동금액", "Amount"],
    "column.tradeValue": ["거래금액", "24h value"],
    "sort.rank": ["인기순 정렬", "Sort by popularity"],
    count: ["{0}개", "{0} markets"],
    "count.one": ["{0}개", "{0} market"],
    countOf: ["{0}개 (전체 {1})", "{0} markets (of {1})"],
    "countOf.one": ["{0}개 (전체 {1})", "{0} market (of {1})"],
    coverage: ["변동률: 전체 {1}개 중 {0}개 확인", "Change known for {0} of {1} markets"],
    speak: [
        "스크린리더로 선택한 줄 읽기", "Announce the selected row to a screen reader",
    ],
    noSelection: ["선택한 마켓이 없습니다", "No market is selected"],
    "favorite.of": ["{0} 관심", "{0} favorite"],
    "favorite.added": ["{0}: 관심에 추가했습니다", "{0} added to favorites"],
    "favorite.removed": ["{0}: 관심에서 해제했습니다", "{0} removed from favorites"],
    "mark.suspended": ["거래중단", "Suspended"],
    "mark.warning": ["유의", "Warning"],
    "mark.alert": ["경보", "Alert"],
    "empty.loading": ["시세를 불러오는 중입니다", "Loading markets"],
    "empty.noMatch": ["일치하는 자산이 없습니다", "Nothing matches the search"],
    "empty.error": ["시세를 가져오지 못했습니다", "Could not load the markets"],
    "empty.noFavorites": [
        "관심 자산이 없습니다. 다른 탭에서 관심 추가",
        "No favorites yet. Add a favorite in another tab",
    ],
    "empty.none": ["표시할 자산이 없습니다", "Nothing to show"],
    "empty.assets": ["입출금 상태를 불러오는 중입니다", "Loading deposits and withdrawals"],
    "empty.assetsFailed": [
        "입출금 상태를 가져오지 못했습니다", "Could not load deposits and withdrawals",
    ],

    "transfers.title": ["입출금", "Deposits and withdrawals"],
    "column.asset": ["자산명", "Coin"],
    "column.deposit": ["입금", "Deposit"],
    "column.withdrawal": ["출금", "Withdrawal"],
    "transfer.normal": ["● 정상", "● Normal"],
    "transfer.suspended": ["○ 중단", "○ Suspended"],
    "transfer.null": ["–", "–"],
    filter: ["상태", "State"],
    "filter.all": ["전체 {0}", "All {0}"],
    "filter.normal": ["정상 {0}", "Normal {0}"],
    "filter.suspended": ["중단 {0}", "Suspended {0}"],
};

/**
 * The text of a key.
 *
 * @param {string} language `ko` or `en`
 * @param {string} key
 * @param {...(string|number)} values take the places `{0}`, `{1}`, …
 */
export function textOf(language, key, ...values) {
    const pair = STRINGS[key] ?? PERSONAL_STRINGS[key] ?? [key, key];
    return pair[language === "en" ? 1 : 0].replace(/\{(\d)\}/g, (_, place) => values[place] ?? "");
}

/**
 * The error of a document in a language.
 *
 * Messages of documents are Korean in every language; those of codes without a translation stay.
 *
 * @param {{code: string, message: string}} error
 * @param {string} language `ko` or `en`
 */
export function healthErrorText({ code, message }, language) {
    if (language !== "en") return message;
    const [lead, cause] = parted(message, ": ");
    const attempt = /^재연결 중 \((\d+)차\)$/.exec(lead)?.[1];
    if (code === "reconnecting" && attempt) {
        const reason = cause ? `: ${causeText(cause)}` : "";
        return `reconnecting (attempt ${attempt})${reason}`;
    }
    if (!Object.hasOwn(FAILURES, code)) return message;
    // What the exchange, the transport or a proxy said follows the dash.
    const detail = parted(message, " – ")[1];
    const isDetailed = ["http_status", "refused", "proxy", "untrusted"].includes(code) && detail;
    return FAILURES[code][1] + (isDetailed ? ` – ${detail}` : "");
}

/** The cause of a reconnection, which has no code of its own. */
function causeText(korean) {
    const [words, detail] = parted(korean, " – ");
    const failure = Object.values(FAILURES).find(([message]) => message === words);
    return failure ? failure[1] + (detail ? ` – ${detail}` : "") : korean;
}

/** The text before a separator and the text after it, or null without one. */
function parted(text, separator) {
    const place = text.indexOf(separator);
    return place < 0 ? [text, null] : [text.slice(0, place), text.slice(place + separator.length)];
}

/** The store of the server did not answer. */
const UNREAD = ["저장된 데이터를 불러올 수 없음", "saved data could not be loaded"];
/** The server's message and its translation, by the code of the error. */
const FAILURES = {
    unreachable: ["거래소에 연결할 수 없음", "the exchange cannot be reached"],
    proxy: ["프록시로 연결할 수 없음", "cannot connect through the proxy"],
    untrusted: ["인증서를 신뢰할 수 없음", "the certificate is not trusted"],
    timed_out: ["응답 시간 초과", "the request timed out"],
    disconnected: ["연결 끊김", "the connection was lost"],
    silent: ["데이터 없음", "no data is arriving"],
    http_status: ["거래소 오류", "the exchange reported an error"],
    refused: ["거래소가 요청을 거부함", "the exchange refused the request"],
    rate_limited: ["요청 한도 초과", "too many requests"],
    unserved: ["이 API에서는 제공되지 않음", "this API does not have these data"],
    malformed: ["읽을 수 없는 응답", "the response is unreadable"],
    ...Object.fromEntries(["unavailable", "busy", "full", "read_only", "damaged", "incompatible"]
        .map((code) => [code, UNREAD])),
};

/** The name of a coin or market in a language; its symbol where the exchange has no name. */
export function nameOf(row, language) {
    return row.name?.[language] ?? row.symbol ?? row.asset;
}

const PERSONAL_STRINGS = {
    // Problems of the service by their codes; {0} is its English detail.
    "problem.invalid_parameter": ["입력값을 확인하세요: {0}", "{0}"],
    "problem.not_found": ["찾을 수 없습니다. 마켓이나 심볼을 확인하세요", "{0}"],
    "problem.precondition_failed": ["다른 곳에서 변경되었습니다. 다시 시도하세요", "{0}"],
    "problem.rate_limited": ["요청이 너무 많습니다. 잠시 후 다시 시도하세요", "{0}"],
    "problem.store_unavailable": ["저장소에 연결할 수 없습니다. 잠시 후 다시 시도하세요", "{0}"],
    "problem.internal": ["서버 오류입니다. 잠시 후 다시 시도하세요", "{0}"],
    quantity: ["수량", "Quantity"],
    averagePrice: ["매수평균가", "Avg. price"],
    price: ["현재가", "Price"],
    value: ["평가금액", "Value"],
    profit: ["평가손익", "Profit"],
    rate: ["수익률", "Return"],
    share: ["비중", "Share"],
    transfers: ["입금/출금", "Deposit/withdrawal"],
    cost: ["매수금액", "Cost"],
    cash: ["현금", "Cash"],
    cashShare: ["현금 비중", "Cash share"],
    cashField: ["현금(원)", "Cash (KRW)"],
    total: ["총 보유자산", "Total balance"],
    costNote: [
        "매수금액·손익·수익률: 매수평균가를 입력한 자산만",
        "Cost, P&L and return: only coins with an average price",
    ],
    unvalued: ["평가 불가: {0}", "Without a price: {0}"],
    noHoldings: ["보유자산이 없습니다", "No holdings yet"],
    coin: ["자산", "Coin"],
    actions: ["편집", "Actions"],
    "holding.add": ["보유자산 추가", "Add a coin"],
    "holding.edit": ["{0} 수정", "Edit {0}"],
    "holding.remove": ["{0} 삭제", "Remove {0}"],
    "holding.question": ["{0}: 보유자산에서 삭제할까요?", "Remove {0} from your portfolio?"],
    "holding.saved": ["{0}: 저장했습니다", "{0} saved"],
    "holding.removed": ["{0}: 삭제했습니다", "{0} removed"],
    "holding.noAsset": [
        "자산: 심볼을 입력하세요 (예: BTC)", "Coin: enter a symbol, e.g. BTC",
    ],
    "holding.noQuantity": ["수량: 숫자를 입력하세요", "Quantity: enter a number"],
    "holding.noPrice": ["모르면 비워 두세요", "Leave blank if unknown"],
    "cash.edit": ["현금 입력", "Edit cash"],
    "cash.hint": ["비우면 삭제됩니다", "Leave blank to remove"],
    "cash.saved": ["현금을 저장했습니다", "Cash saved"],
    "cash.removed": ["현금을 삭제했습니다", "Cash removed"],

    rule: ["규칙", "Rule"],
    rules: ["규칙", "Rules"],
    "rule.example": ["예: BTC > 150000000", "e.g. BTC > 150000000"],
    "rule.help": [
        "가격 `BTC > 150000000` · 10분마다 반복 `BTC > 150000000 again 10m` "
            + "· 30분 변동률 `BTC 30M > 3%` · 관심 전체 `favorites 24H > 5%` "
            + "· 입금 재개 `ETH deposit opens`",
        "Price `BTC > 150000000` · repeat every 10 minutes `BTC > 150000000 again 10m` "
            + "· 30-minute change `BTC 30M > 3%` · every favorite `favorites 24H > 5%` "
            + "· deposits reopen `ETH deposit opens`",
    ],
    "rule.empty": ["규칙을 입력하세요", "Enter a rule"],
    "rule.state": ["상태", "State"],
    "rule.lastFired": ["최근 알림", "Last fired"],
    "rule.expires": ["만료", "Expires"],
    "alert.add": ["알림 추가", "Add an alert"],
    "alert.added": ["알림을 추가했습니다: {0}", "Alert added: {0}"],
    "alert.question": ["알림을 삭제할까요? {0}", "Remove this alert? {0}"],
    "alert.remove": ["알림 삭제: {0}", "Remove this alert: {0}"],
    "alert.removed": ["알림을 삭제했습니다", "Alert removed"],
    "alert.time": ["시각", "Time"],
    "alert.content": ["내용", "Alert"],
    "alert.late": ["지연", "Late"],
    "alert.history": ["알림 내역", "History"],
    noRules: ["알림 규칙이 없습니다", "No alert rules yet"],
    noAlerts: ["알림이 없습니다", "No alerts yet"],

    help: ["도움말", "Help"],
    keys: ["단축키", "Keyboard shortcuts"],
    about: ["데이터 안내", "Data notice"],
    licenses: ["라이선스", "Licenses"],
    "key.search": ["이름·심볼·초성 검색", "Search by name, symbol or initial consonants"],
    "key.move": ["한 줄 아래로·위로", "Down, up one row"],
    "key.pages": ["한 페이지 아래로·위로", "Down, up one page"],
    "key.ends": ["처음으로·끝으로", "To the first, last row"],
    "key.open": ["상세 열기", "Open the selected market"],
    "key.back": ["닫기·검색 지우기·뒤로", "Close, clear the search, go back"],
    "key.favorite": ["관심 추가·해제", "Add or remove a favorite"],
    "key.intervals": ["차트: 다음·이전 봉 간격", "Chart: next, previous interval"],
    "key.steps": ["호가: 다음·이전 모아보기 단위", "Order book: next, previous price step"],
    "key.add": ["보유자산 추가, 알림 추가", "Portfolio: add a coin. Alerts: add an alert"],
    "key.cash": ["보유자산: 현금 입력", "Portfolio: edit cash"],
    "key.speak": [
        "스크린리더로 읽기: 선택한 줄, 현재가, 보유자산 합계, 최근 알림",
        "Announce to a screen reader: the selected row, the price, the portfolio's totals, "
            + "the newest alert",
    ],
    "key.screens": ["거래소·입출금·보유자산·알림", "Markets, transfers, portfolio, alerts"],
    "key.help": ["도움말 열기·닫기", "Open or close the help"],
};
