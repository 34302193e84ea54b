// Wall clock to Unix time. Korea is nine hours ahead of UTC, without daylight saving.
#pragma once

#include <cstdint>
#include <string_view>

namespace hoga::wire {

/// The zone of a wall clock.
enum class Zone { korea, utc };

/// Reads `date` "20260923" and `time` "211833" as Unix microseconds; false if either is invalid.
bool read_compact_time(
    std::string_view date, std::string_view time, Zone zone, int64_t &microseconds) noexcept;

/// Reads "2026-09-23 21:18:33.240601" of Korea, or "2026-09-23T12:18:33" of UTC, as Unix
/// microseconds; false if it is invalid.
///
/// The hour may lack its leading zero; the fraction may be shorter or absent. Digits seven to nine
/// are truncated.
bool read_long_time(std::string_view text, Zone zone, int64_t &microseconds) noexcept;

}  // namespace hoga::wire
