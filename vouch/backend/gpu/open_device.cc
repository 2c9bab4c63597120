#include "vouch/backend/gpu/open_device.h"

namespace vouch::gpu {

Result<std::unique_ptr<Device>> open_device(const std::string& name) {
  const std::size_t colon = name.find(':');
  const std::string driver = name.substr(0, colon),
                    number = colon == name.npos ? "0" : name.substr(colon + 1);
  std::string known = "auto, cpu, reference";
  for (const DeviceDriver& d : drivers()) {
    known += ", " + d.name + ":N";
    if (d.name != driver) continue;
    if (number.empty() || number.size() > 3 || number.find_first_not_of("0123456789") != number.npos)
      return Error{Code::invalid_argument, "backend: '" + name + "': the device index is not a number"};
    return d.open(std::stoul(number));
  }
  return Error{Code::invalid_argument, "backend: '" + name + "' is not one of " + known};
}

}  // namespace vouch::gpu
