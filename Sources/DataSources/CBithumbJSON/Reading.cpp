#include "Reading.hpp"

#include "Decimal.hpp"

namespace hoga::wire {

namespace {

/// A token extends to the next one; trailing blanks are not part of it.
std::string_view without_blanks(std::string_view token) noexcept {
    const size_t last = token.find_last_not_of(" \t\n\r");
    return token.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

error_code read_text(ondemand::value &value, std::string_view &text) noexcept {
    // The token is the whole string, so its content is not searched for tokens.
    const std::string_view token = value.raw_json_token();
    size_t length = 0;
    if (plain_length(token.data() + 1, length)) {
        text = {token.data() + 1, length};
        return value.get_raw_json_string().error();
    }
    return value.get_string().get(text);
}

/// Reads any value, rubbish included.
error_code read_spelling(ondemand::value value, Scalar &scalar) noexcept {
    const std::string_view token = value.raw_json_token();
    scalar = {Scalar::Kind::rubbish, {}};
    switch (token.empty() ? '\0' : token.front()) {
    case '"':
        scalar.kind = Scalar::Kind::text;
        return read_text(value, scalar.text);
    case '{':
    case '[':
        scalar.kind = Scalar::Kind::container;
        return walk(value);
    // A value is due here, so a delimiter means broken JSON.
    case '}':
    case ']':
    case ',':
    case ':':
    case '\0':
        return simdjson::TAPE_ERROR;
    default:
        break;
    }
    scalar.text = without_blanks(token);
    if (scalar.text == "null") {
        scalar.kind = Scalar::Kind::null;
    } else if (scalar.text == "true" || scalar.text == "false") {
        scalar.kind = Scalar::Kind::boolean;
    } else if (is_json_number(scalar.text)) {
        scalar.kind = Scalar::Kind::number;
    }
    return simdjson::SUCCESS;
}

}  // namespace

error_code read_scalar(ondemand::value value, Scalar &scalar) noexcept {
    if (const auto error = read_spelling(value, scalar)) return error;
    return scalar.kind == Scalar::Kind::rubbish ? simdjson::TAPE_ERROR : simdjson::SUCCESS;
}

error_code walk(ondemand::value value, int depth) noexcept {
    if (depth == 0) return simdjson::DEPTH_ERROR;
    const std::string_view token = value.raw_json_token();
    switch (token.empty() ? '\0' : token.front()) {
    case '"': {
        std::string_view text;
        return value.get_string().get(text);
    }
    case '{': {
        ondemand::object object;
        if (const auto error = value.get_object().get(object)) return error;
        for (auto result : object) {
            ondemand::field field;
            if (const auto error = std::move(result).get(field)) return error;
            std::string_view key;
            if (const auto error = field.unescaped_key().get(key)) return error;
            if (const auto error = walk(field.value(), depth - 1)) return error;
        }
        return simdjson::SUCCESS;
    }
    case '[': {
        ondemand::array array;
        if (const auto error = value.get_array().get(array)) return error;
        for (auto result : array) {
            ondemand::value element;
            if (const auto error = std::move(result).get(element)) return error;
            if (const auto error = walk(element, depth - 1)) return error;
        }
        return simdjson::SUCCESS;
    }
    default: {
        const std::string_view atom = without_blanks(token);
        const bool is_value =
            atom == "null" || atom == "true" || atom == "false" || is_json_number(atom);
        return is_value ? simdjson::SUCCESS : simdjson::TAPE_ERROR;
    }
    }
}

error_code read_number(
    ondemand::value value, hoga_wire_decimal &out, hoga_wire_fault &fault) noexcept {
    fault = hoga_wire_fault_none;
    const std::string_view token = value.raw_json_token();
    if (!token.empty() && token.front() == '"') {
        const char *const end = read_usual_decimal(token.data() + 1, out);
        if (end != nullptr && *end == '"') return value.get_raw_json_string().error();
    }
    Scalar scalar{};
    out = {};
    if (const auto error = read_spelling(value, scalar)) return error;
    if (scalar.is_text_or_number()) {
        fault = read_decimal(scalar.text, out);
    } else if (scalar.kind != Scalar::Kind::null) {
        fault = hoga_wire_fault_not_a_number;
    }
    return simdjson::SUCCESS;
}

error_code open_object(ondemand::value value, ondemand::object &object, bool &is_object) noexcept {
    const std::string_view token = value.raw_json_token();
    is_object = !token.empty() && token.front() == '{';
    if (is_object) return value.get_object().get(object);
    Scalar scalar{};
    return read_scalar(value, scalar);
}

error_code open_list(ondemand::value value, ondemand::array &list, bool &is_list) noexcept {
    const std::string_view token = value.raw_json_token();
    is_list = !token.empty() && token.front() == '[';
    if (is_list) return value.get_array().get(list);
    Scalar scalar{};
    return read_scalar(value, scalar);
}

error_code read_unix_time(ondemand::value value, int64_t &time, hoga_wire_fault &fault) noexcept {
    hoga_wire_decimal number{};
    time = 0;
    if (const auto error = read_number(value, number, fault)) return error;
    if (fault != hoga_wire_fault_none) return simdjson::SUCCESS;
    if (number.is_present == 0) {
        fault = hoga_wire_fault_missing;
    } else if (number.scale != 0 || number.high != 0 || number.low > INT64_MAX || number.low == 0) {
        fault = hoga_wire_fault_not_a_time;
    } else {
        time = static_cast<int64_t>(number.low);
    }
    return simdjson::SUCCESS;
}

error_code read_name(
    ondemand::value value, std::string_view &name, hoga_wire_fault &fault) noexcept {
    Scalar scalar{};
    name = {};
    fault = hoga_wire_fault_none;
    if (const auto error = read_scalar(value, scalar)) return error;
    if (scalar.kind == Scalar::Kind::null) {
        fault = hoga_wire_fault_missing;
    } else if (!scalar.is_text_or_number() || scalar.text.empty()) {
        fault = hoga_wire_fault_not_a_text;
    } else if (scalar.text.size() > HOGA_WIRE_NAME_BYTES_MAX) {
        fault = hoga_wire_fault_name_too_long;
    } else {
        name = scalar.text;
    }
    return simdjson::SUCCESS;
}

}  // namespace hoga::wire

void hoga_wire_reader::clear() noexcept {
    coins.clear();
    messages.clear();
    tickers.clear();
    market_tickers.clear();
    trades.clear();
    candles.clear();
    assets.clear();
    market_names.clear();
    market_alerts.clear();
    levels.clear();
    depths.clear();
    books.clear();
    notes.clear();
    texts.clear();
}

hoga_wire_text hoga_wire_reader::keep(std::string_view text, size_t bytes_max) {
    size_t length = text.size();
    if (length > bytes_max) {
        length = bytes_max;
        // A byte 10xxxxxx continues a character that began before it.
        while (length != 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) --length;
    }
    const auto offset = static_cast<uint32_t>(texts.size());
    texts.append(text.data(), length);
    return {offset, static_cast<uint32_t>(length)};
}

uint8_t *hoga_wire_reader::padded(size_t length) {
    // Returns the memory of a large text.
    constexpr size_t kept_bytes_max = 8 * 1024 * 1024;
    const size_t needed = length + simdjson::SIMDJSON_PADDING;
    if (text.size() > kept_bytes_max && needed <= kept_bytes_max) std::vector<uint8_t>().swap(text);
    if (text.size() < needed) text.resize(needed);
    return text.data();
}

extern "C" hoga_wire_reader *hoga_wire_reader_create(void) {
    try {
        return new hoga_wire_reader();
    } catch (...) {
        return nullptr;
    }
}

extern "C" void hoga_wire_reader_free(hoga_wire_reader *reader) { delete reader; }

extern "C" hoga_wire_arrays hoga_wire_reader_arrays(const hoga_wire_reader *reader) {
    return {
        reader->coins.data(),
        reader->coins.size(),
        reader->messages.data(),
        reader->messages.size(),
        reader->tickers.data(),
        reader->tickers.size(),
        reader->market_tickers.data(),
        reader->market_tickers.size(),
        reader->trades.data(),
        reader->trades.size(),
        reader->candles.data(),
        reader->candles.size(),
        reader->assets.data(),
        reader->assets.size(),
        reader->market_names.data(),
        reader->market_names.size(),
        reader->market_alerts.data(),
        reader->market_alerts.size(),
        reader->levels.data(),
        reader->levels.size(),
        reader->depths.data(),
        reader->depths.size(),
        reader->books.data(),
        reader->books.size(),
        reader->notes.data(),
        reader->notes.size(),
        reinterpret_cast<const uint8_t *>(reader->texts.data()),
        reader->texts.size(),
    };
}
