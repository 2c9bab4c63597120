//! A duplex challenger that writes down every transcript operation, in the notation of the vectors:
//! `O value` observe, `S value` draw one base element, `U bits value` uniform bits, `B bits value` low bits,
//! `G bits witness` a finished search. Extension elements appear as their base coefficients.

use p3_challenger::{
    CanObserve, CanSample, CanSampleBits, CanSampleUniformBits, DuplexChallenger, FieldChallenger,
    GrindingChallenger, ResamplingError, UniformSamplingField,
};
use p3_field::{Field, PrimeField32, PrimeField64};
use p3_symmetric::{CryptographicPermutation, MerkleCap};

#[derive(Clone)]
pub struct Recorder<F, P>
where
    F: Field,
    P: CryptographicPermutation<[F; 16]>,
{
    inner: DuplexChallenger<F, P, 16, 8>,
    pub log: Vec<String>,
}

impl<F, P> Recorder<F, P>
where
    F: PrimeField32,
    P: CryptographicPermutation<[F; 16]>,
{
    pub fn new(permutation: P) -> Self {
        Self { inner: DuplexChallenger::new(permutation), log: Vec::new() }
    }

    pub fn note(&mut self, text: &str) {
        self.log.push(format!("# {text}"));
    }
}

impl<F, P> CanObserve<F> for Recorder<F, P>
where
    F: PrimeField32,
    P: CryptographicPermutation<[F; 16]>,
{
    fn observe(&mut self, value: F) {
        self.log.push(format!("O {}", value.as_canonical_u32()));
        self.inner.observe(value);
    }
}

impl<F, P> CanObserve<MerkleCap<F, [F; 8]>> for Recorder<F, P>
where
    F: PrimeField32,
    P: CryptographicPermutation<[F; 16]>,
{
    fn observe(&mut self, cap: MerkleCap<F, [F; 8]>) {
        self.note("cap");
        for digest in cap.roots() {
            for &value in digest {
                self.observe(value);
            }
        }
    }
}

impl<F, P> CanSample<F> for Recorder<F, P>
where
    F: PrimeField32,
    P: CryptographicPermutation<[F; 16]>,
{
    fn sample(&mut self) -> F {
        let value: F = self.inner.sample();
        self.log.push(format!("S {}", value.as_canonical_u32()));
        value
    }
}

impl<F, P> CanSampleBits<usize> for Recorder<F, P>
where
    F: PrimeField32 + PrimeField64,
    P: CryptographicPermutation<[F; 16]>,
{
    fn sample_bits(&mut self, bits: usize) -> usize {
        let value = self.inner.sample_bits(bits);
        self.log.push(format!("B {bits} {value}"));
        value
    }
}

impl<F, P> CanSampleUniformBits<F> for Recorder<F, P>
where
    F: PrimeField32 + PrimeField64 + UniformSamplingField,
    P: CryptographicPermutation<[F; 16]>,
{
    fn sample_uniform_bits<const RESAMPLE: bool>(
        &mut self,
        bits: usize,
    ) -> Result<usize, ResamplingError> {
        let value = self.inner.sample_uniform_bits::<RESAMPLE>(bits)?;
        self.log.push(format!("U {bits} {value}"));
        Ok(value)
    }
}

impl<F, P> FieldChallenger<F> for Recorder<F, P>
where
    F: PrimeField32 + PrimeField64,
    P: CryptographicPermutation<[F; 16]>,
{
}

impl<F, P> GrindingChallenger for Recorder<F, P>
where
    F: PrimeField32 + PrimeField64,
    P: CryptographicPermutation<[F; 16]>
        + CryptographicPermutation<[<F as Field>::Packing; 16]>,
{
    type Witness = F;

    fn grind(&mut self, bits: usize) -> F {
        let witness = self.inner.grind(bits);
        self.log.push(format!("G {bits} {}", witness.as_canonical_u32()));
        witness
    }
}
