// Frames of the API 1.x stream, routed by `status` first, then by `type`.

#include "FrameReading.hpp"

namespace hoga::wire {

void FrameReading::read(const uint8_t *text, size_t length, size_t capacity) {
    begin_frame();
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
    replace_broken(root.type.text, error);
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

}  // namespace hoga::wire
