// Frames of the API 1.x stream, routed by `status` first, then by `type`.

#include <cstring>
#include <new>

#include "KoreanTime.hpp"
#include "Reading.hpp"

namespace hoga::wire {

namespace {

using Ticker = hoga_wire_stream_ticker;
using Trade = hoga_wire_trade;

constexpr NumberField<Ticker> ticker_fields[] = {
    {"openPrice", &Ticker::open_price},
    {"closePrice", &Ticker::close_price},
    {"lowPrice", &Ticker::low_price},
    {"highPrice", &Ticker::high_price},
    {"value", &Ticker::value},
    {"volume", &Ticker::volume},
    {"sellVolume", &Ticker::sell_volume},
    {"buyVolume", &Ticker::buy_volume},
    {"prevClosePrice", &Ticker::prev_close_price},
    {"chgRate", &Ticker::chg_rate},
    {"chgAmt", &Ticker::chg_amt},
    {"volumePower", &Ticker::volume_power},
};

constexpr NumberField<Trade> trade_fields[] = {
    {"contPrice", &Trade::price},
    {"contQty", &Trade::quantity},
    {"contAmt", &Trade::amount},
};

/// The words of a status are one short sentence.
constexpr size_t words_bytes_max = 1024;

/// A name field of a frame; missing until it was read.
struct Name {
    std::string_view text;
    hoga_wire_fault fault = hoga_wire_fault_missing;

    error_code read(ondemand::value value, TextArena &arena) {
        return read_name(value, arena, text, fault);
    }
};

/// What is wrong with an entry as a whole, or with one of its fields.
struct Fault {
    hoga_wire_fault fault = hoga_wire_fault_none;
    std::string_view field;

    /// Keeps the first fault that is reported.
    void note(hoga_wire_fault other, std::string_view name) noexcept {
        if (fault != hoga_wire_fault_none || other == hoga_wire_fault_none) return;
        fault = other;
        field = name;
    }
};

/// Reads the frames of one batch into the reader's vectors.
class FrameReading {
  public:
    explicit FrameReading(hoga_wire_reader &reader) noexcept : reader{reader} {}

    /// Reads one frame; `text` is followed by a zero byte and, somewhere behind, the padding.
    void read(const uint8_t *text, size_t length, size_t capacity);

    /// Notes a frame that is skipped unread.
    void skip(hoga_wire_fault fault) { push_skipped({}, {fault, {}}); }

  private:
    /// What the root object of one frame said.
    struct Root {
        bool has_status = false;
        std::string_view status;
        std::string_view words;
        Name type;
        bool has_content = false;
        /// Content that stood before the type it belongs to.
        bool is_content_unread = false;
    };

    /// Sizes to return to when a frame turns out to be broken.
    struct Mark {
        size_t messages, tickers, trades, notes, texts;
    };

    error_code read_root(ondemand::document &document, Root &root);
    error_code read_root_field(std::string_view key, ondemand::value value, Root &root);
    error_code read_late_content(ondemand::document &document, const Root &root);
    error_code read_content(ondemand::value value, std::string_view type);
    error_code read_ticker(ondemand::object &content);
    error_code read_transactions(ondemand::object &content);
    error_code read_trades(ondemand::value list);
    error_code read_trade(ondemand::value element, Trade &trade, Fault &fault);
    void finish(const Root &root);

    void push_skipped(std::string_view name, Fault fault);
    void push_note(hoga_wire_message_kind kind, std::string_view name, std::string_view words);
    void drop_frame() noexcept;

