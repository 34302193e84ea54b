// API 2.x: `market/all` and `market/virtual_asset_warning`, lists of flat objects.

#include "Envelope.hpp"
#include "Label.hpp"
#include "MarketFields.hpp"

namespace hoga::wire {

namespace {

/// Codes are short; the limit is that of all codes.
bool is_code(const Label &label) noexcept {
    return label.is_present() && label.text.size() <= HOGA_WIRE_NAME_BYTES_MAX;
}

error_code read_name_row(
    ondemand::value element, hoga_wire_reader &reader, hoga_wire_market_name &row, bool &is_read) {
    ondemand::object object;
    if (const auto error = open_object(element, object, is_read)) return error;
    if (!is_read) return simdjson::SUCCESS;
    Label market, korean, english, warning;
    const error_code error = each_field(
        object, [&](std::string_view key, ondemand::value value) -> error_code {
            if (key == "market") return market.read(value);
            if (key == "korean_name") return korean.read(value);
            if (key == "english_name") return english.read(value);
            if (key == "market_warning") return warning.read(value);
            return walk(value);
        });
    if (error) return error;
    // The row lists the market, whatever its names are: an unreadable text counts as absent.
    is_read = is_code(market);
    if (!is_read) return simdjson::SUCCESS;
    row.market = reader.keep(market.text);
    row.korean = reader.keep(korean.text);
    row.english = reader.keep(english.text);
    row.warning = warning_flag(warning.text);
    return simdjson::SUCCESS;
}

/// Reads `end_date`; an invalid time counts as absent.
error_code read_end(ondemand::value value, hoga_wire_market_alert &row) noexcept {
    Scalar scalar{};
    if (const auto error = read_scalar(value, scalar)) return error;
    int64_t at = 0;
    const bool is_time =
        scalar.kind == Scalar::Kind::text && read_long_time(scalar.text, Zone::korea, at);
    row.has_end = is_time ? 1 : 0;
    row.ends_at_microseconds = is_time ? at : 0;
    return simdjson::SUCCESS;
}

error_code read_alert_row(
    ondemand::value element, hoga_wire_reader &reader, hoga_wire_market_alert &row,
    bool &is_read) {
    ondemand::object object;
    if (const auto error = open_object(element, object, is_read)) return error;
    if (!is_read) return simdjson::SUCCESS;
    Label market, type, step;
    const error_code error = each_field(
        object, [&](std::string_view key, ondemand::value value) -> error_code {
            if (key == "market") return market.read(value);
            if (key == "warning_type") return type.read(value);
            if (key == "warning_step") return step.read(value);
            if (key == "end_date") return read_end(value, row);
            return walk(value);
        });
    if (error) return error;
    is_read = is_code(market) && is_code(type) && (is_code(step) || step.is_absent());
    if (!is_read) return simdjson::SUCCESS;
    row.market = reader.keep(market.text);
    row.type = reader.keep(type.text);
    row.step = reader.keep(step.text);
    return simdjson::SUCCESS;
}

error_code read_names(
    ondemand::array list, hoga_wire_reader &reader, hoga_wire_body &body,
    std::string_view &wrong) {
    return read_list_of_records(
        list, HOGA_WIRE_ROWS_MAX, reader.market_names, body, wrong,
        [&](ondemand::value element, hoga_wire_market_name &row, bool &is_read) {
            return read_name_row(element, reader, row, is_read);
        });
}

error_code read_alerts(
    ondemand::array list, hoga_wire_reader &reader, hoga_wire_body &body,
    std::string_view &wrong) {
    return read_list_of_records(
        list, HOGA_WIRE_ALERTS_MAX, reader.market_alerts, body, wrong,
        [&](ondemand::value element, hoga_wire_market_alert &row, bool &is_read) {
            return read_alert_row(element, reader, row, is_read);
        });
}

}  // namespace

const ListReading market_names_reading{read_names};
const ListReading market_alerts_reading{read_alerts};

}  // namespace hoga::wire
