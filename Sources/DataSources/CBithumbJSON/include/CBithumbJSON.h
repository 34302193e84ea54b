// Reads the JSON of the exchange's API 1.x and 2.x into flat structs: one call for a REST body, one
// call for a batch of stream messages. C++, simdjson and exceptions stay behind this interface.
#ifndef HOGA_CWIREJSON_H
#define HOGA_CWIREJSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Swift sees a closed enum as an exhaustive one.
#define HOGA_CLOSED_ENUM enum __attribute__((enum_extensibility(closed)))

/// Significant digits of a number: as many as a signed 128-bit mantissa always holds.
#define HOGA_WIRE_DIGITS_MAX 38
/// The largest distance of a number's last digit from the decimal point, either way.
#define HOGA_WIRE_SCALE_MAX 9999
/// The longest coin code, symbol or type, in bytes; a longer one makes its entry unreadable.
#define HOGA_WIRE_NAME_BYTES_MAX 64
/// The most coins of one REST response.
/// Lists beyond a limit are never truncated: a REST response is malformed, a frame is skipped.
#define HOGA_WIRE_COINS_MAX 16384
/// The most trades of one list, in a frame or REST response.
#define HOGA_WIRE_TRADES_MAX 4096
/// The most levels of one side of an order book, or of the list of changes in a frame.
#define HOGA_WIRE_LEVELS_MAX 4096
/// The most rows of a candle response; the exchange's whole history by day has 5,000.
#define HOGA_WIRE_CANDLES_MAX 65536
/// The most coins or markets of one response, but for `ticker/ALL_…`: ten times their number.
#define HOGA_WIRE_ROWS_MAX 5000
/// The most warnings of one response.
#define HOGA_WIRE_ALERTS_MAX 20000
/// The longest name of a coin, in characters (code points); a longer one makes its row unreadable.
#define HOGA_WIRE_LABEL_CHARACTERS_MAX 100
/// The deepest nesting of unread fields; a deeper text is malformed.
#define HOGA_WIRE_NESTING_MAX 32
/// The longest text of one call in bytes; a longer one is malformed.
#define HOGA_WIRE_TEXT_BYTES_MAX (64 * 1024 * 1024)

/// Why an entry was skipped.
typedef HOGA_CLOSED_ENUM hoga_wire_fault {
    hoga_wire_fault_none = 0,
    /// A required field is absent or null.
    hoga_wire_fault_missing,
    hoga_wire_fault_not_a_number,
    hoga_wire_fault_too_many_digits,
    hoga_wire_fault_scale_too_large,
    /// Neither a string nor a number, or an empty name.
    hoga_wire_fault_not_a_text,
    hoga_wire_fault_name_too_long,
    /// Not in the protocol's form, or no valid time.
    hoga_wire_fault_not_a_time,
    /// Not a positive integer.
    hoga_wire_fault_not_an_integer,
    /// An unknown code.
    hoga_wire_fault_unknown_code,
    hoga_wire_fault_not_an_object,
    hoga_wire_fault_not_a_list,
    hoga_wire_fault_too_many_entries,
    /// An empty list that its frame requires.
    hoga_wire_fault_no_entries,
    hoga_wire_fault_frame_too_long,
    hoga_wire_fault_not_utf8,
    hoga_wire_fault_not_json,
} hoga_wire_fault;

/// The position of a UTF-8 text in the reader's texts; it may hold zero bytes.
typedef struct {
    uint32_t offset;
    uint32_t length;
} hoga_wire_text;

/// A signed 128-bit mantissa in two halves, and the number of fraction digits.
typedef struct {
    uint64_t low;
    int64_t high;
    int32_t scale;
    /// 1 when the field had a number, 0 when it was absent or null.
    uint32_t is_present;
} hoga_wire_decimal;

