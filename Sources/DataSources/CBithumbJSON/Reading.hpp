// Strict reading of simdjson's on-demand values, shared by both readers.
//
// On-demand skips unread values without checking them. Here every value is read or walked, so a
// text is either complete JSON or malformed. Every function returns simdjson's error code for
// broken JSON; after an error nothing more may be read. Returned texts are valid until the parser
// reads another document or rewinds this one.
#pragma once

#define SIMDJSON_EXCEPTIONS 0
#include <simdjson.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "CBithumbJSON.h"

namespace hoga::wire {

namespace ondemand = simdjson::ondemand;
using simdjson::error_code;

/// A value in its spelling.
struct Scalar {
    /// `rubbish` is a bare word outside of JSON, such as NaN.
    enum class Kind { text, number, null, boolean, container, rubbish };
    Kind kind;
    /// The unescaped string, or the token; empty for containers.
    std::string_view text;

    bool is_text_or_number() const noexcept { return kind == Kind::text || kind == Kind::number; }
};

/// The length of a string before its closing quote; false if it holds an escape.
inline bool plain_length(const char *text, size_t &length) noexcept {
    // The parser's first stage refused unclosed strings, so a quote follows.
    size_t index = 0;
    while (text[index] != '"' && text[index] != '\\') ++index;
    length = index;
    return text[index] == '"';
}

/// Skips a text at `at`; false if another one is there.
template <size_t size>
bool take(const char *&at, const char (&text)[size]) noexcept {
    // Padding follows the text, so comparing never leaves the reader's memory.
    static_assert(size <= simdjson::SIMDJSON_PADDING);
    if (std::memcmp(at, text, size - 1) != 0) return false;
    at += size - 1;
    return true;
}

/// Reads any value: the text of a scalar, or a container, which is walked. Rubbish is an error.
error_code read_scalar(ondemand::value value, Scalar &scalar) noexcept;

/// Walks an unread value and checks that it is JSON, at most `depth` levels deep.
error_code walk(ondemand::value value, int depth = HOGA_WIRE_NESTING_MAX) noexcept;

/// Reads a number that is text or bare; absent (`is_present` 0) when null.
///
/// Rubbish is a fault of the field only: a server may write NaN for one coin.
error_code read_number(
    ondemand::value value, hoga_wire_decimal &out, hoga_wire_fault &fault) noexcept;

/// Reads a symbol or code: text or a bare number, not empty, of limited length.
error_code read_name(
    ondemand::value value, std::string_view &name, hoga_wire_fault &fault) noexcept;

/// Opens an object; any other value is walked, and `is_object` is false.
error_code open_object(ondemand::value value, ondemand::object &object, bool &is_object) noexcept;

/// Opens a list; any other value is walked, and `is_list` is false.
error_code open_list(ondemand::value value, ondemand::array &list, bool &is_list) noexcept;

/// Reads a positive integer, text or bare; else `not_a_time`, because all such numbers of the
/// protocol are times.
error_code read_unix_time(
    ondemand::value value, int64_t &time, hoga_wire_fault &fault) noexcept;

/// Calls `visit(key, value)` for every field of an object in the order of the wire.
///
/// `visit` returns an error code and must read or walk the value.
template <typename Visit>
error_code each_field(ondemand::object &object, Visit &&visit) {
    for (auto result : object) {
        ondemand::field field;
        if (const auto error = std::move(result).get(field)) return error;
        const char *const raw = field.key().raw();
        size_t length = 0;
        std::string_view key;
        if (plain_length(raw, length)) {
            key = {raw, length};
        } else if (const auto error = field.unescaped_key().get(key)) {
            return error;
        }
        if (const error_code error = visit(key, field.value())) return error;
    }
    return simdjson::SUCCESS;
}

/// Calls `visit(value)` for every element of a list in the order of the wire, up to
/// `entries_max`; further ones are walked. `count` is the number of all elements.
template <typename Visit>
error_code each_element(
    ondemand::array &array, size_t entries_max, size_t &count, Visit &&visit) {
    count = 0;
    for (auto result : array) {
        ondemand::value element;
        if (const auto error = std::move(result).get(element)) return error;
        const error_code error = ++count > entries_max ? walk(element) : visit(element);
        if (error) return error;
    }
    return simdjson::SUCCESS;
}

/// Whether the document was read to its last byte.
inline error_code check_end(ondemand::document &document) noexcept {
    const bool is_at_end = document.current_location().error() == simdjson::OUT_OF_BOUNDS;
    return is_at_end ? simdjson::SUCCESS : simdjson::TRAILING_CONTENT;
}

/// A name field; missing until it is read.
struct Name {
    std::string_view text;
    hoga_wire_fault fault = hoga_wire_fault_missing;

