// What REST answers have around their data: the envelope of API 1.x; nothing in API 2.x, whose
// errors have a form of their own.
#pragma once

#include "Reading.hpp"

namespace hoga::wire {

/// One kind of answer: how the value of `data` is read into the reader's arrays.
struct DataReading {
    /// The first byte of `data`, '{' or '['.
    char start;
    /// Reads `data`. When it is JSON but not as the protocol describes it, `wrong` is set to the
    /// reason: a constant, good for ever.
    error_code (*read)(
        ondemand::value data, hoga_wire_reader &reader, hoga_wire_body &body,
        std::string_view &wrong);
};

/// Reads a whole answer. One that is not JSON from its first byte to its last is malformed.
hoga_wire_body read_body(
    const DataReading &reading, hoga_wire_reader &reader, const uint8_t *bytes, size_t length);

extern const DataReading ticker_all_reading;
extern const DataReading order_book_reading;
extern const DataReading trade_history_reading;
extern const DataReading candles_reading;
extern const DataReading asset_statuses_reading;

/// One kind of answer of API 2.x: a list without anything around it.
struct ListReading {
    /// Reads the list, as `DataReading` does.
    error_code (*read)(
        ondemand::array list, hoga_wire_reader &reader, hoga_wire_body &body,
        std::string_view &wrong);
};

/// Reads a whole answer of API 2.x. An error of it is an object with `name` and `message`, bare or
/// in the field `error`.
hoga_wire_body read_list(
    const ListReading &reading, hoga_wire_reader &reader, const uint8_t *bytes, size_t length);

extern const ListReading market_names_reading;
extern const ListReading market_alerts_reading;

/// The reason for which lists beyond their limits are refused.
inline constexpr std::string_view too_many_entries = "data has too many entries";

/// Reads a list of records; those that `read(element, record, is_read)` says it could not read are
/// counted.
template <typename Record, typename Read>
error_code read_list_of_records(
    ondemand::array list, size_t records_max, std::vector<Record> &records, hoga_wire_body &body,
    std::string_view &wrong, Read &&read) {
    size_t count = 0;
    const error_code error = each_element(
        list, records_max, count, [&](ondemand::value element) -> error_code {
            Record record{};
            bool is_read = false;
            if (const auto error = read(element, record, is_read)) return error;
            if (is_read) {
                records.push_back(record);
            } else {
                ++body.skipped_count;
            }
            return simdjson::SUCCESS;
        });
    if (count > records_max) wrong = too_many_entries;
    return error;
}

/// Reads `data` that is a list of records.
template <typename Record>
error_code read_records(
    ondemand::value data, size_t records_max, std::vector<Record> &records, hoga_wire_body &body,
    std::string_view &wrong, error_code (*read)(ondemand::value, Record &, bool &is_read)) {
    ondemand::array list;
    if (const auto error = data.get_array().get(list)) return error;
    return read_list_of_records(list, records_max, records, body, wrong, read);
}

}  // namespace hoga::wire
