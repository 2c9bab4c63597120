// Lanes: sixteen 32-bit lanes of AVX-512. Text: included inside a namespace and a target region.
// Wide is the same register seen as eight 64-bit lanes; even/odd name the 32-bit lanes of a pair.

struct Wide {
  __m512i r;
  friend VOUCH_INLINE Wide operator+(Wide a, Wide b) { return {_mm512_add_epi64(a.r, b.r)}; }
  friend VOUCH_INLINE Wide operator-(Wide a, Wide b) { return {_mm512_sub_epi64(a.r, b.r)}; }
};

struct Lanes {
  static constexpr int count = 16;
  __m512i r;

  static VOUCH_INLINE Lanes load(const u32* p) { return {_mm512_loadu_si512(p)}; }
  VOUCH_INLINE void store(u32* p) const { _mm512_storeu_si512(p, r); }
  static VOUCH_INLINE Lanes all(u32 x) { return {_mm512_set1_epi32(int(x))}; }
  static VOUCH_INLINE Lanes odd_only(u32 x) {
    return {_mm512_set1_epi64(static_cast<long long>(u64(x) << 32))};
  }
  friend VOUCH_INLINE Lanes operator+(Lanes a, Lanes b) { return {_mm512_add_epi32(a.r, b.r)}; }
  friend VOUCH_INLINE Lanes operator-(Lanes a, Lanes b) { return {_mm512_sub_epi32(a.r, b.r)}; }
  static VOUCH_INLINE Lanes min(Lanes a, Lanes b) { return {_mm512_min_epu32(a.r, b.r)}; }

  // The 64-bit products of the even lanes; odd lanes do not matter.
  static VOUCH_INLINE Wide mul_even(Lanes a, Lanes b) { return {_mm512_mul_epu32(a.r, b.r)}; }
  // Every odd lane moved (or copied) to the even lane below it.
  VOUCH_INLINE Lanes odd() const { return {_mm512_castps_si512(_mm512_movehdup_ps(_mm512_castsi512_ps(r)))}; }
  // The high halves: of a in the even lanes, of b in the odd ones.
  static VOUCH_INLINE Lanes high_halves(Wide a, Wide b) {
    return {_mm512_mask_shuffle_epi32(b.r, 0x5555, a.r, _MM_PERM_DDBB)};
  }
  static VOUCH_INLINE Lanes from_wide(Wide a) { return {a.r}; }
  VOUCH_INLINE Wide wide() const { return {r}; }
  // a0 b0 a1 b1 ...: the first and the second half of it.
  static VOUCH_INLINE void zip(Lanes a, Lanes b, Lanes& low, Lanes& high) {
    const __m512i il = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const __m512i ih = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    low = {_mm512_permutex2var_epi32(a.r, il, b.r)};
    high = {_mm512_permutex2var_epi32(a.r, ih, b.r)};
  }
  // The inverse of zip.
  static VOUCH_INLINE void unzip(Lanes low, Lanes high, Lanes& a, Lanes& b) {
    const __m512i ie = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i io = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    a = {_mm512_permutex2var_epi32(low.r, ie, high.r)};
    b = {_mm512_permutex2var_epi32(low.r, io, high.r)};
  }
};
