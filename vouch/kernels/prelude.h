/* The kernel vocabulary: one text, four dialects (CUDA C++, Metal, OpenCL C 1.2, host C++).
 *
 * Kernel text keeps to the common subset of C99 and C++14: no templates, overloads, references, methods, lambdas, goto,
 * recursion, double, size_t; only u32 / u64 and structs of u32 arrays, passed and returned by value. Every pointer carries
 * an address space (GK_GLOBAL, GK_LOCAL, GK_PRIVATE, GK_CONSTANT). A barrier exists only as the end of a phase:
 * GK_PHASE ... GK_PHASE_END is a block and a barrier on a device, and a loop over work-items on the host, so that
 * control flow around barriers is uniform by construction and the host can run the text under sanitizers.
 * clang-format is off for kernel text: its macros are not C++ to it. */
/* clang-format off */
#ifndef GK_PRELUDE_H
#define GK_PRELUDE_H

/* ---------------------------------------------------------------- dialect */
#if defined(__METAL_VERSION__)
#  define GK_MSL 1
#elif defined(__CUDACC__) || defined(__CUDACC_RTC__)
#  define GK_CUDA 1
#elif defined(__CUDA__)
/* Clang without any CUDA header (-nocudainc): the few words that the headers would give */
#  define GK_CUDA 1
#  define __device__ __attribute__((device))
#  define __global__ __attribute__((global))
#  define __shared__ __attribute__((shared))
#  define __constant__ __attribute__((constant))
#  define __forceinline__ __inline__ __attribute__((always_inline))
#  define __noinline__ __attribute__((noinline))
#  define __align__(n) __attribute__((aligned(n)))
#  define __launch_bounds__(n) __attribute__((launch_bounds(n)))
struct gk_dim_ { unsigned x; };
#  define threadIdx (gk_dim_{(unsigned)__nvvm_read_ptx_sreg_tid_x()})
#  define blockIdx (gk_dim_{(unsigned)__nvvm_read_ptx_sreg_ctaid_x()})
#  define blockDim (gk_dim_{(unsigned)__nvvm_read_ptx_sreg_ntid_x()})
#  define gridDim (gk_dim_{(unsigned)__nvvm_read_ptx_sreg_nctaid_x()})
#  define __umulhi(a, b) ((unsigned)__nvvm_mulhi_ui((a), (b)))
#  define __popc(x) __builtin_popcount(x)
#  define __clz(x) ((x) ? __builtin_clz(x) : 32)
#  define __brev(x) ((unsigned)__builtin_bitreverse32(x))
#  define atomicAdd(p, v) ((unsigned)__nvvm_atom_add_gen_i((int*)(p), (int)(v)))
#elif defined(__OPENCL_VERSION__) || defined(__OPENCL_CPP_VERSION__) || defined(__OPENCL_C_VERSION__)
#  define GK_OPENCL 1
#else
#  define GK_HOST 1
#endif

/* ================================================================== CUDA */
#if defined(GK_CUDA)
typedef unsigned int u32;
typedef unsigned long long u64;
typedef int i32;
#define GK_GLOBAL
#define GK_LOCAL
#define GK_PRIVATE
#define GK_CONSTANT
#define GK_RESTRICT __restrict__
#define GK_FN static __device__ __forceinline__
#define GK_FN_NOINLINE static __device__ __noinline__
#define GK_CONST_TABLE static __device__ __constant__ const
#define GK_ALIGN(n) __align__(n)
#define GK_UNROLL _Pragma("unroll")
#define GK_NO_UNROLL _Pragma("unroll 1")
#define GK_MULHI(a, b) __umulhi((a), (b))
#define GK_POPC(x) ((u32)__popc(x))
#define GK_CLZ(x) ((u32)__clz((int)(x)))
#define GK_BREV(x) __brev(x)
#define GK_GID_GROUP (blockIdx.x)
#define GK_LID (threadIdx.x)
#define GK_LSZ (blockDim.x)
#define GK_NGROUPS (gridDim.x)
#define GK_BARRIER() __syncthreads()
#define GK_ATOMIC_ADD_G(p, v) atomicAdd((p), (v))
#define GK_ATOMIC_ADD_L(p, v) atomicAdd((p), (v))
/* kernel signature pieces */
#define GK_KERNEL(name) extern "C" __global__ void name
#define GK_KERNEL_B(name, maxthreads) extern "C" __global__ void __launch_bounds__(maxthreads) name
#define GK_IN(idx, T, n) const T* __restrict__ n
#define GK_OUT(idx, T, n) T* __restrict__ n
#define GK_INOUT(idx, T, n) T* n
#define GK_PARAMS(idx, T, n) const T n
#define GK_ARGS_END
#define GK_DYN_LOCAL_ARG(T, n)
/* one untyped array for the whole TU: two `extern __shared__` with different types clash */
#define GK_DYN_LOCAL(T, n) extern __shared__ GK_ALIGN(16) unsigned char gk_dyn_local[]; T* const n = (T*)(void*)gk_dyn_local
#define GK_PHASE { const u32 lid = threadIdx.x; (void)lid; {
#define GK_PHASE_END }} __syncthreads();
#define GK_PHASE_LAST_END }}

