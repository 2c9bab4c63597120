//! The benchmark: commit, open and verify of one polynomial, with the crates' own types throughout (plain
//! challenger, no run-time choice of tree) and their own benchmark setup (Radix2DFTSmallBatch).
//!
//!   whir-judge bench -n 20 [--field BabyBear|KoalaBear] [--degree 4|5] [--fold 4] [--rate 1] [--rates 4,7]
//!                    [--layout prefix|suffix] [--soundness CapacityBound] [--security 100]
//!                    [--pow-bits 16] [--threads 1] [--runs 5]
//!
//! One JSON line: medians and minima of wall time, and medians of time on a processor over all threads (the
//! number to read on a machine that others use too), in milliseconds; every proof is verified.

use std::time::Instant;

use p3_baby_bear::{BabyBear, default_babybear_poseidon2_16};
use p3_challenger::{
    CanObserve, CanSampleUniformBits, DuplexChallenger, FieldChallenger, GrindingChallenger,
};
use p3_commit::{Mmcs, MultilinearPcs};
use p3_dft::Radix2DFTSmallBatch;
use p3_field::extension::{BinomialExtensionField, QuinticTrinomialExtensionField};
use p3_field::{ExtensionField, Field, PrimeField32, TwoAdicField};
use p3_koala_bear::{KoalaBear, default_koalabear_poseidon2_16};
use p3_matrix::dense::RowMajorMatrix;
use p3_merkle_tree::MerkleTreeMmcs;
use p3_sumcheck::layout::{Layout, PrefixProver, SuffixProver, Table};
use p3_sumcheck::{OpeningBatch, OpeningProtocol, TableShape, TableSpec};
use p3_symmetric::{MerkleCap, PaddingFreeSponge, TruncatedPermutation};
use p3_whir::pcs::prover::WhirProver;
use p3_whir::{
    DomainSeparator, FoldingFactor, PcsProof, ProtocolParameters, SecurityAssumption, WhirConfig,
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::cell::cell;

struct Options {
    n: usize,
    field: String,
    degree: usize,
    fold: usize,
    rate: usize,
    rates: Vec<usize>,
    layout: String,
    soundness: SecurityAssumption,
    security: usize,
    pow_bits: usize,
    threads: usize,
    runs: usize,
}

fn parse(arguments: &[String]) -> Result<Options, String> {
    let mut o = Options {
        n: 0,
        field: "BabyBear".into(),
        degree: 5,
        fold: 4,
        rate: 1,
        rates: Vec::new(),
        layout: "prefix".into(),
        soundness: SecurityAssumption::CapacityBound,
        security: 100,
        pow_bits: 16,
        threads: 1,
        runs: 5,
    };
    let mut words = arguments.iter();
    while let Some(flag) = words.next() {
        let value = words.next().ok_or(format!("{flag}: a value is needed"))?;
        let number = || value.parse::<usize>().map_err(|_| format!("{flag}: {value:?} is not a number"));
        match flag.as_str() {
            "-n" => o.n = number()?,
            "--field" => o.field = value.clone(),
            "--degree" => o.degree = number()?,
            "--fold" => o.fold = number()?,
            "--rate" => o.rate = number()?,
            "--rates" => {
                o.rates = value
                    .split(',')
                    .map(|x| x.parse().map_err(|_| format!("--rates: {x:?} is not a number")))
                    .collect::<Result<_, _>>()?;
            }
            "--layout" => o.layout = value.clone(),
            "--soundness" => {
                o.soundness = match value.as_str() {
                    "UniqueDecoding" => SecurityAssumption::UniqueDecoding,
                    "JohnsonBound" => SecurityAssumption::JohnsonBound,
                    "CapacityBound" => SecurityAssumption::CapacityBound,
                    _ => return Err(format!("--soundness: unknown assumption {value:?}")),
                }
            }
            "--security" => o.security = number()?,
            "--pow-bits" => o.pow_bits = number()?,
            "--threads" => o.threads = number()?.max(1),
            "--runs" => o.runs = number()?.max(1),
            _ => return Err(format!("{flag}: unknown option")),
        }
    }
    if o.n == 0 || o.n > 27 {
        return Err("-n: a number of variables from 1 to 27 is needed".into());
    }
    Ok(o)
}

/// Nanoseconds all threads of this process have run; 0 where the system does not say.
fn processor_ns() -> u64 {
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else { return 0 };
    tasks
        .flatten()
        .filter_map(|task| std::fs::read_to_string(task.path().join("schedstat")).ok())
        .filter_map(|text| text.split(' ').next()?.parse::<u64>().ok())
        .sum()
}

fn median(samples: &mut [f64]) -> f64 {
    samples.sort_by(f64::total_cmp);
    let middle = samples.len() / 2;
    if samples.len() % 2 == 1 { samples[middle] } else { (samples[middle - 1] + samples[middle]) / 2.0 }
}

/// Wall and processor samples of one phase.
#[derive(Default)]
struct Phase {
    wall: Vec<f64>,
    processor: Vec<f64>,
}

impl Phase {
    fn time<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let before = processor_ns();
        let clock = Instant::now();
        let value = work();
        self.wall.push(clock.elapsed().as_secs_f64() * 1e3);
        self.processor.push(processor_ns().saturating_sub(before) as f64 * 1e-6);
        value
    }

    fn report(mut self) -> Value {
        let middle = median(&mut self.wall);
        json!({"median": middle, "min": self.wall[0], "cpu_median": median(&mut self.processor),
               "cpu_min": self.processor[0]})
    }
}

