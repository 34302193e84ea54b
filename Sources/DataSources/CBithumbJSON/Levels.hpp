// Order book levels of REST and of the stream's snapshots.
#pragma once

#include "Reading.hpp"

namespace hoga::wire {

/// One side of an order book snapshot; missing until it is read.
struct Side {
    hoga_wire_run levels{};
    /// The fault of the whole side.
    hoga_wire_fault fault = hoga_wire_fault_missing;
    /// The faults of skipped levels.
    std::vector<Fault> skipped;

    /// Reads a list of levels into the reader's array. Of lists with equal keys the last counts.
    error_code read(ondemand::value value, bool is_ask, hoga_wire_reader &reader);
};

/// The book of two complete sides.
hoga_wire_book make_book(
    hoga_wire_text symbol, int64_t at_microseconds, const Side &asks, const Side &bids) noexcept;

}  // namespace hoga::wire