/* =================================================================== MSL */
#elif defined(GK_MSL)
#include <metal_stdlib>
typedef uint u32;
typedef ulong u64;
typedef int i32;
#define GK_GLOBAL device
#define GK_LOCAL threadgroup
#define GK_PRIVATE thread
#define GK_CONSTANT constant
#define GK_RESTRICT
#define GK_FN static inline __attribute__((always_inline))
#define GK_FN_NOINLINE static __attribute__((noinline))
#define GK_CONST_TABLE constant
#define GK_ALIGN(n) alignas(n)
#define GK_UNROLL _Pragma("clang loop unroll(full)")
#define GK_NO_UNROLL _Pragma("clang loop unroll(disable)")
#define GK_MULHI(a, b) metal::mulhi((u32)(a), (u32)(b))
#define GK_POPC(x) metal::popcount((u32)(x))
#define GK_CLZ(x) metal::clz((u32)(x))
#define GK_BREV(x) metal::reverse_bits((u32)(x))
#define GK_GID_GROUP gk_grp
#define GK_LID gk_lid
#define GK_LSZ gk_lsz
#define GK_NGROUPS gk_ngrp
#define GK_BARRIER() metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup)
#define GK_ATOMIC_ADD_G(p, v) metal::atomic_fetch_add_explicit((device metal::atomic_uint*)(p), (u32)(v), metal::memory_order_relaxed)
#define GK_ATOMIC_ADD_L(p, v) metal::atomic_fetch_add_explicit((threadgroup metal::atomic_uint*)(p), (u32)(v), metal::memory_order_relaxed)
#define GK_KERNEL(name) kernel void name
#define GK_KERNEL_B(name, maxthreads) [[max_total_threads_per_threadgroup(maxthreads)]] kernel void name
#define GK_IN(idx, T, n) device const T* n [[buffer(idx)]]
#define GK_OUT(idx, T, n) device T* n [[buffer(idx)]]
#define GK_INOUT(idx, T, n) device T* n [[buffer(idx)]]
#define GK_PARAMS(idx, T, n) constant T& n [[buffer(idx)]]
#define GK_ARGS_END , u32 gk_lid [[thread_position_in_threadgroup]], u32 gk_grp [[threadgroup_position_in_grid]], u32 gk_lsz [[threads_per_threadgroup]], u32 gk_ngrp [[threadgroups_per_grid]]
#define GK_DYN_LOCAL_ARG(T, n) , threadgroup T* n [[threadgroup(0)]]
#define GK_DYN_LOCAL(T, n)
#define GK_PHASE { const u32 lid = gk_lid; (void)lid; {
#define GK_PHASE_END }} GK_BARRIER();
#define GK_PHASE_LAST_END }}