/// One key of `data` in a REST response.
typedef struct {
    hoga_wire_text key;
    /// `none`, or why the entry is skipped; its numbers are then undefined.
    hoga_wire_fault fault;
    /// The faulty field; empty for a fault of the whole entry.
    hoga_wire_text fault_field;
    /// 1 when the value is `[]`: a suspended coin.
    uint32_t is_empty_list;
    hoga_wire_decimal opening_price;
    hoga_wire_decimal closing_price;
    hoga_wire_decimal min_price;
    hoga_wire_decimal max_price;
    hoga_wire_decimal units_traded;
    hoga_wire_decimal acc_trade_value;
    hoga_wire_decimal prev_closing_price;
    hoga_wire_decimal units_traded_24h;
    hoga_wire_decimal acc_trade_value_24h;
    hoga_wire_decimal fluctate_24h;
    hoga_wire_decimal fluctate_rate_24h;
} hoga_wire_coin;

typedef HOGA_CLOSED_ENUM hoga_wire_outcome {
    hoga_wire_outcome_success = 0,
    /// `status` is not "0000", or the body is an error of API 2.x, whose name becomes `status`.
    /// Only `status` and `message` are set.
    hoga_wire_outcome_refused,
    /// Not as documented. Only `malformed_reason` is set.
    hoga_wire_outcome_malformed,
} hoga_wire_outcome;

/// The kinds of REST responses.
typedef HOGA_CLOSED_ENUM hoga_wire_body_kind {
    /// `ticker/ALL_…`: fills `coins`.
    hoga_wire_body_kind_ticker_all = 0,
    /// `orderbook/…` of one market: fills one of `books`, and `levels`.
    hoga_wire_body_kind_order_book,
    /// `transaction_history/…`: fills `trades`, without symbols and amounts.
    hoga_wire_body_kind_trade_history,
    /// `candlestick/…`: fills `candles`.
    hoga_wire_body_kind_candles,
    /// `assetsstatus/ALL`: fills `assets`.
    hoga_wire_body_kind_asset_statuses,
    /// API 2.x, `market/all`: fills `market_names`.
    hoga_wire_body_kind_market_names,
    /// API 2.x, `market/virtual_asset_warning`: fills `market_alerts`.
    hoga_wire_body_kind_market_alerts,
    /// API 2.x, `ticker`: fills `market_tickers`.
    hoga_wire_body_kind_market_tickers,
    /// API 2.x, `orderbook`: fills `books`, and `levels`.
    hoga_wire_body_kind_market_books,
    /// API 2.x, `trades/ticks`: fills `trades`, without amounts.
    hoga_wire_body_kind_market_trades,
    /// API 2.x, `candles/…`: fills `candles`.
    hoga_wire_body_kind_market_candles,
} hoga_wire_body_kind;

/// A REST body, beside its entries.
typedef struct {
    hoga_wire_outcome outcome;
    hoga_wire_text malformed_reason;
    hoga_wire_text status;
    hoga_wire_text message;
    /// `date` beside the coins, Unix milliseconds; zero when absent or unreadable.
    int64_t date_milliseconds;
    /// Skipped entries; bad coins of tickers are listed with their faults instead.
    uint32_t skipped_count;
} hoga_wire_body;

/// The content of a frame of type `ticker`; every number is present.
typedef struct {
    hoga_wire_text symbol;
    hoga_wire_text tick_type;
    int64_t at_microseconds;
    hoga_wire_decimal open_price;
    hoga_wire_decimal close_price;
    hoga_wire_decimal low_price;
    hoga_wire_decimal high_price;
    hoga_wire_decimal value;
    hoga_wire_decimal volume;
    hoga_wire_decimal sell_volume;
    hoga_wire_decimal buy_volume;
    hoga_wire_decimal prev_close_price;
    hoga_wire_decimal chg_rate;
    hoga_wire_decimal chg_amt;
    hoga_wire_decimal volume_power;
} hoga_wire_stream_ticker;

/// A flag of the exchange.
typedef HOGA_CLOSED_ENUM hoga_wire_flag {
    /// Absent, null, or no flag.
    hoga_wire_flag_unknown = 0,
    hoga_wire_flag_off,
    hoga_wire_flag_on,
} hoga_wire_flag;

