// Levels of order books, as REST and the stream's snapshots write them.
#pragma once

#include "Reading.hpp"

namespace hoga::wire {

/// One side of a whole order book; missing until it was read.
struct Side {
    hoga_wire_run levels{};
    /// What is wrong with the side as a whole.
    hoga_wire_fault fault = hoga_wire_fault_missing;
    /// What is wrong with the levels that were left out.
    std::vector<Fault> skipped;

    /// Reads a list of levels into the reader's array. Of lists with equal keys the last counts.
    error_code read(ondemand::value value, bool is_ask, hoga_wire_reader &reader);
};

/// The book of two sides that are whole.
hoga_wire_book make_book(
    hoga_wire_text symbol, int64_t at_microseconds, const Side &asks, const Side &bids) noexcept;

}  // namespace hoga::wire
