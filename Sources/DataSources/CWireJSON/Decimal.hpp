// Numbers of the wire, read from their text without loss.
#pragma once

#include "CWireJSON.h"

#include <string_view>

namespace hoga::wire {

/// Reads a number from text: an optional sign, digits with an optional point, an optional exponent.
///
/// The same grammar as the domain's reader: ".9159", "-0", "1.4E-7" and "8.428e-05" are numbers;
/// "", ".", "1,000", " 1", "NaN" and "0x1" are not. `out` is set only when the result is `none`.
hoga_wire_fault read_decimal(std::string_view text, hoga_wire_decimal &out) noexcept;

/// Whether a bare token is a number as RFC 8259 section 6 spells it.
bool is_json_number(std::string_view token) noexcept;

}  // namespace hoga::wire
