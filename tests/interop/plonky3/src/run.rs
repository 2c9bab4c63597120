//! Proving and verifying one case with the crates' own prover and verifier.

use p3_challenger::{CanObserve, CanSampleUniformBits, FieldChallenger, GrindingChallenger};
use p3_commit::{Mmcs, MultilinearPcs};
use p3_dft::Radix2DFTSmallBatch;
use p3_field::extension::{BinomialExtensionField, QuinticTrinomialExtensionField};
use p3_field::{ExtensionField, Field, PrimeField32, TwoAdicField};
use p3_matrix::dense::RowMajorMatrix;
use p3_merkle_tree::MerkleTreeMmcs;
use p3_sumcheck::layout::{Layout, PrefixProver, SuffixProver, Table};
use p3_multilinear_util::point::Point;
use p3_sumcheck::{OpeningBatch, OpeningProtocol, PrescribedPointPcs, TableShape, TableSpec};
use p3_symmetric::{MerkleCap, TruncatedPermutation};
use p3_whir::pcs::prover::WhirProver;
use p3_whir::{DomainSeparator, PcsProof, WhirConfig};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::case::Case;
use crate::either::Either;
use crate::recorder::Recorder;
use crate::suite::{BB, KB, Leaf, baby_bear, koala_bear};

/// What verification said, and what the transcript was up to that point.
pub struct Verdict {
    pub result: Result<(), String>,
    pub trace: Vec<String>,
}

/// Everything the prover produced.
pub struct Proved {
    pub config: Value,
    pub commitment: Vec<[u32; 8]>,
    pub commitment_postcard: Vec<u8>,
    pub trace: Vec<String>,
    pub proof_postcard: Vec<u8>,
    pub proof_json: Value,
}

