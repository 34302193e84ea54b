// How one frame of the API 1.x stream is read: first its root, then the content of its type.
#pragma once

#include "Reading.hpp"

namespace hoga::wire {

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
        size_t messages, tickers, trades, levels, depths, books, notes, texts;
    };

    /// The types of frames that are read.
    enum class Type { ticker, transaction, depth, book, other };

    static Type type_of(std::string_view name) noexcept;

    error_code read_root(ondemand::document &document, Root &root);
    error_code read_root_field(std::string_view key, ondemand::value value, Root &root);
    error_code read_late_content(ondemand::document &document, Root &root);
    error_code read_content(ondemand::value value, std::string_view type);
    error_code read_ticker(ondemand::object &content);
    error_code read_transactions(ondemand::object &content);
    error_code read_trades(ondemand::value list);
    error_code read_trade(ondemand::value element, hoga_wire_trade &trade, Fault &fault);
    error_code read_depth(ondemand::object &content);
    error_code read_changes(ondemand::value list, Fault &fault);
    error_code read_change(ondemand::value element);
    void push_change(std::string_view symbol, const hoga_wire_level &level);
    error_code read_book(ondemand::object &content);
    void finish(const Root &root);

    void push_skipped(std::string_view name, Fault fault);
    void push_each_skipped(std::string_view name, const std::vector<Fault> &faults);
    void push_note(hoga_wire_message_kind kind, std::string_view name, std::string_view words);
    void drop_frame() noexcept;

    hoga_wire_reader &reader;
    Mark mark{};
    /// Of the list of changes that was read last: what is wrong with those left out, and the
    /// symbol of the last one that was read.
    std::vector<Fault> unreadable;
    std::string_view run_symbol;
};

}  // namespace hoga::wire
