// What tests may ask of the stand-in for an OpenCL library, beside its own entry points.
#pragma once

extern "C" {
// Counts calls that may fail from 1 again and lets the given one fail; 0: none.
void fake_opencl_fail_at(long call, int error);
long fake_opencl_calls();      // since then
long fake_opencl_live();       // contexts, queues, programs, kernels, events, blocks of memory
void fake_opencl_log(long n);  // of the compiler that fails: n characters and then "the cause"
}
