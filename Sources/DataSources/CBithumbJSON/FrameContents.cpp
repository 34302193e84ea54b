// The contents of frames: tickers and transactions.

#include "FrameReading.hpp"
#include "WallTime.hpp"

namespace hoga::wire {

namespace {

using Ticker = hoga_wire_stream_ticker;
using Trade = hoga_wire_trade;

constexpr NumberField<Ticker> ticker_fields[] = {
    {"openPrice", &Ticker::open_price},
    {"closePrice", &Ticker::close_price},
    {"lowPrice", &Ticker::low_price},
    {"highPrice", &Ticker::high_price},
    {"value", &Ticker::value},
    {"volume", &Ticker::volume},
    {"sellVolume", &Ticker::sell_volume},
    {"buyVolume", &Ticker::buy_volume},
    {"prevClosePrice", &Ticker::prev_close_price},
    {"chgRate", &Ticker::chg_rate},
    {"chgAmt", &Ticker::chg_amt},
    {"volumePower", &Ticker::volume_power},
};

constexpr NumberField<Trade> trade_fields[] = {
    {"contPrice", &Trade::price},
    {"contQty", &Trade::quantity},
    {"contAmt", &Trade::amount},
};

}  // namespace

error_code FrameReading::read_ticker(ondemand::object &content) {
    Ticker ticker{};
    NumberFields numbers{ticker_fields};
    Name symbol, tick_type, date, time;
    const error_code error = each_field(
        content, [&](std::string_view key, ondemand::value value) -> error_code {
            if (key == "symbol") return symbol.read(value);
            if (key == "tickType") return tick_type.read(value);
            if (key == "date") return date.read(value);
            if (key == "time") return time.read(value);
            bool is_known = false;
            const auto error = numbers.read(key, value, ticker, is_known);
            return is_known ? error : walk(value);
        });
    if (error) return error;
    Fault fault;
    fault.note(symbol.fault, "symbol");
    fault.note(tick_type.fault, "tickType");
    fault.note(date.fault, "date");
    fault.note(time.fault, "time");
    if (fault.is_none()
        && !read_compact_time(date.text, time.text, Zone::korea, ticker.at_microseconds)) {
        fault.note(hoga_wire_fault_not_a_time, "date and time");
    }
    fault.note(numbers.fault(ticker, true));
    if (!fault.is_none()) {
        push_skipped("ticker", fault);
        return simdjson::SUCCESS;
    }
    ticker.symbol = reader.keep(symbol.text);
    ticker.tick_type = reader.keep(tick_type.text);
    const auto index = static_cast<uint32_t>(reader.tickers.size());
    reader.tickers.push_back(ticker);
    reader.messages.push_back({hoga_wire_message_kind_ticker, index, 1});
    return simdjson::SUCCESS;
}

error_code FrameReading::read_transactions(ondemand::object &content) {
    bool has_list = false;
    const error_code error = each_field(
        content, [&](std::string_view key, ondemand::value value) -> error_code {
            if (key != "list") return walk(value);
            has_list = true;
            drop_frame();
            return read_trades(value);
        });
    if (!error && !has_list) push_skipped("transaction", {hoga_wire_fault_missing, "list"});
    return error;
}

error_code FrameReading::read_trades(ondemand::value list) {
    ondemand::array array;
    bool is_list = false;
    if (const auto error = open_list(list, array, is_list)) return error;
    if (!is_list) {
        push_skipped("transaction", {hoga_wire_fault_not_a_list, "list"});
        return simdjson::SUCCESS;
    }
    const auto first = static_cast<uint32_t>(reader.trades.size());
    const size_t place = reader.messages.size();
    reader.messages.push_back({hoga_wire_message_kind_transactions, first, 0});
    size_t count = 0;
    const error_code error = each_element(
        array, HOGA_WIRE_TRADES_MAX, count, [&](ondemand::value element) -> error_code {
            Trade trade{};
            Fault fault;
            if (const auto error = read_trade(element, trade, fault)) return error;
            if (fault.is_none()) {
                reader.trades.push_back(trade);
            } else {
                push_skipped("transaction", fault);
            }
            return simdjson::SUCCESS;
        });
    if (error) return error;
    if (count > HOGA_WIRE_TRADES_MAX) {
        drop_frame();
        push_skipped("transaction", {hoga_wire_fault_too_many_entries, "list"});
        return simdjson::SUCCESS;
    }
    reader.messages[place].count = static_cast<uint32_t>(reader.trades.size()) - first;
    return simdjson::SUCCESS;
}

error_code FrameReading::read_trade(ondemand::value element, Trade &trade, Fault &fault) {
    ondemand::object object;
    bool is_object = false;
    if (const auto error = open_object(element, object, is_object)) return error;
    if (!is_object) {
        fault.note(hoga_wire_fault_not_an_object, "list");
        return simdjson::SUCCESS;
    }
    NumberFields numbers{trade_fields};
    Name symbol, side, time;
    const error_code error = each_field(
        object, [&](std::string_view key, ondemand::value value) -> error_code {
            if (key == "symbol") return symbol.read(value);
            if (key == "buySellGb") return side.read(value);
            if (key == "contDtm") return time.read(value);
            bool is_known = false;
            const auto error = numbers.read(key, value, trade, is_known);
            return is_known ? error : walk(value);
        });
    if (error) return error;
    fault.note(symbol.fault, "symbol");
    fault.note(side.fault, "buySellGb");
    fault.note(time.fault, "contDtm");
    const bool is_buy = side.text == "2";
    if (!is_buy && side.text != "1") fault.note(hoga_wire_fault_unknown_code, "buySellGb");
    if (!read_long_time(time.text, Zone::korea, trade.at_microseconds)) {
        fault.note(hoga_wire_fault_not_a_time, "contDtm");
    }
    fault.note(numbers.fault(trade, true));
    trade.symbol = reader.keep(symbol.text);
    trade.taker_bought = is_buy ? 1 : 0;
    return simdjson::SUCCESS;
}

}  // namespace hoga::wire
