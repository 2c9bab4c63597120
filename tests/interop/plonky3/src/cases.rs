//! The case commands: reading and writing case files around `run`.

use std::fs;
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Value, json};

use crate::case::{Case, hex, unhex};
use crate::run::{Judge, ProofInput, Proved, Verdict, judge_for};

/// A stacked polynomial is written up to this many variables (2^14 values are about 160 KB of text).
const MAX_WRITTEN_VARIABLES: usize = 14;

pub fn dispatch(arguments: &[String]) -> Result<i32, String> {
    std::panic::set_hook(Box::new(|_| {})); // a panic of the crates is a verdict here, not a message
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["verify", files @ ..] if !files.is_empty() => each(files, verify),
        ["compare", files @ ..] if !files.is_empty() => each(files, compare),
        ["prove", input, output] => prove(input, output),
        ["decide", file] => decide(file),
        _ => Err("usage: whir-judge verify|compare CASE.json... | prove CASE.json OUT.json | decide CASE.json".into()),
    }
}

fn each(files: &[&str], check: fn(&str) -> Result<Value, String>) -> Result<i32, String> {
    let mut code = 0;
    for file in files {
        let mut line = check(file).map_err(|e| format!("{file}: {e}"))?;
        if line["ok"] != Value::Bool(true) {
            code = 1;
        }
        line["file"] = json!(file);
        println!("{line}");
    }
    Ok(code)
}

fn load(file: &str) -> Result<Case, String> {
    let text = fs::read(file).map_err(|e| e.to_string())?;
    let case: Case = serde_json::from_slice(&text).map_err(|e| e.to_string())?;
    for (t, &(arity, width)) in case.tables.iter().enumerate() {
        if arity > 26 || width == 0 || width > 1 << 16 {
            return Err(format!("tables[{t}]: {arity} variables, {width} columns are out of range"));
        }
    }
    case.check_values()?;
    Ok(case)
}

