// PTX text to instructions. Statements end with ';', '{' and '}' at their start are blocks, whose names need
// no scope here: compilers name registers once in a function, and a call's parameters are used right after
// they are declared.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "ptx_machine.h"

namespace vouch::ptx {
namespace {

std::string_view trim(std::string_view s) {
  while (!s.empty() && std::isspace(static_cast<unsigned char>(s.front()))) s.remove_prefix(1);
  while (!s.empty() && std::isspace(static_cast<unsigned char>(s.back()))) s.remove_suffix(1);
  return s;
}
bool starts(std::string_view s, std::string_view with) {
  return s.substr(0, with.size()) == with;
}

// Cut at commas outside of brackets.
std::vector<std::string_view> operands(std::string_view s) {
  std::vector<std::string_view> out;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= s.size(); i++) {
    const char c = i < s.size() ? s[i] : ',';
    if (c == '{' || c == '[' || c == '(') depth++;
    if (c == '}' || c == ']' || c == ')') depth--;
    if (c != ',' || (depth != 0 && i < s.size())) continue;
    if (const std::string_view one = trim(s.substr(begin, i - begin)); !one.empty()) out.push_back(one);
    begin = i + 1;
  }
  return out;
}

std::optional<std::int64_t> number(std::string_view s) {
  if (s.empty() || !(std::isdigit(static_cast<unsigned char>(s[0])) || s[0] == '-')) return std::nullopt;
  std::string text(s);
  if (text.back() == 'U') text.pop_back();
  char* end = nullptr;
  const std::int64_t value = text[0] == '-' ? std::strtoll(text.c_str(), &end, 0)
                                            : static_cast<std::int64_t>(std::strtoull(text.c_str(), &end, 0));
  return *end ? std::nullopt : std::optional(value);
}

// ".param .align 16 .b8 name[128]" and ".reg .b32 %r<7>": what is declared, how large.
struct Declaration {
  std::string name;
  std::size_t size = 0, align = 1, count = 0;  // count: of a register range, 0 for a single one
};
std::optional<Declaration> declaration(std::string_view s) {
  static const std::map<std::string_view, std::size_t> sizes = {
      {".b8", 1},  {".u8", 1},  {".s8", 1},  {".b16", 2}, {".u16", 2}, {".s16", 2}, {".b32", 4},
      {".u32", 4}, {".s32", 4}, {".b64", 8}, {".u64", 8}, {".s64", 8}, {".pred", 1}};
  Declaration d;
  std::size_t unit = 0;
  for (s = trim(s); !s.empty(); s = trim(s)) {
    std::size_t n = 0;
    while (n < s.size() && !std::isspace(static_cast<unsigned char>(s[n]))) n++;
    const std::string_view word = s.substr(0, n);
    s.remove_prefix(n);
    if (word == ".align") {
      s = trim(s);
      d.align = std::strtoull(std::string(s.substr(0, s.find(' '))).c_str(), nullptr, 10);
      s.remove_prefix(std::min(s.find(' '), s.size()));
    } else if (sizes.count(word)) {
      unit = sizes.at(word);
    } else if (word[0] != '.') {
      const std::size_t at = word.find_first_of("[<");
      d.name = word.substr(0, at);
      const std::string_view inside = at == word.npos ? "" : word.substr(at + 1);
      const auto n_of = number(inside.substr(0, inside.find_first_of("]>")));
      d.count = at != word.npos && word[at] == '<' ? std::size_t(n_of.value_or(0)) : 0;
      d.size = unit * (at != word.npos && word[at] == '[' ? std::size_t(n_of.value_or(0)) : 1);
    }
  }
  d.align = std::max(d.align, unit);
  if (d.name.empty() || unit == 0) return std::nullopt;
  return d;
}

class Parser {
 public:
  explicit Parser(std::string_view text) { strip_comments(text); }
  Result<std::unique_ptr<Program>> parse();

