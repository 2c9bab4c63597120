// A machine for NVIDIA's PTX: the text is parsed into instructions and every work-item of a group is run up
// to the next barrier in turn. It is stricter than a GPU: each access is checked against the memory that the
// launch may touch and against its alignment, and a barrier that only some work-items reach is an error.
//
// It knows the instructions that compilers make of integer kernels, carry chains included; another one is
// refused when the text is loaded, by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "vouch/core/result.h"

namespace vouch::ptx {

struct Thread;
struct Instruction;
using Handler = void (*)(Thread&, const Instruction&);

enum class Space : std::uint8_t { generic, global, shared, local, param };

// Where a function's registers begin: what the hardware gives, then bases of memory, then zero.
enum Fixed { tid, ctaid, ntid, nctaid, shared_base, local_base, param_base, zero, fixed_count };

struct Instruction {
  Handler run = nullptr;
  int guard = -1;  // predicate register, or -1
  bool guard_is_not = false;
  Space space = Space::generic;
  int d = 0, a = 0, b = 0, c = 0;  // registers; constants are registers too
  std::int64_t offset = 0;         // of an address; the target of a branch; the callee of a call
  std::vector<int> list;           // a vector's registers; offsets of a call's arguments
  int line = 0;
};

struct Parameter {
  std::string name;
  std::size_t offset = 0, size = 0;
};

struct Function {
  std::string name;
  bool entry = false;
  std::uint32_t most_threads = 0;  // .maxntid, 0: not given
  std::vector<Instruction> code;
  std::vector<Parameter> params;
  Parameter result;
  std::vector<std::uint64_t> constants;  // the last registers
  std::size_t registers = 0;             // without constants
  std::size_t param_bytes = 0, local_bytes = 0;
};

struct Program {
  std::vector<Function> functions;
  std::map<std::string, std::vector<std::uint64_t>> data;  // module variables, at their final address
  const Function* find(std::string_view entry) const;
};
Result<std::unique_ptr<Program>> parse(std::string_view text);

// The handler of an opcode such as "mad.lo.cc.u32", or null.
Handler handler_of(std::string_view opcode);

// Memory that kernels may touch: begin -> size.
using Memory = std::map<std::uint64_t, std::size_t>;

struct LaunchShape {
  std::uint32_t groups = 0, group_size = 0, local_bytes = 0;
};
// Runs a kernel; arguments: the bytes of each parameter. Groups and work-items are taken in shuffled order.
Status run(const Program&, const Function& kernel, const LaunchShape&,
           const std::vector<std::vector<std::uint8_t>>& arguments, const Memory&, std::mt19937& order);

struct Frame {
  const Function* function = nullptr;
  std::size_t next = 0;  // the instruction to continue with
  std::unique_ptr<std::uint64_t[]> storage;
  std::size_t capacity = 0;
  std::uint64_t* registers = nullptr;
  std::uint8_t* params = nullptr;
  std::uint8_t* local = nullptr;
};

struct Group {
  const Program* program = nullptr;
  const Memory* memory = nullptr;
  LaunchShape shape;
  std::uint32_t index = 0;
  std::vector<std::uint64_t> shared;
  std::string fault;
};

enum class State : std::uint8_t { running, barrier, done };

struct Thread {
  Group* group = nullptr;
  std::uint64_t* r = nullptr;  // registers of the innermost frame
  std::size_t next = 0;
  std::uint32_t carry = 0;
  State state = State::running;
  std::uint32_t index = 0;
  std::vector<Frame> frames;
  std::size_t depth = 0;                     // frames in use
  std::uint64_t hit_begin = 0, hit_end = 0;  // the block that was accessed last

  void fail(const std::string& why) {
    if (group->fault.empty()) group->fault = why;
    state = State::done;
  }
  void enter(const Function& function);
  void leave();
};

}  // namespace vouch::ptx
