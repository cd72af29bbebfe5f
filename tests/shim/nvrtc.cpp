// A pretended libnvrtc: CUDA C goes through g++ and becomes a shared object, which is handed out as
// the CUBIN. `translate` does the little that macros cannot.

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "translate.h"

extern char** environ;

using shim::translate;

namespace {

enum Result { SUCCESS, OUT_OF_MEMORY, CREATION_FAILURE, INVALID_INPUT, INVALID_PROGRAM, INVALID_OPTION,
              COMPILATION, BUILTIN_FAILURE, NO_NAMES_AFTER, NO_NAMES_BEFORE, NAME_NOT_VALID, INTERNAL };

struct Program {
    std::string source, name, log, cubin, ptx;
    std::vector<std::pair<std::string, std::string>> headers;
    std::vector<std::string> expressions;
    bool is_compiled = false;
};

std::string read_file(const std::string& path) {
    std::string text;
    if (FILE* file = fopen(path.c_str(), "rb")) {
        char buffer[1 << 16];
        while (size_t count = fread(buffer, 1, sizeof buffer, file)) text.append(buffer, count);
        fclose(file);
    }
    return text;
}

bool write_file(const std::string& path, const std::string& text) {
    FILE* file = fopen(path.c_str(), "wb");
    if (!file) return false;
    const bool is_whole = fwrite(text.data(), 1, text.size(), file) == text.size();
    return fclose(file) == 0 && is_whole;
}

/// The folder this library was loaded from: the headers lie beside it.
std::string home() {
    Dl_info info;
    if (!dladdr(reinterpret_cast<void*>(&home), &info)) return ".";
    char* real = realpath(info.dli_fname, nullptr);
    const std::string path = real ? real : info.dli_fname;
    free(real);
    return path.substr(0, path.find_last_of('/') + 1) + ".";
}

/// Runs a command with its messages going to a file. LD_PRELOAD is not for compilers.
bool run(const std::vector<std::string>& command, const std::string& messages) {
    std::vector<char*> arguments, environment;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    char english[] = "LC_ALL=C";
    for (char** entry = environ; *entry; ++entry) {
        if (strncmp(*entry, "LD_PRELOAD=", 11) && strncmp(*entry, "LC_ALL=", 7)) {
            environment.push_back(*entry);
        }
    }
    environment.push_back(english);
    environment.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 2, messages.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    pid_t child;
    const int failure =
        posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environment.data());
    posix_spawn_file_actions_destroy(&actions);
    if (failure) {
        write_file(messages, command[0] + ": " + strerror(failure) + "\n");
        return false;
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status == 0;
}

/// g++'s messages in NVRTC's form, `name(line): error: …`.
std::string as_nvrtc(const std::string& messages) {
    static const std::regex place(R"((^|\n)([^\n:]+):(\d+):\d+: (?:fatal )?(error|warning|note): )");
    return std::regex_replace(messages, place, "$1$2($3): $4: ");
}

struct Options {
    std::vector<std::string> preprocess;
    std::string standard = "-std=c++17", unknown;
    int arch = 750;
    bool is_binary = false;
};

Options understand(int count, const char* const* words) {
    static const char* const IGNORED[] = {"--fmad", "-fmad", "--ftz", "-ftz", "--prec-div", "-prec-div",
        "--prec-sqrt", "-prec-sqrt", "--use_fast_math", "-use_fast_math", "--extra-device-vectorization",
        "-extra-device-vectorization", "--generate-line-info", "-lineinfo", "--device-debug", "-G",
        "--maxrregcount", "-maxrregcount", "--minimal", "-minimal", "--disable-warnings", "-w",
        "--restrict", "-restrict", "--default-device", "-default-device", "--diag-suppress",
        "-diag-suppress", "--ptxas-options", "-Xptxas", "--split-compile", "-split-compile", "--dopt",
        "-dopt", "--device-int128", "-device-int128", "--relocatable-device-code=false",
        "--display-error-number", "-err-no", "--no-display-error-number", "--Ofast-compile",
        "--fdevice-time-trace", "--no-cache", "-no-cache", "--no-source-include"};
    Options options;
    for (int at = 0; at < count; ++at) {
        const std::string word = words[at];
        const size_t equals = word.find('=');
        const std::string key = word.substr(0, equals);
        std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
        const auto next = [&] {
            if (equals == std::string::npos && at + 1 < count) value = words[++at];
            return value;
        };
        if (key == "--gpu-architecture" || key == "-arch" || key == "--gpu-architecture ") {
            next();
            options.is_binary = value.rfind("sm_", 0) == 0;
            options.arch = atoi(value.c_str() + value.find('_') + 1) * 10;
        } else if (word.rfind("-D", 0) == 0 || word.rfind("-U", 0) == 0 || word.rfind("-I", 0) == 0) {
            options.preprocess.push_back(word);
            if (word.size() == 2 && at + 1 < count) options.preprocess.back() += words[++at];
        } else if (key == "--define-macro") {
            options.preprocess.push_back("-D" + next());
        } else if (key == "--undefine-macro") {
            options.preprocess.push_back("-U" + next());
        } else if (key == "--include-path") {
            options.preprocess.push_back("-I" + next());
        } else if (key == "--std" || key == "-std") {
            options.standard = "-std=" + next();
        } else {
            bool is_known = false;
            for (const char* known : IGNORED) is_known |= key == known || word == known;
            if ((key == "-Xptxas" || key == "-maxrregcount") && equals == std::string::npos) ++at;
            if (!is_known) options.unknown = word;
        }
    }
    return options;
}

/// Two independent sums of 64 bits over all that decides the outcome.
std::string fingerprint(const std::vector<std::string>& parts) {
    unsigned long long a = 0xcbf29ce484222325, b = 0x9e3779b97f4a7c15;
    for (const std::string& part : parts) {
        for (unsigned char c : part + '\0') {
            a = (a ^ c) * 0x100000001b3;
            b = (b + c) * 0xff51afd7ed558ccd;
            b ^= b >> 29;
        }
    }
    char text[40];
    snprintf(text, sizeof text, "%016llx%016llx", a, b);
    return text;
}

bool is_set(const char* name) {
    const char* value = getenv(name);
    return value && *value && strcmp(value, "0");
}

/// Held by who compiles a program, while others, of other processes too, wait for what it keeps.
struct Turn {
    std::string path;
    int file = -1;
    ~Turn() { if (file >= 0) unlink(path.c_str()), close(file); }
};

Result compile(Program& program, const Options& options, const std::string& folder) {
    const std::string source = folder + "/source.cu", expanded = folder + "/expanded.ii",
                      unit = folder + "/unit.cpp", object = folder + "/unit.o",
                      module = folder + "/unit.so", messages = folder + "/messages";
    const char* compiler = getenv("CXX") && *getenv("CXX") ? getenv("CXX") : "g++";
    for (const auto& [name, text] : program.headers) write_file(folder + "/" + name, text);
    write_file(source, "#line 1 \"" + program.name + "\"\n" + program.source);

    // A macro of one file that another defines again is an error here: NVRTC only warns, and takes the last.
    std::vector<std::string> preprocess = {compiler, "-E", "-Werror", "-x", "c++", options.standard, "-nostdinc",
        "-DGENESIS_SHIM=1", "-D__CUDACC__=1", "-D__CUDACC_RTC__=1",
        "-D__CUDA_ARCH__=" + std::to_string(options.arch), "-I" + folder};
    preprocess.insert(preprocess.end(), options.preprocess.begin(), options.preprocess.end());
    preprocess.insert(preprocess.end(), {source, "-o", expanded});
    std::vector<std::string> translate_unit = {compiler, "-c"};
    // The file that the build script compiled the header with, so that the two agree.
    std::istringstream words(read_file(home() + "/flags"));
    for (std::string word; words >> word;) translate_unit.push_back(word);
    translate_unit.insert(translate_unit.end(), {"-x", "c++", "-I" + home(), "-include", "cuda_shim.h"});
    if (is_set("GENESIS_SHIM_SANITIZE")) {
        translate_unit.insert(translate_unit.end(), {"-g1", "-DSHIM_CHECKED", "-fsanitize=kernel-address", "--param",
            "asan-instrumentation-with-call-threshold=0", "--param", "asan-stack=0", "--param",
            "asan-globals=0"});
    }
    translate_unit.insert(translate_unit.end(), {unit, "-o", object});

    if (const char* corpus = getenv("GENESIS_SHIM_RECORD"); corpus && *corpus) {
        // What the program asks for, to be compiled by the real NVRTC later.
        mkdir(corpus, 0700);
        write_file(std::string(corpus) + "/" + fingerprint({program.source}) + ".cu", program.source);
    }
    std::string kept;
    Turn turn;
    if (!getenv("GENESIS_SHIM_CACHE") || is_set("GENESIS_SHIM_CACHE")) {
        std::vector<std::string> parts = {program.name, program.source, options.standard,
            std::to_string(options.arch), is_set("GENESIS_SHIM_SANITIZE") ? "sanitize" : "",
            compiler, read_file(home() + "/stamp")};
        for (const auto& header : program.headers) parts.push_back(header.first + '\1' + header.second);
        parts.insert(parts.end(), options.preprocess.begin(), options.preprocess.end());
        parts.insert(parts.end(), program.expressions.begin(), program.expressions.end());
        mkdir((home() + "/cache").c_str(), 0700);
        kept = home() + "/cache/" + fingerprint(parts);
        program.cubin = read_file(kept);
        if (!program.cubin.empty()) return SUCCESS;
        turn.path = kept + ".turn";
        turn.file = open(turn.path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
        if (turn.file >= 0) flock(turn.file, LOCK_EX);
        program.cubin = read_file(kept);
        if (!program.cubin.empty()) return SUCCESS;
    }
    bool is_done = run(preprocess, messages);
    if (is_done) {
        write_file(unit, translate(read_file(expanded), program.expressions));
        is_done = run(translate_unit, messages) &&
                  run({compiler, "-shared", "-nostdlib", "-Wl,-Bsymbolic,-z,noseparate-code,-z,start-stop-visibility=hidden", object, "-lm",
                       "-lgcc", "-o", module}, messages);
    }
    program.log = as_nvrtc(read_file(messages));
    if (!is_done) return COMPILATION;
    program.cubin = read_file(module);
    const std::string fresh = kept + "." + std::to_string(getpid()) + folder.substr(folder.size() - 6);
    if (!kept.empty() && write_file(fresh, program.cubin)) rename(fresh.c_str(), kept.c_str());
    return SUCCESS;
}

void remove_folder(const std::string& folder, const Program& program) {
    for (const char* name : {"source.cu", "expanded.ii", "unit.cpp", "unit.o", "unit.so", "messages"}) {
        unlink((folder + "/" + name).c_str());
    }
    for (const auto& header : program.headers) unlink((folder + "/" + header.first).c_str());
    rmdir(folder.c_str());
}

Result give(const std::string& text, char* out) {
    memcpy(out, text.c_str(), text.size());
    return SUCCESS;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

int nvrtcVersion(int* major, int* minor) {
    // A version that NVIDIA has not used and that changes with the shim, so that a cache of compiled
    // kernels mixes neither.
    *major = 13, *minor = 1000 + int(strtoull(read_file(home() + "/stamp").c_str(), nullptr, 10) % 1000000);
    return SUCCESS;
}

int nvrtcGetNumSupportedArchs(int* count) { return *count = 3, SUCCESS; }
int nvrtcGetSupportedArchs(int* archs) {
    archs[0] = 80, archs[1] = 90, archs[2] = 100;
    return SUCCESS;
}

int nvrtcCreateProgram(Program** out, const char* source, const char* name, int count,
                       const char* const* headers, const char* const* names) {
    if (!out || !source) return INVALID_INPUT;
    Program* program = new Program;
    program->source = source;
    program->name = name && *name ? name : "default_program";
    for (int at = 0; at < count; ++at) program->headers.emplace_back(names[at], headers[at]);
    *out = program;
    return SUCCESS;
}

int nvrtcDestroyProgram(Program** program) {
    if (!program || !*program) return INVALID_PROGRAM;
    delete *program;
    *program = nullptr;
    return SUCCESS;
}

int nvrtcAddNameExpression(Program* program, const char* expression) {
    if (!program) return INVALID_PROGRAM;
    if (program->is_compiled) return NO_NAMES_AFTER;
    program->expressions.push_back(expression);
    return SUCCESS;
}

int nvrtcCompileProgram(Program* program, int count, const char* const* words) {
    if (!program) return INVALID_PROGRAM;
    const Options options = understand(count, words);
    if (!options.unknown.empty()) {
        program->log = "nvrtc: error: invalid value for --gpu-architecture or unrecognized option " +
                       options.unknown + "\n";
        return INVALID_OPTION;
    }
    const char* temporary = getenv("TMPDIR");
    std::string folder = std::string(temporary && *temporary ? temporary : "/tmp") + "/shim.XXXXXX";
    if (!mkdtemp(folder.data())) return INTERNAL;
    const Result result = compile(*program, options, folder);
    if (is_set("GENESIS_SHIM_KEEP")) {
        fprintf(stderr, "shim: %s is kept in %s\n", program->name.c_str(), folder.c_str());
    } else {
        remove_folder(folder, *program);
    }
    program->is_compiled = result == SUCCESS;
    if (!options.is_binary) program->cubin.clear();
    program->ptx = "// compiled for the host by the shim\n";
    return result;
}

int nvrtcGetLoweredName(Program* program, const char* expression, const char** name) {
    if (!program || !program->is_compiled) return NO_NAMES_BEFORE;
    static thread_local std::string lowered;
    for (size_t at = 0; at < program->expressions.size(); ++at) {
        if (program->expressions[at] != expression) continue;
        lowered = "shim_expression_" + std::to_string(at);
        *name = lowered.c_str();
        return SUCCESS;
    }
    return NAME_NOT_VALID;
}

int nvrtcGetCUBINSize(Program* p, size_t* size) { return *size = p->cubin.size(), SUCCESS; }
int nvrtcGetCUBIN(Program* p, char* out) { return give(p->cubin, out); }
int nvrtcGetPTXSize(Program* p, size_t* size) { return *size = p->ptx.size() + 1, SUCCESS; }
int nvrtcGetPTX(Program* p, char* out) { return out[p->ptx.size()] = 0, give(p->ptx, out); }
int nvrtcGetProgramLogSize(Program* p, size_t* size) { return *size = p->log.size() + 1, SUCCESS; }
int nvrtcGetProgramLog(Program* p, char* out) { return out[p->log.size()] = 0, give(p->log, out); }

const char* nvrtcGetErrorString(int result) {
    static const char* const NAMES[] = {"NVRTC_SUCCESS", "NVRTC_ERROR_OUT_OF_MEMORY",
        "NVRTC_ERROR_PROGRAM_CREATION_FAILURE", "NVRTC_ERROR_INVALID_INPUT", "NVRTC_ERROR_INVALID_PROGRAM",
        "NVRTC_ERROR_INVALID_OPTION", "NVRTC_ERROR_COMPILATION", "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
        "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
        "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION", "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
        "NVRTC_ERROR_INTERNAL_ERROR"};
    return result >= 0 && result <= INTERNAL ? NAMES[result] : "NVRTC_ERROR unknown";
}
}
#pragma GCC visibility pop
