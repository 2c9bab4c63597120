// Lanes: eight 32-bit lanes of AVX2. Text: included inside a namespace and a target region.
// See lanes_avx512.h for what each operation means.

struct Wide {
  __m256i r;
  friend VOUCH_INLINE Wide operator+(Wide a, Wide b) { return {_mm256_add_epi64(a.r, b.r)}; }
  friend VOUCH_INLINE Wide operator-(Wide a, Wide b) { return {_mm256_sub_epi64(a.r, b.r)}; }
};

struct Lanes {
  static constexpr int count = 8;
  __m256i r;

  static VOUCH_INLINE Lanes load(const u32* p) {
    return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))};
  }
  VOUCH_INLINE void store(u32* p) const { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), r); }
  static VOUCH_INLINE Lanes all(u32 x) { return {_mm256_set1_epi32(int(x))}; }
  static VOUCH_INLINE Lanes odd_only(u32 x) {
    return {_mm256_set1_epi64x(static_cast<long long>(u64(x) << 32))};
  }
  friend VOUCH_INLINE Lanes operator+(Lanes a, Lanes b) { return {_mm256_add_epi32(a.r, b.r)}; }
  friend VOUCH_INLINE Lanes operator-(Lanes a, Lanes b) { return {_mm256_sub_epi32(a.r, b.r)}; }
  static VOUCH_INLINE Lanes min(Lanes a, Lanes b) { return {_mm256_min_epu32(a.r, b.r)}; }

  static VOUCH_INLINE Wide mul_even(Lanes a, Lanes b) { return {_mm256_mul_epu32(a.r, b.r)}; }
  VOUCH_INLINE Lanes odd() const { return {_mm256_castps_si256(_mm256_movehdup_ps(_mm256_castsi256_ps(r)))}; }
  static VOUCH_INLINE Lanes high_halves(Wide a, Wide b) {
    return {_mm256_blend_epi32(_mm256_shuffle_epi32(a.r, 0xF5), b.r, 0xAA)};
  }
  static VOUCH_INLINE Lanes from_wide(Wide a) { return {a.r}; }
  VOUCH_INLINE Wide wide() const { return {r}; }
  static VOUCH_INLINE void zip(Lanes a, Lanes b, Lanes& low, Lanes& high) {
    const __m256i l = _mm256_unpacklo_epi32(a.r, b.r), h = _mm256_unpackhi_epi32(a.r, b.r);
    low = {_mm256_permute2x128_si256(l, h, 0x20)};
    high = {_mm256_permute2x128_si256(l, h, 0x31)};
  }
  static VOUCH_INLINE void unzip(Lanes low, Lanes high, Lanes& a, Lanes& b) {
    const __m256i l = _mm256_permute2x128_si256(low.r, high.r, 0x20);
    const __m256i h = _mm256_permute2x128_si256(low.r, high.r, 0x31);  // 4 5 6 7 of each
    const __m256i t = _mm256_unpacklo_epi32(l, h), u = _mm256_unpackhi_epi32(l, h);
    a = {_mm256_unpacklo_epi32(t, u)};
    b = {_mm256_unpackhi_epi32(t, u)};
  }
};
