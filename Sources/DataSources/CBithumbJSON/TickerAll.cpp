// `ticker/ALL_…`: an envelope with a map from coin codes to objects, and one key that is no coin.

#include "Envelope.hpp"

namespace hoga::wire {

namespace {

using Coin = hoga_wire_coin;

constexpr NumberField<Coin> coin_fields[] = {
    {"opening_price", &Coin::opening_price},
    {"closing_price", &Coin::closing_price},
    {"min_price", &Coin::min_price},
    {"max_price", &Coin::max_price},
    {"units_traded", &Coin::units_traded},
    {"acc_trade_value", &Coin::acc_trade_value},
    {"prev_closing_price", &Coin::prev_closing_price},
    {"units_traded_24H", &Coin::units_traded_24h},
    {"acc_trade_value_24H", &Coin::acc_trade_value_24h},
    {"fluctate_24H", &Coin::fluctate_24h},
    {"fluctate_rate_24H", &Coin::fluctate_rate_24h},
};

error_code read_fields(ondemand::object &object, hoga_wire_reader &reader, Coin &coin) {
    NumberFields fields{coin_fields};
    const error_code error = each_field(
        object, [&](std::string_view key, ondemand::value value) -> error_code {
            bool is_known = false;
            if (const auto error = fields.read(key, value, coin, is_known)) return error;
            return is_known ? simdjson::SUCCESS : walk(value);
        });
    const Fault fault = fields.fault(coin, false);
    coin.fault = fault.fault;
    coin.fault_field = reader.keep(fault.field);
    return error;
}

/// Reads one entry of `data`: the numbers of a coin, the mark of a suspended one, or a fault.
error_code read_coin(ondemand::value value, hoga_wire_reader &reader, Coin &coin) {
    const std::string_view token = value.raw_json_token();
    const char start = token.empty() ? '\0' : token.front();
    if (start == '{') {
        ondemand::object object;
        if (const auto error = value.get_object().get(object)) return error;
        return read_fields(object, reader, coin);
    }
    coin.fault = hoga_wire_fault_not_an_object;
    if (start == '[') {
        ondemand::array array;
        bool is_empty = false;
        if (const auto error = value.get_array().get(array)) return error;
        if (const auto error = array.is_empty().get(is_empty)) return error;
        if (is_empty) {
            coin.fault = hoga_wire_fault_none;
            coin.is_empty_list = 1;
            return simdjson::SUCCESS;
        }
        for (auto result : array) {
            ondemand::value element;
            if (const auto error = std::move(result).get(element)) return error;
            if (const auto error = walk(element)) return error;
        }
        return simdjson::SUCCESS;
    }
    Scalar scalar{};
    return read_scalar(value, scalar);
}

/// An unreadable date counts as absent; the response is valid without it.
error_code read_date(ondemand::value value, int64_t &milliseconds) noexcept {
    hoga_wire_fault fault = hoga_wire_fault_none;
    return read_unix_time(value, milliseconds, fault);
}

error_code read_coins(
    ondemand::value data, hoga_wire_reader &reader, hoga_wire_body &body,
    std::string_view &wrong) {
    std::vector<Coin> &coins = reader.coins;
    ondemand::object object;
    if (const auto error = data.get_object().get(object)) return error;
    return each_field(
        object, [&](std::string_view key, ondemand::value entry) -> error_code {
            if (key == "date") return read_date(entry, body.date_milliseconds);
            if (coins.size() == HOGA_WIRE_COINS_MAX) {
                wrong = too_many_entries;
                return walk(entry);
            }
            Coin &coin = coins.emplace_back();
            if (const auto error = read_coin(entry, reader, coin)) return error;
            coin.key = reader.keep(key, HOGA_WIRE_NAME_BYTES_MAX);
            const bool is_long = key.size() > HOGA_WIRE_NAME_BYTES_MAX;
            if (is_long || key.empty()) {
                coin.fault = is_long ? hoga_wire_fault_name_too_long : hoga_wire_fault_not_a_text;
                coin.fault_field = reader.keep("the key");
            }
            return simdjson::SUCCESS;
        });
}

}  // namespace

const DataReading ticker_all_reading{'{', read_coins};

}  // namespace hoga::wire
