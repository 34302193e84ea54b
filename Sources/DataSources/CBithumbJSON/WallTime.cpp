#include "WallTime.hpp"

namespace hoga::wire {

namespace {

constexpr int64_t korea_offset_seconds = 9 * 3600;

/// Reads exactly `count` leading digits and removes them from `text`.
bool take_digits(std::string_view &text, size_t count, int &value) noexcept {
    if (text.size() < count) return false;
    value = 0;
    for (size_t index = 0; index < count; ++index) {
        const char byte = text[index];
        if (byte < '0' || byte > '9') return false;
        value = value * 10 + (byte - '0');
    }
    text.remove_prefix(count);
    return true;
}

bool take(std::string_view &text, char byte) noexcept {
    if (text.empty() || text.front() != byte) return false;
    text.remove_prefix(1);
    return true;
}

struct WallClock {
    int year, month, day, hour, minute, second;
};

bool is_in_calendar(const WallClock &clock) noexcept {
    constexpr int days_of_months[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (clock.year < 1970 || clock.month < 1 || clock.month > 12) return false;
    const bool is_leap_year =
        clock.year % 4 == 0 && (clock.year % 100 != 0 || clock.year % 400 == 0);
    const int days =
        days_of_months[clock.month - 1] + (clock.month == 2 && is_leap_year ? 1 : 0);
    return clock.day >= 1 && clock.day <= days && clock.hour <= 23 && clock.minute <= 59
        && clock.second <= 59;
}

/// Days since 1970-01-01 in the Gregorian calendar, counted in years that begin in March: the leap
/// day is then the last of its year.
int64_t days_since_epoch(int year, int month, int day) noexcept {
    const int64_t march_year = month > 2 ? year : year - 1;
    const int64_t months_since_march = month > 2 ? month - 3 : month + 9;
    const int64_t day_of_year = (153 * months_since_march + 2) / 5 + day - 1;
    const int64_t days =
        march_year * 365 + march_year / 4 - march_year / 100 + march_year / 400 + day_of_year;
    constexpr int64_t days_to_epoch = 719'468;
    return days - days_to_epoch;
}

int64_t unix_seconds(const WallClock &clock, Zone zone) noexcept {
    const int64_t offset_seconds = zone == Zone::korea ? korea_offset_seconds : 0;
    return days_since_epoch(clock.year, clock.month, clock.day) * 86'400 + clock.hour * 3600
        + clock.minute * 60 + clock.second - offset_seconds;
}

/// Reads ".240601" as microseconds; an empty text is zero.
bool read_fraction(std::string_view text, int64_t &microseconds) noexcept {
    microseconds = 0;
    if (text.empty()) return true;
    if (!take(text, '.') || text.empty() || text.size() > 9) return false;
    for (size_t index = 0; index < 9; ++index) {
        const char byte = index < text.size() ? text[index] : '0';
        if (byte < '0' || byte > '9') return false;
        if (index < 6) microseconds = microseconds * 10 + (byte - '0');
    }
    return true;
}

}  // namespace

bool read_compact_time(
    std::string_view date, std::string_view time, Zone zone, int64_t &microseconds) noexcept {
    WallClock clock{};
    const bool is_read = take_digits(date, 4, clock.year) && take_digits(date, 2, clock.month)
        && take_digits(date, 2, clock.day) && date.empty() && take_digits(time, 2, clock.hour)
        && take_digits(time, 2, clock.minute) && take_digits(time, 2, clock.second)
        && time.empty();
    if (!is_read || !is_in_calendar(clock)) return false;
    microseconds = unix_seconds(clock, zone) * 1'000'000;
    return true;
}

bool read_long_time(std::string_view text, Zone zone, int64_t &microseconds) noexcept {
    WallClock clock{};
    const bool has_date = take_digits(text, 4, clock.year) && take(text, '-')
        && take_digits(text, 2, clock.month) && take(text, '-') && take_digits(text, 2, clock.day)
        && take(text, zone == Zone::korea ? ' ' : 'T');
    if (!has_date) return false;
    const size_t hour_digits = text.size() > 1 && text[1] == ':' ? 1 : 2;
    const bool has_time = take_digits(text, hour_digits, clock.hour) && take(text, ':')
        && take_digits(text, 2, clock.minute) && take(text, ':')
        && take_digits(text, 2, clock.second);
    int64_t fraction = 0;
    if (!has_time || !is_in_calendar(clock) || !read_fraction(text, fraction)) return false;
    microseconds = unix_seconds(clock, zone) * 1'000'000 + fraction;
    return true;
}

}  // namespace hoga::wire
