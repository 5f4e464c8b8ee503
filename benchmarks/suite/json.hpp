// SPDX-License-Identifier: Apache-2.0
//
// One line of JSON, piece by piece.
#pragma once

#include <cmath>
#include <cstdio>
#include <string>

namespace bench {

inline std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            result += '\\';
        }
        result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return result + '"';
}

class Json {
public:
    Json& add(const char* name, const std::string& text) { return raw(name, quoted(text)); }
    Json& add(const char* name, const char* text) { return raw(name, quoted(text)); }
    Json& add(const char* name, bool value) { return raw(name, value ? "true" : "false"); }
    Json& add(const char* name, double value) {
        char text[32];
        std::snprintf(text, sizeof(text), "%.6g", value);
        return raw(name, std::isfinite(value) ? text : "null");
    }
    Json& add(const char* name, int value) { return raw(name, std::to_string(value)); }
    /// Text that is JSON already: an object, an array.
    Json& raw(const char* name, const std::string& json) {
        text_ += text_.empty() ? "" : ", ";
        text_ += quoted(name) + ": " + json;
        return *this;
    }
    template <class List, class Text>
    Json& list(const char* name, List&& items, Text text_of) {
        std::string all;
        for (auto& item : items) {
            all += all.empty() ? "" : ", ";
            all += text_of(item);
        }
        return raw(name, "[" + all + "]");
    }
    std::string text() const { return "{" + text_ + "}"; }

private:
    std::string text_;
};

}  // namespace bench