 private:
  void strip_comments(std::string_view text);
  std::string_view until(std::string_view stops);
  std::string_view body();
  Status top_level();
  Status variable(std::string_view s);
  Status function(std::string_view header);
  Status header_of(Function& f, std::string_view header);
  Status statement(Function& f, std::string_view s);
  Status directive(Function& f, std::string_view s);
  Status instruction(Function& f, std::string_view s);
  Status arguments(Function& f, Instruction& i, std::string_view op, std::vector<std::string_view> args);
  Status call(Function& f, Instruction& i, const std::vector<std::string_view>& args);
  Status finish(Function& f, std::size_t index);
  Result<int> value(Function& f, std::string_view s);
  Result<int> reg(std::string_view s);
  Status address(Instruction& i, std::string_view s);
  Status vector_of(Function& f, Instruction& i, std::string_view s);
  void add_param(Function& f, const Declaration& d);

  Error fail(const std::string& why, std::string_view s) const {
    return {Code::malformed, "PTX: " + why + ": '" + std::string(s.substr(0, 80)) + "'"};
  }

  std::string text_;
  std::size_t at_ = 0;
  std::unique_ptr<Program> program_ = std::make_unique<Program>();
  std::map<std::string, int> function_index_;
  // Of the function being read.
  std::map<std::string, std::pair<int, std::size_t>, std::less<>> ranges_;  // %r -> first register, count
  std::map<std::string, int, std::less<>> singles_;
  std::map<std::string, std::size_t, std::less<>> param_at_, local_at_, labels_;
  std::map<std::size_t, std::string> jumps_;  // instruction -> label
  std::map<std::uint64_t, int> constant_at_;  // value -> -1 - place among the constants
};

void Parser::strip_comments(std::string_view text) {
  text_.reserve(text.size());
  for (std::size_t i = 0; i < text.size() && text[i]; i++) {
    if (text[i] == '/' && i + 1 < text.size() && text[i + 1] == '/')
      while (i < text.size() && text[i] != '\n') i++;
    if (i < text.size()) text_ += text[i];
  }
}

// From here to the first of `stops`, which is passed over unless it is a brace.
std::string_view Parser::until(std::string_view stops) {
  const std::size_t end = std::min(text_.find_first_of(stops, at_), text_.size());
  const std::string_view s = std::string_view(text_).substr(at_, end - at_);
  at_ = end < text_.size() && text_[end] != '{' && text_[end] != '}' ? end + 1 : end;
  return s;
}

Status Parser::top_level() {
  const std::size_t begin = at_;
  if (starts(std::string_view(text_).substr(at_), ".version") ||
      starts(std::string_view(text_).substr(at_), ".target") ||
      starts(std::string_view(text_).substr(at_), ".address_size")) {
    until("\n");
    return ok();
  }
  const std::string_view head = until("{;=");
  const char stop = at_ < text_.size() && text_[at_] == '{' ? '{' : text_[at_ - 1];
  if (stop == '{') return function(head);
  if (stop == '=') {
    until(";");
    return variable(std::string_view(text_).substr(begin, at_ - begin - 1));
  }
  if (head.find("(") != head.npos) return ok();        // a function that is defined further down
  if (head.find(".shared") != head.npos) return ok();  // the launch gives its size
  return variable(head);
}

// .const .align 4 .b8 table[8] = {1, 0, ...}
Status Parser::variable(std::string_view s) {
  const std::size_t equals = s.find('=');
  const auto d = declaration(s.substr(0, equals));
  if (!d) return fail("cannot read", s);
  std::vector<std::uint64_t>& data = program_->data[d->name];
  data.assign(d->size / 8 + 1, 0);
  if (equals == s.npos) return ok();
  const std::size_t open = s.find('{', equals), close = s.find('}', equals);
  if (open == s.npos || close == s.npos) return fail("cannot read the initial value of", s);
  std::vector<std::string_view> values = operands(s.substr(open + 1, close - open - 1));
  const std::size_t width = s.find(".b8") != s.npos || s.find(".u8") != s.npos ? 1
                            : s.find("64") != s.npos                           ? 8
                                                                               : 4;
  if (values.size() * width > d->size) return fail("too many initial values of", s);
  for (std::size_t i = 0; i < values.size(); i++) {
    const auto v = number(values[i]);
    if (!v) return fail("cannot read an initial value of", s);
    std::memcpy(reinterpret_cast<std::uint8_t*>(data.data()) + i * width, &*v, width);
  }
  return ok();
}

void Parser::add_param(Function& f, const Declaration& d) {
  f.param_bytes = (f.param_bytes + d.align - 1) / d.align * d.align;
  param_at_[d.name] = f.param_bytes;
  f.param_bytes += d.size;
}

// ".visible .entry name( .param ... ) .maxntid 256, 1, 1" or ".func (.param ...) name (.param ...)"
Status Parser::header_of(Function& f, std::string_view header) {
  f.entry = header.find(".entry") != header.npos;
  if (const std::size_t max = header.find(".maxntid"); max != header.npos)
    f.most_threads =
        static_cast<std::uint32_t>(std::strtoul(std::string(header.substr(max + 8)).c_str(), nullptr, 10));
  header.remove_prefix(header.find(f.entry ? ".entry" : ".func") + (f.entry ? 6 : 5));
  header = trim(header);
  if (!f.entry && starts(header, "(")) {
    const auto d = declaration(header.substr(1, header.find(')') - 1));
    if (!d) return fail("cannot read the result of", header);
    add_param(f, *d);
    f.result = {d->name, param_at_[d->name], d->size};
    header = trim(header.substr(header.find(')') + 1));
  }
  const std::size_t open = header.find('('), close = header.find(')', std::min(open, header.size()));
  f.name = trim(header.substr(0, header.find_first_of("(. \n\t")));
  if (open == header.npos) return ok();
  for (const std::string_view one : operands(header.substr(open + 1, close - open - 1))) {
    const auto d = declaration(one);
    if (!d) return fail("cannot read a parameter", one);
    add_param(f, *d);
    f.params.push_back({d->name, param_at_[d->name], d->size});
  }
  return ok();
}

Status Parser::function(std::string_view header) {
  ranges_.clear(), singles_.clear(), param_at_.clear(), local_at_.clear(), labels_.clear(), jumps_.clear();
  constant_at_.clear();
  Function f;
  f.registers = fixed_count;
  VOUCH_CHECK(header_of(f, header));
  const auto index = std::size_t(function_index_.emplace(f.name, int(function_index_.size())).first->second);
  int depth = 0;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (std::isspace(static_cast<unsigned char>(c)) || c == ';') {
      at_++;
    } else if (c == '{' || c == '}') {
      at_++;
      depth += c == '{' ? 1 : -1;
      if (depth == 0) return finish(f, index);
    } else {
      // A label ends with ':', a statement with ';'. A vector's braces are inside a statement.
      const std::size_t stop = text_.find_first_of(":;", at_);
      if (stop == text_.npos) break;
      const std::string_view s = trim(std::string_view(text_).substr(at_, stop - at_));
      at_ = stop + 1;
      if (text_[stop] == ':') {
        labels_[std::string(s)] = f.code.size();
      } else {
        VOUCH_CHECK(statement(f, s));
      }
    }
  }
  return fail("no end of", f.name);
}

