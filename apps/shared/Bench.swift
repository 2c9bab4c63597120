// What both apps do: WHIR proofs of a polynomial, on the CPU and on the GPU, each verified; medians of wall time.
import Foundation

struct Configuration {
  let variables: Int
  let fold: Int32
  let rate: Int32
}

let configurations = [
  Configuration(variables: 16, fold: 4, rate: 1), Configuration(variables: 18, fold: 4, rate: 1),
  Configuration(variables: 20, fold: 4, rate: 1), Configuration(variables: 20, fold: 2, rate: 1),
  Configuration(variables: 20, fold: 1, rate: 1), Configuration(variables: 22, fold: 4, rate: 1),
]

struct VouchError: Error, CustomStringConvertible {
  let description: String
}

// One proof with its verification: seconds, bytes of the proof.
func proveOnce(_ values: [UInt32], _ c: Configuration, backend: String) throws -> (prove: Double, verify: Double, bytes: Int) {
  var options = vouch_whir_options()
  options.struct_size = MemoryLayout<vouch_whir_options>.size
  options.fold = c.fold
  options.log_inv_rate = c.rate
  var proof = vouch_bytes()
  var claims = vouch_bytes()
  let start = DispatchTime.now().uptimeNanoseconds
  let proved: vouch_status = backend.withCString { name in
    options.backend = name
    return vouch_whir_prove(&proof, &claims, values, values.count, &options)
  }
  guard proved == 0 else { throw VouchError(description: String(cString: vouch_last_error())) }
  defer {
    vouch_bytes_free(&proof)
    vouch_bytes_free(&claims)
  }
  let middle = DispatchTime.now().uptimeNanoseconds
  guard vouch_whir_verify(proof.data, proof.size, claims.data, claims.size) == 0 else {
    throw VouchError(description: String(cString: vouch_last_error()))
  }
  let end = DispatchTime.now().uptimeNanoseconds
  return (Double(middle - start) * 1e-9, Double(end - middle) * 1e-9, proof.size)
}

func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  return sorted[sorted.count / 2]
}

// "n 20 fold 4 rate 1   cpu 0.123 s   metal 0.045 s (2.7x)   verify 1.2 ms   64,501 bytes"
func line(for c: Configuration, runs: Int = 5) -> String {
  let modulus: UInt32 = 2_013_265_921  // BabyBear
  var seed: UInt64 = 1
  let values: [UInt32] = (0..<(1 << c.variables)).map { _ in
    seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return UInt32(truncatingIfNeeded: seed >> 33) % modulus
  }
  var text = "n \(c.variables) fold \(c.fold) rate \(c.rate)"
  var cpu = 0.0
  for backend in ["cpu", "metal"] {
    do {
      _ = try proveOnce(values, c, backend: backend)  // the first run loads kernels and tables
      let rows = try (0..<runs).map { _ in try proveOnce(values, c, backend: backend) }
      let seconds = median(rows.map { $0.prove })
      text += String(format: "   %@ %.4f s", backend, seconds)
      if backend == "cpu" {
        cpu = seconds
      } else {
        text += String(format: " (%.2fx)   verify %.1f ms   %d bytes", cpu / seconds, 1e3 * median(rows.map { $0.verify }), rows[0].bytes)
      }
    } catch {
      text += "   \(backend): \(error)"
    }
  }
  return text
}

func systemLine() -> String {
  func sysctl(_ name: String) -> String {
    var size = 0
    guard sysctlbyname(name, nil, &size, nil, 0) == 0, size > 0 else { return "" }
    var buffer = [CChar](repeating: 0, count: size)
    guard sysctlbyname(name, &buffer, &size, nil, 0) == 0 else { return "" }
    return String(cString: buffer)
  }
  let chip = sysctl("machdep.cpu.brand_string")
  let system = ProcessInfo.processInfo.operatingSystemVersionString
  return "vouch \(String(cString: vouch_version())), \(chip.isEmpty ? sysctl("hw.machine") : chip), \(system)"
}
