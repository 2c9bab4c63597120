// What every C entry does: arguments to Status, Status to a code and this thread's last error, nothing
// thrown.
#pragma once

#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "vouch/capi/vouch.h"
#include "vouch/core/result.h"

namespace vouch::capi {

// Remembers the error for vouch_last_error and returns its code.
vouch_status fail(Code code, std::string_view what) noexcept;

// Runs a function returning Status behind the C boundary.
template <class Body>
vouch_status guarded(Body&& body) noexcept {
  try {
    const Status status = body();
    return status.ok() ? VOUCH_OK : fail(status.error().code, status.error().what);
  } catch (const std::bad_alloc&) {
    return fail(Code::out_of_memory, "not enough memory");
  } catch (const std::exception& e) {
    return fail(Code::internal, e.what());
  } catch (...) {
    return fail(Code::internal, "unknown exception");
  }
}

inline Error null_argument(const char* name) {
  return {Code::invalid_argument, std::string(name) + ": is null"};
}

// A copy that vouch_bytes_free releases.
Result<vouch_bytes> make_bytes(std::string_view content);

// The caller's options, of whatever version, over the defaults of this one.
template <class Options>
Result<Options> take_options(const Options* given, const char* name) {
  Options options{};
  options.struct_size = sizeof options;
  if (!given) return options;
  if (given->struct_size < sizeof(std::size_t) || given->struct_size > 4096)
    return Error{Code::invalid_argument, std::string(name) + ".struct_size: is not set; use the INIT macro"};
  const std::size_t size = given->struct_size < sizeof options ? given->struct_size : sizeof options;
  __builtin_memcpy(&options, given, size);
  options.struct_size = sizeof options;
  return options;
}

}  // namespace vouch::capi
