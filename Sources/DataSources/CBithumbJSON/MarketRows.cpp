// API 2.x: `ticker`, `orderbook`, `trades/ticks` and `candles/…`, lists of objects.

#include "Envelope.hpp"
#include "MarketFields.hpp"

namespace hoga::wire {

namespace {

using Candle = hoga_wire_candle;

constexpr NumberField<Candle> candle_fields[] = {
    {"opening_price", &Candle::open},
    {"high_price", &Candle::high},
    {"low_price", &Candle::low},
    {"trade_price", &Candle::close},
    {"candle_acc_trade_volume", &Candle::volume},
};

/// Reads the fields of a row; `is_read` says whether it is an object with the name of a market.
template <typename Read>
error_code read_row(ondemand::value element, Name &market, bool &is_read, Read &&read) {
    ondemand::object object;
    if (const auto error = open_object(element, object, is_read)) return error;
    if (!is_read) return simdjson::SUCCESS;
    const error_code error = each_field(
        object, [&](std::string_view key, ondemand::value value) -> error_code {
            if (key == "market") return market.read(value);
            bool is_known = false;
            const auto error = read(key, value, is_known);
            return error || is_known ? error : walk(value);
        });
    is_read = market.fault == hoga_wire_fault_none;
    return error;
}

/// Reads a row whose fields are a record; `symbol` is the member for the name of the market.
template <typename Fields, typename Record>
error_code read_record(
    ondemand::value element, hoga_wire_reader &reader, Fields &&fields, Record &row,
    hoga_wire_text Record::*symbol, bool &is_read) {
    Name market;
    const error_code error =
        read_row(element, market, is_read, [&](auto key, auto value, bool &is_known) {
            return fields.read(key, value, is_known);
        });
    is_read = is_read && fields.finish().is_none();
    if (error || !is_read) return error;
    row = fields.record;
    row.*symbol = reader.keep(market.text);
    return simdjson::SUCCESS;
}

error_code read_ticker(
    ondemand::value element, hoga_wire_reader &reader, hoga_wire_market_ticker &row,
    bool &is_read) {
    return read_record(
        element, reader, TickerFields{Zone::utc}, row, &hoga_wire_market_ticker::market, is_read);
}

error_code read_trade(
    ondemand::value element, hoga_wire_reader &reader, hoga_wire_trade &row, bool &is_read) {
    return read_record(
        element, reader, TradeFields{"timestamp"}, row, &hoga_wire_trade::symbol, is_read);
}

error_code read_book(
    ondemand::value element, hoga_wire_reader &reader, hoga_wire_book &row, bool &is_read) {
    const size_t level_count = reader.levels.size();
    BookFields fields{reader};
    Name market;
    const error_code error =
        read_row(element, market, is_read, [&](auto key, auto value, bool &is_known) {
            return fields.read(key, value, is_known);
        });
    is_read = is_read && fields.finish().is_none();
    if (!is_read) reader.levels.resize(level_count);
    if (error || !is_read) return error;
    row = fields.book(reader.keep(market.text));
    return simdjson::SUCCESS;
}

error_code read_candle(ondemand::value element, Candle &candle, bool &is_read) {
    NumberFields numbers{candle_fields};
    Name market, opened;
    hoga_wire_fault turnover = hoga_wire_fault_none;
    const error_code error = read_row(
        element, market, is_read,
        [&](std::string_view key, ondemand::value value, bool &is_known) -> error_code {
            if (const auto error = numbers.read(key, value, candle, is_known); error || is_known) {
                return error;
            }
            is_known = true;
            if (key == "candle_date_time_utc") return opened.read(value);
            if (key == "candle_acc_trade_price") {
                return read_number(value, candle.turnover, turnover);
            }
            is_known = false;
            return simdjson::SUCCESS;
        });
    int64_t at = 0;
    is_read = is_read && opened.fault == hoga_wire_fault_none
        && read_long_time(opened.text, Zone::utc, at) && turnover == hoga_wire_fault_none
        && numbers.fault(candle, true).is_none();
    candle.at_milliseconds = at / 1'000;
    return error;
}

/// Reads a list of rows whose texts and levels are kept by the reader.
template <typename Record>
error_code read_rows(
    ondemand::array list, size_t rows_max, std::vector<Record> &rows, hoga_wire_reader &reader,
    hoga_wire_body &body, std::string_view &wrong,
    error_code (*read)(ondemand::value, hoga_wire_reader &, Record &, bool &)) {
    return read_list_of_records(
        list, rows_max, rows, body, wrong,
        [&](ondemand::value element, Record &row, bool &is_read) {
            return read(element, reader, row, is_read);
        });
}

error_code read_tickers(
    ondemand::array list, hoga_wire_reader &reader, hoga_wire_body &body,
    std::string_view &wrong) {
    return read_rows(
        list, HOGA_WIRE_ROWS_MAX, reader.market_tickers, reader, body, wrong, read_ticker);
}

error_code read_books(
    ondemand::array list, hoga_wire_reader &reader, hoga_wire_body &body,
    std::string_view &wrong) {
    return read_rows(list, HOGA_WIRE_ROWS_MAX, reader.books, reader, body, wrong, read_book);
}

error_code read_trades(
    ondemand::array list, hoga_wire_reader &reader, hoga_wire_body &body,
    std::string_view &wrong) {
    return read_rows(list, HOGA_WIRE_TRADES_MAX, reader.trades, reader, body, wrong, read_trade);
}

error_code read_candles(
    ondemand::array list, hoga_wire_reader &reader, hoga_wire_body &body,
    std::string_view &wrong) {
    return read_list_of_records(
        list, HOGA_WIRE_CANDLES_MAX, reader.candles, body, wrong, read_candle);
}

}  // namespace

const ListReading market_tickers_reading{read_tickers};
const ListReading market_books_reading{read_books};
const ListReading market_trades_reading{read_trades};
const ListReading market_candles_reading{read_candles};

}  // namespace hoga::wire
