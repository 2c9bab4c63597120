// snarkjs as a judge, many cases in one process (starting it takes about a second).
//
//   node judge.cjs NODE_MODULES < jobs.json > results.json
//
// A job is {"verify": [VKEY, PUBLIC, PROOF]} or {"prove": [KEY, WITNESS, PROOF, PUBLIC]} or {"vkey": [KEY, OUT]};
// its result is true, false or the text of an exception.
"use strict";
const fs = require("fs");
const path = require("path");
const { createRequire } = require("module");

const modules = path.resolve(process.argv[2]);
const snarkjs = createRequire(path.join(modules, "judge.cjs"))("snarkjs");
const read = (file) => JSON.parse(fs.readFileSync(file, "utf8"));
// What the snarkjs program writes: JSON with one space, an empty array over two lines.
const write = (file, value) =>
  fs.writeFileSync(file, Array.isArray(value) && !value.length ? "[\n]" : JSON.stringify(value, null, 1));

const actions = {
  verify: (vkey, pub, proof) => snarkjs.groth16.verify(read(vkey), read(pub), read(proof)),
  prove: async (key, witness, proof, pub) => {
    const out = await snarkjs.groth16.prove(key, witness);
    write(proof, out.proof);
    write(pub, out.publicSignals);
    return true;
  },
  vkey: async (key, out) => {
    write(out, await snarkjs.zKey.exportVerificationKey(key));
    return true;
  },
};

async function main() {
  const results = [];
  for (const job of JSON.parse(fs.readFileSync(0, "utf8"))) {
    const [action, files] = Object.entries(job)[0];
    try {
      results.push(await actions[action](...files));
    } catch (e) {
      results.push(String(e && e.message ? e.message : e));
    }
  }
  fs.writeSync(1, JSON.stringify(results));
  process.exit(0); // the curve's worker threads would keep the process alive
}
main();
