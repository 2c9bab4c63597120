/* Parameters of the kernels that encode, hash and open codewords over 31-bit fields: ntt31, poseidon2, merkle31. */
/* clang-format off */
#ifndef GK_ENCODE31_PARAMS_H
#define GK_ENCODE31_PARAMS_H

/* log_n: rows of a column. s: this launch starts on blocks of 2^s. rows_in: 0, or the launch is the first one and reads the
 * polynomial: row i of column word w is at src[i * step_row + (w / degree) * step_column + w % degree], zero from row rows_in
 * on. interleave: so many columns lie side by side in one strip of work-items. order: the tables hold roots of order 2^order. */
typedef struct { u32 log_n; u32 s; u32 rows_in; u32 step_row; u32 step_column; u32 degree; u32 interleave; u32 order; } Ntt31Params;

/* A place is a digest's index, in the kept buffer or, with the top bit set, in the temporary one. */
#define GK_NOWHERE 0xffffffffu
#define GK_TEMPORARY 0x80000000u
#define GK_TREE_LEVELS 9

/* listed = 0: the row at every position, its digest at its natural index; 1: the rows at list[list_at..], digests in order.
 * rows, pairs, quads: where the layers of leaves, of their parents and (two levels in one) of their parents go. */
typedef struct { u32 log_n; u32 words; u32 count; u32 listed; u32 list_at; u32 rows; u32 pairs; u32 quads; } Leaf31Params;

/* nodes: of the layer at src. to[t]: where the layer t + 1 above it goes. */
typedef struct { u32 nodes; u32 src; u32 levels; u32 to[GK_TREE_LEVELS]; } Tree31Params;

/* count items by `list`, written from out[out_at] on. */
typedef struct { u32 log_n; u32 words; u32 count; u32 list_at; u32 out_at; } Gather31Params;

/* Candidates first + item + k * items for k < each. */
typedef struct { u32 first; u32 each; u32 mask; u32 position; u32 state[16]; } Grind31Params;
#endif
