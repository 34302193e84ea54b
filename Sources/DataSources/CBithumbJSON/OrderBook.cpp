// `orderbook/…` of one market: two sides, a time and the names of two currencies.

#include "Envelope.hpp"
#include "Levels.hpp"

namespace hoga::wire {

namespace {

constexpr int64_t microseconds_per_millisecond = 1000;

/// Why the book is invalid; empty if it is valid.
std::string_view wrong_book(const UnixTime &at, const Side &asks, const Side &bids) noexcept {
    if (at.fault == hoga_wire_fault_missing) return "timestamp is missing";
    if (at.fault != hoga_wire_fault_none) return "timestamp is no time";
    if (at.value > INT64_MAX / microseconds_per_millisecond) return "timestamp is no time";
    for (const auto fault : {asks.fault, bids.fault}) {
        if (fault == hoga_wire_fault_missing) return "a side of the book is missing";
        if (fault == hoga_wire_fault_too_many_entries) return too_many_entries;
        if (fault != hoga_wire_fault_none) return "a side of the book is not a list";
    }
    return {};
}

error_code read_book(
    ondemand::value data, hoga_wire_reader &reader, hoga_wire_body &, std::string_view &wrong) {
    Name coin, quote;
    UnixTime at;
    Side asks, bids;
    ondemand::object object;
    if (const auto error = data.get_object().get(object)) return error;
    const error_code error = each_field(
        object, [&](std::string_view key, ondemand::value value) -> error_code {
            if (key == "timestamp") return at.read(value);
            if (key == "order_currency") return coin.read(value);
            if (key == "payment_currency") return quote.read(value);
            if (key == "asks") return asks.read(value, true, reader);
            if (key == "bids") return bids.read(value, false, reader);
            return walk(value);
        });
    if (error) return error;
    wrong = wrong_book(at, asks, bids);
    if (!wrong.empty()) return simdjson::SUCCESS;
    hoga_wire_text symbol{};
    if (!coin.text.empty() && !quote.text.empty()) {
        symbol = reader.keep(std::string{coin.text} + '_' + std::string{quote.text});
    }
    const int64_t at_microseconds = at.value * microseconds_per_millisecond;
    reader.books.push_back(make_book(symbol, at_microseconds, asks, bids));
    return simdjson::SUCCESS;
}

}  // namespace

const DataReading order_book_reading{'{', read_book};

}  // namespace hoga::wire
