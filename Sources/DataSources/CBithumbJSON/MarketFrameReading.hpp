// Reads one frame of the API 2.x stream: a flat object with a type and a market.
#pragma once

#include <variant>

#include "Envelope.hpp"
#include "FrameMessages.hpp"
#include "MarketFields.hpp"

namespace hoga::wire {

/// Reads the frames of one batch into the reader's vectors.
class MarketFrameReading : public FrameMessages {
  public:
    explicit MarketFrameReading(hoga_wire_reader &reader) noexcept : FrameMessages{reader} {}

    /// Reads one frame; a zero byte follows `text`, and padding after that.
    void read(const uint8_t *text, size_t length, size_t capacity);

  private:
    /// The fields of the frame's type; nothing for an unknown one.
    using Content = std::variant<std::monostate, TickerFields, TradeFields, BookFields>;

    /// One frame.
    struct Root {
        Name type, code;
        Content content;
        /// Whether fields of the content preceded the type, so that they are read once more.
        bool is_content_unread = false;
        /// Whether the frame tells the state at the time of the request.
        bool is_snapshot = false;
        /// Of an error, or of the answer to a ping.
        Words words;
    };

    error_code read_root(ondemand::document &document, Root &root);
    error_code read_again(ondemand::document &document, Root &root);
    error_code read_field(std::string_view key, ondemand::value value, Root &root);
    error_code read_stream_type(ondemand::value value, Root &root);
    error_code read_error(ondemand::value value, Root &root);
    error_code read_status(ondemand::value value, Root &root);
    void set_content(Root &root);
    void finish(Root &root);
    void push(hoga_wire_text symbol, TickerFields &fields);
    void push(hoga_wire_text symbol, TradeFields &fields);
    void push(hoga_wire_text symbol, BookFields &fields);
};

}  // namespace hoga::wire
