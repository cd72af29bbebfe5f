// CUDA C after the preprocessor as C++: shared memory becomes static variables, and kernels stand in a table.

#include "translate.h"

#include <cctype>
#include <cstring>
#include <regex>

namespace shim {

namespace {

bool is_word(char c) { return isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Where the bracket that opens at `at` closes.
size_t closing(const std::string& text, size_t at) {
    int depth = 0;
    for (; at < text.size(); ++at) {
        if (text[at] == '(') ++depth;
        if (text[at] == ')' && --depth == 0) return at;
    }
    return std::string::npos;
}

size_t skip_space(const std::string& text, size_t at) {
    while (at < text.size() && isspace(static_cast<unsigned char>(text[at]))) ++at;
    return at;
}

std::string word_at(const std::string& text, size_t at) {
    size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    return text.substr(at, end - at);
}

/// `T name[]` of an `extern __shared__` as a macro call, with as many lines as before.
std::string dynamic_shared(std::string declaration) {
    std::string lines;
    for (char c : declaration) {
        if (c == '\n') lines += c;
    }
    static const std::regex alignment(R"((__align__|alignas|__attribute__)\s*\((\([^()]*\([^()]*\)[^()]*\)|[^()]|\([^()]*\))*\))");
    declaration = std::regex_replace(declaration, alignment, " ");
    size_t end = declaration.find('[');
    if (end == std::string::npos) return "extern __shared__ " + declaration;
    while (end > 0 && !is_word(declaration[end - 1])) --end;
    size_t begin = end;
    while (begin > 0 && is_word(declaration[begin - 1])) --begin;
    std::string type = declaration.substr(0, begin);
    for (char& c : type) {
        if (c == '\n') c = ' ';
    }
    return "SHIM_DYNAMIC_SHARED(" + declaration.substr(begin, end - begin) + ", " + type + ")" + lines;
}

/// A name, and where it stands.
struct Name {
    std::string text;
    size_t at;
};

/// The end of a declaration that begins at `at`, and the names it declares.
size_t declared(const std::string& text, size_t at, std::vector<Name>& names) {
    Name name;
    bool is_named = false;
    int brackets = 0, angles = 0;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        const bool is_outside = brackets == 0 && angles == 0;
        if (is_outside && !is_named && is_word(c)) {
            name = {word_at(text, at), at};
            at += name.text.size() - 1;
        } else if (is_outside && (c == ',' || c == ';')) {
            names.push_back(name);
            is_named = false;
            if (c == ';') return at;
        } else if (strchr("([{", c)) {
            // What follows the first extent is no name.
            is_named |= is_outside && c == '[';
            ++brackets;
        } else if (strchr(")]}", c)) {
            --brackets;
        } else if (brackets == 0 && (c == '<' || c == '>')) {
            angles += c == '<' ? 1 : -1;
        }
    }
    return at;
}

}  // namespace

std::string translate(const std::string& text, const std::vector<std::string>& expressions) {
    std::string out, table, last;
    size_t statement = 0;
    for (size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == '"' || (c == '\'' && (at == 0 || !is_word(text[at - 1])))) {
            const size_t begin = at++;
            while (at < text.size() && text[at] != c) at += text[at] == '\\' ? 2 : 1;
            out.append(text, begin, ++at - begin);
            continue;
        }
        if (!is_word(c)) {
            if (c == ';' || c == '}' || c == '{') statement = at + 1;
            out += c, ++at;
            continue;
        }
        const std::string word = word_at(text, at);
        const size_t after = skip_space(text, at + word.size());
        if (word == "extern" && word_at(text, after) == "__shared__") {
            const size_t begin = after + strlen("__shared__"), end = text.find(';', begin);
            if (end != std::string::npos) {
                out += dynamic_shared(text.substr(begin, end - begin));
                at = end;
                continue;
            }
        }
        if (word == "__global__" &&
            text.substr(statement, at - statement).find("template") == std::string::npos) {
            // Bounds may stand on either side of the qualifier.
            std::string name, bounds = "()";
            const size_t before = text.find("__launch_bounds__", statement);
            for (size_t next = before < at ? before : after; next < text.size();) {
                next = skip_space(text, next);
                if (text[next] == '*' || text[next] == '&') ++next;
                const std::string token = word_at(text, next);
                if (token.empty()) break;
                next = skip_space(text, next + token.size());
                if (next >= text.size() || text[next] != '(') continue;
                const size_t end = closing(text, next);
                if (end == std::string::npos) break;
                if (token == "__launch_bounds__") {
                    bounds = text.substr(next, end - next + 1);
                } else if (token != "__attribute__") {
                    if (text[skip_space(text, end + 1)] == '{') name = token;
                    break;
                }
                next = end + 1;
            }
            if (!name.empty()) table += "SHIM_KERNEL(\"" + name + "\", " + bounds + ", " + name + "), ";
        }
        if (word == "__shared__") {
            std::vector<Name> names;
            size_t begin = at + word.size();
            // An alignment stands before `static`.
            const std::string next = word_at(text, after);
            if (next == "alignas" || next == "__align__" || next == "__attribute__") {
                const size_t close = closing(text, after + next.size()) + 1;
                out += text.substr(begin, close - begin) + " ";
                begin = close;
            }
            const size_t end = declared(text, begin, names);
            if (last != "static") out += "static ";
            for (const Name& name : names) {
                out += text.substr(begin, name.at - begin) + "shim_own_" + name.text;
                begin = name.at + name.text.size();
            }
            out += text.substr(begin, end - begin) + ";";
            for (const Name& name : names) out += " SHIM_SHARED(" + name.text + ")";
            at = end + 1;
            continue;
        }
        out += word;
        at += word.size();
        last = word;
    }
    for (size_t number = 0; number < expressions.size(); ++number) {
        table += "SHIM_KERNEL(\"shim_expression_" + std::to_string(number) + "\", (), " +
                 expressions[number] + "), ";
    }
    return out + "\n#line 1 \"table of kernels\"\nSHIM_MODULE(" + table + ")\n";
}

}  // namespace shim