// Constants become the last registers; branches learn where their label is.
Status Parser::finish(Function& f, std::size_t index) {
  const auto place = [&](int& reg) {
    if (reg < 0) reg = int(f.registers) - 1 - reg;
  };
  for (Instruction& i : f.code) {
    place(i.a), place(i.b), place(i.c);
    for (int& r : i.list) place(r);  // those of a call are offsets, never negative
  }
  for (const auto& [index, label] : jumps_) {
    const auto found = labels_.find(label);
    if (found == labels_.end()) return fail("no label", label);
    f.code[index].offset = std::int64_t(found->second);
  }
  Instruction last;  // a function may end without a ret
  last.run = handler_of("ret");
  f.code.push_back(last);
  if (program_->functions.size() <= index) program_->functions.resize(index + 1);
  program_->functions[index] = std::move(f);
  return ok();
}

Status Parser::statement(Function& f, std::string_view s) {
  if (s.empty()) return ok();
  return s[0] == '.' ? directive(f, s) : instruction(f, s);
}

Status Parser::directive(Function& f, std::string_view s) {
  if (starts(s, ".pragma") || starts(s, ".loc ") || starts(s, ".file")) return ok();
  if (starts(s, ".reg")) {
    const std::string type(s.substr(0, s.find_first_of(" \t", 5)));
    for (const std::string_view one : operands(s.substr(std::min(s.find_first_of(" \t", 5), s.size())))) {
      const auto d = declaration(type + " " + std::string(one));
      if (!d) return fail("cannot read", s);
      if (d->count)
        ranges_[d->name] = {int(f.registers), d->count};
      else
        singles_[d->name] = int(f.registers);
      f.registers += std::max<std::size_t>(d->count, 1);
    }
    return ok();
  }
  const auto d = declaration(s);
  if (!d) return fail("cannot read", s);
  if (starts(s, ".param")) return add_param(f, *d), ok();
  if (!starts(s, ".local")) return fail("unknown directive", s);
  f.local_bytes = (f.local_bytes + d->align - 1) / d->align * d->align;
  local_at_[d->name] = f.local_bytes;
  f.local_bytes += d->size;
  return ok();
}

