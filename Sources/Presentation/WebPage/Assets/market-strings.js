// The words of the market screen in both languages.

import { healthErrorText } from "./strings.js";

const WORDS = {
    ask: ["매도", "Ask"],
    bid: ["매수", "Bid"],
    book: ["호가", "Order book"],
    chart: ["차트", "Chart"],
    trades: ["시세", "Trades"],
    panes: ["화면 선택", "Panes"],
    spread: ["호가차", "Spread"],
    middle: ["중간", "Mid"],
    bestAsk: ["최우선 매도", "Best ask"],
    bestBid: ["최우선 매수", "Best bid"],
    askTotal: ["매도잔량", "Ask total"],
    bidTotal: ["매수잔량", "Bid total"],
    bidShare: ["매수 비율", "Bid share"],
    level: ["잔량", "Quantity"],
    cumulative: ["누적잔량", "Depth"],
    levelBase: ["전일대비", "vs prev."],
    depth: ["호가 수", "Levels"],
    group: ["모아보기", "Group"],
    crossed: ["호가 역전", "Crossed book"],
    highToday: ["당일 고가", "High today"],
    lowToday: ["당일 저가", "Low today"],
    openToday: ["당일 시가", "Open today"],
    volume24h: ["24시간 거래량", "24h volume"],
    value24h: ["24시간 거래금액", "24h value"],
    open: ["시가", "Open"],
    high: ["고가", "High"],
    low: ["저가", "Low"],
    close: ["종가", "Close"],
    previousClose: ["전일종가", "Prev. close"],
    volume: ["거래량", "Volume"],
    strength: ["체결강도", "Strength"],
    price: ["현재가", "Price"],
    tradePrice: ["가격", "Price"],
    time: ["시간", "Time"],
    side: ["구분", "Side"],
    quantity: ["체결량", "Quantity"],
    amount: ["체결금액", "Amount"],
    buy: ["매수", "Buy"],
    sell: ["매도", "Sell"],
    lost: ["누락", "Lost"],
    repaired: ["누락 복구", "Recovered"],
    notRepaired: ["복구 불가", "Not recovered"],
    openShort: ["시", "O"],
    highShort: ["고", "H"],
    lowShort: ["저", "L"],
    closeShort: ["종", "C"],
    volumeShort: ["거래량", "Vol"],
    interval: ["봉 간격", "Interval"],
    average: ["이평", "MA"],
    corrected: ["정정", "Corrected"],
    candleTable: ["최근 캔들 표로 보기", "Latest candles as a table"],
    unservedPast: ["과거 캔들을 불러올 수 없습니다", "Past candles are not available"],
    noLibrary: [
        "차트를 불러오지 못했습니다. 새로고침하거나 아래 표를 보세요",
        "Could not load the chart. Reload, or see the table below",
    ],
    loading: ["불러오는 중", "Loading"],
    loadingBlock: ["불러오는 중입니다", "Loading"],
    failed: ["오류", "Error"],
    failedBlock: ["가져오지 못했습니다", "Could not load"],
    disconnected: ["끊김", "Cut off"],
    ended: ["재생 끝", "Replay ended"],
    offline: ["OFFLINE", "OFFLINE"],
    noBook: ["호가가 없습니다", "No orders"],
    noTrades: ["체결이 없습니다", "No trades"],
    noCandles: ["이 기간에는 체결이 없습니다", "No trades in this period"],
    addFavorite: ["관심 추가", "Add to favorites"],
    removeFavorite: ["관심 해제", "Remove from favorites"],
    speak: ["스크린리더로 현재가 읽기", "Announce the price to a screen reader"],
    suspended: ["거래중단", "Suspended"],
    warning: ["유의", "Inv. warning"],
    alert: ["경보", "Alert"],
};

const INTERVAL_NAMES = {
    "1m": ["1분", "1m"],
    "3m": ["3분", "3m"],
    "5m": ["5분", "5m"],
    "10m": ["10분", "10m"],
    "30m": ["30분", "30m"],
    "1h": ["1시간", "1h"],
    "6h": ["6시간", "6h"],
    "12h": ["12시간", "12h"],
    "24h": ["일", "Day"],
    "1w": ["주", "Week"],
    "1mo": ["월", "Month"],
};

const PERIOD_NAMES = {
    "24H": ["24시간", "24h"],
    "MID": ["어제대비", "Today"],
    "12H": ["12시간", "12h"],
    "1H": ["1시간", "1h"],
    "30M": ["30분", "30m"],
};

