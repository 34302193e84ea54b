#include "Levels.hpp"

namespace hoga::wire {

namespace {

using Level = hoga_wire_level;

constexpr NumberField<Level> level_fields[] = {
    {"price", &Level::price},
    {"quantity", &Level::quantity},
};

using LevelFields = NumberFields<Level, 2>;

error_code read_pair(ondemand::array &pair, LevelFields &numbers, Level &level) {
    size_t index = 0;
    size_t count = 0;
    return each_element(pair, 2, count, [&](ondemand::value value) -> error_code {
        return numbers.read_at(index++, value, level);
    });
}

error_code read_object(ondemand::object &object, LevelFields &numbers, Level &level) {
    return each_field(object, [&](std::string_view key, ondemand::value value) -> error_code {
        bool is_known = false;
        const auto error = numbers.read(key, value, level, is_known);
        return is_known ? error : walk(value);
    });
}

/// Reads `["1210","120.0421"]` or `{"price":"1210","quantity":"120.0421"}`.
error_code read_level(ondemand::value value, Level &level, Fault &fault) {
    LevelFields numbers{level_fields};
    ondemand::array pair;
    ondemand::object object;
    bool is_read = false;
    const std::string_view token = value.raw_json_token();
    if (!token.empty() && token.front() == '[') {
        if (const auto error = open_list(value, pair, is_read)) return error;
        if (const auto error = read_pair(pair, numbers, level)) return error;
    } else {
        if (const auto error = open_object(value, object, is_read)) return error;
        if (!is_read) {
            fault = {hoga_wire_fault_not_an_object, "the level"};
            return simdjson::SUCCESS;
        }
        if (const auto error = read_object(object, numbers, level)) return error;
    }
    fault = numbers.fault(level, true);
    return simdjson::SUCCESS;
}

}  // namespace

error_code Side::read(ondemand::value value, bool is_ask, hoga_wire_reader &reader) {
    levels = {static_cast<uint32_t>(reader.levels.size()), 0};
    skipped.clear();
    ondemand::array list;
    bool is_list = false;
    if (const auto error = open_list(value, list, is_list)) return error;
    if (!is_list) {
        fault = hoga_wire_fault_not_a_list;
        return simdjson::SUCCESS;
    }
    size_t count = 0;
    const error_code error = each_element(
        list, HOGA_WIRE_LEVELS_MAX, count, [&](ondemand::value element) -> error_code {
            Level level{};
            Fault wrong;
            if (const auto error = read_level(element, level, wrong)) return error;
            level.is_ask = is_ask ? 1 : 0;
            if (wrong.is_none()) {
                reader.levels.push_back(level);
            } else {
                skipped.push_back(wrong);
            }
            return simdjson::SUCCESS;
        });
    const bool is_long = count > HOGA_WIRE_LEVELS_MAX;
    fault = is_long ? hoga_wire_fault_too_many_entries : hoga_wire_fault_none;
    levels.count = static_cast<uint32_t>(reader.levels.size()) - levels.first;
    return error;
}

hoga_wire_book make_book(
    hoga_wire_text symbol, int64_t at_microseconds, const Side &asks, const Side &bids) noexcept {
    const auto skipped_count = static_cast<uint32_t>(asks.skipped.size() + bids.skipped.size());
    return {symbol, at_microseconds, asks.levels, bids.levels, skipped_count};
}

}  // namespace hoga::wire
