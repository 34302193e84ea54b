#include "MarketFields.hpp"

#include "Decimal.hpp"

namespace hoga::wire {

namespace {

using Ticker = hoga_wire_market_ticker;
using Trade = hoga_wire_trade;
using Level = hoga_wire_level;

/// A unit holds the n-th levels of both sides.
constexpr NumberField<Level> ask_fields[] = {
    {"ask_price", &Level::price},
    {"ask_size", &Level::quantity},
};
constexpr NumberField<Level> bid_fields[] = {
    {"bid_price", &Level::price},
    {"bid_size", &Level::quantity},
};

/// Reads a unit in the exchange's exact spelling: these fields, this order, no blanks, bare numbers
/// without exponents.
///
/// False for any other spelling, which the general reader handles.
bool read_usual_unit(const char *at, Level &ask, Level &bid) noexcept {
    if (!take(at, R"({"ask_price":)")) return false;
    at = read_usual_number(at, ask.price);
    if (at == nullptr || !take(at, R"(,"bid_price":)")) return false;
    at = read_usual_number(at, bid.price);
    if (at == nullptr || !take(at, R"(,"ask_size":)")) return false;
    at = read_usual_number(at, ask.quantity);
    if (at == nullptr || !take(at, R"(,"bid_size":)")) return false;
    at = read_usual_number(at, bid.quantity);
    return at != nullptr && *at == '}';
}

bool is_zero(const hoga_wire_decimal &number) noexcept {
    return number.low == 0 && number.high == 0;
}

/// Reads true and false; anything else is unknown.
error_code read_flag(ondemand::value value, hoga_wire_flag &flag) noexcept {
    Scalar scalar{};
    if (const auto error = read_scalar(value, scalar)) return error;
    flag = hoga_wire_flag_unknown;
    if (scalar.kind == Scalar::Kind::boolean) {
        flag = scalar.text == "true" ? hoga_wire_flag_on : hoga_wire_flag_off;
    }
    return simdjson::SUCCESS;
}

error_code read_warning(ondemand::value value, hoga_wire_flag &flag) noexcept {
    Scalar scalar{};
    if (const auto error = read_scalar(value, scalar)) return error;
    const bool is_text = scalar.kind == Scalar::Kind::text;
    flag = is_text ? warning_flag(scalar.text) : hoga_wire_flag_unknown;
    return simdjson::SUCCESS;
}

/// Reads a positive integer; zero when absent or null.
error_code read_id(ondemand::value value, int64_t &id, hoga_wire_fault &fault) noexcept {
    if (const auto error = read_unix_time(value, id, fault)) return error;
    if (fault == hoga_wire_fault_missing) fault = hoga_wire_fault_none;
    if (fault == hoga_wire_fault_not_a_time) fault = hoga_wire_fault_not_an_integer;
    return simdjson::SUCCESS;
}

}  // namespace

hoga_wire_flag warning_flag(std::string_view text) noexcept {
    return text == "CAUTION" ? hoga_wire_flag_on
        : text == "NONE" ? hoga_wire_flag_off
                         : hoga_wire_flag_unknown;
}

// MARK: Ticker

const NumberField<Ticker> TickerFields::fields[11] = {
    {"opening_price", &Ticker::opening_price},
    {"high_price", &Ticker::high_price},
    {"low_price", &Ticker::low_price},
    {"trade_price", &Ticker::trade_price},
    {"prev_closing_price", &Ticker::prev_closing_price},
    {"acc_trade_price", &Ticker::acc_trade_price},
    {"acc_trade_price_24h", &Ticker::acc_trade_price_24h},
    {"acc_trade_volume", &Ticker::acc_trade_volume},
    {"acc_trade_volume_24h", &Ticker::acc_trade_volume_24h},
    {"acc_ask_volume", &Ticker::acc_ask_volume},
    {"acc_bid_volume", &Ticker::acc_bid_volume},
};

error_code TickerFields::read(std::string_view key, ondemand::value value, bool &is_known) {
    if (const auto error = numbers.read(key, value, record, is_known); error || is_known) {
        return error;
    }
    is_known = true;
    if (key == "trade_date") return date.read(value);
    if (key == "trade_time") return time.read(value);
    if (key == "trade_timestamp") return trade_timestamp.read(value);
    if (key == "is_trading_suspended") return read_flag(value, record.suspended);
    if (key == "market_warning") return read_warning(value, record.warning);
    is_known = false;
    return simdjson::SUCCESS;
}

Fault TickerFields::finish() noexcept {
    Fault fault;
    fault.note(date.fault, "trade_date");
    fault.note(time.fault, "trade_time");
    if (fault.is_none()
        && !read_compact_time(date.text, time.text, zone, record.clock_microseconds)) {
        fault.note(hoga_wire_fault_not_a_time, "trade_date and trade_time");
    }
    fault.note(trade_timestamp.fault, "trade_timestamp");
    fault.note(numbers.fault(record, false));
    if (record.trade_price.is_present == 0) fault.note(hoga_wire_fault_missing, "trade_price");
    record.trade_timestamp_milliseconds = trade_timestamp.value;
    return fault;
}

// MARK: Trade

const NumberField<Trade> TradeFields::fields[2] = {
    {"trade_price", &Trade::price},
    {"trade_volume", &Trade::quantity},
};

error_code TradeFields::read(std::string_view key, ondemand::value value, bool &is_known) {
    if (const auto error = numbers.read(key, value, record, is_known); error || is_known) {
        return error;
    }
    is_known = true;
    if (key == time_key) return at.read(value);
    if (key == "ask_bid") return side.read(value);
    if (key == "sequential_id") return read_id(value, record.sequential_id, id_fault);
    is_known = false;
    return simdjson::SUCCESS;
}

Fault TradeFields::finish() noexcept {
    Fault fault;
    fault.note(at.fault, time_key);
    fault.note(side.fault, "ask_bid");
    const bool is_buy = side.text == "BID";
    if (!is_buy && side.text != "ASK") fault.note(hoga_wire_fault_unknown_code, "ask_bid");
    fault.note(id_fault, "sequential_id");
    fault.note(numbers.fault(record, true));
    record.at_microseconds = unix_microseconds(at.value);
    record.taker_bought = is_buy ? 1 : 0;
    return fault;
}

// MARK: Order book

error_code BookFields::read(std::string_view key, ondemand::value value, bool &is_known) {
    is_known = true;
    if (key == "timestamp") return at.read(value);
    if (key == "orderbook_units") return read_units(value);
    is_known = false;
    return simdjson::SUCCESS;
}

Fault BookFields::finish() const noexcept {
    Fault fault;
    fault.note(at.fault, "timestamp");
    fault.note(units_fault, "orderbook_units");
    return fault;
}

hoga_wire_book BookFields::book(hoga_wire_text symbol) const noexcept {
    const auto skipped_count = static_cast<uint32_t>(skipped.size());
    return {symbol, unix_microseconds(at.value), asks, bids, skipped_count};
}

error_code BookFields::read_units(ondemand::value value) {
    // Of equal keys the last counts.
    if (units_fault != hoga_wire_fault_missing) reader.levels.resize(asks.first);
    skipped.clear();
    bid_levels.clear();
    asks = bids = {static_cast<uint32_t>(reader.levels.size()), 0};
    ondemand::array list;
    bool is_list = false;
    if (const auto error = open_list(value, list, is_list)) return error;
    units_fault = is_list ? hoga_wire_fault_none : hoga_wire_fault_not_a_list;
    if (!is_list) return simdjson::SUCCESS;
    size_t count = 0;
    const error_code error = each_element(
        list, HOGA_WIRE_LEVELS_MAX, count,
        [&](ondemand::value element) { return read_unit(element); });
    if (count > HOGA_WIRE_LEVELS_MAX) units_fault = hoga_wire_fault_too_many_entries;
    asks.count = static_cast<uint32_t>(reader.levels.size()) - asks.first;
    bids = {
        static_cast<uint32_t>(reader.levels.size()), static_cast<uint32_t>(bid_levels.size())};
    reader.levels.insert(reader.levels.end(), bid_levels.begin(), bid_levels.end());
    return error;
}

error_code BookFields::read_unit(ondemand::value element) {
    Level usual_ask{}, usual_bid{};
    usual_ask.is_ask = 1;
    if (read_usual_unit(element.raw_json_token().data(), usual_ask, usual_bid)) {
        push(reader.levels, usual_ask, {});
        push(bid_levels, usual_bid, {});
        // The parser skips unread values.
        return simdjson::SUCCESS;
    }
    ondemand::object object;
    bool is_object = false;
    if (const auto error = open_object(element, object, is_object)) return error;
    if (!is_object) {
        skipped.push_back({hoga_wire_fault_not_an_object, "the level"});
        return simdjson::SUCCESS;
    }
    Level ask{}, bid{};
    ask.is_ask = 1;
    NumberFields ask_numbers{ask_fields}, bid_numbers{bid_fields};
    const error_code error = each_field(
        object, [&](std::string_view key, ondemand::value value) -> error_code {
            bool is_known = false;
            if (const auto error = ask_numbers.read(key, value, ask, is_known); error || is_known) {
                return error;
            }
            const auto error = bid_numbers.read(key, value, bid, is_known);
            return is_known ? error : walk(value);
        });
    if (error) return error;
    push(reader.levels, ask, ask_numbers.fault(ask, true));
    push(bid_levels, bid, bid_numbers.fault(bid, true));
    return simdjson::SUCCESS;
}

/// Adds a level, unless it is unreadable or pads the shorter side: price zero.
void BookFields::push(std::vector<Level> &levels, const Level &level, Fault fault) {
    if (!fault.is_none()) {
        skipped.push_back(fault);
    } else if (!is_zero(level.price)) {
        levels.push_back(level);
    }
}

}  // namespace hoga::wire
