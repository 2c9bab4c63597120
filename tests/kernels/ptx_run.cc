// Runs a grid: group after group, each work-item up to the next barrier in turn.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "ptx_machine.h"

namespace vouch::ptx {

void Thread::enter(const Function& f) {
  if (depth > 0) frames[depth - 1].next = next;
  if (frames.size() == depth) frames.emplace_back();
  Frame& frame = frames[depth++];
  const std::size_t registers = f.registers + f.constants.size(), params = f.param_bytes / 16 * 2 + 2,
                    local = f.local_bytes / 16 * 2 + 2, all = registers + params + local + 4;
  if (frame.capacity < all) frame.storage.reset(new std::uint64_t[all]), frame.capacity = all;
  frame.function = &f;
  // Parameters and local memory lie at multiples of 16; neither they nor registers are cleared: text that
  // reads what it never wrote gets what an earlier call left.
  auto base = reinterpret_cast<std::uintptr_t>(frame.storage.get());
  base = (base + 15) / 16 * 16;
  frame.params = reinterpret_cast<std::uint8_t*>(base);
  frame.local = frame.params + 8 * params;
  frame.registers = reinterpret_cast<std::uint64_t*>(frame.local + 8 * local);
  r = frame.registers;
  r[tid] = index;
  r[ctaid] = group->index;
  r[ntid] = group->shape.group_size;
  r[nctaid] = group->shape.groups;
  r[shared_base] = reinterpret_cast<std::uint64_t>(group->shared.data());
  r[local_base] = reinterpret_cast<std::uint64_t>(frame.local);
  r[param_base] = reinterpret_cast<std::uint64_t>(frame.params);
  r[zero] = 0;
  std::copy(f.constants.begin(), f.constants.end(), r + f.registers);
  next = 0;
}

void Thread::leave() {
  const Frame& from = frames[--depth];
  if (depth == 0) {
    state = State::done;
    return;
  }
  const Frame& to = frames[depth - 1];
  r = to.registers;
  next = to.next;
  const Parameter& result = from.function->result;
  if (result.size == 0) return;
  // The instruction before `next` is the call; its list ends with the place of the result.
  const Instruction& call = to.function->code[next - 1];
  std::memcpy(to.params + call.list.back(), from.params + result.offset, result.size);
}

namespace {

void advance(Thread& t) {
  t.state = State::running;
  while (t.state == State::running) {
    const Instruction& i = t.frames[t.depth - 1].function->code[t.next++];
    if (i.guard >= 0 && bool(t.r[i.guard] & 1) == i.guard_is_not) continue;
    i.run(t, i);
  }
}

Status run_group(Group& group, const Function& kernel,
                 const std::vector<std::vector<std::uint8_t>>& arguments, std::vector<Thread>& threads,
                 std::mt19937& order) {
  std::fill(group.shared.begin(), group.shared.end(), 0xcdcdcdcdcdcdcdcdu);
  for (std::uint32_t k = 0; k < group.shape.group_size; k++) {
    Thread& t = threads[k];
    t.group = &group;
    t.index = k;
    t.depth = 0;
    t.enter(kernel);
    for (std::size_t p = 0; p < kernel.params.size(); p++)
      std::memcpy(t.frames[0].params + kernel.params[p].offset, arguments[p].data(), arguments[p].size());
  }
  std::vector<std::uint32_t> turn(group.shape.group_size);
  std::iota(turn.begin(), turn.end(), 0u);
  while (true) {
    std::shuffle(turn.begin(), turn.end(), order);
    std::size_t done = 0;
    for (const std::uint32_t k : turn) {
      advance(threads[k]);
      done += threads[k].state == State::done;
      if (!group.fault.empty())
        return Error{Code::device, kernel.name + ", group " + std::to_string(group.index) + ", work-item " +
                                       std::to_string(k) + ": " + group.fault};
    }
    if (done == turn.size()) return ok();
    if (done) return Error{Code::device, kernel.name + ": a barrier that only some work-items reach"};
  }
}

}  // namespace

Status run(const Program& program, const Function& kernel, const LaunchShape& shape,
           const std::vector<std::vector<std::uint8_t>>& arguments, const Memory& memory,
           std::mt19937& order) {
  if (arguments.size() != kernel.params.size())
    return Error{Code::device, kernel.name + ": wrong number of arguments"};
  for (std::size_t i = 0; i < arguments.size(); i++)
    if (arguments[i].size() != kernel.params[i].size)
      return Error{Code::device, kernel.name + ": argument " + std::to_string(i) + " has the wrong size"};
  Group group{&program, &memory, shape, 0, std::vector<std::uint64_t>(shape.local_bytes / 8 + 2), ""};
  std::vector<Thread> threads(shape.group_size);
  std::vector<std::uint32_t> groups(shape.groups);
  std::iota(groups.begin(), groups.end(), 0u);
  std::shuffle(groups.begin(), groups.end(), order);
  for (const std::uint32_t index : groups) {
    group.index = index;
    VOUCH_CHECK(run_group(group, kernel, arguments, threads, order));
  }
  return ok();
}

}  // namespace vouch::ptx