fn measure<F, EF, MT, Ch, L>(o: &Options, mmcs: MT, base: Ch) -> Result<Value, String>
where
    F: TwoAdicField + PrimeField32 + Ord,
    EF: ExtensionField<F> + TwoAdicField,
    MT: Mmcs<F, Commitment = MerkleCap<F, [F; 8]>>,
    Ch: FieldChallenger<F>
        + GrindingChallenger<Witness = F>
        + CanSampleUniformBits<F>
        + CanObserve<MT::Commitment>,
    L: Layout<F, EF>,
    PcsProof<F, EF, MT>: Serialize,
{
    let parameters = ProtocolParameters {
        starting_log_inv_rate: o.rate,
        round_log_inv_rates: o.rates.clone(),
        folding_factor: FoldingFactor::Constant(o.fold),
        soundness_type: o.soundness,
        security_level: o.security,
        pow_bits: o.pow_bits,
    };
    let config = WhirConfig::<EF, F, Ch>::new(o.n, parameters).map_err(|e| e.to_string())?;
    let dft = Radix2DFTSmallBatch::<F>::new(1 << config.max_fft_size());
    let pcs = WhirProver::<EF, F, _, MT, Ch, L>::new(config, dft, mmcs);
    let values = (0..1usize << o.n).map(|i| F::from_u32(cell(0, 0, i) % F::ORDER_U32)).collect();
    let witness = L::new_witness(vec![Table::new(RowMajorMatrix::new(values, 1 << o.n))], o.fold);
    let batches = vec![OpeningBatch::new(vec![0], Vec::new())];
    let protocol = OpeningProtocol::new(vec![TableSpec::new(TableShape::new(o.n, 1), batches)])
        .pad_to_min_num_variables(o.fold);
    let mut start = base;
    let mut separator = DomainSeparator::new(vec![]);
    pcs.add_domain_separator::<8>(&mut separator);
    separator.observe_domain_separator(&mut start);

    let (mut commits, mut opens, mut verifies) = (Phase::default(), Phase::default(), Phase::default());
    let mut bytes = 0;
    for _ in 0..o.runs {
        let (mut challenger, witness, schedule) = (start.clone(), witness.clone(), protocol.clone());
        let (commitment, data) =
            commits.time(|| MultilinearPcs::<EF, Ch>::commit(&pcs, witness, &mut challenger));
        let proof = opens.time(|| MultilinearPcs::<EF, Ch>::open(&pcs, data, schedule, &mut challenger));
        let (mut challenger, schedule) = (start.clone(), protocol.clone());
        verifies
            .time(|| MultilinearPcs::<EF, Ch>::verify(&pcs, &commitment, &proof, &mut challenger, schedule))
            .map_err(|e| format!("the crates reject their own proof: {e:?}"))?;
        bytes = postcard::to_allocvec(&proof).map_err(|e| e.to_string())?.len();
    }
    Ok(json!({
        "n": o.n, "field": o.field, "degree": o.degree, "fold": o.fold, "rate": o.rate, "layout": o.layout,
        "security": o.security, "pow_bits": o.pow_bits, "threads": o.threads, "runs": o.runs,
        "commit_ms": commits.report(), "open_ms": opens.report(), "verify_ms": verifies.report(),
        "proof_bytes": bytes, "verified": true,
    }))
}

macro_rules! layout {
    ($o:expr, $f:ty, $ef:ty, $mmcs:expr, $challenger:expr) => {
        match $o.layout.as_str() {
            "prefix" => measure::<$f, $ef, _, _, PrefixProver<$f, $ef>>($o, $mmcs, $challenger),
            "suffix" => measure::<$f, $ef, _, _, SuffixProver<$f, $ef>>($o, $mmcs, $challenger),
            other => Err(format!("--layout: unknown {other:?}")),
        }
    };
}

macro_rules! field {
    ($o:expr, $f:ty, $ef4:ty, $ef5:ty, $p16:expr) => {{
        type P = <$f as Field>::Packing;
        let p16 = $p16;
        let challenger = DuplexChallenger::<$f, _, 16, 8>::new(p16.clone());
        let node = TruncatedPermutation::<_, 2, 8, 16>::new(p16.clone());
        match $o.degree {
            4 => {
                let leaf = PaddingFreeSponge::<_, 16, 8, 8>::new(p16);
                layout!($o, $f, $ef4, MerkleTreeMmcs::<P, P, _, _, 2, 8>::new(leaf, node, 0), challenger)
            }
            5 => {
                let leaf = PaddingFreeSponge::<_, 16, 8, 8>::new(p16);
                layout!($o, $f, $ef5, MerkleTreeMmcs::<P, P, _, _, 2, 8>::new(leaf, node, 0), challenger)
            }
            degree => Err(format!("--degree: {degree} is not 4 or 5")),
        }
    }};
}

fn run(o: &Options) -> Result<Value, String> {
    match o.field.as_str() {
        "BabyBear" => field!(
            o,
            BabyBear,
            BinomialExtensionField<BabyBear, 4>,
            BinomialExtensionField<BabyBear, 5>,
            default_babybear_poseidon2_16()
        ),
        "KoalaBear" => field!(
            o,
            KoalaBear,
            BinomialExtensionField<KoalaBear, 4>,
            QuinticTrinomialExtensionField<KoalaBear>,
            default_koalabear_poseidon2_16()
        ),
        other => Err(format!("--field: unknown {other:?}")),
    }
}

pub fn bench(arguments: &[String]) -> Result<i32, String> {
    let o = parse(arguments)?;
    #[cfg(feature = "parallel")]
    let line = rayon::ThreadPoolBuilder::new()
        .num_threads(o.threads)
        .build()
        .map_err(|e| e.to_string())?
        .install(|| run(&o))?;
    #[cfg(not(feature = "parallel"))]
    let line = if o.threads == 1 { run(&o)? } else { return Err("--threads needs --features parallel".into()) };
    println!("{line}");
    Ok(0)
}
