//! Fields, permutations and Merkle trees: turns the names in a case into the types of the crates.
//! The leaf hash is an enum rather than a type parameter: it halves the number of instances to compile.

use p3_baby_bear::{
    BabyBear, Poseidon2BabyBear, default_babybear_poseidon2_16, default_babybear_poseidon2_24,
    default_babybear_poseidon2_32,
};
use p3_koala_bear::{
    KoalaBear, Poseidon2KoalaBear, default_koalabear_poseidon2_16, default_koalabear_poseidon2_24,
    default_koalabear_poseidon2_32,
};
use p3_symmetric::{CryptographicHasher, PaddingFreeSponge};
use rand::SeedableRng;
use rand::rngs::SmallRng;

/// The three permutations of one field.
pub struct Permutations<A, B, C> {
    pub p16: A,
    pub p24: B,
    pub p32: C,
}

pub type BabyBearPermutations =
    Permutations<Poseidon2BabyBear<16>, Poseidon2BabyBear<24>, Poseidon2BabyBear<32>>;
pub type KoalaBearPermutations =
    Permutations<Poseidon2KoalaBear<16>, Poseidon2KoalaBear<24>, Poseidon2KoalaBear<32>>;

/// Seeded constants come from one generator: width 16 first, then 24, then 32.
pub fn baby_bear(seed: Option<u64>) -> BabyBearPermutations {
    let Some(seed) = seed else {
        return Permutations {
            p16: default_babybear_poseidon2_16(),
            p24: default_babybear_poseidon2_24(),
            p32: default_babybear_poseidon2_32(),
        };
    };
    let mut rng = SmallRng::seed_from_u64(seed);
    Permutations {
        p16: Poseidon2BabyBear::<16>::new_from_rng_128(&mut rng),
        p24: Poseidon2BabyBear::<24>::new_from_rng_128(&mut rng),
        p32: Poseidon2BabyBear::<32>::new_from_rng_128(&mut rng),
    }
}

pub fn koala_bear(seed: Option<u64>) -> KoalaBearPermutations {
    let Some(seed) = seed else {
        return Permutations {
            p16: default_koalabear_poseidon2_16(),
            p24: default_koalabear_poseidon2_24(),
            p32: default_koalabear_poseidon2_32(),
        };
    };
    let mut rng = SmallRng::seed_from_u64(seed);
    Permutations {
        p16: Poseidon2KoalaBear::<16>::new_from_rng_128(&mut rng),
        p24: Poseidon2KoalaBear::<24>::new_from_rng_128(&mut rng),
        p32: Poseidon2KoalaBear::<32>::new_from_rng_128(&mut rng),
    }
}

pub type BB = BabyBear;
pub type KB = KoalaBear;

#[derive(Clone)]
pub enum Leaf<A, B> {
    W16(PaddingFreeSponge<A, 16, 8, 8>),
    W24(PaddingFreeSponge<B, 24, 16, 8>),
}

impl<A, B> Leaf<A, B> {
    pub fn new(width: usize, p16: A, p24: B) -> Self {
        if width == 16 {
            Self::W16(PaddingFreeSponge::new(p16))
        } else {
            Self::W24(PaddingFreeSponge::new(p24))
        }
    }
}

impl<T, A, B> CryptographicHasher<T, [T; 8]> for Leaf<A, B>
where
    T: Clone,
    A: Clone,
    B: Clone,
    PaddingFreeSponge<A, 16, 8, 8>: CryptographicHasher<T, [T; 8]>,
    PaddingFreeSponge<B, 24, 16, 8>: CryptographicHasher<T, [T; 8]>,
{
    fn hash_iter<I>(&self, input: I) -> [T; 8]
    where
        I: IntoIterator<Item = T>,
    {
        match self {
            Self::W16(sponge) => sponge.hash_iter(input),
            Self::W24(sponge) => sponge.hash_iter(input),
        }
    }
}