/** The exchange's names of alert types and their steps. */
const ALERT_NAMES = {
    PRICE_SUDDEN_FLUCTUATION: ["가격 급등락", "price"],
    TRADING_VOLUME_SUDDEN_FLUCTUATION: ["거래량 급등", "volume"],
    DEPOSIT_AMOUNT_SUDDEN_FLUCTUATION: ["입금량 급등", "deposits"],
    PRICE_DIFFERENCE_HIGH: ["가격 차이", "price gap"],
    SPECIFIC_ACCOUNT_HIGH_TRANSACTION: ["소수계정 집중", "few accounts"],
    EXCHANGE_TRADING_CONCENTRATION: ["거래소 집중", "one exchange"],
    CAUTION: ["주의", "caution"],
    WARNING: ["경고", "warning"],
    DANGER: ["위험", "danger"],
};

const REPAIR_FAILURES = {
    onePage: ["최근 체결만 제공됨", "only newest trades served"],
    tooLong: ["공백이 너무 김", "gap too long"],
    notServed: ["거래소가 제공하지 않음", "not served by the exchange"],
    unreadable: ["읽을 수 없는 데이터", "unreadable data"],
};

/** The candle intervals of the API, shortest first. */
export const INTERVALS = Object.keys(INTERVAL_NAMES);

/** The words of one language; names that the table lacks are shown unchanged. */
export class MarketStrings {
    #index;

    /** @param {"ko"|"en"} language */
    constructor(language) {
        this.language = language === "en" ? "en" : "ko";
        this.#index = this.language === "en" ? 1 : 0;
    }

    /** A word of the screen. */
    text(key) {
        return this.#name(WORDS, key);
    }

    interval(code) {
        return this.#name(INTERVAL_NAMES, code);
    }

    period(code) {
        return this.#name(PERIOD_NAMES, code);
    }

    /** The error of a block. */
    failure(error) {
        return healthErrorText(error, this.language);
    }

    repairFailure(code) {
        return this.#name(REPAIR_FAILURES, code);
    }

    /** `가격 급등락 주의 ~11-21 09:00`, from `marks.alerts`. */
    alert({ type, step, endsAt }) {
        const end = endsAt ? `~${endsAt.slice(5, 10)} ${endsAt.slice(11, 16)}` : "";
        const names = [type, step].filter(Boolean).map((code) => this.#name(ALERT_NAMES, code));
        return [...names, end].filter(Boolean).join(" ");
    }

    /** Whether the coin can be deposited and withdrawn; null if unknown. */
    transfers({ deposit, withdrawal }) {
        const states = {
            "normal normal": ["● 입출금 가능", "● Transfers open"],
            "suspended suspended": ["○ 입출금 중단", "○ No transfers"],
            "suspended normal": ["○ 입금 중단", "○ No deposits"],
            "suspended null": ["○ 입금 중단", "○ No deposits"],
            "normal suspended": ["○ 출금 중단", "○ No withdrawals"],
            "null suspended": ["○ 출금 중단", "○ No withdrawals"],
        };
        return states[`${deposit} ${withdrawal}`]?.[this.#index] ?? null;
    }

    /** How old the data is, in the largest unit that is precise enough. */
    behind(milliseconds) {
        const seconds = Math.max(Math.floor(milliseconds / 1_000), 0);
        const units = [[600, 1, "초", "s"], [7_200, 60, "분", "min"], [172_800, 3_600, "시간", "h"]];
        const unit = units.find(([end]) => seconds < end) ?? [0, 86_400, "일", "d"];
        const count = Math.floor(seconds / unit[1]);
        return this.#index ? `${count}${unit[3]} behind` : `지연 ${count}${unit[2]}`;
    }

    /** When levels beyond the streamed ones were read. */
    deepLevels(time) {
        return this.#index ? `From level 16 as of ${time}` : `16호가부터 ${time}`;
    }

    /** How often the book was corrected. */
    corrections(count) {
        const noun = count === 1 ? "correction" : "corrections";
        return this.#index ? `${count} ${noun}` : `보정 ${count}회`;
    }

    /** How many past candles were read. */
    past(known, count) {
        const name = this.#index ? "Loading past candles" : "과거 캔들 불러오는 중";
        return `${name} ${known}/${count}`;
    }

    #name(table, key) {
        return Object.hasOwn(table, key) ? table[key][this.#index] : key;
    }
}
