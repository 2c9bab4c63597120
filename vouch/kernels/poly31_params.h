/* Parameters of the kernels over whole polynomials (claims31, weights31, sumcheck31), the same for every field.
 *
 * What a step takes from the host besides these (coordinates, places, coefficients) lies in one buffer of words, `args`;
 * `at` and the like are word numbers in it. A place in f or W is two words, low first, and counts elements.
 * A tensor weight over 2^log_rows cells is outer[row >> log_inner] * inner[row & mask]: two small tables, never a long one. */
/* clang-format off */
#ifndef VOUCH_POLY31_PARAMS
#define VOUCH_POLY31_PARAMS
typedef struct { u32 at; u32 log_outer; u32 log_inner; } P31Tables;
/* Column c has its row r at places[c] + ((r + skip) << row_shift); rows pushed over the end by skip do not count. A group
 * takes 2^log_lanes columns side by side, so that neighbours in memory are read by neighbours where rows are far apart. */
typedef struct { u32 at; u32 columns; u32 log_rows; u32 log_inner; u32 row_shift; u32 skip; u32 log_lanes; } P31Dot;
/* Results go to out from element `first`, from word `to` on. */
typedef struct { u32 count; u32 weighted; u32 first; } P31Finish;
typedef struct { u32 at; u32 cells; u32 words; u32 to; } P31Gather;
typedef struct { u32 at; u32 log_rows; u32 log_columns; u32 suffix; } P31Bind;
typedef struct { u32 at; u32 count; u32 log_cells; u32 set; } P31Powers;
typedef struct { u32 at; u32 scales; u32 log_rows; u32 log_inner; u32 row_shift; u32 skip; } P31Weights;
typedef struct { u32 at; u32 cells; } P31Cells;
/* log_size: of the vectors as they lie in memory, before a fold by r. */
typedef struct { u32 log_size; u32 suffix; u32 r[5]; } P31Round;

GK_FN u64 p31_place(GK_GLOBAL const u32* p, u32 i) { return ((u64)p[2u * i + 1u] << 32) | p[2u * i]; }
#endif
