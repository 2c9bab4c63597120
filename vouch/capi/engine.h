// What the handles of the C interface hold.
#pragma once

#include <memory>

#include "vouch/backend/backend.h"
#include "vouch/capi/vouch.h"
#include "vouch/core/parallel.h"

struct vouch_engine {
  std::unique_ptr<vouch::Backend> backend;
  vouch::Threads threads;
};
