#define SIMDJSON_EXCEPTIONS 0
#include <simdjson.h>

#include <cstring>
#include <vector>

#include "CWalk.h"

namespace ondemand = simdjson::ondemand;
using simdjson::error_code;

struct hoga_walk {
    simdjson::ondemand::parser parser;
    std::vector<uint8_t> text;
    std::vector<size_t> lengths;
};

namespace {

error_code walk(ondemand::value value, size_t &sum) noexcept {
    const std::string_view token = value.raw_json_token();
    if (token.front() == '{') {
        ondemand::object object;
        if (const auto error = value.get_object().get(object)) return error;
        for (auto result : object) {
            ondemand::field field;
            if (const auto error = std::move(result).get(field)) return error;
            if (const auto error = walk(field.value(), sum)) return error;
        }
    } else if (token.front() == '[') {
        ondemand::array list;
        if (const auto error = value.get_array().get(list)) return error;
        for (auto result : list) {
            ondemand::value element;
            if (const auto error = std::move(result).get(element)) return error;
            if (const auto error = walk(element, sum)) return error;
        }
    } else {
        sum += token.size();
    }
    return simdjson::SUCCESS;
}

error_code walk_text(
    hoga_walk &walker, const uint8_t *text, size_t length, size_t capacity, size_t &sum) noexcept {
    ondemand::document document;
    const error_code error = walker.parser.iterate(text, length, capacity).get(document);
    if (error) return error;
    ondemand::value root;
    if (const auto error = document.get_value().get(root)) return error;
    return walk(root, sum);
}

}  // namespace

extern "C" hoga_walk *hoga_walk_create(
    const uint8_t *bytes, const ptrdiff_t *ends, size_t count) {
    try {
        auto *const walker = new hoga_walk();
        ptrdiff_t start = 0;
        for (size_t index = 0; index < count; ++index) {
            walker->text.insert(walker->text.end(), bytes + start, bytes + ends[index]);
            walker->text.push_back(0);
            walker->lengths.push_back(static_cast<size_t>(ends[index] - start));
            start = ends[index];
        }
        walker->text.resize(walker->text.size() + simdjson::SIMDJSON_PADDING);
        return walker;
    } catch (...) {
        return nullptr;
    }
}

extern "C" void hoga_walk_free(hoga_walk *walker) { delete walker; }

extern "C" size_t hoga_walk_run(hoga_walk *walker) {
    size_t sum = 0;
    size_t start = 0;
    for (const size_t length : walker->lengths) {
        const uint8_t *const text = walker->text.data() + start;
        if (walk_text(*walker, text, length, walker->text.size() - start, sum)) return 0;
        start += length + 1;
    }
    return sum;
}