fn message(panic: Box<dyn std::any::Any + Send>) -> String {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or(panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    format!("panic: {text}")
}

fn guarded_verify(judge: &dyn Judge, case: &Case, commitment: &[[u32; 8]], input: ProofInput) -> Verdict {
    catch_unwind(AssertUnwindSafe(|| judge.verify(case, commitment, input)))
        .unwrap_or_else(|panic| Verdict { result: Err(message(panic)), trace: Vec::new() })
}

fn commitment(case: &Case) -> Result<Vec<[u32; 8]>, String> {
    let value = case.rest.get("commitment").ok_or("commitment: missing")?;
    serde_json::from_value(value.clone()).map_err(|e| format!("commitment: {e}"))
}

/// The first differing operation; remarks (`# ...`) do not count.
fn trace_difference(name: &str, case: &Case, trace: &[String]) -> Option<String> {
    let operation = |text: &&str| !text.starts_with('#');
    let theirs: Vec<&str> =
        case.rest.get(name)?.as_array()?.iter().filter_map(Value::as_str).filter(operation).collect();
    let ours: Vec<&str> = trace.iter().map(String::as_str).filter(operation).collect();
    if theirs.is_empty() {
        return None;
    }
    let at = (0..theirs.len().max(ours.len())).find(|&i| theirs.get(i) != ours.get(i))?;
    let shown = |list: &[&str]| list.get(at).copied().unwrap_or("(end)").to_string();
    Some(format!("{name}: operation {at}: file has {}, Rust has {}", shown(&theirs), shown(&ours)))
}

/// Verifies every encoding the file carries; the verdicts must agree, and so must a recorded transcript.
fn verify(file: &str) -> Result<Value, String> {
    let case = load(file)?;
    let judge = judge_for(&case)?;
    let commitment = commitment(&case)?;
    let mut verdicts = Vec::new();
    if let Some(text) = case.rest.get("proof_postcard").and_then(Value::as_str) {
        let bytes = unhex(text).map_err(|e| format!("proof_postcard: {e}"))?;
        verdicts.push(("postcard", guarded_verify(&*judge, &case, &commitment, ProofInput::Postcard(&bytes))));
    }
    if let Some(value) = case.rest.get("proof_json").filter(|v| !v.is_null()) {
        verdicts.push(("json", guarded_verify(&*judge, &case, &commitment, ProofInput::Json(value))));
    }
    let mut line = json!({"ok": !verdicts.is_empty()});
    if verdicts.is_empty() {
        line["error"] = json!("neither proof_postcard nor proof_json is present");
    }
    for (name, verdict) in &verdicts {
        let difference = trace_difference("verifier_trace", &case, &verdict.trace);
        let error = verdict.result.clone().err().or(difference);
        if let Some(error) = error {
            line["ok"] = json!(false);
            line[*name] = json!(error);
        }
    }
    Ok(line)
}

fn guarded_prove(case: &Case) -> Result<Proved, String> {
    let judge = judge_for(case)?;
    catch_unwind(AssertUnwindSafe(|| judge.prove(case))).unwrap_or_else(|panic| Err(message(panic)))
}

/// Proves again and compares with what the file holds. A different (valid) search witness shows up as the
/// first differing `G` line.
fn compare(file: &str) -> Result<Value, String> {
    let case = load(file)?;
    let proved = guarded_prove(&case)?;
    let mut differences = Vec::new();
    let mut same = |name: &str, ours: Value| {
        if case.rest.get(name).is_some_and(|theirs| !theirs.is_null() && *theirs != ours) {
            differences.push(format!("{name} differs"));
        }
    };
    same("config", proved.config);
    same("commitment", json!(proved.commitment));
    same("commitment_postcard", json!(hex(&proved.commitment_postcard)));
    same("proof_postcard", json!(hex(&proved.proof_postcard)));
    same("proof_json", proved.proof_json);
    if let Some(values) = case.rest.get("stacked_poly").filter(|v| v.as_array().is_some_and(|a| !a.is_empty())) {
        same("stacked_poly", values.clone());
        if *values != json!(stacked(&case)?) {
            differences.push("stacked_poly differs".into());
        }
    }
    differences.extend(trace_difference("prover_trace", &case, &proved.trace));
    Ok(json!({"ok": differences.is_empty(), "differences": differences}))
}

/// The stacked polynomial, placed by the rule of the protocol notes (the crates keep theirs private; a wrong
/// placement here cannot hide, the commitment is the crates' own).
fn stacked(case: &Case) -> Result<Vec<u32>, String> {
    let first_fold = case.folding_factor()?.at_round(0);
    let n = case.stacked_variables(first_fold);
    let mut order: Vec<usize> = (0..case.tables.len()).collect();
    order.sort_by_key(|&t| case.tables[t].0.max(first_fold));
    order.reverse();
    let mut out = vec![0u32; 1 << n];
    let mut offset = 0usize;
    for t in order {
        let (arity, width) = case.tables[t];
        let padded = arity.max(first_fold);
        let selector_bits = n - padded;
        for j in 0..width {
            let slot = offset >> padded;
            for i in 0..1usize << arity {
                let value = case.value(t, j, i);
                let at = if case.layout == "suffix" {
                    slot << padded | i
                } else {
                    let reversed = if selector_bits == 0 { 0 } else { slot.reverse_bits() >> (64 - selector_bits) };
                    i << selector_bits | reversed
                };
                out[at] = value;
            }
            offset += 1 << padded;
        }
    }
    Ok(out)
}

fn prove(input: &str, output: &str) -> Result<i32, String> {
    let mut case = load(input).map_err(|e| format!("{input}: {e}"))?;
    let proved = guarded_prove(&case).map_err(|e| format!("{input}: {e}"))?;
    let judge = judge_for(&case)?;
    let verdict =
        guarded_verify(&*judge, &case, &proved.commitment, ProofInput::Postcard(&proved.proof_postcard));
    let n = proved.config["num_variables"].as_u64().unwrap_or(0) as usize;
    let stacked_poly = if n <= MAX_WRITTEN_VARIABLES { stacked(&case)? } else { Vec::new() };
    let rest = &mut case.rest;
    rest.insert("config".into(), proved.config);
    rest.insert("stacked_poly".into(), json!(stacked_poly));
    rest.insert("commitment".into(), json!(proved.commitment));
    rest.insert("commitment_postcard".into(), json!(hex(&proved.commitment_postcard)));
    rest.insert("prover_trace".into(), json!(proved.trace));
    rest.insert("verifier_trace".into(), json!(verdict.trace));
    rest.insert("proof_len".into(), json!(proved.proof_postcard.len()));
    rest.insert("proof_postcard".into(), json!(hex(&proved.proof_postcard)));
    rest.insert("proof_json".into(), proved.proof_json);
    let text = serde_json::to_vec(&case).map_err(|e| e.to_string())?;
    fs::write(output, text).map_err(|e| format!("{output}: {e}"))?;
    match verdict.result {
        Ok(()) => Ok(0),
        Err(error) => Err(format!("{input}: the crates reject their own proof: {error}")),
    }
}

fn decide(file: &str) -> Result<i32, String> {
    let case = load(file).map_err(|e| format!("{file}: {e}"))?;
    let judge = judge_for(&case)?;
    let commitment = commitment(&case)?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|e| e.to_string())?;
        let verdict = match unhex(line.trim()) {
            Ok(bytes) => guarded_verify(&*judge, &case, &commitment, ProofInput::Postcard(&bytes)).result,
            Err(error) => Err(error),
        };
        match verdict {
            Ok(()) => writeln!(out, "accept"),
            Err(reason) => writeln!(out, "reject {}", reason.lines().next().unwrap_or("")),
        }
        .map_err(|e| e.to_string())?;
    }
    out.flush().map_err(|e| e.to_string())?;
    Ok(0)
}
