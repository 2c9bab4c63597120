// Lanes: four 32-bit lanes of NEON. Text: included inside a namespace.
// See lanes_avx512.h for what each operation means.

struct Wide {
  uint64x2_t r;
  friend VOUCH_INLINE Wide operator+(Wide a, Wide b) { return {vaddq_u64(a.r, b.r)}; }
  friend VOUCH_INLINE Wide operator-(Wide a, Wide b) { return {vsubq_u64(a.r, b.r)}; }
};

struct Lanes {
  static constexpr int count = 4;
  uint32x4_t r;

  static VOUCH_INLINE Lanes load(const u32* p) { return {vld1q_u32(p)}; }
  VOUCH_INLINE void store(u32* p) const { vst1q_u32(p, r); }
  static VOUCH_INLINE Lanes all(u32 x) { return {vdupq_n_u32(x)}; }
  static VOUCH_INLINE Lanes odd_only(u32 x) { return {vreinterpretq_u32_u64(vdupq_n_u64(u64(x) << 32))}; }
  friend VOUCH_INLINE Lanes operator+(Lanes a, Lanes b) { return {vaddq_u32(a.r, b.r)}; }
  friend VOUCH_INLINE Lanes operator-(Lanes a, Lanes b) { return {vsubq_u32(a.r, b.r)}; }
  static VOUCH_INLINE Lanes min(Lanes a, Lanes b) { return {vminq_u32(a.r, b.r)}; }

  static VOUCH_INLINE Wide mul_even(Lanes a, Lanes b) {
    return {vmull_u32(vmovn_u64(vreinterpretq_u64_u32(a.r)), vmovn_u64(vreinterpretq_u64_u32(b.r)))};
  }
  VOUCH_INLINE Lanes odd() const {
    return {vreinterpretq_u32_u64(vshrq_n_u64(vreinterpretq_u64_u32(r), 32))};
  }
  static VOUCH_INLINE Lanes high_halves(Wide a, Wide b) {
    return {vtrn2q_u32(vreinterpretq_u32_u64(a.r), vreinterpretq_u32_u64(b.r))};
  }
  static VOUCH_INLINE Lanes from_wide(Wide a) { return {vreinterpretq_u32_u64(a.r)}; }
  VOUCH_INLINE Wide wide() const { return {vreinterpretq_u64_u32(r)}; }
  static VOUCH_INLINE void zip(Lanes a, Lanes b, Lanes& low, Lanes& high) {
    low = {vzip1q_u32(a.r, b.r)};
    high = {vzip2q_u32(a.r, b.r)};
  }
  static VOUCH_INLINE void unzip(Lanes low, Lanes high, Lanes& a, Lanes& b) {
    a = {vuzp1q_u32(low.r, high.r)};
    b = {vuzp2q_u32(low.r, high.r)};
  }
};