/* ================================================================ OpenCL */
#elif defined(GK_OPENCL)
typedef uint u32;
typedef ulong u64;
typedef int i32;
#define GK_GLOBAL __global
#define GK_LOCAL __local
#define GK_PRIVATE __private
#define GK_CONSTANT __constant
#if defined(__OPENCL_CPP_VERSION__)
#define GK_RESTRICT __restrict /* C++ for OpenCL has no `restrict` keyword */
#else
#define GK_RESTRICT restrict
#endif
#define GK_FN static inline
#define GK_FN_NOINLINE static __attribute__((noinline))
#define GK_CONST_TABLE __constant
#define GK_ALIGN(n) __attribute__((aligned(n)))
#define GK_UNROLL _Pragma("unroll")
#define GK_NO_UNROLL _Pragma("unroll 1")
#define GK_MULHI(a, b) mul_hi((u32)(a), (u32)(b))
#define GK_POPC(x) popcount((u32)(x))
#define GK_CLZ(x) clz((u32)(x))
static inline u32 gk_brev_(u32 x) {
  x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
  x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
  x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
  x = ((x >> 8) & 0x00ff00ffu) | ((x & 0x00ff00ffu) << 8);
  return (x >> 16) | (x << 16);
}
#define GK_BREV(x) gk_brev_(x)
#define GK_GID_GROUP ((u32)get_group_id(0))
#define GK_LID ((u32)get_local_id(0))
#define GK_LSZ ((u32)get_local_size(0))
#define GK_NGROUPS ((u32)get_num_groups(0))
#define GK_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define GK_ATOMIC_ADD_G(p, v) atomic_add((volatile __global u32*)(p), (u32)(v))
#define GK_ATOMIC_ADD_L(p, v) atomic_add((volatile __local u32*)(p), (u32)(v))
#define GK_KERNEL(name) __kernel void name
#if defined(GK_REQD_WG)
#define GK_KERNEL_B(name, maxthreads) __kernel __attribute__((reqd_work_group_size(maxthreads, 1, 1))) void name
#else
#define GK_KERNEL_B(name, maxthreads) __kernel void name
#endif
#define GK_IN(idx, T, n) __global const T* GK_RESTRICT n
#define GK_OUT(idx, T, n) __global T* GK_RESTRICT n
#define GK_INOUT(idx, T, n) __global T* n
#define GK_PARAMS(idx, T, n) const T n
#define GK_ARGS_END
#define GK_DYN_LOCAL_ARG(T, n) , __local T* n
#define GK_DYN_LOCAL(T, n)
#define GK_PHASE { const u32 lid = (u32)get_local_id(0); (void)lid; {
#define GK_PHASE_END }} barrier(CLK_LOCAL_MEM_FENCE);
#define GK_PHASE_LAST_END }}

/* ================================================================== host */
#else
#include <cstdint>
#include <cstddef>
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t i32;
#define GK_GLOBAL
#define GK_LOCAL
#define GK_PRIVATE
#define GK_CONSTANT
#define GK_RESTRICT __restrict__
#define GK_FN static inline __attribute__((always_inline))
#define GK_FN_NOINLINE static __attribute__((noinline))
#define GK_CONST_TABLE static const
#define GK_ALIGN(n) alignas(n)
#if defined(__clang__)
#define GK_UNROLL _Pragma("clang loop unroll(full)")
#define GK_NO_UNROLL
#else
#define GK_UNROLL _Pragma("GCC unroll 16")
#define GK_NO_UNROLL
#endif
#define GK_MULHI(a, b) ((u32)(((u64)(u32)(a) * (u32)(b)) >> 32))
/* products of 254-bit elements that this thread has made, for tests */
static thread_local u64 gk_products = 0;
#define GK_COUNT_PRODUCT() (void)gk_products++
#define GK_POPC(x) ((u32)__builtin_popcount(x))
GK_FN u32 gk_clz_(u32 x) { return x ? (u32)__builtin_clz(x) : 32u; }
#define GK_CLZ(x) gk_clz_(x)
GK_FN u32 gk_brev_(u32 x) {
  x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
  x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
  x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
  return __builtin_bswap32(x);
}
#define GK_BREV(x) gk_brev_(x)
/* per work-group context handed to the kernel function by the host launcher */
/* order: the work-items of a phase run in this order (a permutation of 0..lsz-1), or 0 for ascending: a shuffled order
   exposes a missing phase boundary */
