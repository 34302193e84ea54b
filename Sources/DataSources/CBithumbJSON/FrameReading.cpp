// Frames of the API 1.x stream, routed by `status` first, then by `type`.

#include <cstring>

#include "FrameReading.hpp"

namespace hoga::wire {

namespace {

/// The message of a status is one short sentence.
constexpr size_t words_bytes_max = 1024;

}  // namespace

void FrameReading::read(const uint8_t *text, size_t length, size_t capacity) {
    mark = {
        reader.messages.size(), reader.tickers.size(), reader.trades.size(),
        reader.levels.size(),   reader.depths.size(),  reader.books.size(),
        reader.notes.size(),    reader.texts.size()};
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
        object, [&](std::string_view key, ondemand::value value) -> error_code {
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
        // A second type invalidates content that was read for the first one.
        root.is_content_unread = root.has_content;
        drop_frame();
        return root.type.read(value);
    }
    if (key != "status" && key != "resmsg") return walk(value);
    Scalar scalar{};
    if (const auto error = read_scalar(value, scalar)) return error;
    if (key == "status") {
        root.has_status = scalar.is_text_or_number();
        root.status = scalar.text;
    } else {
        root.words = scalar.is_text_or_number() ? scalar.text : std::string_view{};
    }
    return simdjson::SUCCESS;
}

error_code FrameReading::read_late_content(ondemand::document &document, Root &root) {
    root.kept_type = root.type.text;
    root.type.text = root.kept_type;
    document.rewind();
    ondemand::object object;
    if (const auto error = document.get_object().get(object)) return error;
    return each_field(
        object, [&](std::string_view key, ondemand::value value) -> error_code {
            if (key != "content") return walk(value);
            drop_frame();
            return read_content(value, root.type.text);
        });
}

FrameReading::Type FrameReading::type_of(std::string_view name) noexcept {
    if (name == "ticker") return Type::ticker;
    if (name == "transaction") return Type::transaction;
    if (name == "orderbookdepth") return Type::depth;
    if (name == "orderbooksnapshot") return Type::book;
    return Type::other;
}

error_code FrameReading::read_content(ondemand::value value, std::string_view type) {
    const Type kind = type_of(type);
    if (kind == Type::other) return walk(value);
    ondemand::object content;
    bool is_object = false;
    if (const auto error = open_object(value, content, is_object)) return error;
    if (!is_object) {
        push_skipped(type, {hoga_wire_fault_not_an_object, "content"});
        return simdjson::SUCCESS;
    }
    switch (kind) {
    case Type::ticker: return read_ticker(content);
    case Type::transaction: return read_transactions(content);
    case Type::depth: return read_depth(content);
    case Type::book: return read_book(content);
    case Type::other: break;
    }
    return simdjson::SUCCESS;
}

/// Adds the message of the whole frame once all of it was read.
void FrameReading::finish(const Root &root) {
    if (root.has_status) {
        drop_frame();
        push_note(hoga_wire_message_kind_status, root.status, root.words);
    } else if (root.type.fault != hoga_wire_fault_none) {
        drop_frame();
        push_skipped({}, {root.type.fault, "type"});
    } else if (type_of(root.type.text) == Type::other) {
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

/// Discards the messages of this frame.
void FrameReading::drop_frame() noexcept {
    reader.messages.resize(mark.messages);
    reader.tickers.resize(mark.tickers);
    reader.trades.resize(mark.trades);
    reader.levels.resize(mark.levels);
    reader.depths.resize(mark.depths);
    reader.books.resize(mark.books);
    reader.notes.resize(mark.notes);
    reader.texts.resize(mark.texts);
}

namespace {

/// Copies the frames one by one, each followed by a zero byte: simdjson reads one byte after a text
/// to check its end, and the first byte of the next frame could close a truncated one.
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
