// How one frame of the API 1.x stream is read: first its root, then the content of its type.
#pragma once

#include "Reading.hpp"

namespace hoga::wire {

/// A name field of a frame; missing until it was read.
struct Name {
    std::string_view text;
    hoga_wire_fault fault = hoga_wire_fault_missing;

    error_code read(ondemand::value value) noexcept { return read_name(value, text, fault); }
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
        /// What `type` points to once the parser has gone back to the start.
        std::string kept_type;
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
    error_code read_late_content(ondemand::document &document, Root &root);
    error_code read_content(ondemand::value value, std::string_view type);
    error_code read_ticker(ondemand::object &content);
    error_code read_transactions(ondemand::object &content);
    error_code read_trades(ondemand::value list);
    error_code read_trade(ondemand::value element, hoga_wire_trade &trade, Fault &fault);
    void finish(const Root &root);

    void push_skipped(std::string_view name, Fault fault);
    void push_note(hoga_wire_message_kind kind, std::string_view name, std::string_view words);
    void drop_frame() noexcept;

    hoga_wire_reader &reader;
    Mark mark{};
};

}  // namespace hoga::wire