/// One market of API 2.x: a row of `ticker` or a frame of type `ticker`. The price is present.
typedef struct {
    hoga_wire_text market;
    /// `trade_date` and `trade_time`, which are UTC in a row and KST in a frame; whole seconds.
    int64_t clock_microseconds;
    /// `trade_timestamp` as written: a row may have Korean wall time, nine hours ahead.
    int64_t trade_timestamp_milliseconds;
    hoga_wire_decimal opening_price;
    hoga_wire_decimal high_price;
    hoga_wire_decimal low_price;
    hoga_wire_decimal trade_price;
    hoga_wire_decimal prev_closing_price;
    hoga_wire_decimal acc_trade_price;
    hoga_wire_decimal acc_trade_price_24h;
    hoga_wire_decimal acc_trade_volume;
    hoga_wire_decimal acc_trade_volume_24h;
    /// In a frame only, as `acc_bid_volume`.
    hoga_wire_decimal acc_ask_volume;
    hoga_wire_decimal acc_bid_volume;
    /// `is_trading_suspended`; unknown in a row.
    hoga_wire_flag suspended;
    /// Whether `market_warning` is "CAUTION"; unknown in a row.
    hoga_wire_flag warning;
    /// Whether `stream_type` is "SNAPSHOT"; zero in a row.
    uint32_t is_snapshot;
} hoga_wire_market_ticker;

/// One trade of a frame or a REST response; price and quantity are present.
typedef struct {
    hoga_wire_text symbol;
    int64_t at_microseconds;
    hoga_wire_decimal price;
    hoga_wire_decimal quantity;
    /// In a frame of type `transaction` only.
    hoga_wire_decimal amount;
    /// `sequential_id` of API 2.x; else zero.
    int64_t sequential_id;
    uint32_t taker_bought;
    /// Whether `stream_type` is "SNAPSHOT"; zero in a row, and in API 1.x.
    uint32_t is_snapshot;
} hoga_wire_trade;

/// One row of candles; every number but the turnover is present.
typedef struct {
    int64_t at_milliseconds;
    hoga_wire_decimal open;
    hoga_wire_decimal close;
    hoga_wire_decimal high;
    hoga_wire_decimal low;
    hoga_wire_decimal volume;
    /// In API 2.x only.
    hoga_wire_decimal turnover;
} hoga_wire_candle;

/// One level of an order book; both numbers are present.
typedef struct {
    hoga_wire_decimal price;
    hoga_wire_decimal quantity;
    uint32_t is_ask;
} hoga_wire_level;

/// One coin of deposit and withdrawal states.
typedef struct {
    hoga_wire_text key;
    hoga_wire_flag deposit;
    hoga_wire_flag withdrawal;
} hoga_wire_asset;

/// One row of names.
typedef struct {
    hoga_wire_text market;
    hoga_wire_text korean;
    /// Empty when absent or null.
    hoga_wire_text english;
    /// Whether `market_warning` is "CAUTION".
    hoga_wire_flag warning;
} hoga_wire_market_name;

/// One row of warnings.
typedef struct {
    hoga_wire_text market;
    hoga_wire_text type;
    /// Empty when absent or null.
    hoga_wire_text step;
    /// 1 when `ends_at_microseconds` is set: `end_date` was a time of the calendar.
    uint32_t has_end;
    int64_t ends_at_microseconds;
} hoga_wire_market_alert;

/// A run in an array: `first` and the next `count - 1`.
typedef struct {
    uint32_t first;
    uint32_t count;
} hoga_wire_run;

/// Changes of one order book: a run of one symbol in a frame of type `orderbookdepth`.
typedef struct {
    hoga_wire_text symbol;
    int64_t at_microseconds;
    /// In `levels`.
    hoga_wire_run changes;
} hoga_wire_depth;

/// An order book snapshot.
typedef struct {
    /// Empty in a REST body without both currencies.
    hoga_wire_text symbol;
    int64_t at_microseconds;
    /// In `levels`, as `bids` are.
    hoga_wire_run asks;
    hoga_wire_run bids;
    /// Skipped levels of both sides; in a frame each of them is also a message.
    uint32_t skipped_count;
} hoga_wire_book;

