// Reads numbers of the wire from their text without loss.
#pragma once

#include "CBithumbJSON.h"

#include <cstddef>
#include <string_view>

namespace hoga::wire {

/// Reads a number from text: an optional sign, digits with an optional point, an optional exponent.
///
/// The grammar of Domain's reader: ".9159", "-0", "1.4E-7" and "8.428e-05" are numbers;
/// "", ".", "1,000", " 1", "NaN" and "0x1" are not. `out` is set only when the result is `none`.
hoga_wire_fault read_decimal(std::string_view text, hoga_wire_decimal &out) noexcept;

/// Reads the common spelling of numbers: at most eighteen digits and one point, no sign and no
/// exponent. Another byte follows the number.
///
/// Returns its end and sets `out`; null for another spelling or no number.
inline const char *read_usual_decimal(const char *at, hoga_wire_decimal &out) noexcept {
    constexpr ptrdiff_t digits_max = 18;
    const char *const start = at;
    const char *point = nullptr;
    uint64_t mantissa = 0;
    for (;; ++at) {
        const unsigned digit = static_cast<unsigned char>(*at) - unsigned{'0'};
        if (digit <= 9) {
            // Overflows after the nineteenth digit, but such a number is refused.
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

/// Reads the common spelling of a number without quotes: as above, and a number of RFC 8259.
///
/// Returns its end and sets `out`; null for another spelling or no number.
inline const char *read_usual_number(const char *at, hoga_wire_decimal &out) noexcept {
    const bool has_leading_zero = *at == '0' && at[1] >= '0' && at[1] <= '9';
    if (*at == '.' || has_leading_zero) return nullptr;
    const char *const end = read_usual_decimal(at, out);
    return end != nullptr && end[-1] != '.' ? end : nullptr;
}

/// Whether a bare token is a number of RFC 8259, section 6.
bool is_json_number(std::string_view token) noexcept;

}  // namespace hoga::wire
