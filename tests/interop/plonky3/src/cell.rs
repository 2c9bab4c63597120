//! The input values of every case (vectors/whir): a fixed mixing function, so files need not carry tables.

/// Value of row `row` in column `column` of table `table`, before reduction mod p (vectors/whir/README.md).
pub fn cell(table: usize, column: usize, row: usize) -> u32 {
    let mut x = (row as u32)
        .wrapping_mul(0x9E37_79B1)
        .wrapping_add((column as u32 + 1).wrapping_mul(0x85EB_CA77))
        .wrapping_add((table as u32 + 1).wrapping_mul(0xC2B2_AE3D));
    x ^= x >> 15;
    x = x.wrapping_mul(0x2C1B_3C6D);
    x ^ (x >> 12)
}
