//! One case: the parameters and tables of a commitment, and (once proved) everything both sides produced.
//! Unknown keys are kept, so a case that passes through here loses nothing.

use p3_whir::{FoldingFactor, ProtocolParameters, SecurityAssumption};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::cell::cell;

#[derive(Clone, Serialize, Deserialize)]
pub struct Case {
    #[serde(default)]
    pub name: String,
    pub field: String,
    pub ext_degree: usize,
    #[serde(default = "default_constants")]
    pub round_constants: String,
    pub merkle: String,
    pub layout: String,
    #[serde(default)]
    pub cap_height: usize,
    /// (variables, columns) per table, before padding to the first folding factor.
    pub tables: Vec<(usize, usize)>,
    /// Per table: batches of (current columns, next columns).
    pub schedule: Vec<Vec<(Vec<usize>, Vec<usize>)>>,
    pub folding: String,
    pub rate: usize,
    #[serde(default)]
    pub round_log_inv_rates: Vec<usize>,
    pub security: usize,
    pub pow_bits: usize,
    pub soundness: String,
    #[serde(default = "yes")]
    pub domain_separator_observed: bool,
    /// Table values [table][column][row]; absent: the generated ones (cell.rs).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<Vec<Vec<u32>>>>,
    /// Points prescribed by the caller, one per batch, coordinates as canonical coefficients; observed after the
    /// commitment. Absent: drawn from the transcript.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<Vec<Vec<Vec<u32>>>>,
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

fn default_constants() -> String {
    "default".into()
}

fn yes() -> bool {
    true
}

/// Which permutations hash the leaves and the nodes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct MerkleShape {
    pub leaf_width: usize,
    pub arity: usize,
}

impl Case {
    pub fn merkle_shape(&self) -> Result<MerkleShape, String> {
        let (leaf_width, arity) = match self.merkle.as_str() {
            "p2-16/8/8 c16 n2" => (16, 2),
            "p2-16/8/8 c32 n4" => (16, 4),
            "p2-24/16/8 c16 n2" => (24, 2),
            "p2-24/16/8 c32 n4" => (24, 4),
            other => return Err(format!("merkle: unknown scheme {other:?}")),
        };
        Ok(MerkleShape { leaf_width, arity })
    }

    /// None for the published constants, the seed for constants drawn from a SmallRng.
    pub fn seed(&self) -> Result<Option<u64>, String> {
        if self.round_constants == "default" {
            return Ok(None);
        }
        let digits = self
            .round_constants
            .strip_prefix("smallrng seed ")
            .and_then(|rest| rest.split(' ').next());
        match digits.map(str::parse) {
            Some(Ok(seed)) => Ok(Some(seed)),
            _ => Err(format!("round_constants: cannot read {:?}", self.round_constants)),
        }
    }

    pub fn folding_factor(&self) -> Result<FoldingFactor, String> {
        let bad = || format!("folding: cannot read {:?}", self.folding);
        let (kind, rest) = self.folding.split_once('(').ok_or_else(bad)?;
        let numbers: Vec<usize> = rest
            .split(|c: char| !c.is_ascii_digit())
            .filter(|part| !part.is_empty())
            .map(str::parse)
            .collect::<Result<_, _>>()
            .map_err(|_| bad())?;
        match (kind, numbers.as_slice()) {
            ("Constant", &[k]) => Ok(FoldingFactor::Constant(k)),
            ("ConstantFromSecondRound", &[a, b]) => Ok(FoldingFactor::ConstantFromSecondRound(a, b)),
            ("PerRound", list) => Ok(FoldingFactor::PerRound(list.to_vec())),
            _ => Err(bad()),
        }
    }

    pub fn parameters(&self) -> Result<ProtocolParameters, String> {
        Ok(ProtocolParameters {
            starting_log_inv_rate: self.rate,
            round_log_inv_rates: self.round_log_inv_rates.clone(),
            folding_factor: self.folding_factor()?,
            soundness_type: match self.soundness.as_str() {
                "UniqueDecoding" => SecurityAssumption::UniqueDecoding,
                "JohnsonBound" => SecurityAssumption::JohnsonBound,
                "CapacityBound" => SecurityAssumption::CapacityBound,
                other => return Err(format!("soundness: unknown assumption {other:?}")),
            },
            security_level: self.security,
            pow_bits: self.pow_bits,
        })
    }

    /// One value of the tables, below p.
    pub fn value(&self, table: usize, column: usize, row: usize) -> u32 {
        match &self.values {
            Some(values) => values[table][column][row],
            None => cell(table, column, row) % self.modulus(),
        }
    }

    pub fn modulus(&self) -> u32 {
        if self.field == "BabyBear" { 0x7800_0001 } else { 0x7f00_0001 }
    }

    /// Explicit values must have the shape of the tables and be below p.
    pub fn check_values(&self) -> Result<(), String> {
        let Some(values) = &self.values else { return Ok(()) };
        let shape_fits = values.len() == self.tables.len()
            && values.iter().zip(&self.tables).all(|(columns, &(arity, width))| {
                columns.len() == width && columns.iter().all(|column| column.len() == 1 << arity)
            });
        if !shape_fits {
            return Err("values: do not have the shape of the tables".into());
        }
        let p = self.modulus();
        if values.iter().flatten().flatten().any(|&x| x >= p) {
            return Err("values: a number is not below the modulus".into());
        }
        Ok(())
    }

    /// Variables of the stacked polynomial after padding small tables to `first_fold`.
    pub fn stacked_variables(&self, first_fold: usize) -> usize {
        let total: usize = self.tables.iter().map(|&(a, w)| w << a.max(first_fold)).sum();
        total.next_power_of_two().trailing_zeros() as usize
    }
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

pub fn unhex(text: &str) -> Result<Vec<u8>, String> {
    if text.len() % 2 != 0 || !text.is_ascii() {
        return Err("odd or non-ASCII hexadecimal".into());
    }
    (0..text.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&text[i..i + 2], 16).map_err(|e| e.to_string()))
        .collect()
}
