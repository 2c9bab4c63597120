// Version, last error, bytes, engines.
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "vouch/capi/engine.h"
#include "vouch/capi/guard.h"

namespace vouch::capi {
namespace {

// Fixed size, so that reporting an error needs no memory.
thread_local char last_error[1024];

}  // namespace

vouch_status fail(Code code, std::string_view what) noexcept {
  const std::size_t size = what.size() < sizeof last_error ? what.size() : sizeof last_error - 1;
  std::memcpy(last_error, what.data(), size);
  last_error[size] = 0;
  return int(code);
}

Result<vouch_bytes> make_bytes(std::string_view content) {
  auto* data = static_cast<std::uint8_t*>(std::malloc(content.size() + 1));
  if (!data) return Error{Code::out_of_memory, "not enough memory for the result"};
  std::memcpy(data, content.data(), content.size());
  data[content.size()] = 0;
  return vouch_bytes{data, content.size()};
}

}  // namespace vouch::capi

using namespace vouch;
using namespace vouch::capi;

static_assert(VOUCH_INTERNAL == int(Code::internal) && VOUCH_IO == int(Code::io) &&
                  VOUCH_DEVICE == int(Code::device) && VOUCH_REJECTED == int(Code::rejected),
              "the C codes are those of Code");

extern "C" {

const char* vouch_version(void) {
  return VOUCH_VERSION;
}

const char* vouch_last_error(void) {
  return last_error;
}

void vouch_bytes_free(vouch_bytes* bytes) {
  if (!bytes) return;
  std::free(bytes->data);
  *bytes = {nullptr, 0};
}

vouch_status vouch_engine_open(vouch_engine** out, const vouch_engine_options* given) {
  return guarded([&]() -> Status {
    if (!out) return null_argument("out");
    VOUCH_TRY(const vouch_engine_options options, take_options(given, "options"));
    BackendOptions to;
    to.threads = options.threads;
    to.constant_work = options.constant_work != 0;
    if (options.instructions) to.instructions = options.instructions;
    VOUCH_TRY(auto backend, open_backend(options.backend ? options.backend : "auto", to));
    *out = new vouch_engine{std::move(backend), Threads(options.threads)};
    return ok();
  });
}

void vouch_engine_close(vouch_engine* engine) {
  delete engine;
}

vouch_status vouch_engine_describe(const vouch_engine* engine, vouch_bytes* json) {
  return guarded([&]() -> Status {
    if (!engine || !json) return null_argument(engine ? "json" : "engine");
    const Backend::Info info = engine->backend->info();
    const nlohmann::ordered_json text = {
        {"backend", info.name}, {"device", info.device}, {"threads", info.threads}};
    VOUCH_TRY(*json, make_bytes(text.dump()));
    return ok();
  });
}

}  // extern "C"
