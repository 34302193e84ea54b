#include "Label.hpp"

#include <algorithm>

namespace hoga::wire {

namespace {

/// Removes the first code point. The parser has checked that the text is UTF-8.
uint32_t take_code_point(std::string_view &text) noexcept {
    const auto lead = static_cast<unsigned char>(text.front());
    const size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    uint32_t code_point = length == 1 ? lead : lead & (0xFFu >> (length + 1));
    for (size_t index = 1; index < length && index < text.size(); ++index) {
        code_point = code_point << 6 | (static_cast<unsigned char>(text[index]) & 0x3Fu);
    }
    text.remove_prefix(std::min(length, text.size()));
    return code_point;
}

/// Controls, line separators, and characters that change the direction.
bool is_control(uint32_t code_point) noexcept {
    return code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0)
        || (code_point >= 0x2028 && code_point <= 0x202E)
        || (code_point >= 0x2066 && code_point <= 0x2069);
}

}  // namespace

bool is_label(std::string_view text) noexcept {
    // A code point has at most four bytes, so a longer text needs no scan.
    if (text.size() > 4 * HOGA_WIRE_LABEL_CHARACTERS_MAX) return false;
    size_t count = 0;
    bool is_visible = false;
    while (!text.empty()) {
        const uint32_t code_point = take_code_point(text);
        if (is_control(code_point) || ++count > HOGA_WIRE_LABEL_CHARACTERS_MAX) return false;
        is_visible = is_visible || code_point != ' ';
    }
    return is_visible;
}

error_code Label::read(ondemand::value value) noexcept {
    Scalar scalar{};
    text = {};
    is_wrong = false;
    if (const auto error = read_scalar(value, scalar)) return error;
    if (scalar.kind == Scalar::Kind::null) return simdjson::SUCCESS;
    const bool is_text = scalar.kind == Scalar::Kind::text;
    is_wrong = !is_text || (!scalar.text.empty() && !is_label(scalar.text));
    if (!is_wrong) text = scalar.text;
    return simdjson::SUCCESS;
}

}  // namespace hoga::wire
