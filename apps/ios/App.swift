// One screen: a button, the table as it grows, and a button to share it.
import SwiftUI

@main
struct VouchBenchApp: App {
  var body: some Scene { WindowGroup { BenchView() } }
}

struct BenchView: View {
  @State private var text = systemLine()
  @State private var running = false

  var body: some View {
    VStack(alignment: .leading, spacing: 12) {
      HStack {
        Button(running ? "Running" : "Run") { run() }.disabled(running)
        Spacer()
        ShareLink(item: text).disabled(running)
      }
      ScrollView { Text(text).font(.system(.footnote, design: .monospaced)).frame(maxWidth: .infinity, alignment: .leading) }
    }
    .padding()
  }

  private func run() {
    running = true
    text = systemLine()
    Task.detached(priority: .userInitiated) {
      for c in configurations {
        let next = line(for: c)
        await MainActor.run { text += "\n" + next }
      }
      await MainActor.run { running = false }
    }
  }
}
