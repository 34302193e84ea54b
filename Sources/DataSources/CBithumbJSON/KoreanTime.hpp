// Korean wall clock to Unix time: fixed at nine hours before UTC, no daylight saving.
#pragma once

#include <cstdint>
#include <string_view>

namespace hoga::wire {

/// Reads `date` "20260923" and `time` "211833" as Unix microseconds; false if either is invalid.
bool read_compact_time(
    std::string_view date, std::string_view time, int64_t &microseconds) noexcept;

/// Reads "2026-09-23 21:18:33.240601" as Unix microseconds; false if it is invalid.
///
/// The hour may lack its leading zero; the fraction may be shorter or absent. Digits seven to nine
/// are truncated.
bool read_long_time(std::string_view text, int64_t &microseconds) noexcept;

}  // namespace hoga::wire