    hoga_wire_reader &reader;
    Mark mark{};
};

void FrameReading::read(const uint8_t *text, size_t length, size_t capacity) {
    mark = {
        reader.messages.size(), reader.tickers.size(), reader.trades.size(),
        reader.notes.size(), reader.texts.size()};
    Root root;
    ondemand::document document;
    error_code error = reader.parser.iterate(text, length, capacity).get(document);
    if (!error) error = read_root(document, root);
    if (!error && root.is_content_unread && !root.has_status
        && root.type.fault == hoga_wire_fault_none) {
        error = read_late_content(document, root);
    }
    if (!error) {
        finish(root);
        return;
    }
    drop_frame();
    const bool is_utf8 = error != simdjson::UTF8_ERROR;
    push_skipped(
        root.type.text, {is_utf8 ? hoga_wire_fault_not_json : hoga_wire_fault_not_utf8, {}});
}

error_code FrameReading::read_root(ondemand::document &document, Root &root) {
    ondemand::object object;
    if (const auto error = document.get_object().get(object)) return error;
    const error_code error = each_field(
        object, reader.arena, [&](std::string_view key, ondemand::value value) -> error_code {
            return read_root_field(key, value, root);
        });
    return error ? error : check_end(document);
}

error_code FrameReading::read_root_field(
    std::string_view key, ondemand::value value, Root &root) {
    if (key == "content") {
        root.has_content = true;
        drop_frame();
        root.is_content_unread = root.type.text.empty();
        return root.is_content_unread ? walk(value) : read_content(value, root.type.text);
    }
    if (key == "type") {
        // A second type makes the content read under the first one worthless.
        root.is_content_unread = root.has_content;
        drop_frame();
        return root.type.read(value, reader.arena);
    }
    if (key != "status" && key != "resmsg") return walk(value);
    Scalar scalar{};
    if (const auto error = read_scalar(value, reader.arena, scalar)) return error;
    if (key == "status") {
        root.has_status = scalar.is_text_or_number();
        root.status = scalar.text;
    } else {
        root.words = scalar.is_text_or_number() ? scalar.text : std::string_view{};
    }
    return simdjson::SUCCESS;
}

error_code FrameReading::read_late_content(ondemand::document &document, const Root &root) {
    document.rewind();
    ondemand::object object;
    if (const auto error = document.get_object().get(object)) return error;
    return each_field(
        object, reader.arena, [&](std::string_view key, ondemand::value value) -> error_code {
            if (key != "content") return walk(value);
            drop_frame();
            return read_content(value, root.type.text);
        });
}

error_code FrameReading::read_content(ondemand::value value, std::string_view type) {
    const bool is_ticker = type == "ticker";
    if (!is_ticker && type != "transaction") return walk(value);
    const std::string_view token = value.raw_json_token();
    if (token.empty() || token.front() != '{') {
        push_skipped(type, {hoga_wire_fault_not_an_object, "content"});
        Scalar scalar{};
        return read_scalar(value, reader.arena, scalar);
    }
    ondemand::object content;
    if (const auto error = value.get_object().get(content)) return error;
    return is_ticker ? read_ticker(content) : read_transactions(content);
}

error_code FrameReading::read_ticker(ondemand::object &content) {
    Ticker ticker{};
    NumberFields numbers{ticker_fields};
    Name symbol, tick_type, date, time;
    const error_code error = each_field(
        content, reader.arena, [&](std::string_view key, ondemand::value value) -> error_code {
            if (key == "symbol") return symbol.read(value, reader.arena);
            if (key == "tickType") return tick_type.read(value, reader.arena);
            if (key == "date") return date.read(value, reader.arena);
            if (key == "time") return time.read(value, reader.arena);
            bool is_known = false;
            const auto error = numbers.read(key, value, reader.arena, ticker, is_known);
            return is_known ? error : walk(value);
        });
    if (error) return error;
    Fault fault;
    fault.note(symbol.fault, "symbol");
    fault.note(tick_type.fault, "tickType");
    fault.note(date.fault, "date");
    fault.note(time.fault, "time");
    if (fault.fault == hoga_wire_fault_none
        && !read_compact_time(date.text, time.text, ticker.at_microseconds)) {
        fault.note(hoga_wire_fault_not_a_time, "date and time");
    }
    std::string_view field;
    fault.note(numbers.fault(ticker, true, field), field);
    if (fault.fault != hoga_wire_fault_none) {
        push_skipped("ticker", fault);
        return simdjson::SUCCESS;
    }
    ticker.symbol = reader.keep(symbol.text);
    ticker.tick_type = reader.keep(tick_type.text);
    const auto index = static_cast<uint32_t>(reader.tickers.size());
    reader.tickers.push_back(ticker);
    reader.messages.push_back({hoga_wire_message_kind_ticker, index, 1});
    return simdjson::SUCCESS;
}

error_code FrameReading::read_transactions(ondemand::object &content) {
    bool has_list = false;
    const error_code error = each_field(
        content, reader.arena, [&](std::string_view key, ondemand::value value) -> error_code {
            if (key != "list") return walk(value);
            has_list = true;
            drop_frame();
            return read_trades(value);
        });
    if (!error && !has_list) push_skipped("transaction", {hoga_wire_fault_missing, "list"});
    return error;
}

error_code FrameReading::read_trades(ondemand::value list) {
    const std::string_view token = list.raw_json_token();
    if (token.empty() || token.front() != '[') {
        push_skipped("transaction", {hoga_wire_fault_not_a_list, "list"});
        Scalar scalar{};
        return read_scalar(list, reader.arena, scalar);
    }
    ondemand::array array;
    if (const auto error = list.get_array().get(array)) return error;
    const auto first = static_cast<uint32_t>(reader.trades.size());
    const size_t place = reader.messages.size();
    reader.messages.push_back({hoga_wire_message_kind_transactions, first, 0});
    size_t count = 0;
    for (auto result : array) {
        ondemand::value element;
        if (const auto error = std::move(result).get(element)) return error;
        if (++count > HOGA_WIRE_TRADES_PER_FRAME_MAX) {
            if (const auto error = walk(element)) return error;
            continue;
        }
        Trade trade{};
        Fault fault;
        if (const auto error = read_trade(element, trade, fault)) return error;
        if (fault.fault == hoga_wire_fault_none) {
            reader.trades.push_back(trade);
        } else {
            push_skipped("transaction", fault);
        }
    }
    if (count > HOGA_WIRE_TRADES_PER_FRAME_MAX) {
        drop_frame();
        push_skipped("transaction", {hoga_wire_fault_too_many_entries, "list"});
        return simdjson::SUCCESS;
    }
    reader.messages[place].count = static_cast<uint32_t>(reader.trades.size()) - first;
    return simdjson::SUCCESS;
}

error_code FrameReading::read_trade(ondemand::value element, Trade &trade, Fault &fault) {
    const std::string_view token = element.raw_json_token();
    if (token.empty() || token.front() != '{') {
        fault.note(hoga_wire_fault_not_an_object, "list");
        Scalar scalar{};
        return read_scalar(element, reader.arena, scalar);
    }
    ondemand::object object;
    if (const auto error = element.get_object().get(object)) return error;
    NumberFields numbers{trade_fields};
    Name symbol, side, time;
    const error_code error = each_field(
        object, reader.arena, [&](std::string_view key, ondemand::value value) -> error_code {
            if (key == "symbol") return symbol.read(value, reader.arena);
            if (key == "buySellGb") return side.read(value, reader.arena);
            if (key == "contDtm") return time.read(value, reader.arena);
            bool is_known = false;
            const auto error = numbers.read(key, value, reader.arena, trade, is_known);
            return is_known ? error : walk(value);
        });
    if (error) return error;
    fault.note(symbol.fault, "symbol");
    fault.note(side.fault, "buySellGb");
    fault.note(time.fault, "contDtm");
    const bool is_buy = side.text == "2";
    if (!is_buy && side.text != "1") fault.note(hoga_wire_fault_unknown_code, "buySellGb");
    if (!read_long_time(time.text, trade.at_microseconds)) {
        fault.note(hoga_wire_fault_not_a_time, "contDtm");
    }
    std::string_view field;
    fault.note(numbers.fault(trade, true, field), field);
    trade.symbol = reader.keep(symbol.text);
    trade.taker_bought = is_buy ? 1 : 0;
    return simdjson::SUCCESS;
}

/// Says what the frame as a whole was, once all of it has been read.
void FrameReading::finish(const Root &root) {
    if (root.has_status) {
        drop_frame();
        push_note(hoga_wire_message_kind_status, root.status, root.words);
    } else if (root.type.fault != hoga_wire_fault_none) {
        drop_frame();
        push_skipped({}, {root.type.fault, "type"});
    } else if (root.type.text != "ticker" && root.type.text != "transaction") {
        drop_frame();
        push_note(hoga_wire_message_kind_unknown, root.type.text, {});
    } else if (!root.has_content) {
        push_skipped(root.type.text, {hoga_wire_fault_missing, "content"});
    }
}

void FrameReading::push_skipped(std::string_view name, Fault fault) {
    push_note(hoga_wire_message_kind_skipped, name, {});
    reader.notes.back().fault = fault.fault;
    reader.notes.back().fault_field = reader.keep(fault.field);
}

void FrameReading::push_note(
    hoga_wire_message_kind kind, std::string_view name, std::string_view words) {
    const auto index = static_cast<uint32_t>(reader.notes.size());
    reader.notes.push_back(
        {reader.keep(name, HOGA_WIRE_NAME_BYTES_MAX), reader.keep(words, words_bytes_max),
         hoga_wire_fault_none,
         {}});
    reader.messages.push_back({kind, index, 1});
}

/// Forgets what this frame has said so far.
void FrameReading::drop_frame() noexcept {
    reader.messages.resize(mark.messages);
    reader.tickers.resize(mark.tickers);
    reader.trades.resize(mark.trades);
    reader.notes.resize(mark.notes);
    reader.texts.resize(mark.texts);
}

/// Copies the frames one by one, each followed by a zero byte: simdjson looks one byte behind a
/// text to see that it ends there, and the neighbour's first byte could close a frame cut short.
void read(
    hoga_wire_reader &reader, const uint8_t *bytes, const ptrdiff_t *ends, size_t count,
    size_t frame_bytes_max) {
    reader.clear();
    const size_t length = count == 0 ? 0 : static_cast<size_t>(ends[count - 1]);
    uint8_t *const text = reader.padded(length + count);
    const size_t capacity = reader.padded_capacity();
    std::memset(text + length + count, 0, simdjson::SIMDJSON_PADDING);

    FrameReading reading{reader};
    size_t source = 0;
    size_t target = 0;
    for (size_t index = 0; index < count; ++index) {
        const size_t frame_length = static_cast<size_t>(ends[index]) - source;
        if (frame_length > frame_bytes_max || frame_length > HOGA_WIRE_TEXT_BYTES_MAX) {
            reading.skip(hoga_wire_fault_frame_too_long);
        } else {
            if (frame_length != 0) std::memcpy(text + target, bytes + source, frame_length);
            text[target + frame_length] = 0;
            reading.read(text + target, frame_length, capacity - target);
            target += frame_length + 1;
        }
        source += frame_length;
    }
}

}  // namespace

}  // namespace hoga::wire

extern "C" int hoga_wire_read_batch(
    hoga_wire_reader *reader, const uint8_t *bytes, const ptrdiff_t *ends, size_t count,
    size_t frame_bytes_max) {
    try {
        hoga::wire::read(*reader, bytes, ends, count, frame_bytes_max);
        return 1;
    } catch (...) {
        return 0;
    }
}
