// What each PTX instruction does, by opcode.
#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "ptx_machine.h"

namespace vouch::ptx {
namespace {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s32 = std::int32_t;
using s64 = std::int64_t;
__extension__ using u128 = unsigned __int128;
__extension__ using s128 = __int128;

template <class T>
T get(const Thread& t, int reg) {
  return static_cast<T>(t.r[reg]);
}
template <class T>
void put(Thread& t, int reg, T value) {
  t.r[reg] = static_cast<std::make_unsigned_t<T>>(value);
}
template <class T>
constexpr int bits = 8 * sizeof(T);
template <class T>
using Wide = std::conditional_t<sizeof(T) == 8, std::conditional_t<std::is_signed_v<T>, s128, u128>,
                                std::conditional_t<std::is_signed_v<T>, s64, u64>>;

#define VOUCH_OP(Name, expression)                                                         \
  template <class T>                                                                       \
  struct Name {                                                                            \
    static void run(Thread& t, const Instruction& i) {                                     \
      [[maybe_unused]] const T a = get<T>(t, i.a), b = get<T>(t, i.b), c = get<T>(t, i.c); \
      put<T>(t, i.d, static_cast<T>(expression));                                          \
    }                                                                                      \
  }
using std::max;
using std::min;
VOUCH_OP(Move, a);
VOUCH_OP(Add, std::make_unsigned_t<T>(a) + std::make_unsigned_t<T>(b));
VOUCH_OP(Sub, std::make_unsigned_t<T>(a) - std::make_unsigned_t<T>(b));
VOUCH_OP(MulLow, u64(a) * u64(b));
VOUCH_OP(MulHigh, (Wide<T>(a) * Wide<T>(b)) >> bits<T>);
VOUCH_OP(MadLow, u64(a) * u64(b) + u64(c));
VOUCH_OP(MadHigh, u64((Wide<T>(a) * Wide<T>(b)) >> bits<T>) + u64(c));
VOUCH_OP(And, a& b);
VOUCH_OP(Or, a | b);
VOUCH_OP(Xor, a ^ b);
VOUCH_OP(Not, ~a);
VOUCH_OP(Neg, std::make_unsigned_t<T>(0) - std::make_unsigned_t<T>(a));
VOUCH_OP(Abs, std::make_signed_t<T>(a) < 0 ? std::make_unsigned_t<T>(0) - std::make_unsigned_t<T>(a)
                                           : std::make_unsigned_t<T>(a));
VOUCH_OP(Min, min(a, b));
VOUCH_OP(Max, max(a, b));
VOUCH_OP(Popc, std::popcount(std::make_unsigned_t<T>(a)));
VOUCH_OP(Clz, std::countl_zero(std::make_unsigned_t<T>(a)));
// Shift counts are 32 bits whatever the type, and clamp.
VOUCH_OP(Shl, get<u32>(t, i.b) >= u32(bits<T>) ? T(0) : T(std::make_unsigned_t<T>(a) << get<u32>(t, i.b)));
VOUCH_OP(Shr, a >> min(get<u32>(t, i.b), u32(bits<T>) - 1) >> (get<u32>(t, i.b) >= u32(bits<T>) ? 1 : 0));
VOUCH_OP(Select, (get<u32>(t, i.c) & 1) ? a : b);
#undef VOUCH_OP

template <class T>
struct Divide {
  static void run(Thread& t, const Instruction& i) {
    if (get<T>(t, i.b) == 0) return t.fail("division by zero");
    put<T>(t, i.d, T(get<T>(t, i.a) / get<T>(t, i.b)));
  }
};
template <class T>
struct Remainder {
  static void run(Thread& t, const Instruction& i) {
    if (get<T>(t, i.b) == 0) return t.fail("division by zero");
    put<T>(t, i.d, T(get<T>(t, i.a) % get<T>(t, i.b)));
  }
};
template <class T>
struct BitReverse {
  static void run(Thread& t, const Instruction& i) {
    u64 out = 0;
    for (int k = 0; k < bits<T>; k++) out |= ((t.r[i.a] >> k) & 1) << (bits<T> - 1 - k);
    t.r[i.d] = out;
  }
};
template <class T>
struct MulWide {
  static void run(Thread& t, const Instruction& i) {
    t.r[i.d] = u64(Wide<T>(get<T>(t, i.a)) * Wide<T>(get<T>(t, i.b)));
  }
};
template <class T>
struct MadWide {
  static void run(Thread& t, const Instruction& i) {
    t.r[i.d] = u64(Wide<T>(get<T>(t, i.a)) * Wide<T>(get<T>(t, i.b))) + t.r[i.c];
  }
};

// The carry chain, 32 bits: d = x + y (+ carry) or x - y (- borrow), with a carry or borrow out when `out`.
template <bool subtract, bool in, bool out>
void chain(Thread& t, int d, u32 x, u32 y) {
  const u64 sum = subtract ? u64(x) - y - (in ? t.carry : 0) : u64(x) + y + (in ? t.carry : 0);
  if (out) t.carry = u32(sum >> 32) & 1;
  t.r[d] = u32(sum);
}
template <bool subtract, bool in, bool out>
void chain_sum(Thread& t, const Instruction& i) {
  chain<subtract, in, out>(t, i.d, get<u32>(t, i.a), get<u32>(t, i.b));
}
template <bool high, bool in, bool out>
void chain_mad(Thread& t, const Instruction& i) {
  const u64 product = u64(get<u32>(t, i.a)) * get<u32>(t, i.b);
  chain<false, in, out>(t, i.d, u32(high ? product >> 32 : product), get<u32>(t, i.c));
}

enum class Compare { eq, ne, lt, le, gt, ge };
enum class With { nothing, both, either, one };
template <Compare how, With with, class T>
void set_predicate(Thread& t, const Instruction& i) {
  const T a = get<T>(t, i.a), b = get<T>(t, i.b);
  bool p = how == Compare::eq   ? a == b
           : how == Compare::ne ? a != b
           : how == Compare::lt ? a < b
           : how == Compare::le ? a <= b
           : how == Compare::gt ? a > b
                                : a >= b;
  const bool c = t.r[i.c] & 1;
  if (with == With::both) p = p && c;
  if (with == With::either) p = p || c;
  if (with == With::one) p = p != c;
  t.r[i.d] = p;
}
template <Compare how, class T>
Handler set_predicate_with(std::string_view with) {
  if (with == "and") return set_predicate<how, With::both, T>;
  if (with == "or") return set_predicate<how, With::either, T>;
  if (with == "xor") return set_predicate<how, With::one, T>;
  return set_predicate<how, With::nothing, T>;
}
template <class T>
Handler set_predicate_of(std::string_view how, std::string_view with) {
  if (how == "eq") return set_predicate_with<Compare::eq, T>(with);
  if (how == "ne") return set_predicate_with<Compare::ne, T>(with);
  if (how == "lt" || how == "lo") return set_predicate_with<Compare::lt, T>(with);
  if (how == "le" || how == "ls") return set_predicate_with<Compare::le, T>(with);
  if (how == "gt" || how == "hi") return set_predicate_with<Compare::gt, T>(with);
  if (how == "ge" || how == "hs") return set_predicate_with<Compare::ge, T>(with);
  return nullptr;
}

template <class To, class From>
void convert(Thread& t, const Instruction& i) {
  put<To>(t, i.d, static_cast<To>(get<From>(t, i.a)));
}

// Whether the work-item may touch `size` bytes there, at a multiple of their size.
bool reachable(Thread& t, const Instruction& i, u64 address, std::size_t size) {
  const Frame& frame = t.frames[t.depth - 1];
  const auto within = [&](const void* begin, std::size_t length) {
    const u64 first = reinterpret_cast<u64>(begin);
    return address >= first && address + size <= first + length;
  };
  if (address % size) return t.fail("misaligned access of " + std::to_string(size) + " bytes"), false;
  bool good = false;
  if (i.space == Space::param) good = within(frame.params, frame.function->param_bytes);
  if (i.space == Space::shared || i.space == Space::generic)
    good = good || within(t.group->shared.data(), t.group->shape.local_bytes);
  if (i.space == Space::local || i.space == Space::generic)
    for (std::size_t k = 0; k < t.depth && !good; k++)
      good = within(t.frames[k].local, t.frames[k].function->local_bytes);
  if ((i.space == Space::global || i.space == Space::generic) && !good) {
    if (address < t.hit_begin || address + size > t.hit_end) {
      auto block = t.group->memory->upper_bound(address);
      if (block != t.group->memory->begin())
        --block, t.hit_begin = block->first, t.hit_end = block->first + block->second;
    }
    good = address >= t.hit_begin && address + size <= t.hit_end;
  }
  if (!good) t.fail("access of " + std::to_string(size) + " bytes outside the memory of the launch");
  return good;
}

template <class T>
struct Load {
  static void run(Thread& t, const Instruction& i) {
    const u64 address = t.r[i.a] + u64(i.offset);
    const std::size_t n = std::max<std::size_t>(i.list.size(), 1);
    if (!reachable(t, i, address, n * sizeof(T))) return;
    for (std::size_t k = 0; k < n; k++) {
      T value;
      std::memcpy(&value, reinterpret_cast<const void*>(address + k * sizeof(T)), sizeof(T));
      put<T>(t, i.list.empty() ? i.d : i.list[k], value);
    }
  }
};
template <class T>
struct Store {
  static void run(Thread& t, const Instruction& i) {
    const u64 address = t.r[i.a] + u64(i.offset);
    const std::size_t n = std::max<std::size_t>(i.list.size(), 1);
    if (!reachable(t, i, address, n * sizeof(T))) return;
    for (std::size_t k = 0; k < n; k++) {
      const T value = get<T>(t, i.list.empty() ? i.b : i.list[k]);
      std::memcpy(reinterpret_cast<void*>(address + k * sizeof(T)), &value, sizeof(T));
    }
  }
};
void atomic_add(Thread& t, const Instruction& i) {
  const u64 address = t.r[i.a] + u64(i.offset);
  if (!reachable(t, i, address, 4)) return;
  u32* p = reinterpret_cast<u32*>(address);
  const u32 old = *p;
  *p = old + get<u32>(t, i.b);
  t.r[i.d] = old;
}

void funnel_left(Thread& t, const Instruction& i) {  // the high word of (b:a) << c, c taken mod 32
  const u64 both = u64(get<u32>(t, i.b)) << 32 | get<u32>(t, i.a);
  t.r[i.d] = u32((both << (get<u32>(t, i.c) & 31)) >> 32);
}
void funnel_right(Thread& t, const Instruction& i) {
  const u64 both = u64(get<u32>(t, i.b)) << 32 | get<u32>(t, i.a);
  t.r[i.d] = u32(both >> (get<u32>(t, i.c) & 31));
}
void permute_bytes(Thread& t, const Instruction& i) {
  const u64 both = u64(get<u32>(t, i.b)) << 32 | get<u32>(t, i.a);
  u32 out = 0;
  for (int k = 0; k < 4; k++) {
    const u32 which = get<u32>(t, i.c) >> (4 * k) & 15;
    u32 byte = u32(both >> (8 * (which & 7))) & 255;
    if (which & 8) byte = byte & 128 ? 255 : 0;
    out |= byte << (8 * k);
  }
  t.r[i.d] = out;
}
void extract_bits(Thread& t, const Instruction& i) {  // bfe.u32
  const u32 at = get<u32>(t, i.b) & 255, length = get<u32>(t, i.c) & 255;
  const u64 shifted = at >= 32 ? 0 : get<u32>(t, i.a) >> at;
  t.r[i.d] = length >= 32 ? shifted : shifted & ((u64(1) << length) - 1);
}
void pack(Thread& t, const Instruction& i) {  // mov.b64 d, {low, high}
  t.r[i.d] = u64(get<u32>(t, i.list[1])) << 32 | get<u32>(t, i.list[0]);
}
void unpack(Thread& t, const Instruction& i) {
  const u64 value = t.r[i.a];
  t.r[i.list[0]] = u32(value);
  t.r[i.list[1]] = u32(value >> 32);
}
void address_of(Thread& t, const Instruction& i) {
  t.r[i.d] = t.r[i.a] + u64(i.offset);
}

void branch(Thread& t, const Instruction& i) {
  t.next = std::size_t(i.offset);
}
void barrier(Thread& t, const Instruction&) {
  t.state = State::barrier;
}
void leave(Thread& t, const Instruction&) {
  t.leave();
}
void call(Thread& t, const Instruction& i) {
  const Function& callee = t.group->program->functions[std::size_t(i.offset)];
  if (t.depth > 16) return t.fail("calls nested too deep");
  t.enter(callee);
  const std::uint8_t* from = t.frames[t.depth - 2].params;
  std::uint8_t* to = t.frames[t.depth - 1].params;
  for (std::size_t k = 0; k < callee.params.size(); k++)
    std::memcpy(to + callee.params[k].offset, from + i.list[k], callee.params[k].size);
}

template <template <class> class Op>
Handler by_type(std::string_view type) {
  if (type == "u32" || type == "b32") return Op<u32>::run;
  if (type == "s32") return Op<s32>::run;
  if (type == "u64" || type == "b64") return Op<u64>::run;
  if (type == "s64") return Op<s64>::run;
  if (type == "u16" || type == "b16") return Op<u16>::run;
  if (type == "s16") return Op<std::int16_t>::run;
  if (type == "u8" || type == "b8" || type == "pred") return Op<u8>::run;
  if (type == "s8") return Op<std::int8_t>::run;
  return nullptr;
}
template <class From>
struct ConvertFrom {
  template <class To>
  struct Op {
    static void run(Thread& t, const Instruction& i) { convert<To, From>(t, i); }
  };
};
Handler conversion(std::string_view to, std::string_view from) {
  if (from == "u8") return by_type<ConvertFrom<u8>::Op>(to);
  if (from == "s8") return by_type<ConvertFrom<std::int8_t>::Op>(to);
  if (from == "u16") return by_type<ConvertFrom<u16>::Op>(to);
  if (from == "s16") return by_type<ConvertFrom<std::int16_t>::Op>(to);
  if (from == "u32") return by_type<ConvertFrom<u32>::Op>(to);
  if (from == "s32") return by_type<ConvertFrom<s32>::Op>(to);
  if (from == "u64") return by_type<ConvertFrom<u64>::Op>(to);
  if (from == "s64") return by_type<ConvertFrom<s64>::Op>(to);
  return nullptr;
}
Handler comparison(std::string_view how, std::string_view with, std::string_view type) {
  if (type == "u32" || type == "b32") return set_predicate_of<u32>(how, with);
  if (type == "s32") return set_predicate_of<s32>(how, with);
  if (type == "u64" || type == "b64") return set_predicate_of<u64>(how, with);
  if (type == "s64") return set_predicate_of<s64>(how, with);
  if (type == "u16" || type == "b16") return set_predicate_of<u16>(how, with);
  if (type == "s16") return set_predicate_of<std::int16_t>(how, with);
  return nullptr;
}

// add, sub, mad and their carrying forms.
Handler carrying(std::string_view op) {
  static const std::map<std::string_view, Handler> all = {
      {"add.cc.u32", chain_sum<false, false, true>},    {"addc.cc.u32", chain_sum<false, true, true>},
      {"addc.u32", chain_sum<false, true, false>},      {"sub.cc.u32", chain_sum<true, false, true>},
      {"subc.cc.u32", chain_sum<true, true, true>},     {"subc.u32", chain_sum<true, true, false>},
      {"mad.lo.cc.u32", chain_mad<false, false, true>}, {"madc.lo.cc.u32", chain_mad<false, true, true>},
      {"madc.lo.u32", chain_mad<false, true, false>},   {"mad.hi.cc.u32", chain_mad<true, false, true>},
      {"madc.hi.cc.u32", chain_mad<true, true, true>},  {"madc.hi.u32", chain_mad<true, true, false>},
      {"add.cc.s32", chain_sum<false, false, true>},    {"addc.cc.s32", chain_sum<false, true, true>},
      {"addc.s32", chain_sum<false, true, false>},      {"sub.cc.s32", chain_sum<true, false, true>},
      {"subc.cc.s32", chain_sum<true, true, true>},     {"subc.s32", chain_sum<true, true, false>}};
  const auto found = all.find(op);
  return found == all.end() ? nullptr : found->second;
}
Handler exact(std::string_view op) {
  static const std::map<std::string_view, Handler> all = {{"shf.l.wrap.b32", funnel_left},
                                                          {"shf.r.wrap.b32", funnel_right},
                                                          {"prmt.b32", permute_bytes},
                                                          {"bfe.u32", extract_bits},
                                                          {"bar.sync", barrier},
                                                          {"ret", leave},
                                                          {"bra", branch},
                                                          {"bra.uni", branch},
                                                          {"call", call},
                                                          {"call.uni", call},
                                                          {"address", address_of},
                                                          {"pack", pack},
                                                          {"unpack", unpack}};
  const auto found = all.find(op);
  return found == all.end() ? nullptr : found->second;
}

Handler plain(std::string_view base, std::string_view form, std::string_view type) {
  if (base == "mov") return by_type<Move>(type);
  if (base == "cvta") return by_type<Move>(type);  // all address spaces are one here
  if (base == "add") return by_type<Add>(type);
  if (base == "sub") return by_type<Sub>(type);
  if (base == "mul" && form == "lo") return by_type<MulLow>(type);
  if (base == "mul" && form == "hi") return by_type<MulHigh>(type);
  if (base == "mul" && form == "wide") return by_type<MulWide>(type);
  if (base == "mad" && form == "lo") return by_type<MadLow>(type);
  if (base == "mad" && form == "hi") return by_type<MadHigh>(type);
  if (base == "mad" && form == "wide") return by_type<MadWide>(type);
  if (base == "and") return by_type<And>(type);
  if (base == "or") return by_type<Or>(type);
  if (base == "xor") return by_type<Xor>(type);
  if (base == "not") return by_type<Not>(type);
  if (base == "neg") return by_type<Neg>(type);
  if (base == "abs") return by_type<Abs>(type);
  if (base == "min") return by_type<Min>(type);
  if (base == "max") return by_type<Max>(type);
  if (base == "div") return by_type<Divide>(type);
  if (base == "rem") return by_type<Remainder>(type);
  if (base == "shl") return by_type<Shl>(type);
  if (base == "shr") return by_type<Shr>(type);
  if (base == "popc") return by_type<Popc>(type);
  if (base == "clz") return by_type<Clz>(type);
  if (base == "brev") return by_type<BitReverse>(type);
  if (base == "selp") return by_type<Select>(type);
  if (base == "ld") return by_type<Load>(type);
  if (base == "st") return by_type<Store>(type);
  return nullptr;
}

}  // namespace

Handler handler_of(std::string_view op) {
  if (Handler h = exact(op)) return h;
  if (Handler h = carrying(op)) return h;
  std::vector<std::string_view> parts;
  for (std::string_view rest = op; !rest.empty();) {
    const std::size_t dot = std::min(rest.find('.'), rest.size());
    parts.push_back(rest.substr(0, dot));
    rest.remove_prefix(std::min(dot + 1, rest.size()));
  }
  if (parts.size() < 2 || std::find(parts.begin(), parts.end(), "cc") != parts.end()) return nullptr;
  const std::string_view base = parts[0], form = parts[1], type = parts.back();
  if (base == "addc" || base == "subc" || base == "madc") return nullptr;
  if (base == "setp") return comparison(form, parts.size() > 3 ? parts[2] : "", type);
  if (base == "cvt") return parts.size() == 3 ? conversion(form, type) : nullptr;
  if (base == "atom" || base == "red")
    return parts[parts.size() - 2] == "add" && (type == "u32" || type == "s32") ? atomic_add : nullptr;
  return plain(base, form, type);
}

}  // namespace vouch::ptx