    error_code read(ondemand::value value) noexcept { return read_name(value, text, fault); }
};

/// A Unix time field; missing until it is read.
struct UnixTime {
    int64_t value = 0;
    hoga_wire_fault fault = hoga_wire_fault_missing;

    error_code read(ondemand::value other) noexcept { return read_unix_time(other, value, fault); }
};

/// The fault of an entry or of one of its fields.
struct Fault {
    hoga_wire_fault fault = hoga_wire_fault_none;
    std::string_view field;

    bool is_none() const noexcept { return fault == hoga_wire_fault_none; }

    /// Stores the first reported fault.
    void note(hoga_wire_fault other, std::string_view name) noexcept {
        if (fault != hoga_wire_fault_none || other == hoga_wire_fault_none) return;
        fault = other;
        field = name;
    }

    void note(Fault other) noexcept { note(other.fault, other.field); }
};

/// The fault of a required number.
inline hoga_wire_fault required(const hoga_wire_decimal &number, hoga_wire_fault fault) noexcept {
    const bool is_absent = fault == hoga_wire_fault_none && number.is_present == 0;
    return is_absent ? hoga_wire_fault_missing : fault;
}

/// A numeric field of a struct: its key on the wire and its member.
template <typename Record>
struct NumberField {
    std::string_view key;
    hoga_wire_decimal Record::*place;
};

/// Finds keys among the known ones. The exchange writes fields in a fixed order, so the key after
/// the last found one is tried first.
class KeyOrder {
  public:
    /// The index of the key; `count` for an unknown one.
    template <typename Field, size_t count>
    size_t find(const Field (&fields)[count], std::string_view key) noexcept {
        for (size_t step = 0; step < count; ++step) {
            size_t index = expected + step;
            if (index >= count) index -= count;
            if (text(fields[index]) != key) continue;
            expected = index + 1 < count ? index + 1 : 0;
            return index;
        }
        return count;
    }

  private:
    static std::string_view text(std::string_view key) noexcept { return key; }
    template <typename Record>
    static std::string_view text(const NumberField<Record> &field) noexcept { return field.key; }

    size_t expected = 0;
};

/// Reads the numeric fields of one object and stores faults: of equal keys the last counts.
template <typename Record, size_t count>
class NumberFields {
  public:
    explicit NumberFields(const NumberField<Record> (&fields)[count]) noexcept : fields{fields} {}

    /// Reads the value if its key is one of the fields.
    error_code read(
        std::string_view key, ondemand::value value, Record &record, bool &is_known) noexcept {
        const size_t index = order.find(fields, key);
        is_known = index < count;
        return is_known ? read_at(index, value, record) : simdjson::SUCCESS;
    }

    /// Reads the value of the field with this index.
    error_code read_at(size_t index, ondemand::value value, Record &record) noexcept {
        return read_number(value, record.*(fields[index].place), faults[index]);
    }

    /// The first fault in the order of the fields. A required field without a number is a fault.
    Fault fault(const Record &record, bool are_required) const noexcept {
        for (size_t index = 0; index < count; ++index) {
            const hoga_wire_fault fault =
                are_required ? required(record.*(fields[index].place), faults[index])
                             : faults[index];
            if (fault != hoga_wire_fault_none) return {fault, fields[index].key};
        }
        return {};
    }

  private:
    const NumberField<Record> (&fields)[count];
    hoga_wire_fault faults[count] = {};
    KeyOrder order;
};

}  // namespace hoga::wire

/// A parser, its padded text, and the memory of its last result.
struct hoga_wire_reader {
    simdjson::ondemand::parser parser{HOGA_WIRE_TEXT_BYTES_MAX};

    std::vector<hoga_wire_coin> coins;

    std::vector<hoga_wire_message> messages;
    std::vector<hoga_wire_stream_ticker> tickers;
    std::vector<hoga_wire_market_ticker> market_tickers;
    std::vector<hoga_wire_trade> trades;
    std::vector<hoga_wire_candle> candles;
    std::vector<hoga_wire_asset> assets;
    std::vector<hoga_wire_market_name> market_names;
    std::vector<hoga_wire_market_alert> market_alerts;
    std::vector<hoga_wire_level> levels;
    std::vector<hoga_wire_depth> depths;
    std::vector<hoga_wire_book> books;
    std::vector<hoga_wire_note> notes;
    std::string texts;

    /// Forgets the last result and reuses its memory.
    void clear() noexcept;

    /// Copies at most `bytes_max` bytes of a text into the result, whole characters only.
    hoga_wire_text keep(std::string_view text, size_t bytes_max = SIZE_MAX);

    /// Allocates `length` bytes and the padding that simdjson reads after a text.
    uint8_t *padded(size_t length);
    /// The allocated bytes of `padded`, padding included.
    size_t padded_capacity() const noexcept { return text.size(); }

  private:
    std::vector<uint8_t> text;
};