struct gk_ctx { u32 grp, ngrp, lsz; void* local; const u32* order; };
#define GK_GID_GROUP (gk_c->grp)
#define GK_LSZ (gk_c->lsz)
#define GK_NGROUPS (gk_c->ngrp)
#define GK_ATOMIC_ADD_G(p, v) __atomic_fetch_add((p), (u32)(v), __ATOMIC_RELAXED)
#define GK_ATOMIC_ADD_L(p, v) __atomic_fetch_add((p), (u32)(v), __ATOMIC_RELAXED)
#define GK_KERNEL(name) static void name
#define GK_KERNEL_B(name, maxthreads) static void name
#define GK_IN(idx, T, n) const T* n
#define GK_OUT(idx, T, n) T* n
#define GK_INOUT(idx, T, n) T* n
#define GK_PARAMS(idx, T, n) const T n
#define GK_ARGS_END , const gk_ctx* gk_c
#define GK_DYN_LOCAL_ARG(T, n)
#define GK_DYN_LOCAL(T, n) T* const n = (T*)gk_c->local; (void)n
/* phase splitting: the kernel function runs once per GROUP; each phase is a loop over work-items */
#define GK_LID lid
#define GK_BARRIER() static_assert(false, "no raw barrier in phase mode")
#define GK_PHASE { for (u32 gk_i = 0; gk_i < gk_c->lsz; ++gk_i) { const u32 lid = gk_c->order ? gk_c->order[gk_i] : gk_i; (void)lid;
#define GK_PHASE_END }}
#define GK_PHASE_LAST_END }}
#endif

/* ------------------------------------------------ dialect independent bits */
#if !defined(GK_COUNT_PRODUCT)
#define GK_COUNT_PRODUCT() ((void)0)
#endif
/* extra args a device helper needs when it contains phases (lid etc. come in as hidden args on MSL/host) */
#if defined(GK_MSL)
#define GK_COOP_PARAMS u32 gk_lid, u32 gk_grp, u32 gk_lsz, u32 gk_ngrp,
#define GK_COOP_ARGS gk_lid, gk_grp, gk_lsz, gk_ngrp,
#elif defined(GK_HOST)
#define GK_COOP_PARAMS const gk_ctx* gk_c,
#define GK_COOP_ARGS gk_c,
#else
#define GK_COOP_PARAMS
#define GK_COOP_ARGS
#endif

/* 32x32 -> lo,hi */
#if defined(GK_MSL)
#define GK_MULWIDE(lo, hi, a, b) do { (lo) = (u32)(a) * (u32)(b); (hi) = GK_MULHI(a, b); } while (0)
#else
#define GK_MULWIDE(lo, hi, a, b) do { u64 gk_w = (u64)(a) * (b); (lo) = (u32)gk_w; (hi) = (u32)(gk_w >> 32); } while (0)
#endif

/* add with carry / subtract with borrow: s,c <- a+b+c ; c is 0/1 */
#if defined(GK_NO_U64)
#define GK_ADDC(s, a, b, c) do { u32 gk_t = (a) + (b); u32 gk_k = (u32)(gk_t < (a)); (s) = gk_t + (c); (c) = gk_k + (u32)((s) < gk_t); } while (0)
#define GK_SUBB(d, a, b, c) do { u32 gk_a = (a), gk_b = (b); u32 gk_t = gk_a - gk_b; u32 gk_k = (u32)(gk_a < gk_b); (d) = gk_t - (c); (c) = gk_k + (u32)(gk_t < (c)); } while (0)
#else
#define GK_ADDC(s, a, b, c) do { u64 gk_t = (u64)(a) + (b) + (c); (s) = (u32)gk_t; (c) = (u32)(gk_t >> 32); } while (0)
#define GK_SUBB(d, a, b, c) do { u64 gk_t = (u64)(a) - (b) - (c); (d) = (u32)gk_t; (c) = (u32)(gk_t >> 63); } while (0)
#endif
#endif
