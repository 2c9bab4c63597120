// Prints one line per configuration; see ../README.md.
import Foundation

print(systemLine())
for c in configurations { print(line(for: c)) }