/// The proof handed to the verifier, still encoded.
pub enum ProofInput<'a> {
    Postcard(&'a [u8]),
    Json(&'a Value),
}

pub trait Judge {
    fn prove(&self, case: &Case) -> Result<Proved, String>;
    fn verify(&self, case: &Case, commitment: &[[u32; 8]], proof: ProofInput) -> Verdict;
}

/// The types and objects of one combination; `L` is the layout.
struct Instance<F, EF, MT, Ch, L> {
    mmcs: MT,
    challenger: Ch,
    _types: std::marker::PhantomData<fn() -> (F, EF, L)>,
}

/// The transcript notes and log of a recorder, without naming its permutation.
pub trait Transcript {
    fn mark(&mut self, text: &str);
    fn take(self) -> Vec<String>;
}

impl<F, P> Transcript for Recorder<F, P>
where
    F: PrimeField32,
    P: p3_symmetric::CryptographicPermutation<[F; 16]>,
{
    fn mark(&mut self, text: &str) {
        self.note(text);
    }
    fn take(self) -> Vec<String> {
        self.log
    }
}

type Pcs<F, EF, MT, Ch, L> = WhirProver<EF, F, Radix2DFTSmallBatch<F>, MT, Ch, L>;

impl<F, EF, MT, Ch, L> Instance<F, EF, MT, Ch, L>
where
    F: TwoAdicField + PrimeField32 + Ord,
    EF: ExtensionField<F> + TwoAdicField,
    MT: Mmcs<F, Commitment = MerkleCap<F, [F; 8]>> + Clone,
    Ch: FieldChallenger<F>
        + GrindingChallenger<Witness = F>
        + CanSampleUniformBits<F>
        + CanObserve<MT::Commitment>
        + Transcript,
    L: Layout<F, EF>,
{
    /// The scheme, the opening schedule, and a challenger that has absorbed the separator (if the case asks).
    fn setup(&self, case: &Case) -> Result<(Pcs<F, EF, MT, Ch, L>, OpeningProtocol, usize), String> {
        let parameters = case.parameters()?;
        let first_fold = match &parameters.folding_factor {
            p3_whir::FoldingFactor::PerRound(list) if list.is_empty() => return Err("folding: empty list".into()),
            folding => folding.at_round(0),
        };
        let n = case.stacked_variables(first_fold);
        let config = WhirConfig::<EF, F, Ch>::new(n, parameters).map_err(|e| format!("config: {e}"))?;
        let dft = Radix2DFTSmallBatch::<F>::new(1 << config.max_fft_size());
        if case.schedule.len() != case.tables.len() {
            return Err("schedule: one list per table is needed".into());
        }
        let specs = case
            .tables
            .iter()
            .zip(&case.schedule)
            .map(|(&(arity, width), batches)| {
                let batches = batches
                    .iter()
                    .map(|(current, next)| OpeningBatch::new(current.clone(), next.clone()))
                    .collect();
                TableSpec::new(TableShape::new(arity, width), batches)
            })
            .collect();
        let protocol = OpeningProtocol::new(specs).pad_to_min_num_variables(first_fold);
        Ok((Pcs::<F, EF, MT, Ch, L>::new(config, dft, self.mmcs.clone()), protocol, first_fold))
    }

    fn start(&self, case: &Case, pcs: &Pcs<F, EF, MT, Ch, L>, note: bool) -> Ch {
        let mut challenger = self.challenger.clone();
        if case.domain_separator_observed {
            let mut separator = DomainSeparator::new(vec![]);
            pcs.add_domain_separator::<8>(&mut separator);
            if note {
                challenger.mark("domain separator");
            }
            separator.observe_domain_separator(&mut challenger);
        }
        challenger
    }
}

fn tables<F: PrimeField32>(case: &Case) -> Vec<Table<F>> {
    let column = |t: usize, j: usize, arity: usize| {
        (0..1usize << arity).map(move |i| F::from_u32(case.value(t, j, i)))
    };
    case.tables
        .iter()
        .enumerate()
        .map(|(t, &(arity, width))| {
            let values = (0..width).flat_map(|j| column(t, j, arity)).collect();
            Table::new(RowMajorMatrix::new(values, 1 << arity))
        })
        .collect()
}

/// The prescribed points: one per batch, with as many coordinates as the (padded) table has variables.
fn points<F: PrimeField32, EF: ExtensionField<F>>(
    case: &Case,
    protocol: &OpeningProtocol,
) -> Result<Option<Vec<Point<EF>>>, String> {
    let Some(given) = &case.points else { return Ok(None) };
    let shapes = protocol.table_shapes();
    let arities: Vec<usize> =
        protocol.iter_openings().map(|(table, _)| shapes[table].num_variables()).collect();
    if given.len() != arities.len() || given.iter().zip(&arities).any(|(point, &arity)| point.len() != arity) {
        return Err("points: one per batch is needed, each with the table's number of coordinates".into());
    }
    let coordinate = |words: &Vec<u32>| {
        if words.len() != EF::DIMENSION || words.iter().any(|&x| x >= F::ORDER_U32) {
            return Err("points: a coordinate is not an extension element".to_string());
        }
        Ok(EF::from_basis_coefficients_fn(|i| F::from_u32(words[i])))
    };
    given.iter().map(|point| Ok(Point::new(point.iter().map(coordinate).collect::<Result<_, _>>()?)))
        .collect::<Result<Vec<_>, String>>()
        .map(Some)
}

fn observe_points<F: Field, EF: ExtensionField<F>, Ch: FieldChallenger<F>>(points: &[Point<EF>], challenger: &mut Ch) {
    for point in points {
        challenger.observe_algebra_slice(point.as_slice());
    }
}

fn config_json<EF, F, Ch>(config: &WhirConfig<EF, F, Ch>) -> Value
where
    F: TwoAdicField + PrimeField32,
    EF: ExtensionField<F> + TwoAdicField,
    Ch: FieldChallenger<F> + GrindingChallenger<Witness = F>,
{
    let rounds: Vec<Value> = config
        .round_parameters
        .iter()
        .map(|r| {
            json!({
                "pow_bits": r.pow_bits, "folding_pow_bits": r.folding_pow_bits, "num_queries": r.num_queries,
                "ood_samples": r.ood_samples, "num_variables": r.num_variables,
                "folding_factor": r.folding_factor, "log_inv_rate": r.log_inv_rate,
                "domain_size": r.domain_size, "folded_domain_gen": r.folded_domain_gen.as_canonical_u32(),
            })
        })
        .collect();
    json!({
        "num_variables": config.num_variables, "ext_bits": EF::bits(),
        "folding_schedule": config.folding_schedule,
        "commitment_ood_samples": config.commitment_ood_samples,
        "starting_folding_pow_bits": config.starting_folding_pow_bits,
        "final_queries": config.final_queries, "final_pow_bits": config.final_pow_bits,
        "final_sumcheck_rounds": config.final_sumcheck_rounds,
        "final_folding_pow_bits": config.final_folding_pow_bits, "rounds": rounds,
    })
}

impl<F, EF, MT, Ch, L> Judge for Instance<F, EF, MT, Ch, L>
where
    F: TwoAdicField + PrimeField32 + Ord,
    EF: ExtensionField<F> + TwoAdicField,
    MT: Mmcs<F, Commitment = MerkleCap<F, [F; 8]>> + Clone,
    Ch: FieldChallenger<F>
        + GrindingChallenger<Witness = F>
        + CanSampleUniformBits<F>
        + CanObserve<MT::Commitment>
        + Transcript,
    L: Layout<F, EF>,
    PcsProof<F, EF, MT>: Serialize + DeserializeOwned,
{
    fn prove(&self, case: &Case) -> Result<Proved, String> {
        let (pcs, protocol, first_fold) = self.setup(case)?;
        let witness = L::new_witness(tables::<F>(case), first_fold);
        let mut challenger = self.start(case, &pcs, true);
        challenger.mark("commit");
        let (commitment, data) = MultilinearPcs::<EF, Ch>::commit(&pcs, witness, &mut challenger);
        challenger.mark("open");
        let proof = match points::<F, EF>(case, &protocol)? {
            None => MultilinearPcs::<EF, Ch>::open(&pcs, data, protocol, &mut challenger),
            Some(points) => {
                observe_points(&points, &mut challenger);
                pcs.open_at(data, &protocol, &points, &mut challenger)
            }
        };
        Ok(Proved {
            config: config_json(&pcs.config),
            commitment: commitment.roots().iter().map(|d| d.map(|x| x.as_canonical_u32())).collect(),
            commitment_postcard: postcard::to_allocvec(&commitment).map_err(|e| e.to_string())?,
            trace: challenger.take(),
            proof_postcard: postcard::to_allocvec(&proof).map_err(|e| e.to_string())?,
            proof_json: serde_json::to_value(&proof).map_err(|e| e.to_string())?,
        })
    }

    fn verify(&self, case: &Case, commitment: &[[u32; 8]], input: ProofInput) -> Verdict {
        let mut trace = Vec::new();
        let result = (|| {
            let (pcs, protocol, _) = self.setup(case)?;
            if !commitment.len().is_power_of_two() {
                return Err("commitment: the number of digests is not a power of two".into());
            }
            let roots = commitment.iter().map(|digest| digest.map(F::from_u32)).collect();
            let proof: PcsProof<F, EF, MT> = match input {
                ProofInput::Postcard(bytes) => {
                    let (proof, rest) = postcard::take_from_bytes(bytes).map_err(|e| format!("postcard: {e}"))?;
                    if !rest.is_empty() {
                        return Err(format!("postcard: {} trailing bytes", rest.len()));
                    }
                    proof
                }
                ProofInput::Json(value) => PcsProof::<F, EF, MT>::deserialize(value)
                    .map_err(|e| format!("json: {e}"))?,
            };
            let mut challenger = self.start(case, &pcs, false);
            let cap = MerkleCap::new(roots);
            let verdict = match points::<F, EF>(case, &protocol)? {
                None => MultilinearPcs::<EF, Ch>::verify(&pcs, &cap, &proof, &mut challenger, protocol),
                Some(points) => {
                    challenger.observe(cap.clone());
                    observe_points(&points, &mut challenger);
                    pcs.verify_at(&cap, &proof, &protocol, &points, &mut challenger).map(|_| ())
                }
            };
            trace = challenger.take();
            verdict.map_err(|e| format!("{e:?}"))
        })();
        Verdict { result, trace }
    }
}

type Packed<F> = <F as Field>::Packing;
type Node2<P16> = TruncatedPermutation<P16, 2, 8, 16>;
type Node4<P32> = TruncatedPermutation<P32, 4, 8, 32>;
type Tree<F, H, C, const N: usize> = MerkleTreeMmcs<Packed<F>, Packed<F>, H, C, N, 8>;

macro_rules! instance {
    ($f:ty, $ef:ty, $layout:ident, $tree:expr, $permutation:expr) => {
        Box::new(Instance::<$f, $ef, _, _, $layout<$f, $ef>> {
            mmcs: $tree,
            challenger: Recorder::<$f, _>::new($permutation),
            _types: std::marker::PhantomData,
        }) as Box<dyn Judge>
    };
}

macro_rules! field {
    ($case:expr, $f:ty, $ef4:ty, $ef5:ty, $permutations:expr) => {{
        let shape = $case.merkle_shape()?;
        let set = $permutations($case.seed()?);
        let leaf = Leaf::new(shape.leaf_width, set.p16.clone(), set.p24);
        let tree = if shape.arity == 2 {
            Either::Left(Tree::<$f, _, _, 2>::new(leaf, Node2::new(set.p16.clone()), $case.cap_height))
        } else {
            Either::Right(Tree::<$f, _, _, 4>::new(leaf, Node4::new(set.p32), $case.cap_height))
        };
        match ($case.layout.as_str(), $case.ext_degree) {
            ("prefix", 4) => Ok(instance!($f, $ef4, PrefixProver, tree, set.p16)),
            ("prefix", 5) => Ok(instance!($f, $ef5, PrefixProver, tree, set.p16)),
            ("suffix", 4) => Ok(instance!($f, $ef4, SuffixProver, tree, set.p16)),
            ("suffix", 5) => Ok(instance!($f, $ef5, SuffixProver, tree, set.p16)),
            (layout, degree) => Err(format!("layout {layout:?} with ext_degree {degree} is unknown")),
        }
    }};
}

/// The crates' prover and verifier for the types the case names.
pub fn judge_for(case: &Case) -> Result<Box<dyn Judge>, String> {
    match case.field.as_str() {
        "BabyBear" => {
            field!(case, BB, BinomialExtensionField<BB, 4>, BinomialExtensionField<BB, 5>, baby_bear)
        }
        "KoalaBear" => {
            field!(case, KB, BinomialExtensionField<KB, 4>, QuinticTrinomialExtensionField<KB>, koala_bear)
        }
        other => Err(format!("field: unknown {other:?}")),
    }
}
