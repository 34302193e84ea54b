// Texts that are shown to users unchanged.
#pragma once

#include "Reading.hpp"

namespace hoga::wire {

/// A text field for users, such as the name of a coin. Only text is accepted.
struct Label {
    std::string_view text;
    /// Whether the field holds anything but a printable text; absent and null do not count.
    bool is_wrong = false;

    /// Reads the field; of equal keys the last counts.
    error_code read(ondemand::value value) noexcept;
    /// Whether it has a text.
    bool is_present() const noexcept { return !is_wrong && !text.empty(); }
    /// Whether it is absent, null or empty.
    bool is_absent() const noexcept { return !is_wrong && text.empty(); }
};

/// Whether a text is printable on one line: at most `HOGA_WIRE_LABEL_CHARACTERS_MAX` code points,
/// not only blanks, and no control that moves a cursor or changes the direction.
bool is_label(std::string_view text) noexcept;

}  // namespace hoga::wire
