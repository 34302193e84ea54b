// `assetsstatus/ALL`: a map from coin codes to two flags.

#include "Envelope.hpp"

namespace hoga::wire {

namespace {

using Asset = hoga_wire_asset;

/// Reads 0 or 1, bare or as text; any other value is no flag.
error_code read_flag(ondemand::value value, hoga_wire_flag &flag) noexcept {
    hoga_wire_decimal number{};
    hoga_wire_fault fault = hoga_wire_fault_none;
    flag = hoga_wire_flag_unknown;
    if (const auto error = read_number(value, number, fault)) return error;
    const bool is_flag = fault == hoga_wire_fault_none && number.is_present != 0
        && number.scale == 0 && number.high == 0 && number.low <= 1;
    if (is_flag) flag = number.low == 1 ? hoga_wire_flag_on : hoga_wire_flag_off;
    return simdjson::SUCCESS;
}

error_code read_asset(ondemand::value value, Asset &asset, bool &is_read) {
    ondemand::object object;
    if (const auto error = open_object(value, object, is_read)) return error;
    if (!is_read) return simdjson::SUCCESS;
    return each_field(object, [&](std::string_view key, ondemand::value field) -> error_code {
        if (key == "deposit_status") return read_flag(field, asset.deposit);
        if (key == "withdrawal_status") return read_flag(field, asset.withdrawal);
        return walk(field);
    });
}

error_code read_assets(
    ondemand::value data, hoga_wire_reader &reader, hoga_wire_body &body,
    std::string_view &wrong) {
    ondemand::object object;
    if (const auto error = data.get_object().get(object)) return error;
    size_t count = 0;
    return each_field(object, [&](std::string_view key, ondemand::value entry) -> error_code {
        if (++count > HOGA_WIRE_ROWS_MAX) {
            wrong = too_many_entries;
            return walk(entry);
        }
        Asset asset{};
        bool is_read = false;
        if (const auto error = read_asset(entry, asset, is_read)) return error;
        if (is_read && !key.empty() && key.size() <= HOGA_WIRE_NAME_BYTES_MAX) {
            asset.key = reader.keep(key);
            reader.assets.push_back(asset);
        } else {
            ++body.skipped_count;
        }
        return simdjson::SUCCESS;
    });
}

}  // namespace

const DataReading asset_statuses_reading{'{', read_assets};

}  // namespace hoga::wire