/// A message without numbers.
typedef struct {
    /// The status, the unknown type, or the type of the skipped frame (empty if unreadable).
    hoga_wire_text name;
    /// The message of a status; else empty.
    hoga_wire_text words;
    /// Why a frame, a trade or a level was skipped; else `none`.
    hoga_wire_fault fault;
    /// The faulty field; empty for a fault of the whole frame.
    hoga_wire_text fault_field;
} hoga_wire_note;

typedef HOGA_CLOSED_ENUM hoga_wire_message_kind {
    /// `notes[first]` is a status.
    hoga_wire_message_kind_status = 0,
    /// `tickers[first]`; of API 2.x, `market_tickers[first]`.
    hoga_wire_message_kind_ticker,
    /// `trades[first]` and the next `count - 1`.
    hoga_wire_message_kind_transactions,
    /// `depths[first]`.
    hoga_wire_message_kind_depth,
    /// `books[first]`.
    hoga_wire_message_kind_book,
    /// `notes[first]` names an unknown type.
    hoga_wire_message_kind_unknown,
    /// `notes[first]` is the skipped entry.
    hoga_wire_message_kind_skipped,
} hoga_wire_message_kind;

typedef struct {
    hoga_wire_message_kind kind;
    uint32_t first;
    uint32_t count;
} hoga_wire_message;

/// The result of the last call: arrays of the reader, valid until its next call.
/// A REST body fills the arrays of its kind; for a batch of frames `messages` refers to the others.
typedef struct {
    const hoga_wire_coin *coins;
    size_t coin_count;
    const hoga_wire_message *messages;
    size_t message_count;
    const hoga_wire_stream_ticker *tickers;
    size_t ticker_count;
    const hoga_wire_market_ticker *market_tickers;
    size_t market_ticker_count;
    const hoga_wire_trade *trades;
    size_t trade_count;
    const hoga_wire_candle *candles;
    size_t candle_count;
    const hoga_wire_asset *assets;
    size_t asset_count;
    const hoga_wire_market_name *market_names;
    size_t market_name_count;
    const hoga_wire_market_alert *market_alerts;
    size_t market_alert_count;
    const hoga_wire_level *levels;
    size_t level_count;
    const hoga_wire_depth *depths;
    size_t depth_count;
    const hoga_wire_book *books;
    size_t book_count;
    const hoga_wire_note *notes;
    size_t note_count;
    /// The bytes of every `hoga_wire_text`.
    const uint8_t *texts;
    size_t text_bytes;
} hoga_wire_arrays;

/// A parser with its memory, for one thread at a time.
typedef struct hoga_wire_reader hoga_wire_reader;

/// Makes a reader; null without memory.
hoga_wire_reader *hoga_wire_reader_create(void);

/// Frees the reader and its last result.
void hoga_wire_reader_free(hoga_wire_reader *reader);

/// Reads a REST body; 0 without memory for the result.
int hoga_wire_read_body(
    hoga_wire_reader *reader, hoga_wire_body_kind kind, const uint8_t *bytes, size_t length,
    hoga_wire_body *body);

/// The streams, which differ in the form of their frames.
typedef HOGA_CLOSED_ENUM hoga_wire_stream {
    /// API 1.x: a type and its content.
    hoga_wire_stream_v1 = 0,
    /// API 2.x: a flat object with a type and a market.
    hoga_wire_stream_v2,
} hoga_wire_stream;

/// Reads consecutive stream messages in `bytes`; 0 without memory.
/// `ends` holds the end offset of each, ascending. A message longer than `frame_bytes_max` is
/// skipped unread.
int hoga_wire_read_batch(
    hoga_wire_reader *reader, hoga_wire_stream stream, const uint8_t *bytes,
    const ptrdiff_t *ends, size_t count, size_t frame_bytes_max);

/// The result of the last call.
hoga_wire_arrays hoga_wire_reader_arrays(const hoga_wire_reader *reader);

#ifdef __cplusplus
}
#endif

#endif