Result<int> Parser::reg(std::string_view s) {
  static const std::map<std::string_view, int> fixed = {
      {"%tid.x", tid}, {"%ctaid.x", ctaid}, {"%ntid.x", ntid}, {"%nctaid.x", nctaid}};
  if (const auto found = fixed.find(s); found != fixed.end()) return found->second;
  if (const auto found = singles_.find(s); found != singles_.end()) return found->second;
  std::size_t digits = s.size();
  while (digits > 0 && std::isdigit(static_cast<unsigned char>(s[digits - 1]))) digits--;
  const auto range = ranges_.find(s.substr(0, digits));
  const auto index = number(s.substr(digits));
  if (range == ranges_.end() || !index || std::size_t(*index) >= range->second.second)
    return fail("no such register", s);
  return range->second.first + int(*index);
}

// A register, or a constant: negative, see finish().
Result<int> Parser::value(Function& f, std::string_view s) {
  const auto n = number(s);
  if (!n) return reg(s);
  const auto [found, added] = constant_at_.emplace(std::uint64_t(*n), -1 - int(f.constants.size()));
  if (added) f.constants.push_back(std::uint64_t(*n));
  return found->second;
}

// [register+8], [name+8], [name] or, for mov, a bare name.
Status Parser::address(Instruction& i, std::string_view s) {
  if (starts(s, "[")) s = trim(s.substr(1, s.size() - 2));
  const std::size_t plus = s.find('+');
  const std::string_view base = trim(s.substr(0, plus));
  i.offset = 0;
  if (plus != s.npos) {
    const auto n = number(trim(s.substr(plus + 1)));
    if (!n) return fail("cannot read the address", s);
    i.offset = *n;
  }
  if (starts(base, "%")) {
    VOUCH_TRY(i.a, reg(base));
  } else if (const auto param = param_at_.find(base); param != param_at_.end()) {
    i.a = param_base, i.offset += std::int64_t(param->second);
  } else if (const auto local = local_at_.find(base); local != local_at_.end()) {
    i.a = local_base, i.offset += std::int64_t(local->second);
  } else if (const auto data = program_->data.find(std::string(base)); data != program_->data.end()) {
    i.a = zero, i.offset += reinterpret_cast<std::int64_t>(data->second.data());
  } else if (base == "gk_dyn_local") {
    i.a = shared_base;
  } else if (const auto n = number(base)) {
    i.a = zero, i.offset += *n;
  } else {
    return fail("no such name", base);
  }
  return ok();
}

Status Parser::vector_of(Function& f, Instruction& i, std::string_view s) {
  for (const std::string_view one : operands(s.substr(1, s.size() - 2))) {
    VOUCH_TRY(i.list.emplace_back(), value(f, one));
  }
  return ok();
}

// call.uni (result), name, (argument, ...): the list holds where the arguments are, the result's place comes
// last.
Status Parser::call(Function&, Instruction& i, const std::vector<std::string_view>& args) {
  std::size_t k = 0;
  std::string_view result;
  if (starts(args[0], "(")) result = trim(args[k++].substr(1, args[0].size() - 2));
  // An index for every name, whether the function was read already or comes further down.
  i.offset = function_index_.emplace(std::string(args[k]), int(function_index_.size())).first->second;
  if (k + 1 < args.size())
    for (const std::string_view one : operands(args[k + 1].substr(1, args[k + 1].size() - 2))) {
      const auto at = param_at_.find(one);
      if (at == param_at_.end()) return fail("no such argument", one);
      i.list.push_back(int(at->second));
    }
  if (result.empty()) return ok();
  const auto at = param_at_.find(result);
  if (at == param_at_.end()) return fail("no such result", result);
  i.list.push_back(int(at->second));
  return ok();
}

