// Numbers of the wire, read from their text without loss.
#pragma once

#include "CBithumbJSON.h"

#include <cstddef>
#include <string_view>

namespace hoga::wire {

/// Reads a number from text: an optional sign, digits with an optional point, an optional exponent.
///
/// The same grammar as the domain's reader: ".9159", "-0", "1.4E-7" and "8.428e-05" are numbers;
/// "", ".", "1,000", " 1", "NaN" and "0x1" are not. `out` is set only when the result is `none`.
hoga_wire_fault read_decimal(std::string_view text, hoga_wire_decimal &out) noexcept;

/// Reads digits with at most one point among them, as nearly all numbers are spelled: no sign, no
/// exponent, at most eighteen digits. The text ends with another byte.
///
/// Where they end, with `out` set; null when the number is spelled in another way or is none.
inline const char *read_usual_decimal(const char *at, hoga_wire_decimal &out) noexcept {
    constexpr ptrdiff_t digits_max = 18;
    const char *const start = at;
    const char *point = nullptr;
    uint64_t mantissa = 0;
    for (;; ++at) {
        const unsigned digit = static_cast<unsigned char>(*at) - unsigned{'0'};
        if (digit <= 9) {
            // Wraps round behind the nineteenth digit: such a number is not taken.
            mantissa = mantissa * 10 + digit;
        } else if (*at == '.' && point == nullptr) {
            point = at;
        } else {
            break;
        }
    }
    const ptrdiff_t digits = at - start - (point != nullptr ? 1 : 0);
    if (digits == 0 || digits > digits_max) return nullptr;
    out = {mantissa, 0, point != nullptr ? static_cast<int32_t>(at - point - 1) : 0, 1};
    return at;
}

/// Whether a bare token is a number as RFC 8259 section 6 spells it.
bool is_json_number(std::string_view token) noexcept;

}  // namespace hoga::wire
