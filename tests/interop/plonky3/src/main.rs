//! whir-judge: the released p3-whir as a second opinion on WHIR cases.
//!
//!   whir-judge verify CASE.json...          one JSON line per case; exit 0 iff every proof is accepted
//!   whir-judge prove CASE.json OUT.json     proves and writes the same format back
//!   whir-judge compare CASE.json...         proves again and names the first difference from the file
//!   whir-judge decide CASE.json < LINES     one postcard proof (hexadecimal) per line: accept | reject REASON
//!   whir-judge bench ...                    only in a build with --features bench (see bench.rs)
//!
//! Exit: 0 accepted / equal, 1 rejected / different, 2 a case or an argument that cannot be used.

#[cfg(feature = "bench")]
mod bench;
#[cfg(not(feature = "bench"))]
mod case;
#[cfg(not(feature = "bench"))]
mod cases;
mod cell;
#[cfg(not(feature = "bench"))]
mod either;
#[cfg(not(feature = "bench"))]
mod recorder;
#[cfg(not(feature = "bench"))]
mod run;
#[cfg(not(feature = "bench"))]
mod suite;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    #[cfg(feature = "bench")]
    let outcome = match arguments.split_first() {
        Some((command, rest)) if command == "bench" => bench::bench(rest),
        _ => Err("this build only knows: bench (rebuild without --features bench for cases)".to_string()),
    };
    #[cfg(not(feature = "bench"))]
    let outcome = cases::dispatch(&arguments);
    match outcome {
        Ok(code) => std::process::exit(code),
        Err(message) => {
            eprintln!("whir-judge: {message}");
            std::process::exit(2);
        }
    }
}
