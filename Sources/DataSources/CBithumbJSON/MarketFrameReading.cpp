#include "MarketFrameReading.hpp"

namespace hoga::wire {

void MarketFrameReading::read(const uint8_t *text, size_t length, size_t capacity) {
    begin_frame();
    Root root;
    ondemand::document document;
    error_code error = reader.parser.iterate(text, length, capacity).get(document);
    if (!error) error = read_root(document, root);
    // After a rewind the texts of the first pass are gone.
    if (!error && root.is_content_unread && !root.words.has_name
        && root.type.fault == hoga_wire_fault_none) {
        error = read_again(document, root);
    }
    if (error) {
        replace_broken(root.type.text, error);
    } else {
        finish(root);
    }
}

error_code MarketFrameReading::read_root(ondemand::document &document, Root &root) {
    ondemand::object object;
    if (const auto error = document.get_object().get(object)) return error;
    const error_code error = each_field(
        object, [&](std::string_view key, ondemand::value value) -> error_code {
            if (key == "type") {
                root.is_content_unread =
                    root.is_content_unread || root.type.fault != hoga_wire_fault_missing;
                if (const auto error = root.type.read(value)) return error;
                set_content(root);
                return simdjson::SUCCESS;
            }
            if (key == "error") return read_error(value, root);
            if (key == "status") return read_status(value, root);
            if (root.type.fault == hoga_wire_fault_missing) root.is_content_unread = true;
            return read_field(key, value, root);
        });
    return error ? error : check_end(document);
}

/// Reads the content of a frame whose type came late.
error_code MarketFrameReading::read_again(ondemand::document &document, Root &root) {
    drop_frame();
    set_content(root);
    root.code = {};
    root.is_snapshot = false;
    document.rewind();
    ondemand::object object;
    if (const auto error = document.get_object().get(object)) return error;
    return each_field(object, [&](std::string_view key, ondemand::value value) -> error_code {
        return key == "type" ? root.type.read(value) : read_field(key, value, root);
    });
}

error_code MarketFrameReading::read_field(
    std::string_view key, ondemand::value value, Root &root) {
    if (key == "code") return root.code.read(value);
    if (key == "stream_type") return read_stream_type(value, root);
    bool is_known = false;
    error_code error = simdjson::SUCCESS;
    if (auto *const ticker = std::get_if<TickerFields>(&root.content)) {
        error = ticker->read(key, value, is_known);
    } else if (auto *const trade = std::get_if<TradeFields>(&root.content)) {
        error = trade->read(key, value, is_known);
    } else if (auto *const book = std::get_if<BookFields>(&root.content)) {
        error = book->read(key, value, is_known);
    }
    return error || is_known ? error : walk(value);
}

/// Reads "SNAPSHOT"; anything else is live.
error_code MarketFrameReading::read_stream_type(ondemand::value value, Root &root) {
    Scalar scalar{};
    if (const auto error = read_scalar(value, scalar)) return error;
    root.is_snapshot = scalar.kind == Scalar::Kind::text && scalar.text == "SNAPSHOT";
    return simdjson::SUCCESS;
}

/// Reads `{"name":"WRONG_FORMAT","message":"…"}`; of equal keys the last counts.
error_code MarketFrameReading::read_error(ondemand::value value, Root &root) {
    root.words = {};
    ondemand::object object;
    bool is_object = false;
    if (const auto error = open_object(value, object, is_object)) return error;
    return is_object ? read_words(object, root.words, true) : simdjson::SUCCESS;
}

/// Reads `"UP"`, which answers a ping.
error_code MarketFrameReading::read_status(ondemand::value value, Root &root) {
    Scalar scalar{};
    if (const auto error = read_scalar(value, scalar)) return error;
    root.words = {};
    if (scalar.is_text_or_number()) root.words = {true, scalar.text, {}};
    return simdjson::SUCCESS;
}

void MarketFrameReading::set_content(Root &root) {
    drop_frame();
    if (root.type.text == "ticker") {
        root.content.emplace<TickerFields>(Zone::korea);
    } else if (root.type.text == "trade") {
        root.content.emplace<TradeFields>("trade_timestamp");
    } else if (root.type.text == "orderbook") {
        root.content.emplace<BookFields>(reader);
    } else {
        root.content.emplace<std::monostate>();
    }
}

/// Adds the message of the whole frame once all of it was read.
void MarketFrameReading::finish(Root &root) {
    if (root.words.has_name) {
        drop_frame();
        push_note(hoga_wire_message_kind_status, root.words.name, root.words.message);
        return;
    }
    if (root.type.fault != hoga_wire_fault_none) {
        push_skipped({}, {root.type.fault, "type"});
        return;
    }
    if (std::holds_alternative<std::monostate>(root.content)) {
        push_note(hoga_wire_message_kind_unknown, root.type.text, {});
        return;
    }
    Fault fault;
    fault.note(root.code.fault, "code");
    if (auto *const ticker = std::get_if<TickerFields>(&root.content)) {
        fault.note(ticker->finish());
        ticker->record.is_snapshot = root.is_snapshot ? 1 : 0;
        if (fault.is_none()) push(reader.keep(root.code.text), *ticker);
    } else if (auto *const trade = std::get_if<TradeFields>(&root.content)) {
        fault.note(trade->finish());
        trade->record.is_snapshot = root.is_snapshot ? 1 : 0;
        if (fault.is_none()) push(reader.keep(root.code.text), *trade);
    } else if (auto *const book = std::get_if<BookFields>(&root.content)) {
        fault.note(book->finish());
        if (fault.is_none()) push(reader.keep(root.code.text), *book);
    }
    if (fault.is_none()) return;
    drop_frame();
    push_skipped(root.type.text, fault);
}

void MarketFrameReading::push(hoga_wire_text symbol, TickerFields &fields) {
    const auto index = static_cast<uint32_t>(reader.market_tickers.size());
    reader.market_tickers.push_back(fields.record);
    reader.market_tickers.back().market = symbol;
    reader.messages.push_back({hoga_wire_message_kind_ticker, index, 1});
}

void MarketFrameReading::push(hoga_wire_text symbol, TradeFields &fields) {
    const auto index = static_cast<uint32_t>(reader.trades.size());
    reader.trades.push_back(fields.record);
    reader.trades.back().symbol = symbol;
    reader.messages.push_back({hoga_wire_message_kind_transactions, index, 1});
}

void MarketFrameReading::push(hoga_wire_text symbol, BookFields &fields) {
    const auto index = static_cast<uint32_t>(reader.books.size());
    reader.books.push_back(fields.book(symbol));
    reader.messages.push_back({hoga_wire_message_kind_book, index, 1});
    push_each_skipped("orderbook", fields.skipped);
}

}  // namespace hoga::wire
