// What tests may ask of the stand-in for NVIDIA's driver, beside the driver's own entry points.
#pragma once

extern "C" {
// Forgets earlier errors, counts calls from 1 again and lets the given one fail; 0: none.
void fake_cuda_fail_at(long call, int error);
long fake_cuda_calls();     // since then
long fake_cuda_waits();     // for the stream, ever
long fake_cuda_launches();  // ever
long fake_cuda_live();      // contexts retained or current, modules, streams, events, blocks of memory
}
