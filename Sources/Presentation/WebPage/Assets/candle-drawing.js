// Draws candles, volume and moving averages with lightweight-charts 4.1.3.

import { AVERAGE_WINDOWS } from "./candle-legend.js";

/** The library shows UTC: times are moved, so that it shows those of Seoul. */
const SEOUL_SECONDS = 9 * 3_600;
/** Intervals whose buckets are all of the same length. */
const SECONDS = {
    "1m": 60, "3m": 180, "5m": 300, "10m": 600, "30m": 1_800,
    "1h": 3_600, "6h": 21_600, "12h": 43_200, "24h": 86_400, "1w": 604_800,
};
/** Empty columns for buckets without trades. */
const EMPTY_COLUMNS_MAX = 2_000;
const CANDLES_KEPT = 1_000;
const LINE_COLORS = ["--average-5", "--average-10", "--average-20", "--average-60",
    "--average-120"];

let library = null;

/** Loads the chart library once: a classic script, which sets `window.LightweightCharts`. */
export function loadLibrary() {
    library ??= import("./lightweight-charts.js").catch((error) => {
        library = null;
        throw error;
    });
    return library;
}

/** The chart in an element; closed when it leaves the page. */
export class CandleDrawing {
    #container;
    #chart;
    #candleSeries;
    #volumeSeries;
    #averageSeries;
    #observer;
    #colors = {};
    #candles = [];
    #byTime = new Map();
    #gaps = null;
    #interval = null;
    #columns = 0;
    #lastTime = 0;
    #digits = 0;
    /** Whether nothing was drawn yet, e.g. in a pane that a phone does not show. */
    #isHidden = true;
    #recolor = () => this.#applyColors();

    /**
     * @param {HTMLElement} container
     * @param {(candle: object|null) => void} aim called with the candle under the cross-hair
     */
    constructor(container, aim) {
        this.#container = container;
        const { LightweightCharts } = window;
        this.#chart = LightweightCharts.createChart(container, options());
        this.#candleSeries = this.#chart.addCandlestickSeries({ borderVisible: false });
        this.#volumeSeries = this.#chart.addHistogramSeries({
            priceScaleId: "volume", priceFormat: { type: "volume" },
            lastValueVisible: false, priceLineVisible: false,
        });
        this.#chart.priceScale("volume").applyOptions({ scaleMargins: { top: 0.8, bottom: 0 } });
        this.#averageSeries = AVERAGE_WINDOWS.map(() => this.#chart.addLineSeries({
            lineWidth: 1, lastValueVisible: false, priceLineVisible: false,
            crosshairMarkerVisible: false,
        }));
        this.#chart.subscribeCrosshairMove(({ time }) => aim(this.#byTime.get(time) ?? null));
        this.#observer = new ResizeObserver(([{ contentRect: { width, height } }]) => {
            if (width === 0 || height === 0) return;
            this.#chart.resize(width, height);
            if (this.#isHidden) this.#showEnd();
        });
        this.#observer.observe(container);
        window.addEventListener("hoga:theme", this.#recolor);
        this.#applyColors();
    }

    /** Shows the `chart` of a document: changes the end only, if only that changed. */
    show(chart) {
        const isSame = chart.interval === this.#interval && chart.gaps === this.#gaps;
        const ends = isSame ? this.#changedEnd(chart.candles) : null;
        // Empty columns may follow the last candle, and the library changes the last column only.
        const isEnd = ends?.every((candle) => timeOf(candle) >= this.#lastTime) ?? false;
        if (!isEnd) this.#setAll(chart);
        else for (const candle of ends) this.#update(candle);
    }

    close() {
        window.removeEventListener("hoga:theme", this.#recolor);
        this.#observer.disconnect();
        this.#chart.remove();
        this.#byTime.clear();
    }

    /**
     * The candles that changed if they are the last one known and newer ones; null if others did.
     * Older candles that left the document stay in the drawing.
     */
    #changedEnd(candles) {
        const known = this.#candles;
        if (known.length === 0 || candles.length === 0) return null;
        if (known.length > CANDLES_KEPT + candles.length) return null;
        const first = candles[0].openTime;
        const start = known.findIndex((candle) => candle.openTime === first);
        if (start < 0) return null;
        const last = known.length - 1 - start;
        if (last >= candles.length || candles[last].openTime !== known.at(-1).openTime) return null;
        for (let index = 0; index < last; index += 1) {
            if (candles[index] !== known[start + index]) return null;
        }
        return candles.slice(last).filter((candle) => candle !== known.at(-1));
    }

    #setAll({ interval, candles, gaps }) {
        const isOther = interval !== this.#interval;
        this.#interval = interval;
        this.#gaps = gaps;
        this.#candles = [...candles];
        this.#byTime = new Map(candles.map((candle) => [timeOf(candle), candle]));
        this.#setFormat(digitsOf(candles));
        const empty = emptyTimes(gaps, SECONDS[interval], this.#byTime);
        const bars = candles.map(barOf);
        for (const time of empty) bars.push({ time });
        bars.sort((one, other) => one.time - other.time);
        this.#candleSeries.setData(bars);
        this.#volumeSeries.setData(candles.map((candle) => this.#volumeOf(candle)));
        this.#averageSeries.forEach((series, index) => {
            const size = AVERAGE_WINDOWS[index];
            series.setData(candles.map((candle) => pointOf(candle, size)).filter(Boolean));
        });
        this.#chart.applyOptions({ timeScale: { timeVisible: SECONDS[interval] < 86_400 } });
        this.#columns = bars.length;
        this.#lastTime = bars.at(-1)?.time ?? 0;
        if (isOther) this.#showEnd();
    }

    /** Scrolls to the newest candles, as many as are readable. */
    #showEnd() {
        const width = this.#container.clientWidth;
        const count = this.#columns;
        this.#isHidden = width === 0 || count === 0;
        if (this.#isHidden) return;
        // Also where there are fewer: the past may come later, and its candles are as wide.
        const shown = Math.max(Math.floor(width / 8), 40);
        this.#chart.timeScale().setVisibleLogicalRange({ from: count - shown, to: count + 3 });
    }

    #update(candle) {
        if (candle.openTime === this.#candles.at(-1).openTime) this.#candles.pop();
        this.#candles.push(candle);
        this.#byTime.set(timeOf(candle), candle);
        this.#lastTime = timeOf(candle);
        const digits = digitsOf([candle]);
        if (digits > this.#digits) this.#setFormat(digits);
        this.#candleSeries.update(barOf(candle));
        this.#volumeSeries.update(this.#volumeOf(candle));
        this.#averageSeries.forEach((series, index) => {
            const point = pointOf(candle, AVERAGE_WINDOWS[index]);
            if (point) series.update(point);
        });
    }

    #setFormat(digits) {
        this.#digits = digits;
        this.#candleSeries.applyOptions({ priceFormat: priceFormat(digits) });
    }

    #volumeOf(candle) {
        const color = this.#colors[`${candle.priceDirection}Volume`] ?? this.#colors.flatVolume;
        return { time: timeOf(candle), value: Number(candle.volume), color };
    }

    #applyColors() {
        const style = getComputedStyle(this.#container);
        const color = (name) => style.getPropertyValue(name).trim();
        this.#colors = {
            upVolume: `${color("--up")}66`,
            downVolume: `${color("--down")}66`,
            flatVolume: `${color("--dim")}66`,
        };
        const line = { color: color("--line") };
        const label = color("--control-line") || color("--dim");
        this.#chart.applyOptions({
            layout: {
                background: { type: "solid", color: color("--ground") },
                textColor: color("--dim"), fontFamily: style.fontFamily,
            },
            grid: { vertLines: line, horzLines: line },
            rightPriceScale: { borderColor: line.color },
            timeScale: { borderColor: line.color },
            crosshair: {
                vertLine: { color: label, labelBackgroundColor: color("--text") },
                horzLine: { color: label, labelBackgroundColor: color("--text") },
            },
        });
        this.#candleSeries.applyOptions({
            upColor: color("--up"), wickUpColor: color("--up"),
            downColor: color("--down"), wickDownColor: color("--down"),
            // Its label is legible in each theme.
            priceLineColor: color("--text"),
        });
        this.#averageSeries.forEach((series, index) => {
            series.applyOptions({ color: color(LINE_COLORS[index]) });
        });
        if (this.#candles.length > 0) {
            this.#volumeSeries.setData(this.#candles.map((candle) => this.#volumeOf(candle)));
        }
    }
}

