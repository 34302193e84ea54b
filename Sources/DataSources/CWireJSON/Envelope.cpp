#include "Envelope.hpp"

#include <cstring>

namespace hoga::wire {

namespace {

struct Envelope {
    bool has_status = false;
    std::string_view status;
    std::string_view message;
    /// Why `data` is not as the protocol describes it; empty when it is.
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

error_code parse(
    const DataReading &reading, hoga_wire_reader &reader, const uint8_t *bytes, size_t length,
    Envelope &envelope) {
    if (length > HOGA_WIRE_TEXT_BYTES_MAX) return simdjson::CAPACITY;
    uint8_t *const text = reader.padded(length);
    if (length != 0) std::memcpy(text, bytes, length);
    std::memset(text + length, 0, simdjson::SIMDJSON_PADDING);
    ondemand::document document;
    const error_code error =
        reader.parser.iterate(text, length, reader.padded_capacity()).get(document);
    return error ? error : read_envelope(reading, document, reader, envelope);
}

/// What the exchange's codes have is four digits; whatever stands there is shown to people.
constexpr size_t status_bytes_max = 16;
/// The exchange's messages are one sentence.
constexpr size_t message_bytes_max = 1024;

}  // namespace

hoga_wire_body read_body(
    const DataReading &reading, hoga_wire_reader &reader, const uint8_t *bytes, size_t length) {
    reader.clear();
    Envelope envelope;
    const error_code error = parse(reading, reader, bytes, length, envelope);
    if (!error && envelope.has_status && envelope.status == "0000" && envelope.wrong_data.empty()) {
        envelope.body.outcome = hoga_wire_outcome_success;
        return envelope.body;
    }
    reader.clear();
    hoga_wire_body body{};
    if (!error && envelope.has_status && envelope.status != "0000") {
        body.outcome = hoga_wire_outcome_refused;
        body.status = reader.keep(envelope.status, status_bytes_max);
        body.message = reader.keep(envelope.message, message_bytes_max);
    } else {
        const std::string_view wrong =
            envelope.has_status ? envelope.wrong_data : "status is missing";
        body.outcome = hoga_wire_outcome_malformed;
        body.malformed_reason = reader.keep(error ? reason(error) : wrong);
    }
    return body;
}

namespace {

const DataReading &reading_of(hoga_wire_body_kind kind) noexcept {
    switch (kind) {
    case hoga_wire_body_kind_ticker_all: return ticker_all_reading;
    case hoga_wire_body_kind_order_book: return order_book_reading;
    case hoga_wire_body_kind_trade_history: return trade_history_reading;
    case hoga_wire_body_kind_candles: return candles_reading;
    }
    return ticker_all_reading;
}

}  // namespace

}  // namespace hoga::wire

extern "C" int hoga_wire_read_body(
    hoga_wire_reader *reader, hoga_wire_body_kind kind, const uint8_t *bytes, size_t length,
    hoga_wire_body *body) {
    try {
        *body = hoga::wire::read_body(hoga::wire::reading_of(kind), *reader, bytes, length);
        return 1;
    } catch (...) {
        return 0;
    }
}
