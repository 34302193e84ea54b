// A batch of frames, of either stream.

#include <cstring>

#include "FrameReading.hpp"
#include "MarketFrameReading.hpp"

namespace hoga::wire {

namespace {

/// Copies the frames one by one, each followed by a zero byte: simdjson reads one byte after a text
/// to check its end, and the first byte of the next frame could close a truncated one.
template <typename Reading>
void read(
    hoga_wire_reader &reader, const uint8_t *bytes, const ptrdiff_t *ends, size_t count,
    size_t frame_bytes_max) {
    reader.clear();
    const size_t length = count == 0 ? 0 : static_cast<size_t>(ends[count - 1]);
    uint8_t *const text = reader.padded(length + count);
    const size_t capacity = reader.padded_capacity();
    std::memset(text + length + count, 0, simdjson::SIMDJSON_PADDING);

    Reading reading{reader};
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
    hoga_wire_reader *reader, hoga_wire_stream stream, const uint8_t *bytes,
    const ptrdiff_t *ends, size_t count, size_t frame_bytes_max) {
    using namespace hoga::wire;
    try {
        switch (stream) {
        case hoga_wire_stream_v1:
            read<FrameReading>(*reader, bytes, ends, count, frame_bytes_max);
            break;
        case hoga_wire_stream_v2:
            read<MarketFrameReading>(*reader, bytes, ends, count, frame_bytes_max);
            break;
        }
        return 1;
    } catch (...) {
        return 0;
    }
}
