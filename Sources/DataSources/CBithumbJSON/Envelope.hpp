// The envelope of API 1.x responses. API 2.x has none, but a form for errors.
#pragma once

#include "Reading.hpp"

namespace hoga::wire {

/// One kind of response: reads `data` into the reader's arrays.
struct DataReading {
    /// The first byte of `data`, '{' or '['.
    char start;
    /// Reads `data`. If it is JSON but not as documented, sets `wrong` to the reason, a constant.
    error_code (*read)(
        ondemand::value data, hoga_wire_reader &reader, hoga_wire_body &body,
        std::string_view &wrong);
};

/// Reads a response. A body that is not complete JSON is malformed.
hoga_wire_body read_body(
    const DataReading &reading, hoga_wire_reader &reader, const uint8_t *bytes, size_t length);

extern const DataReading ticker_all_reading;
extern const DataReading order_book_reading;
extern const DataReading trade_history_reading;
extern const DataReading candles_reading;
extern const DataReading asset_statuses_reading;

/// An error of API 2.x.
struct Words {
    bool has_name = false;
    std::string_view name;
    std::string_view message;
};

/// Reads `name` (or `status`, as a gateway writes) and `message`, at the root or in the object
/// `error`; `is_wrapped` says that this is that object.
error_code read_words(ondemand::object &object, Words &words, bool is_wrapped = false);

/// One kind of API 2.x response: a list without an envelope.
struct ListReading {
    /// Reads the list, as `DataReading` does.
    error_code (*read)(
        ondemand::array list, hoga_wire_reader &reader, hoga_wire_body &body,
        std::string_view &wrong);
};

/// Reads a response of API 2.x. An error is an object with `name` and `message`, at the root or in
/// the field `error`.
hoga_wire_body read_list(
    const ListReading &reading, hoga_wire_reader &reader, const uint8_t *bytes, size_t length);

extern const ListReading market_names_reading;
extern const ListReading market_alerts_reading;
extern const ListReading market_tickers_reading;
extern const ListReading market_books_reading;
extern const ListReading market_trades_reading;
extern const ListReading market_candles_reading;

/// The reason for lists beyond their limits.
inline constexpr std::string_view too_many_entries = "data has too many entries";

/// Reads a list of records; counts those that `read(element, record, is_read)` cannot read.
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

/// Reads a `data` list of records.
template <typename Record>
error_code read_records(
    ondemand::value data, size_t records_max, std::vector<Record> &records, hoga_wire_body &body,
    std::string_view &wrong, error_code (*read)(ondemand::value, Record &, bool &is_read)) {
    ondemand::array list;
    if (const auto error = data.get_array().get(list)) return error;
    return read_list_of_records(list, records_max, records, body, wrong, read);
}

}  // namespace hoga::wire