Status Parser::instruction(Function& f, std::string_view s) {
  Instruction i;
  if (s[0] == '@') {
    i.guard_is_not = s[1] == '!';
    const std::size_t end = s.find_first_of(" \t");
    VOUCH_TRY(i.guard, reg(s.substr(i.guard_is_not ? 2 : 1, end - (i.guard_is_not ? 2 : 1))));
    s = trim(s.substr(end));
  }
  const std::size_t end = std::min(s.find_first_of(" \t\n"), s.size());
  std::string op(s.substr(0, end));
  const std::vector<std::string_view> args = operands(s.substr(end));
  const auto is_name = [&](std::string_view a) { return !starts(a, "%") && !starts(a, "{") && !number(a); };
  if (starts(op, "mov") && args.size() == 2) {
    if (starts(args[0], "{"))
      op = "unpack";
    else if (starts(args[1], "{"))
      op = "pack";
    else if (is_name(args[1]))
      op = "address";
  }
  i.run = handler_of(op);
  if (!i.run) return fail("the machine does not know the instruction", s);
  for (const auto& [name, space] : {std::pair(".global", Space::global),
                                    {".const", Space::global},
                                    {".shared", Space::shared},
                                    {".local", Space::local},
                                    {".param", Space::param}})
    if (op.find(name) != op.npos) i.space = space;
  if (starts(op, "bra")) {
    jumps_[f.code.size()] = args.at(0);
  } else if (starts(op, "call")) {
    VOUCH_CHECK(call(f, i, args));
  } else {
    VOUCH_CHECK(arguments(f, i, op, args));
  }
  f.code.push_back(std::move(i));
  return ok();
}

Status Parser::arguments(Function& f, Instruction& i, std::string_view op,
                         std::vector<std::string_view> args) {
  if (starts(op, "bar") || op == "ret") return ok();
  if (starts(op, "st")) {
    if (args.size() != 2) return fail("not two operands", op);
    VOUCH_CHECK(address(i, args[0]));
    if (starts(args[1], "{")) return vector_of(f, i, args[1]);
    VOUCH_TRY(i.b, value(f, args[1]));
    return ok();
  }
  if (args.empty()) return fail("no operands", op);
  if (starts(op, "red")) args.insert(args.begin(), "%unused");
  if (op == "unpack" || (starts(op, "ld") && starts(args[0], "{"))) {
    VOUCH_CHECK(vector_of(f, i, args[0]));
  } else {
    VOUCH_TRY(i.d, starts(op, "red") ? Result<int>(zero) : reg(args[0]));
  }
  if (op == "pack") return vector_of(f, i, args.at(1));
  if (args.size() < 2) return fail("too few operands", op);
  if (starts(op, "ld") || starts(op, "atom") || starts(op, "red") || op == "address") {
    VOUCH_CHECK(address(i, args[1]));
  } else {
    VOUCH_TRY(i.a, value(f, args[1]));
  }
  if (args.size() > 2) {
    VOUCH_TRY(i.b, value(f, args[2]));
  }
  if (args.size() > 3) {
    VOUCH_TRY(i.c, value(f, args[3]));
  }
  return args.size() > 4 ? Status(fail("too many operands", op)) : ok();
}

Result<std::unique_ptr<Program>> Parser::parse() {
  while (true) {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) at_++;
    if (at_ >= text_.size()) break;
    VOUCH_CHECK(top_level());
  }
  for (const auto& [name, index] : function_index_)
    if (std::size_t(index) >= program_->functions.size() ||
        program_->functions[std::size_t(index)].code.empty())
      return fail("a call of a function that is not there", name);
  return std::move(program_);
}

}  // namespace

const Function* Program::find(std::string_view entry) const {
  for (const Function& f : functions)
    if (f.entry && f.name == entry) return &f;
  return nullptr;
}

Result<std::unique_ptr<Program>> parse(std::string_view text) {
  return Parser(text).parse();
}

}  // namespace vouch::ptx
