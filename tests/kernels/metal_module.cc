// One module's Metal text as C++: METAL_TEXT is the file, METAL_MODULE the module, METAL_LIST its kernels.
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "metal_text.h"

#define __METAL_VERSION__ 300
#define MSL_RUN 1
#include <metal_stdlib>

namespace {
namespace text {
#include METAL_TEXT
}  // namespace text
#undef device
#undef threadgroup
#undef constant
#undef thread
#undef kernel

// Calls a kernel of any signature: buffers, a reference to the parameters, local memory or not, four indices.
template <auto kernel, class Signature>
struct Caller;
template <auto kernel, class... Args>
struct Caller<kernel, void (*)(Args...)> {
  using List = std::tuple<Args...>;
  static constexpr std::size_t buffers = [] {
    const bool is_reference[] = {std::is_reference_v<Args>...};
    std::size_t at = 0;
    while (!is_reference[at]) at++;
    return at;
  }();
  static constexpr bool has_local = sizeof...(Args) == buffers + 6;

  template <std::size_t... i>
  static void expand(void* const* pointers, const std::uint32_t* params, void* local, std::uint32_t lid,
                     std::uint32_t group, std::uint32_t group_size, std::uint32_t groups,
                     std::index_sequence<i...>) {
    std::remove_cv_t<std::remove_reference_t<std::tuple_element_t<buffers, List>>> p;
    std::memcpy(&p, params, sizeof p);
    if constexpr (has_local)
      kernel(static_cast<std::tuple_element_t<i, List>>(pointers[i])..., p, static_cast<text::u32*>(local),
             lid, group, group_size, groups);
    else
      kernel(static_cast<std::tuple_element_t<i, List>>(pointers[i])..., p, lid, group, group_size, groups);
  }
  static void call(void* const* pointers, const std::uint32_t* params, void* local, std::uint32_t lid,
                   std::uint32_t group, std::uint32_t group_size, std::uint32_t groups) {
    expand(pointers, params, local, lid, group, group_size, groups, std::make_index_sequence<buffers>());
  }
};
}  // namespace

#define METAL_CAT(a, b) a##b
#define METAL_TABLE(module) METAL_CAT(module, _kernels)
namespace vouch::metal_text {
const Kernel METAL_TABLE(METAL_MODULE)[] = {
#define VOUCH_METAL_ENTRY(name) {#name, &Caller<&text::name, decltype(&text::name)>::call},
    METAL_LIST(VOUCH_METAL_ENTRY){nullptr, nullptr}};
}  // namespace vouch::metal_text
