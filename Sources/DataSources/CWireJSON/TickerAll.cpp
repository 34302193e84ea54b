// `ticker/ALL_…`: an envelope, and in it a map from coin codes to objects with one foreign key.

#include <cstring>

#include "Decimal.hpp"
#include "Reading.hpp"

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

/// Why a body that is JSON is not the answer the protocol describes.
enum class Shape { as_described, no_status, data_missing, data_wrong, too_many };

struct Envelope {
    Shape data_shape = Shape::data_missing;
    bool has_status = false;
    std::string_view status;
    std::string_view message;
    int64_t date_milliseconds = 0;
};

error_code read_fields(ondemand::object &object, hoga_wire_reader &reader, Coin &coin) {
    NumberFields fields{coin_fields};
    const error_code error = each_field(
        object, [&](std::string_view key, ondemand::value value) -> error_code {
            bool is_known = false;
            if (const auto error = fields.read(key, value, coin, is_known)) return error;
            return is_known ? simdjson::SUCCESS : walk(value);
        });
    std::string_view field;
    coin.fault = fields.fault(coin, false, field);
    coin.fault_field = reader.keep(field);
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

error_code read_date(ondemand::value value, int64_t &milliseconds) noexcept {
    hoga_wire_decimal number{};
    hoga_wire_fault fault = hoga_wire_fault_none;
    milliseconds = 0;
    if (const auto error = read_number(value, number, fault)) return error;
    const bool is_whole_and_positive = fault == hoga_wire_fault_none && number.is_present != 0
        && number.scale == 0 && number.high == 0 && number.low <= INT64_MAX;
    if (is_whole_and_positive) milliseconds = static_cast<int64_t>(number.low);
    return simdjson::SUCCESS;
}

error_code read_data(ondemand::value value, hoga_wire_reader &reader, Envelope &envelope) {
    std::vector<Coin> &coins = reader.coins;
    coins.clear();
    envelope.date_milliseconds = 0;
    const std::string_view token = value.raw_json_token();
    if (token.empty() || token.front() != '{') {
        Scalar scalar{};
        if (const auto error = read_scalar(value, scalar)) return error;
        const bool is_null = scalar.kind == Scalar::Kind::null;
        envelope.data_shape = is_null ? Shape::data_missing : Shape::data_wrong;
        return simdjson::SUCCESS;
    }
    ondemand::object object;
    if (const auto error = value.get_object().get(object)) return error;
    envelope.data_shape = Shape::as_described;
    return each_field(
        object, [&](std::string_view key, ondemand::value entry) -> error_code {
            if (key == "date") return read_date(entry, envelope.date_milliseconds);
            if (coins.size() == HOGA_WIRE_COINS_MAX) {
                envelope.data_shape = Shape::too_many;
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

error_code read_envelope(
    ondemand::document &document, hoga_wire_reader &reader, Envelope &envelope) {
    ondemand::object root;
    if (const auto error = document.get_object().get(root)) return error;
    const error_code error = each_field(
        root, [&](std::string_view key, ondemand::value value) -> error_code {
            if (key == "data") return read_data(value, reader, envelope);
            if (key != "status" && key != "message") return walk(value);
            Scalar scalar{};
            if (const auto error = read_scalar(value, scalar)) return error;
            const bool is_text = scalar.is_text_or_number();
            if (key == "message") {
                envelope.message = is_text ? scalar.text : std::string_view{};
            } else {
                envelope.has_status = is_text;
                envelope.status = scalar.text;
            }
            return simdjson::SUCCESS;
        });
    return error ? error : check_end(document);
}

std::string_view reason(error_code error) noexcept {
    switch (error) {
    case simdjson::EMPTY: return "the body is empty";
    case simdjson::UTF8_ERROR: return "the body is not UTF-8";
    case simdjson::CAPACITY: return "the body is too long";
    case simdjson::DEPTH_ERROR: return "the body nests too deeply";
    case simdjson::INCORRECT_TYPE: return "the body is not a JSON object";
    case simdjson::INCOMPLETE_ARRAY_OR_OBJECT:
    case simdjson::UNCLOSED_STRING: return "the body is cut short, or not JSON";
    default: return "the body is not JSON";
    }
}

std::string_view reason(Shape shape) noexcept {
    switch (shape) {
    case Shape::as_described: return {};
    case Shape::no_status: return "status is missing";
    case Shape::data_missing: return "data is missing";
    case Shape::data_wrong: return "data is not an object";
    case Shape::too_many: return "data has too many entries";
    }
    return {};
}

error_code parse(
    hoga_wire_reader &reader, const uint8_t *bytes, size_t length, Envelope &envelope) {
    if (length > HOGA_WIRE_TEXT_BYTES_MAX) return simdjson::CAPACITY;
    uint8_t *const text = reader.padded(length);
    if (length != 0) std::memcpy(text, bytes, length);
    std::memset(text + length, 0, simdjson::SIMDJSON_PADDING);
    ondemand::document document;
    const error_code error =
        reader.parser.iterate(text, length, reader.padded_capacity()).get(document);
    return error ? error : read_envelope(document, reader, envelope);
}

/// What the exchange's codes have is four digits; whatever stands there is shown to people.
constexpr size_t status_bytes_max = 16;
/// The exchange's messages are one sentence.
constexpr size_t message_bytes_max = 1024;

hoga_wire_ticker_all read(hoga_wire_reader &reader, const uint8_t *bytes, size_t length) {
    reader.clear();
    hoga_wire_ticker_all answer{};
    Envelope envelope;
    const error_code error = parse(reader, bytes, length, envelope);
    const Shape shape = envelope.has_status ? envelope.data_shape : Shape::no_status;
    if (!error && envelope.has_status && envelope.status != "0000") {
        reader.coins.clear();
        answer.outcome = hoga_wire_outcome_refused;
        answer.status = reader.keep(envelope.status, status_bytes_max);
        answer.message = reader.keep(envelope.message, message_bytes_max);
    } else if (error || shape != Shape::as_described) {
        reader.coins.clear();
        answer.outcome = hoga_wire_outcome_malformed;
        answer.malformed_reason = reader.keep(error ? reason(error) : reason(shape));
    } else {
        answer.outcome = hoga_wire_outcome_success;
        answer.date_milliseconds = envelope.date_milliseconds;
    }
    return answer;
}

}  // namespace

}  // namespace hoga::wire

extern "C" int hoga_wire_read_ticker_all(
    hoga_wire_reader *reader, const uint8_t *bytes, size_t length, hoga_wire_ticker_all *answer) {
    try {
        *answer = hoga::wire::read(*reader, bytes, length);
        return 1;
    } catch (...) {
        return 0;
    }
}
