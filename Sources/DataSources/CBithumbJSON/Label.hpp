// Texts that are shown to people as they are.
#pragma once

#include "Reading.hpp"

namespace hoga::wire {

/// A field with a text for people: a name of a coin, a word of the exchange. Nothing else than text
/// will do.
struct Label {
    std::string_view text;
    /// Whether there was something else than a text that can be shown; absent and null are nothing.
    bool is_wrong = false;

    /// Reads the field; of equal keys the last counts.
    error_code read(ondemand::value value) noexcept;
    /// Whether it has something to show.
    bool is_present() const noexcept { return !is_wrong && !text.empty(); }
    /// Whether it is absent, null or empty.
    bool is_absent() const noexcept { return !is_wrong && text.empty(); }
};

/// Whether a text can be shown on one line as it is: at most `HOGA_WIRE_LABEL_CHARACTERS_MAX` code
/// points, more than blanks, and no control that would move a cursor or turn the direction.
bool is_label(std::string_view text) noexcept;

}  // namespace hoga::wire