function options() {
    return {
        width: 0,
        height: 0,
        localization: { locale: "en-US", timeFormatter: axisTime },
        timeScale: { tickMarkFormatter: axisMark, rightOffset: 3, secondsVisible: false },
        rightPriceScale: { scaleMargins: { top: 0.06, bottom: 0.24 } },
        handleScroll: { vertTouchDrag: false },
        kineticScroll: { touch: !matchMedia("(prefers-reduced-motion: reduce)").matches },
    };
}

function timeOf(candle) {
    return Date.parse(candle.openTime) / 1_000 + SEOUL_SECONDS;
}

/** Numbers for the geometry of the drawing only. */
function barOf(candle) {
    const { open, high, low, close } = candle;
    return {
        time: timeOf(candle), open: Number(open), high: Number(high), low: Number(low),
        close: Number(close),
    };
}

function pointOf(candle, size) {
    const value = candle.averages?.close?.[size] ?? null;
    return value === null ? null : { time: timeOf(candle), value: Number(value) };
}

/** The decimals of the newest prices. */
function digitsOf(candles) {
    const decimals = (text) => (text.split(".")[1] ?? "").length;
    return Math.max(0, ...candles.slice(-50).map((candle) =>
        Math.max(decimals(candle.close), decimals(candle.high), decimals(candle.low))));
}

/** The axis has as many decimals as the prices have. */
function priceFormat(digits) {
    const numbers = new Intl.NumberFormat("en-US", {
        minimumFractionDigits: digits, maximumFractionDigits: digits,
    });
    return {
        type: "custom", minMove: Number(`1e-${digits}`),
        // Below zero is only the margin of the axis.
        formatter: (value) => value < 0 ? "" : numbers.format(value),
    };
}

/** The buckets in gaps, in seconds; few enough to draw. */
function emptyTimes(gaps, seconds, known) {
    const times = [];
    if (!seconds) return times;
    for (const { from, to } of gaps) {
        const end = Date.parse(to) / 1_000 + SEOUL_SECONDS;
        let time = Date.parse(from) / 1_000 + SEOUL_SECONDS;
        for (; time < end && times.length < EMPTY_COLUMNS_MAX; time += seconds) {
            if (!known.has(time)) times.push(time);
        }
    }
    return times;
}

function axisTime(time) {
    const text = new Date(time * 1_000).toISOString();
    return `${text.slice(0, 10)} ${text.slice(11, 16)}`;
}

/** Types of marks: 0 year, 1 month, 2 day, 3 and 4 times. */
function axisMark(time, type) {
    const text = new Date(time * 1_000).toISOString();
    if (type === 0) return text.slice(0, 4);
    if (type === 1) return text.slice(0, 7);
    return type === 2 ? text.slice(5, 10) : text.slice(11, 16);
}
