// Reads one frame of the API 1.x stream: first its root, then the content by type.
#pragma once

#include "FrameMessages.hpp"

namespace hoga::wire {

/// Reads the frames of one batch into the reader's vectors.
class FrameReading : public FrameMessages {
  public:
    explicit FrameReading(hoga_wire_reader &reader) noexcept : FrameMessages{reader} {}

    /// Reads one frame; a zero byte follows `text`, and padding after that.
    void read(const uint8_t *text, size_t length, size_t capacity);

  private:
    /// The root object of one frame.
    struct Root {
        bool has_status = false;
        std::string_view status;
        std::string_view words;
        Name type;
        /// The text of `type` after the parser was rewound.
        std::string kept_type;
        bool has_content = false;
        /// Whether the content precedes the type.
        bool is_content_unread = false;
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

    /// Of the last list of changes: the faults of skipped ones, and the symbol of the last one.
    std::vector<Fault> unreadable;
    std::string_view run_symbol;
};

}  // namespace hoga::wire
