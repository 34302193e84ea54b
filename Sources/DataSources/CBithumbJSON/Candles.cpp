// `candlestick/…`: a list of rows, each a list of a time and five numbers.

#include "Envelope.hpp"

namespace hoga::wire {

namespace {

using Candle = hoga_wire_candle;

/// The numbers after the time in the order of the wire: close before high and low.
constexpr NumberField<Candle> candle_fields[] = {
    {"open", &Candle::open},
    {"close", &Candle::close},
    {"high", &Candle::high},
    {"low", &Candle::low},
    {"volume", &Candle::volume},
};
constexpr size_t row_length = 1 + std::size(candle_fields);

error_code read_candle(ondemand::value element, Candle &candle, bool &is_read) {
    ondemand::array row;
    if (const auto error = open_list(element, row, is_read)) return error;
    if (!is_read) return simdjson::SUCCESS;
    NumberFields numbers{candle_fields};
    UnixTime at;
    size_t index = 0;
    size_t count = 0;
    const error_code error =
        each_element(row, row_length, count, [&](ondemand::value value) -> error_code {
            const size_t place = index++;
            return place == 0 ? at.read(value) : numbers.read_at(place - 1, value, candle);
        });
    candle.at_milliseconds = at.value;
    is_read = at.fault == hoga_wire_fault_none && numbers.fault(candle, true).is_none();
    return error;
}

error_code read_candles(
    ondemand::value data, hoga_wire_reader &reader, hoga_wire_body &body,
    std::string_view &wrong) {
    return read_records(data, HOGA_WIRE_CANDLES_MAX, reader.candles, body, wrong, read_candle);
}

}  // namespace

const DataReading candles_reading{'[', read_candles};

}  // namespace hoga::wire
