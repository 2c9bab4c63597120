// Lanes: four 32-bit lanes as a compiler vector, which any processor's own vectors serve (SSE2, NEON,
// WebAssembly). Text: included inside a namespace. See lanes_avx512.h for what each operation means.

typedef u32 Vec32 __attribute__((vector_size(16)));
typedef u64 Vec64 __attribute__((vector_size(16)));

struct Wide {
  Vec64 r;
  friend VOUCH_INLINE Wide operator+(Wide a, Wide b) { return {a.r + b.r}; }
  friend VOUCH_INLINE Wide operator-(Wide a, Wide b) { return {a.r - b.r}; }
};

struct Lanes {
  static constexpr int count = 4;
  Vec32 r;

  static VOUCH_INLINE Lanes load(const u32* p) {
    Lanes x;
    __builtin_memcpy(&x.r, p, sizeof x.r);
    return x;
  }
  VOUCH_INLINE void store(u32* p) const { __builtin_memcpy(p, &r, sizeof r); }
  static VOUCH_INLINE Lanes all(u32 x) { return {Vec32{x, x, x, x}}; }
  static VOUCH_INLINE Lanes odd_only(u32 x) { return {Vec32{0, x, 0, x}}; }
  friend VOUCH_INLINE Lanes operator+(Lanes a, Lanes b) { return {a.r + b.r}; }
  friend VOUCH_INLINE Lanes operator-(Lanes a, Lanes b) { return {a.r - b.r}; }
  static VOUCH_INLINE Lanes min(Lanes a, Lanes b) { return {a.r < b.r ? a.r : b.r}; }

  static VOUCH_INLINE Wide mul_even(Lanes a, Lanes b) {
    return {((Vec64)a.r & 0xFFFFFFFF) * ((Vec64)b.r & 0xFFFFFFFF)};
  }
  VOUCH_INLINE Lanes odd() const { return {(Vec32)((Vec64)r >> 32)}; }
  static VOUCH_INLINE Lanes high_halves(Wide a, Wide b) {
    return {(Vec32)(a.r >> 32 | (b.r & 0xFFFFFFFF00000000))};
  }
  static VOUCH_INLINE Lanes from_wide(Wide a) { return {(Vec32)a.r}; }
  VOUCH_INLINE Wide wide() const { return {(Vec64)r}; }
  static VOUCH_INLINE void zip(Lanes a, Lanes b, Lanes& low, Lanes& high) {
    low = {__builtin_shufflevector(a.r, b.r, 0, 4, 1, 5)};
    high = {__builtin_shufflevector(a.r, b.r, 2, 6, 3, 7)};
  }
  static VOUCH_INLINE void unzip(Lanes low, Lanes high, Lanes& a, Lanes& b) {
    a = {__builtin_shufflevector(low.r, high.r, 0, 2, 4, 6)};
    b = {__builtin_shufflevector(low.r, high.r, 1, 3, 5, 7)};
  }
};
