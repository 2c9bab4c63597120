// The container of the binary formats: see container.h.
#include "vouch/formats/container.h"

#include <algorithm>

#include "vouch/formats/sniff.h"

namespace vouch::formats {
namespace {

// No format has more than 20 sections; a count above this is damage, and is not looped over.
constexpr std::uint32_t most_sections = 256;

}  // namespace

Result<Container> Container::open(std::string name, Bytes file, const ContainerFormat& format,
                                  bool allow_trailing) {
  Container c;
  c.name_ = std::move(name);
  c.format_ = &format;
  Reader in(file);
  const Bytes magic = in.take(4);
  if (in.failed() || !std::equal(magic.begin(), magic.end(), format.magic.begin()))
    return c.error("expected " + std::string(format.what) + ", but this looks like " + describe(file));
  c.version_ = in.read<std::uint32_t>();
  const auto count = in.read<std::uint32_t>();
  if (in.failed()) return c.error("the file is cut off: it ends inside its header");
  if (c.version_ == 0 || c.version_ > format.newest_version)
    return c.error("version " + std::to_string(c.version_) + " of the format is not known; versions up to " +
                   std::to_string(format.newest_version) + " are");
  if (count > most_sections)
    return c.error("the header claims " + std::to_string(count) + " sections, more than any such file has");
  for (std::uint32_t i = 0; i < count; i++) {
    const auto id = in.read<std::uint32_t>();
    const auto length = in.read<std::uint64_t>();
    if (in.failed())
      return c.error("the file is cut off: it has " + std::to_string(i) + " of the " + std::to_string(count) +
                     " sections its header claims");
    if (c.has(id)) return c.error(c.title(id) + " appears twice");
    if (length > in.remaining())
      return c.error(c.title(id) + " claims " + std::to_string(length) + " bytes, but the file ends after " +
                     std::to_string(in.remaining()));
    c.sections_.push_back({id, in.take(length)});
  }
  if (in.remaining() != 0 && !allow_trailing)
    return c.error(
        std::to_string(in.remaining()) + " bytes follow the last section, " +
        (c.sections_.empty() ? std::string("of which there are none") : c.title(c.sections_.back().id)));
  return c;
}

bool Container::has(std::uint32_t id) const {
  return std::any_of(sections_.begin(), sections_.end(), [&](const Section& s) { return s.id == id; });
}

std::vector<std::uint32_t> Container::ids() const {
  std::vector<std::uint32_t> r;
  for (const Section& s : sections_) r.push_back(s.id);
  return r;
}

Result<Bytes> Container::section(std::uint32_t id) const {
  for (const Section& s : sections_)
    if (s.id == id) return s.data;
  return error(title(id) + " is missing");
}

Result<Bytes> Container::section(std::uint32_t id, std::uint64_t size, const std::string& why) const {
  VOUCH_TRY(const Bytes data, section(id));
  if (data.size() != size)
    return error(title(id) + " has " + std::to_string(data.size()) + " bytes, but " + why + " take " +
                 std::to_string(size));
  return data;
}

std::string Container::title(std::uint32_t id) const {
  const bool known = id > 0 && id < format_->titles.size() && !format_->titles[id].empty();
  return "section " + std::to_string(id) + (known ? " (" + std::string(format_->titles[id]) + ")" : "");
}

Error Container::error(const std::string& what) const {
  return {Code::malformed, name_ + ": " + what};
}
Error Container::error(std::uint32_t id, const std::string& what) const {
  return error(title(id) + ": " + what);
}

}  // namespace vouch::formats
