// The contents of frames: order book changes and snapshots.

#include "Decimal.hpp"
#include "FrameReading.hpp"
#include "Levels.hpp"

namespace hoga::wire {

namespace {

using Level = hoga_wire_level;

constexpr std::string_view depth_type = "orderbookdepth";
constexpr std::string_view book_type = "orderbooksnapshot";

/// The fields of one change in the order of the exchange.
constexpr std::string_view change_keys[] = {"symbol", "orderType", "price", "quantity", "total"};

/// Reads one change in the exchange's exact spelling: these fields, this order, no blanks, no
/// escapes, numbers in quotes.
///
/// False for any other spelling, which the general reader handles. The parser has checked the whole
/// text before: every string that begins here ends.
bool read_usual_change(const char *at, std::string_view &symbol, Level &level) noexcept {
    size_t length = 0;
    if (!take(at, R"({"symbol":")") || !plain_length(at, length)) return false;
    symbol = {at, length};
    at += length;
    if (!take(at, R"(","orderType":")")) return false;
    level.is_ask = *at == 'a' ? 1 : 0;
    if (!(level.is_ask != 0 ? take(at, R"(ask","price":")") : take(at, R"(bid","price":")"))) {
        return false;
    }
    at = read_usual_decimal(at, level.price);
    if (at == nullptr || !take(at, R"(","quantity":")")) return false;
    at = read_usual_decimal(at, level.quantity);
    hoga_wire_decimal total;
    if (at == nullptr || !take(at, R"(","total":")")) return false;
    at = read_usual_decimal(at, total);
    return at != nullptr && take(at, R"("})") && length != 0 && length <= HOGA_WIRE_NAME_BYTES_MAX;
}

}  // namespace

error_code FrameReading::read_depth(ondemand::object &content) {
    UnixTime at;
    Fault fault{hoga_wire_fault_missing, "list"};
    const error_code error = each_field(
        content, [&](std::string_view key, ondemand::value value) -> error_code {
            if (key == "datetime") return at.read(value);
            if (key != "list") return walk(value);
            drop_frame();
            return read_changes(value, fault);
        });
    if (error) return error;
    fault.note(at.fault, "datetime");
    if (!fault.is_none()) {
        drop_frame();
        push_skipped(depth_type, fault);
        return simdjson::SUCCESS;
    }
    // The time follows the list.
    for (size_t index = mark.depths; index < reader.depths.size(); ++index) {
        reader.depths[index].at_microseconds = at.value;
    }
    push_each_skipped(depth_type, unreadable);
    return simdjson::SUCCESS;
}

error_code FrameReading::read_changes(ondemand::value list, Fault &fault) {
    unreadable.clear();
    run_symbol = {};
    ondemand::array array;
    bool is_list = false;
    if (const auto error = open_list(list, array, is_list)) return error;
    size_t count = 0;
    if (is_list) {
        const error_code error = each_element(
            array, HOGA_WIRE_LEVELS_MAX, count,
            [&](ondemand::value element) { return read_change(element); });
        if (error) return error;
    }
    fault = {};
    if (!is_list) fault.note(hoga_wire_fault_not_a_list, "list");
    if (count == 0) fault.note(hoga_wire_fault_no_entries, "list");
    if (count > HOGA_WIRE_LEVELS_MAX) fault.note(hoga_wire_fault_too_many_entries, "list");
    return simdjson::SUCCESS;
}

error_code FrameReading::read_change(ondemand::value element) {
    std::string_view usual_symbol;
    Level usual_level;
    if (read_usual_change(element.raw_json_token().data(), usual_symbol, usual_level)) {
        push_change(usual_symbol, usual_level);
        // The parser skips unread values.
        return simdjson::SUCCESS;
    }
    ondemand::object object;
    bool is_object = false;
    if (const auto error = open_object(element, object, is_object)) return error;
    if (!is_object) {
        unreadable.push_back({hoga_wire_fault_not_an_object, "list"});
        return simdjson::SUCCESS;
    }
    Name symbol, side;
    Level level{};
    hoga_wire_fault price = hoga_wire_fault_none;
    hoga_wire_fault quantity = hoga_wire_fault_none;
    KeyOrder order;
    const error_code error = each_field(
        object, [&](std::string_view key, ondemand::value value) -> error_code {
            switch (order.find(change_keys, key)) {
            case 0: return symbol.read(value);
            case 1: return side.read(value);
            case 2: return read_number(value, level.price, price);
            case 3: return read_number(value, level.quantity, quantity);
            default: return walk(value);
            }
        });
    if (error) return error;
    level.is_ask = side.text == "ask" ? 1 : 0;
    Fault fault;
    fault.note(symbol.fault, "symbol");
    fault.note(side.fault, "orderType");
    if (level.is_ask == 0 && side.text != "bid") {
        fault.note(hoga_wire_fault_unknown_code, "orderType");
    }
    fault.note(required(level.price, price), "price");
    fault.note(required(level.quantity, quantity), "quantity");
    if (fault.is_none()) {
        push_change(symbol.text, level);
    } else {
        unreadable.push_back(fault);
    }
    return simdjson::SUCCESS;
}

/// Adjacent changes of one symbol are one message.
void FrameReading::push_change(std::string_view symbol, const Level &level) {
    const auto first = static_cast<uint32_t>(reader.levels.size());
    if (symbol != run_symbol) {
        run_symbol = symbol;
        const auto index = static_cast<uint32_t>(reader.depths.size());
        reader.depths.push_back({reader.keep(symbol), 0, {first, 0}});
        reader.messages.push_back({hoga_wire_message_kind_depth, index, 1});
    }
    reader.levels.push_back(level);
    ++reader.depths.back().changes.count;
}

error_code FrameReading::read_book(ondemand::object &content) {
    Name symbol;
    UnixTime at;
    Side asks, bids;
    const error_code error = each_field(
        content, [&](std::string_view key, ondemand::value value) -> error_code {
            if (key == "symbol") return symbol.read(value);
            if (key == "datetime") return at.read(value);
            if (key == "asks") return asks.read(value, true, reader);
            if (key == "bids") return bids.read(value, false, reader);
            return walk(value);
        });
    if (error) return error;
    Fault fault;
    fault.note(symbol.fault, "symbol");
    fault.note(at.fault, "datetime");
    fault.note(asks.fault, "asks");
    fault.note(bids.fault, "bids");
    if (!fault.is_none()) {
        drop_frame();
        push_skipped(book_type, fault);
        return simdjson::SUCCESS;
    }
    const auto index = static_cast<uint32_t>(reader.books.size());
    reader.books.push_back(make_book(reader.keep(symbol.text), at.value, asks, bids));
    reader.messages.push_back({hoga_wire_message_kind_book, index, 1});
    push_each_skipped(book_type, asks.skipped);
    push_each_skipped(book_type, bids.skipped);
    return simdjson::SUCCESS;
}

}  // namespace hoga::wire
