// The objects of API 2.x that a REST row and a stream frame write alike, field by field.
#pragma once

#include "Reading.hpp"
#include "WallTime.hpp"

namespace hoga::wire {

/// Milliseconds or microseconds as microseconds: rows of order books have the ones, frames the
/// others, and the exchange's page says something else.
///
/// Milliseconds of the next three thousand years are less than microseconds since 1973.
inline int64_t unix_microseconds(int64_t time) noexcept {
    constexpr int64_t microseconds_min = 100'000'000'000'000;
    return time < microseconds_min ? time * 1'000 : time;
}

/// The meaning of `market_warning`: "CAUTION" is on, "NONE" is off.
hoga_wire_flag warning_flag(std::string_view text) noexcept;

/// The ticker of one market.
class TickerFields {
  public:
    /// `zone` is that of the date and time, which rows and frames write differently.
    explicit TickerFields(Zone zone) noexcept : zone{zone}, numbers{fields} {}

    /// Reads the value if its key is a field of a ticker.
    error_code read(std::string_view key, ondemand::value value, bool &is_known);
    /// The first fault; none if `record` is complete.
    Fault finish() noexcept;

    hoga_wire_market_ticker record{};

  private:
    static const NumberField<hoga_wire_market_ticker> fields[11];

    Zone zone;
    NumberFields<hoga_wire_market_ticker, 11> numbers;
    Name date, time;
    UnixTime trade_timestamp;
};

/// One trade.
class TradeFields {
  public:
    /// `time_key` names the time of the trade: in a frame `timestamp` is that of the frame.
    explicit TradeFields(std::string_view time_key) noexcept
        : time_key{time_key}, numbers{fields} {}

    /// Reads the value if its key is a field of a trade.
    error_code read(std::string_view key, ondemand::value value, bool &is_known);
    /// The first fault; none if `record` is complete.
    Fault finish() noexcept;

    hoga_wire_trade record{};

  private:
    static const NumberField<hoga_wire_trade> fields[2];

    std::string_view time_key;
    NumberFields<hoga_wire_trade, 2> numbers;
    Name side;
    UnixTime at;
    hoga_wire_fault id_fault = hoga_wire_fault_none;
};

/// The order book of one market.
class BookFields {
  public:
    explicit BookFields(hoga_wire_reader &reader) noexcept : reader{reader} {}

    /// Reads the value if its key is a field of an order book.
    error_code read(std::string_view key, ondemand::value value, bool &is_known);
    /// The first fault of the book.
    Fault finish() const noexcept;
    /// The book; the levels are in the reader.
    hoga_wire_book book(hoga_wire_text symbol) const noexcept;

    /// The faults of skipped levels.
    std::vector<Fault> skipped;

  private:
    error_code read_units(ondemand::value value);
    error_code read_unit(ondemand::value element);
    void push(std::vector<hoga_wire_level> &levels, const hoga_wire_level &level, Fault fault);

    hoga_wire_reader &reader;
    UnixTime at;
    hoga_wire_fault units_fault = hoga_wire_fault_missing;
    hoga_wire_run asks{}, bids{};
    std::vector<hoga_wire_level> bid_levels;
};

}  // namespace hoga::wire
