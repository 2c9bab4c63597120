// The constants of kernel text for the host dialect, as expressions over the declared fields: what text.cc
// renders for device compilers, without a rendering step.
#pragma once

#include "vouch/field/fields.h"
#include "vouch/field/prime31.h"

#define VOUCH_WORD(value, i) (static_cast<u32>((value).limb[(i) / 2] >> (32 * ((i) % 2))))
#define FR_WORD(i) VOUCH_WORD(::vouch::Bn254Fr::modulus, i)
#define FQ_WORD(i) VOUCH_WORD(::vouch::Bn254Fq::modulus, i)
#define FR_N0 FR_WORD(0)
#define FR_N1 FR_WORD(1)
#define FR_N2 FR_WORD(2)
#define FR_N3 FR_WORD(3)
#define FR_N4 FR_WORD(4)
#define FR_N5 FR_WORD(5)
#define FR_N6 FR_WORD(6)
#define FR_N7 FR_WORD(7)
#define FQ_N0 FQ_WORD(0)
#define FQ_N1 FQ_WORD(1)
#define FQ_N2 FQ_WORD(2)
#define FQ_N3 FQ_WORD(3)
#define FQ_N4 FQ_WORD(4)
#define FQ_N5 FQ_WORD(5)
#define FQ_N6 FQ_WORD(6)
#define FQ_N7 FQ_WORD(7)
#define FR_N0INV (static_cast<u32>(::vouch::Bn254Fr::neg_inv))
#define FQ_N0INV (static_cast<u32>(::vouch::Bn254Fq::neg_inv))

#define FQ_R1_WORD(i) VOUCH_WORD(::vouch::Bn254Fq::r1, i)
#define FQ_R1_0 FQ_R1_WORD(0)
#define FQ_R1_1 FQ_R1_WORD(1)
#define FQ_R1_2 FQ_R1_WORD(2)
#define FQ_R1_3 FQ_R1_WORD(3)
#define FQ_R1_4 FQ_R1_WORD(4)
#define FQ_R1_5 FQ_R1_WORD(5)
#define FQ_R1_6 FQ_R1_WORD(6)
#define FQ_R1_7 FQ_R1_WORD(7)

#define BB_P (::vouch::BabyBear::modulus)
#define BB_INV (::vouch::BabyBear::inverse_mod_r)
#define BB_ONE (::vouch::BabyBear::r1)
#define BB_R2 (::vouch::BabyBear::r2)
#define BB_W4 (::vouch::BabyBear::Params::binomial(4))
#define BB_W4M (::vouch::BabyBear(::vouch::BabyBear::Params::binomial(4)).montgomery())
#define BB_W5 (::vouch::BabyBear::Params::binomial(5))
#define BB_W5M (::vouch::BabyBear(::vouch::BabyBear::Params::binomial(5)).montgomery())
#define KB_P (::vouch::KoalaBear::modulus)
#define KB_INV (::vouch::KoalaBear::inverse_mod_r)
#define KB_ONE (::vouch::KoalaBear::r1)
#define KB_R2 (::vouch::KoalaBear::r2)
#define KB_W4 (::vouch::KoalaBear::Params::binomial(4))
#define KB_W4M (::vouch::KoalaBear(::vouch::KoalaBear::Params::binomial(4)).montgomery())
static_assert(::vouch::KoalaBear::Params::binomial(5) == 0, "field31_kb.h says X31_TRINOMIAL");
