// AdxArith: 4-limb Montgomery arithmetic by mulx and the two carry chains adcx/adox, for x86-64 with BMI2 and
// ADX.
//
// Two carry chains (CF and OF) let the low and the high halves of a row's products be added in one pass.
// Needs a modulus below 2^255: then each row's value stays below 2^256 and no fifth limb is kept between
// rows. Plain x86-64 compiles this file; who calls it has asked cpu_features() first.
#pragma once

#include "vouch/field/prime.h"

#if defined(__x86_64__)
#define VOUCH_HAS_ADX 1

namespace vouch {

// t = b0 * a. Leaves the fifth limb in %[top].
#define VOUCH_ADX_FIRST_ROW           \
  "movq 0(%[b]), %%rdx\n\t"           \
  "xorl %k[lo], %k[lo]\n\t"           \
  "mulxq 0(%[a]), %[t0], %[t1]\n\t"   \
  "mulxq 8(%[a]), %[lo], %[t2]\n\t"   \
  "adcxq %[lo], %[t1]\n\t"            \
  "mulxq 16(%[a]), %[lo], %[t3]\n\t"  \
  "adcxq %[lo], %[t2]\n\t"            \
  "mulxq 24(%[a]), %[lo], %[top]\n\t" \
  "adcxq %[lo], %[t3]\n\t"            \
  "adcq $0, %[top]\n\t"
// t += (the limb of b at offset) * a. The high halves ride on CF, the low halves on OF.
#define VOUCH_ADX_ROW(offset)         \
  "movq " offset                      \
  "(%[b]), %%rdx\n\t"                 \
  "xorl %k[lo], %k[lo]\n\t"           \
  "mulxq 0(%[a]), %[lo], %[top]\n\t"  \
  "adoxq %[lo], %[t0]\n\t"            \
  "adcxq %[top], %[t1]\n\t"           \
  "mulxq 8(%[a]), %[lo], %[top]\n\t"  \
  "adoxq %[lo], %[t1]\n\t"            \
  "adcxq %[top], %[t2]\n\t"           \
  "mulxq 16(%[a]), %[lo], %[top]\n\t" \
  "adoxq %[lo], %[t2]\n\t"            \
  "adcxq %[top], %[t3]\n\t"           \
  "mulxq 24(%[a]), %[lo], %[top]\n\t" \
  "adoxq %[lo], %[t3]\n\t"            \
  "movl $0, %k[lo]\n\t"               \
  "adcxq %[lo], %[top]\n\t"           \
  "adoxq %[lo], %[top]\n\t"
// t = (t + q p) / 2^64 with q chosen so that the division is exact; fifth: the register of its fifth limb.
#define VOUCH_ADX_REDUCE_WITH(fifth) \
  "movabsq %[inv], %%rdx\n\t"        \
  "imulq %[t0], %%rdx\n\t"           \
  "xorl %k[lo], %k[lo]\n\t"          \
  "mulxq 0(%[p]), %[lo], %[hi]\n\t"  \
  "adcxq %[t0], %[lo]\n\t"           \
  "movq %[hi], %[t0]\n\t"            \
  "adcxq %[t1], %[t0]\n\t"           \
  "mulxq 8(%[p]), %[lo], %[t1]\n\t"  \
  "adoxq %[lo], %[t0]\n\t"           \
  "adcxq %[t2], %[t1]\n\t"           \
  "mulxq 16(%[p]), %[lo], %[t2]\n\t" \
  "adoxq %[lo], %[t1]\n\t"           \
  "adcxq %[t3], %[t2]\n\t"           \
  "mulxq 24(%[p]), %[lo], %[t3]\n\t" \
  "adoxq %[lo], %[t2]\n\t"           \
  "movl $0, %k[lo]\n\t"              \
  "adcxq %[lo], %[t3]\n\t"           \
  "adoxq %[" fifth "], %[t3]\n\t"
#define VOUCH_ADX_REDUCE VOUCH_ADX_REDUCE_WITH("top")
// Where t has no fifth limb: lo is zero by then, and t stays below 2^256.
#define VOUCH_ADX_REDUCE_LOW VOUCH_ADX_REDUCE_WITH("lo")
// t, u = a^2, where [p] points at a: the six products of different limbs, doubled, and the four squares.
#define VOUCH_ADX_SQUARE             \
  "movq 0(%[p]), %%rdx\n\t"          \
  "mulxq 8(%[p]), %[t1], %[t2]\n\t"  \
  "mulxq 16(%[p]), %[lo], %[t3]\n\t" \
  "addq %[lo], %[t2]\n\t"            \
  "mulxq 24(%[p]), %[lo], %[u0]\n\t" \
  "adcq %[lo], %[t3]\n\t"            \
  "adcq $0, %[u0]\n\t"               \
  "movq 8(%[p]), %%rdx\n\t"          \
  "xorl %k[u2], %k[u2]\n\t"          \
  "mulxq 16(%[p]), %[lo], %[hi]\n\t" \
  "adcxq %[lo], %[t3]\n\t"           \
  "adoxq %[hi], %[u0]\n\t"           \
  "mulxq 24(%[p]), %[lo], %[u1]\n\t" \
  "adcxq %[lo], %[u0]\n\t"           \
  "adoxq %[u2], %[u1]\n\t"           \
  "movq 16(%[p]), %%rdx\n\t"         \
  "mulxq 24(%[p]), %[lo], %[hi]\n\t" \
  "adcxq %[lo], %[u1]\n\t"           \
  "adcxq %[hi], %[u2]\n\t"           \
  "xorl %k[top], %k[top]\n\t"        \
  "movq 0(%[p]), %%rdx\n\t"          \
  "mulxq %%rdx, %[t0], %[hi]\n\t"    \
  "adcxq %[t1], %[t1]\n\t"           \
  "adoxq %[hi], %[t1]\n\t"           \
  "movq 8(%[p]), %%rdx\n\t"          \
  "mulxq %%rdx, %[lo], %[hi]\n\t"    \
  "adcxq %[t2], %[t2]\n\t"           \
  "adoxq %[lo], %[t2]\n\t"           \
  "adcxq %[t3], %[t3]\n\t"           \
  "adoxq %[hi], %[t3]\n\t"           \
  "movq 16(%[p]), %%rdx\n\t"         \
  "mulxq %%rdx, %[lo], %[hi]\n\t"    \
  "adcxq %[u0], %[u0]\n\t"           \
  "adoxq %[lo], %[u0]\n\t"           \
  "adcxq %[u1], %[u1]\n\t"           \
  "adoxq %[hi], %[u1]\n\t"           \
  "movq 24(%[p]), %%rdx\n\t"         \
  "mulxq %%rdx, %[lo], %[hi]\n\t"    \
  "adcxq %[u2], %[u2]\n\t"           \
  "adoxq %[lo], %[u2]\n\t"           \
  "adcxq %[top], %[top]\n\t"         \
  "adoxq %[hi], %[top]\n\t"
// t += u, both below p.
#define VOUCH_ADX_ADD_HIGH \
  "addq %[u0], %[t0]\n\t"  \
  "adcq %[u1], %[t1]\n\t"  \
  "adcq %[u2], %[t2]\n\t"  \
  "adcq %[top], %[t3]\n\t"
// t -= p unless t < p.
#define VOUCH_ADX_FINISH      \
  "movq %[t0], %[lo]\n\t"     \
  "movq %[t1], %[hi]\n\t"     \
  "movq %[t2], %[top]\n\t"    \
  "movq %[t3], %%rdx\n\t"     \
  "subq 0(%[p]), %[lo]\n\t"   \
  "sbbq 8(%[p]), %[hi]\n\t"   \
  "sbbq 16(%[p]), %[top]\n\t" \
  "sbbq 24(%[p]), %%rdx\n\t"  \
  "cmovncq %[lo], %[t0]\n\t"  \
  "cmovncq %[hi], %[t1]\n\t"  \
  "cmovncq %[top], %[t2]\n\t" \
  "cmovncq %%rdx, %[t3]\n\t"

struct AdxArith {
  template <class Field>
  static typename Field::Int mul(const typename Field::Int& a, const typename Field::Int& b) {
    static_assert(Field::limbs == 4 && Field::spare_bits >= 1);
    typename Field::Int t;
    u64 lo, hi, top;
    __asm__(VOUCH_ADX_FIRST_ROW VOUCH_ADX_REDUCE          //
                VOUCH_ADX_ROW("8") VOUCH_ADX_REDUCE       //
                    VOUCH_ADX_ROW("16") VOUCH_ADX_REDUCE  //
                        VOUCH_ADX_ROW("24") VOUCH_ADX_REDUCE VOUCH_ADX_FINISH
            : [t0] "=&r"(t.limb[0]), [t1] "=&r"(t.limb[1]), [t2] "=&r"(t.limb[2]), [t3] "=&r"(t.limb[3]),
              [lo] "=&r"(lo), [hi] "=&r"(hi), [top] "=&r"(top)
            : [a] "r"(a.limb.data()), [b] "r"(b.limb.data()), [p] "r"(Field::modulus.limb.data()),
              [inv] "i"(Field::neg_inv), "m"(a), "m"(b)
            : "rdx", "cc");
    return t;
  }
  template <class Field>
  static typename Field::Int sqr(const typename Field::Int& a) {
    static_assert(Field::limbs == 4 && Field::spare_bits >= 1);
    typename Field::Int t;
    u64 lo, hi, u0, u1, u2, u3;
    // One register points at a, then at p: with two, none would be left where the compiler keeps a frame
    // pointer.
    const u64* at = a.limb.data();
    const u64* const modulus = Field::modulus.limb.data();
    // t, reduced, is at most p and u below p / 2; u3's register serves FINISH.
    __asm__(VOUCH_ADX_SQUARE "movq %[modulus], %[p]\n\t"  //
            VOUCH_ADX_REDUCE_LOW VOUCH_ADX_REDUCE_LOW VOUCH_ADX_REDUCE_LOW VOUCH_ADX_REDUCE_LOW
                VOUCH_ADX_ADD_HIGH VOUCH_ADX_FINISH
            : [t0] "=&r"(t.limb[0]), [t1] "=&r"(t.limb[1]), [t2] "=&r"(t.limb[2]), [t3] "=&r"(t.limb[3]),
              [lo] "=&r"(lo), [hi] "=&r"(hi), [u0] "=&r"(u0), [u1] "=&r"(u1), [u2] "=&r"(u2), [top] "=&r"(u3),
              [p] "+&r"(at)
            : [modulus] "m"(modulus), [inv] "i"(Field::neg_inv), "m"(a)
            : "rdx", "cc");
    return t;
  }
  template <class Field>
  static typename Field::Int add(const typename Field::Int& a, const typename Field::Int& b) {
    static_assert(Field::limbs == 4 && Field::spare_bits >= 1);
    typename Field::Int r = a;
    u64 s0, s1, s2, s3;
    __asm__(
        "addq 0(%[b]), %[r0]\n\t"
        "adcq 8(%[b]), %[r1]\n\t"
        "adcq 16(%[b]), %[r2]\n\t"
        "adcq 24(%[b]), %[r3]\n\t"
        "movq %[r0], %[s0]\n\t"
        "movq %[r1], %[s1]\n\t"
        "movq %[r2], %[s2]\n\t"
        "movq %[r3], %[s3]\n\t"
        "subq 0(%[p]), %[s0]\n\t"
        "sbbq 8(%[p]), %[s1]\n\t"
        "sbbq 16(%[p]), %[s2]\n\t"
        "sbbq 24(%[p]), %[s3]\n\t"
        "cmovncq %[s0], %[r0]\n\t"
        "cmovncq %[s1], %[r1]\n\t"
        "cmovncq %[s2], %[r2]\n\t"
        "cmovncq %[s3], %[r3]\n\t"
        : [r0] "+&r"(r.limb[0]), [r1] "+&r"(r.limb[1]), [r2] "+&r"(r.limb[2]), [r3] "+&r"(r.limb[3]),
          [s0] "=&r"(s0), [s1] "=&r"(s1), [s2] "=&r"(s2), [s3] "=&r"(s3)
        : [b] "r"(b.limb.data()), [p] "r"(Field::modulus.limb.data()), "m"(b)
        : "cc");
    return r;
  }
  template <class Field>
  static typename Field::Int sub(const typename Field::Int& a, const typename Field::Int& b) {
    static_assert(Field::limbs == 4);
    typename Field::Int r = a;
    u64 s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    __asm__(
        "subq 0(%[b]), %[r0]\n\t"
        "sbbq 8(%[b]), %[r1]\n\t"
        "sbbq 16(%[b]), %[r2]\n\t"
        "sbbq 24(%[b]), %[r3]\n\t"
        "cmovcq 0(%[p]), %[s0]\n\t"
        "cmovcq 8(%[p]), %[s1]\n\t"
        "cmovcq 16(%[p]), %[s2]\n\t"
        "cmovcq 24(%[p]), %[s3]\n\t"
        "addq %[s0], %[r0]\n\t"
        "adcq %[s1], %[r1]\n\t"
        "adcq %[s2], %[r2]\n\t"
        "adcq %[s3], %[r3]\n\t"
        : [r0] "+&r"(r.limb[0]), [r1] "+&r"(r.limb[1]), [r2] "+&r"(r.limb[2]), [r3] "+&r"(r.limb[3]),
          [s0] "+&r"(s0), [s1] "+&r"(s1), [s2] "+&r"(s2), [s3] "+&r"(s3)
        : [b] "r"(b.limb.data()), [p] "r"(Field::modulus.limb.data()), "m"(b)
        : "cc");
    return r;
  }
};

#undef VOUCH_ADX_FIRST_ROW
#undef VOUCH_ADX_ROW
#undef VOUCH_ADX_REDUCE
#undef VOUCH_ADX_REDUCE_LOW
#undef VOUCH_ADX_SQUARE
#undef VOUCH_ADX_ADD_HIGH
#undef VOUCH_ADX_FINISH

}  // namespace vouch

#endif  // __x86_64__
