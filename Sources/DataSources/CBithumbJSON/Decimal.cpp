#include "Decimal.hpp"

namespace hoga::wire {

namespace {

/// Digits are collected in 64 bits and moved to 128 bits in groups of this size: 10^18 < 2^64.
constexpr int group_digits = 18;

constexpr uint64_t powers_of_ten[group_digits + 1] = {
    1ULL,
    10ULL,
    100ULL,
    1'000ULL,
    10'000ULL,
    100'000ULL,
    1'000'000ULL,
    10'000'000ULL,
    100'000'000ULL,
    1'000'000'000ULL,
    10'000'000'000ULL,
    100'000'000'000ULL,
    1'000'000'000'000ULL,
    10'000'000'000'000ULL,
    100'000'000'000'000ULL,
    1'000'000'000'000'000ULL,
    10'000'000'000'000'000ULL,
    100'000'000'000'000'000ULL,
    1'000'000'000'000'000'000ULL,
};

bool is_digit(char byte) noexcept { return byte >= '0' && byte <= '9'; }

/// Reads the digits of an exponent; a large one is clamped far beyond every limit.
bool read_exponent(const char *&at, const char *end, int64_t &exponent) noexcept {
    bool is_negative = false;
    if (at != end && (*at == '+' || *at == '-')) is_negative = *at++ == '-';
    if (at == end || !is_digit(*at)) return false;
    int64_t magnitude = 0;
    for (; at != end && is_digit(*at); ++at) {
        if (magnitude < 1'000'000'000) magnitude = magnitude * 10 + (*at - '0');
    }
    exponent = is_negative ? -magnitude : magnitude;
    return true;
}

}  // namespace

hoga_wire_fault read_decimal(std::string_view text, hoga_wire_decimal &out) noexcept {
    const char *at = text.data();
    const char *const end = at + text.size();
    bool is_negative = false;
    if (at != end && (*at == '-' || *at == '+')) is_negative = *at++ == '-';

    unsigned __int128 mantissa = 0;
    uint64_t group = 0;
    int group_count = 0;
    int64_t significant = 0;
    const char *point = nullptr;
    const char *const start = at;
    for (; at != end; ++at) {
        const unsigned digit = static_cast<unsigned char>(*at) - unsigned{'0'};
        if (digit <= 9) {
            // Leading zeros are not part of the mantissa.
            if ((significant | digit) == 0) continue;
            if (++significant > HOGA_WIRE_DIGITS_MAX) continue;
            group = group * 10 + digit;
            if (++group_count == group_digits) {
                mantissa = mantissa * powers_of_ten[group_digits] + group;
                group = 0;
                group_count = 0;
            }
        } else if (*at == '.' && point == nullptr) {
            point = at;
        } else {
            break;
        }
    }
    const bool has_digit = at - start > (point != nullptr ? 1 : 0);
    if (!has_digit) return hoga_wire_fault_not_a_number;
    int64_t scale = point != nullptr ? at - point - 1 : 0;
    if (at != end && (*at == 'e' || *at == 'E')) {
        ++at;
        int64_t exponent = 0;
        if (!read_exponent(at, end, exponent)) return hoga_wire_fault_not_a_number;
        scale -= exponent;
    }
    if (at != end) return hoga_wire_fault_not_a_number;
    if (significant > HOGA_WIRE_DIGITS_MAX) return hoga_wire_fault_too_many_digits;
    if (scale > HOGA_WIRE_SCALE_MAX || scale < -HOGA_WIRE_SCALE_MAX) {
        return hoga_wire_fault_scale_too_large;
    }
    mantissa = mantissa * powers_of_ten[group_count] + group;
    if (is_negative) mantissa = -mantissa;
    out.low = static_cast<uint64_t>(mantissa);
    out.high = static_cast<int64_t>(static_cast<uint64_t>(mantissa >> 64));
    out.scale = static_cast<int32_t>(scale);
    out.is_present = 1;
    return hoga_wire_fault_none;
}

bool is_json_number(std::string_view token) noexcept {
    const char *at = token.data();
    const char *const end = at + token.size();
    if (at != end && *at == '-') ++at;
    if (at == end || !is_digit(*at)) return false;
    if (*at == '0' && at + 1 != end && is_digit(at[1])) return false;
    while (at != end && is_digit(*at)) ++at;
    if (at != end && *at == '.') {
        ++at;
        if (at == end || !is_digit(*at)) return false;
        while (at != end && is_digit(*at)) ++at;
    }
    int64_t exponent = 0;
    const bool has_exponent = at != end && (*at == 'e' || *at == 'E');
    if (has_exponent && !read_exponent(++at, end, exponent)) return false;
    return at == end;
}

}  // namespace hoga::wire
