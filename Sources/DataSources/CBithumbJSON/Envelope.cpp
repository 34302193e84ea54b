#include "Envelope.hpp"

#include <cstring>

namespace hoga::wire {

namespace {

struct Envelope {
    bool has_status = false;
    std::string_view status;
    std::string_view message;
    /// Why `data` is not as documented; empty if it is.
    std::string_view wrong_data = "data is missing";
    hoga_wire_body body{};
};

error_code read_data(
    const DataReading &reading, ondemand::value value, hoga_wire_reader &reader,
    Envelope &envelope) {
    reader.clear();
    envelope.body = {};
    envelope.wrong_data = {};
    const std::string_view token = value.raw_json_token();
    if (!token.empty() && token.front() == reading.start) {
        return reading.read(value, reader, envelope.body, envelope.wrong_data);
    }
    Scalar scalar{};
    if (const auto error = read_scalar(value, scalar)) return error;
    const bool is_null = scalar.kind == Scalar::Kind::null;
    const bool is_object_due = reading.start == '{';
    envelope.wrong_data = is_null ? "data is missing"
        : is_object_due           ? "data is not an object"
                                  : "data is not a list";
    return simdjson::SUCCESS;
}

error_code read_envelope(
    const DataReading &reading, ondemand::document &document, hoga_wire_reader &reader,
    Envelope &envelope) {
    ondemand::object root;
    if (const auto error = document.get_object().get(root)) return error;
    const error_code error = each_field(
        root, [&](std::string_view key, ondemand::value value) -> error_code {
            if (key == "data") return read_data(reading, value, reader, envelope);
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

error_code open(
    hoga_wire_reader &reader, const uint8_t *bytes, size_t length, ondemand::document &document) {
    if (length > HOGA_WIRE_TEXT_BYTES_MAX) return simdjson::CAPACITY;
    uint8_t *const text = reader.padded(length);
    if (length != 0) std::memcpy(text, bytes, length);
    std::memset(text + length, 0, simdjson::SIMDJSON_PADDING);
    return reader.parser.iterate(text, length, reader.padded_capacity()).get(document);
}

/// The codes of API 1.x have four digits, those of API 2.x are one or two words; they are shown to
/// users.
constexpr size_t status_bytes_max = HOGA_WIRE_NAME_BYTES_MAX;
/// The exchange's messages are one sentence.
constexpr size_t message_bytes_max = 1024;

hoga_wire_body refusal(
    hoga_wire_reader &reader, std::string_view status, std::string_view message) {
    hoga_wire_body body{};
    body.outcome = hoga_wire_outcome_refused;
    body.status = reader.keep(status, status_bytes_max);
    body.message = reader.keep(message, message_bytes_max);
    return body;
}

hoga_wire_body malformed(hoga_wire_reader &reader, std::string_view why) {
    hoga_wire_body body{};
    body.outcome = hoga_wire_outcome_malformed;
    body.malformed_reason = reader.keep(why);
    return body;
}

}  // namespace

hoga_wire_body read_body(
    const DataReading &reading, hoga_wire_reader &reader, const uint8_t *bytes, size_t length) {
    reader.clear();
    Envelope envelope;
    ondemand::document document;
    error_code error = open(reader, bytes, length, document);
    if (!error) error = read_envelope(reading, document, reader, envelope);
    if (!error && envelope.has_status && envelope.status == "0000" && envelope.wrong_data.empty()) {
        envelope.body.outcome = hoga_wire_outcome_success;
        return envelope.body;
    }
    reader.clear();
    if (error) return malformed(reader, reason(error));
    if (!envelope.has_status) return malformed(reader, "status is missing");
    if (envelope.status == "0000") return malformed(reader, envelope.wrong_data);
    return refusal(reader, envelope.status, envelope.message);
}

error_code read_words(ondemand::object &object, Words &words, bool is_wrapped) {
    return each_field(object, [&](std::string_view key, ondemand::value value) -> error_code {
        if (key == "error" && !is_wrapped) {
            ondemand::object inner;
            bool is_object = false;
            if (const auto error = open_object(value, inner, is_object)) return error;
            return is_object ? read_words(inner, words, true) : simdjson::SUCCESS;
        }
        const bool is_name = key == "name" || key == "status";
        if (!is_name && key != "message") return walk(value);
        Scalar scalar{};
        if (const auto error = read_scalar(value, scalar)) return error;
        if (!scalar.is_text_or_number()) return simdjson::SUCCESS;
        (is_name ? words.name : words.message) = scalar.text;
        // The status of a success is not an error name.
        words.has_name = words.has_name || (is_name && scalar.text != "0000");
        return simdjson::SUCCESS;
    });
}

namespace {

constexpr std::string_view neither = "the body is neither a list nor an error";

}  // namespace

hoga_wire_body read_list(
    const ListReading &reading, hoga_wire_reader &reader, const uint8_t *bytes, size_t length) {
    reader.clear();
    ondemand::document document;
    if (const auto error = open(reader, bytes, length, document)) {
        return malformed(reader, reason(error));
    }
    ondemand::array list;
    error_code error = document.get_array().get(list);
    if (!error) {
        hoga_wire_body body{};
        std::string_view wrong;
        error = reading.read(list, reader, body, wrong);
        if (!error) error = check_end(document);
        if (!error && wrong.empty()) return body;
        reader.clear();
        return malformed(reader, error ? reason(error) : wrong);
    }
    ondemand::object object;
    if (error == simdjson::INCORRECT_TYPE) error = document.get_object().get(object);
    if (error == simdjson::INCORRECT_TYPE) return malformed(reader, neither);
    Words words;
    if (!error) error = read_words(object, words);
    if (!error) error = check_end(document);
    if (error) return malformed(reader, reason(error));
    return words.has_name ? refusal(reader, words.name, words.message)
                          : malformed(reader, neither);
}

namespace {

hoga_wire_body read_kind(
    hoga_wire_body_kind kind, hoga_wire_reader &reader, const uint8_t *bytes, size_t length) {
    const auto enveloped = [&](const DataReading &reading) {
        return read_body(reading, reader, bytes, length);
    };
    const auto bare = [&](const ListReading &reading) {
        return read_list(reading, reader, bytes, length);
    };
    switch (kind) {
    case hoga_wire_body_kind_ticker_all: return enveloped(ticker_all_reading);
    case hoga_wire_body_kind_order_book: return enveloped(order_book_reading);
    case hoga_wire_body_kind_trade_history: return enveloped(trade_history_reading);
    case hoga_wire_body_kind_candles: return enveloped(candles_reading);
    case hoga_wire_body_kind_asset_statuses: return enveloped(asset_statuses_reading);
    case hoga_wire_body_kind_market_names: return bare(market_names_reading);
    case hoga_wire_body_kind_market_alerts: return bare(market_alerts_reading);
    case hoga_wire_body_kind_market_tickers: return bare(market_tickers_reading);
    case hoga_wire_body_kind_market_books: return bare(market_books_reading);
    case hoga_wire_body_kind_market_trades: return bare(market_trades_reading);
    case hoga_wire_body_kind_market_candles: return bare(market_candles_reading);
    }
    return enveloped(ticker_all_reading);
}

}  // namespace

}  // namespace hoga::wire

extern "C" int hoga_wire_read_body(
    hoga_wire_reader *reader, hoga_wire_body_kind kind, const uint8_t *bytes, size_t length,
    hoga_wire_body *body) {
    try {
        *body = hoga::wire::read_kind(kind, *reader, bytes, length);
        return 1;
    } catch (...) {
        return 0;
    }
}
