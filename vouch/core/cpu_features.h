// What the processor this runs on can execute, asked once: code that needs more than plain x86-64 is chosen
// by it.
#pragma once

#include <string>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace vouch {

struct CpuFeatures {
  bool bmi2 = false, adx = false;  // mulx; adcx and adox
  bool avx2 = false, fma = false;
  bool avx512 = false;                            // F, CD, BW, DQ and VL together
  bool avx512_ifma = false, avx512_vbmi = false;  // on top of avx512
  bool gfni = false, vaes = false, sha = false;
};

namespace detail {

// A vector set counts only if the operating system saves its registers (XCR0): 0x6 for AVX, 0xe6 for AVX-512.
inline CpuFeatures detect_cpu_features() {
  CpuFeatures f;
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return f;
  unsigned xcr0 = 0, high = 0;
  if (c >> 27 & 1) __asm__("xgetbv" : "=a"(xcr0), "=d"(high) : "c"(0));
  const bool avx = (c >> 28 & 1) && (xcr0 & 0x6) == 0x6;
  f.fma = avx && (c >> 12 & 1);
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return f;
  const auto bit = [](unsigned word, int i) { return (word >> i & 1) != 0; };
  f.bmi2 = bit(b, 8), f.adx = bit(b, 19), f.sha = bit(b, 29), f.gfni = bit(c, 8);
  f.avx2 = avx && bit(b, 5);
  f.vaes = avx && bit(c, 9);
  f.avx512 =
      f.avx2 && (xcr0 & 0xe6) == 0xe6 && bit(b, 16) && bit(b, 17) && bit(b, 28) && bit(b, 30) && bit(b, 31);
  f.avx512_ifma = f.avx512 && bit(b, 21);
  f.avx512_vbmi = f.avx512 && bit(c, 1);
#endif
  return f;
}

}  // namespace detail

inline const CpuFeatures& cpu_features() {
  static const CpuFeatures features = detail::detect_cpu_features();
  return features;
}

// The processor's own name ("Intel(R) Xeon(R) ..."), or the architecture's where there is none to ask.
inline std::string cpu_name() {
#if defined(__x86_64__)
  unsigned words[12] = {};
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(0x80000000u, &a, &b, &c, &d) && a >= 0x80000004u) {
    for (unsigned i = 0; i < 3; i++)
      __get_cpuid(0x80000002u + i, &words[4 * i], &words[4 * i + 1], &words[4 * i + 2], &words[4 * i + 3]);
    std::string name(reinterpret_cast<const char*>(words), sizeof words);
    name.resize(name.find('\0') == std::string::npos ? name.size() : name.find('\0'));
    while (!name.empty() && name.back() == ' ') name.pop_back();
    while (!name.empty() && name.front() == ' ') name.erase(name.begin());
    if (!name.empty()) return name;
  }
  return "x86-64";
#elif defined(__aarch64__)
  return "aarch64";
#else
  return "generic";
#endif
}

}  // namespace vouch
