//! One Merkle scheme out of two of different arity, chosen at run time: what differs between them is only the
//! stored tree. Without it every prover and verifier would be compiled twice.

use p3_commit::{BatchOpening, BatchOpeningRef, Mmcs};
use p3_matrix::{Dimensions, Matrix};

#[derive(Clone)]
pub enum Either<A, B> {
    Left(A),
    Right(B),
}

const MIXED: &str = "prover data of the other arity";

impl<T, A, B> Mmcs<T> for Either<A, B>
where
    T: Send + Sync + Clone,
    A: Mmcs<T>,
    B: Mmcs<T, Commitment = A::Commitment, Proof = A::Proof, MultiProof = A::MultiProof, Error = A::Error>,
{
    type ProverData<M> = Either<A::ProverData<M>, B::ProverData<M>>;
    type Commitment = A::Commitment;
    type Proof = A::Proof;
    type MultiProof = A::MultiProof;
    type Error = A::Error;

    fn commit<M: Matrix<T>>(&self, inputs: Vec<M>) -> (Self::Commitment, Self::ProverData<M>) {
        match self {
            Self::Left(scheme) => {
                let (commitment, data) = scheme.commit(inputs);
                (commitment, Either::Left(data))
            }
            Self::Right(scheme) => {
                let (commitment, data) = scheme.commit(inputs);
                (commitment, Either::Right(data))
            }
        }
    }

    fn open_batch<M: Matrix<T>>(&self, index: usize, data: &Self::ProverData<M>) -> BatchOpening<T, Self> {
        let (values, proof) = match (self, data) {
            (Self::Left(scheme), Either::Left(data)) => scheme.open_batch(index, data).unpack(),
            (Self::Right(scheme), Either::Right(data)) => scheme.open_batch(index, data).unpack(),
            _ => panic!("{MIXED}"),
        };
        BatchOpening::new(values, proof)
    }

    fn get_matrices<'a, M: Matrix<T>>(&self, data: &'a Self::ProverData<M>) -> Vec<&'a M> {
        match (self, data) {
            (Self::Left(scheme), Either::Left(data)) => scheme.get_matrices(data),
            (Self::Right(scheme), Either::Right(data)) => scheme.get_matrices(data),
            _ => panic!("{MIXED}"),
        }
    }

    fn verify_batch(
        &self,
        commitment: &Self::Commitment,
        dimensions: &[Dimensions],
        index: usize,
        opening: BatchOpeningRef<'_, T, Self>,
    ) -> Result<(), Self::Error> {
        let (values, proof) = opening.unpack();
        match self {
            Self::Left(scheme) => {
                scheme.verify_batch(commitment, dimensions, index, BatchOpeningRef::new(values, proof))
            }
            Self::Right(scheme) => {
                scheme.verify_batch(commitment, dimensions, index, BatchOpeningRef::new(values, proof))
            }
        }
    }

    fn open_multi_batch<M: Matrix<T>>(
        &self,
        indices: &[usize],
        data: &Self::ProverData<M>,
    ) -> (Vec<Vec<Vec<T>>>, Self::MultiProof) {
        match (self, data) {
            (Self::Left(scheme), Either::Left(data)) => scheme.open_multi_batch(indices, data),
            (Self::Right(scheme), Either::Right(data)) => scheme.open_multi_batch(indices, data),
            _ => panic!("{MIXED}"),
        }
    }

    fn verify_multi_batch<R: AsRef<[T]> + PartialEq>(
        &self,
        commitment: &Self::Commitment,
        dimensions: &[Dimensions],
        indices: &[usize],
        opened: &[Vec<R>],
        proof: &Self::MultiProof,
    ) -> Result<(), Self::Error> {
        match self {
            Self::Left(scheme) => scheme.verify_multi_batch(commitment, dimensions, indices, opened, proof),
            Self::Right(scheme) => scheme.verify_multi_batch(commitment, dimensions, indices, opened, proof),
        }
    }
}
