package import HubVocabulary

/// Up to which of its numbered progress reports each node was counted; durable with a checkpoint.
///
///     | format: u8 = 1 | count: u16 | n x ( node: str16 | number: u64 ) |   by name; big-endian
package struct NodeReports: Hashable, Sendable {
    private static let format: UInt8 = 1

    /// By the node's name.
    package var numbers: [String: UInt64]

    /// Makes a list.
    package init(_ numbers: [String: UInt64] = [:]) { self.numbers = numbers }

    /// Reads what `bytes` wrote; no bytes are no reports.
    package init(stored bytes: Span<UInt8>) throws(RecordProblem) {
        numbers = [:]
        guard !bytes.isEmpty else { return }
        var reader = try RecordReader(bytes, format: Self.format)
        for _ in 0..<(try reader.integer(UInt16.self)) {
            guard let node = String(validating: try reader.medium(), as: UTF8.self),
                numbers.updateValue(try reader.integer(), forKey: node) == nil
            else { throw .badField("node") }
        }
        try reader.expectEnd()
    }

    /// As it is stored.
    package var bytes: [UInt8] {
        var writer = RecordWriter(format: Self.format, capacity: 32 * numbers.count + 3)
        writer.integer(UInt16(numbers.count))
        for (node, number) in numbers.sorted(by: { $0.key < $1.key }) {
            writer.medium(node.utf8)
            writer.integer(number)
        }
        return writer.bytes
    }
}
