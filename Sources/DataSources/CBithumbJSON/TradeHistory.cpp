// `transaction_history/…`: a list of trades.

#include "Envelope.hpp"
#include "WallTime.hpp"

namespace hoga::wire {

namespace {

using Trade = hoga_wire_trade;

constexpr NumberField<Trade> trade_fields[] = {
    {"units_traded", &Trade::quantity},
    {"price", &Trade::price},
};

error_code read_trade(ondemand::value element, Trade &trade, bool &is_read) {
    ondemand::object object;
    if (const auto error = open_object(element, object, is_read)) return error;
    if (!is_read) return simdjson::SUCCESS;
    NumberFields numbers{trade_fields};
    Name time, side;
    const error_code error = each_field(
        object, [&](std::string_view key, ondemand::value value) -> error_code {
            if (key == "transaction_date") return time.read(value);
            if (key == "type") return side.read(value);
            bool is_known = false;
            const auto error = numbers.read(key, value, trade, is_known);
            return is_known ? error : walk(value);
        });
    if (error) return error;
    trade.taker_bought = side.text == "bid" ? 1 : 0;
    is_read = (trade.taker_bought != 0 || side.text == "ask")
        && read_long_time(time.text, Zone::korea, trade.at_microseconds)
        && numbers.fault(trade, true).is_none();
    return simdjson::SUCCESS;
}

error_code read_trades(
    ondemand::value data, hoga_wire_reader &reader, hoga_wire_body &body,
    std::string_view &wrong) {
    return read_records(data, HOGA_WIRE_TRADES_MAX, reader.trades, body, wrong, read_trade);
}

}  // namespace

const DataReading trade_history_reading{'[', read_trades};

}  // namespace hoga::wire
