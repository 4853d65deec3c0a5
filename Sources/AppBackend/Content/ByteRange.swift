import Foundation

/// The part of a number of bytes for which a `Range` header asks.
enum ByteRange: Equatable, Sendable {
    /// Everything: there is no range, it is no range of bytes, or there are several.
    case all
    /// A part, never empty.
    case part(Range<Int>)
    /// A part that is not there.
    case unsatisfiable

    init(_ header: String, of total: Int) {
        self = .all
        let text = header.lowercased()
        guard text.hasPrefix("bytes="), !text.contains(",") else { return }
        let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard ends.count == 2 else { return }
        if ends[0].isEmpty {
            guard let count = Int(ends[1]), count >= 0 else { return }
            self = count == 0 || total == 0 ? .unsatisfiable : .part(max(0, total - count)..<total)
            return
        }
        guard let first = Int(ends[0]), first >= 0 else { return }
        guard first < total else {
            self = .unsatisfiable
            return
        }
        if ends[1].isEmpty {
            self = .part(first..<total)
        } else if let last = Int(ends[1]), last >= first {
            self = .part(first..<min(last, total - 1) + 1)
        }
    }
}
