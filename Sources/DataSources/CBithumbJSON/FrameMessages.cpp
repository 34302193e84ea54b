#include "FrameMessages.hpp"

namespace hoga::wire {

namespace {

/// The message of a status is one short sentence.
constexpr size_t words_bytes_max = 1024;

}  // namespace

void FrameMessages::begin_frame() noexcept {
    mark = {
        reader.messages.size(), reader.tickers.size(), reader.market_tickers.size(),
        reader.trades.size(),   reader.levels.size(),  reader.depths.size(),
        reader.books.size(),    reader.notes.size(),   reader.texts.size()};
}

void FrameMessages::replace_broken(std::string_view type, error_code error) {
    drop_frame();
    const bool is_utf8 = error != simdjson::UTF8_ERROR;
    push_skipped(type, {is_utf8 ? hoga_wire_fault_not_json : hoga_wire_fault_not_utf8, {}});
}

void FrameMessages::push_skipped(std::string_view name, Fault fault) {
    push_note(hoga_wire_message_kind_skipped, name, {});
    reader.notes.back().fault = fault.fault;
    reader.notes.back().fault_field = reader.keep(fault.field);
}

void FrameMessages::push_note(
    hoga_wire_message_kind kind, std::string_view name, std::string_view words) {
    const auto index = static_cast<uint32_t>(reader.notes.size());
    reader.notes.push_back(
        {reader.keep(name, HOGA_WIRE_NAME_BYTES_MAX), reader.keep(words, words_bytes_max),
         hoga_wire_fault_none,
         {}});
    reader.messages.push_back({kind, index, 1});
}

void FrameMessages::drop_frame() noexcept {
    reader.messages.resize(mark.messages);
    reader.tickers.resize(mark.tickers);
    reader.market_tickers.resize(mark.market_tickers);
    reader.trades.resize(mark.trades);
    reader.levels.resize(mark.levels);
    reader.depths.resize(mark.depths);
    reader.books.resize(mark.books);
    reader.notes.resize(mark.notes);
    reader.texts.resize(mark.texts);
}

void FrameMessages::push_each_skipped(
    std::string_view name, const std::vector<Fault> &faults) {
    for (const Fault &fault : faults) push_skipped(name, fault);
}

}  // namespace hoga::wire
