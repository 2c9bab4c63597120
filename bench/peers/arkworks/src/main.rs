// arkworks on BN254: wall and user CPU of a sum over G1, one over G2 or a transform. Usage: arkworks-bench THREADS msm_g1|msm_g2|fft LOG...
use ark_bn254::{Fr, G1Projective, G2Projective};
use ark_ec::{CurveGroup, VariableBaseMSM};
use ark_ff::{PrimeField, UniformRand};
use ark_poly::{EvaluationDomain, Radix2EvaluationDomain};
use ark_std::test_rng;
use std::time::Instant;

fn user_cpu() -> f64 {
    // utime, the 14th field of stat, in ticks of 1/100 s
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    fields[11].parse::<f64>().unwrap() / 100.0
}

// Runs of at least half a second; the median of five.
fn measure<T>(name: &str, log: usize, mut f: impl FnMut() -> T) {
    let start = Instant::now();
    std::hint::black_box(f());
    let repeat = (0.5 / start.elapsed().as_secs_f64()).ceil().max(1.0) as usize;
    let (mut wall, mut cpu) = (vec![], vec![]);
    for _ in 0..5 {
        let (t, c) = (Instant::now(), user_cpu());
        for _ in 0..repeat {
            std::hint::black_box(f());
        }
        wall.push(t.elapsed().as_secs_f64() / repeat as f64);
        cpu.push((user_cpu() - c) / repeat as f64);
    }
    wall.sort_by(f64::total_cmp);
    cpu.sort_by(f64::total_cmp);
    println!("{name:<8} 2^{log:<3} wall {:.4} s  cpu {:.4} s", wall[2], cpu[2]);
}

fn sum<G: CurveGroup<ScalarField = Fr> + VariableBaseMSM>(name: &str, log: usize, scalars: &[Fr]) {
    let mut rng = test_rng();
    let points = G::rand(&mut rng).batch_mul(&(0..scalars.len()).map(|_| Fr::rand(&mut rng)).collect::<Vec<_>>());
    measure(name, log, || G::msm_unchecked(&points, scalars));
    // The first step of it alone: scalars out of Montgomery form, which vouch is given.
    measure("scalars", log, || scalars.iter().map(|s| s.into_bigint()).collect::<Vec<_>>());
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |a: &String| a.parse::<usize>().expect("a number");
    rayon::ThreadPoolBuilder::new().num_threads(number(&arguments[0])).build_global().unwrap();
    for log in arguments[2..].iter().map(number) {
        let mut rng = test_rng();
        let values: Vec<Fr> = (0..1usize << log).map(|_| Fr::rand(&mut rng)).collect();
        match arguments[1].as_str() {
            "msm_g1" => sum::<G1Projective>("msm_g1", log, &values),
            "msm_g2" => sum::<G2Projective>("msm_g2", log, &values),
            "fft" => {
                let domain = Radix2EvaluationDomain::<Fr>::new(values.len()).unwrap();
                let mut own = values.clone();
                measure("fft", log, || domain.fft_in_place(&mut own));
            }
            other => panic!("{other}: not msm_g1, msm_g2 or fft"),
        }
    }
}
