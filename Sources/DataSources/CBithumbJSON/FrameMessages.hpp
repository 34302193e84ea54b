// The messages of one batch of frames, of either stream.
#pragma once

#include "Reading.hpp"

namespace hoga::wire {

/// Adds the messages of one frame after another to a reader's vectors.
class FrameMessages {
  public:
    /// Adds a frame that is skipped unread.
    void skip(hoga_wire_fault fault) { push_skipped({}, {fault, {}}); }

  protected:
    explicit FrameMessages(hoga_wire_reader &reader) noexcept : reader{reader} {}

    /// The sizes to restore when a frame is broken.
    struct Mark {
        size_t messages, tickers, market_tickers, trades, levels, depths, books, notes, texts;
    };

    /// Begins a frame.
    void begin_frame() noexcept;
    /// Replaces the messages of a frame that is not JSON.
    void replace_broken(std::string_view type, error_code error);
    /// Discards the messages of this frame.
    void drop_frame() noexcept;
    void push_skipped(std::string_view name, Fault fault);
    void push_each_skipped(std::string_view name, const std::vector<Fault> &faults);
    void push_note(hoga_wire_message_kind kind, std::string_view name, std::string_view words);

    hoga_wire_reader &reader;
    Mark mark{};
};

}  // namespace hoga::wire
