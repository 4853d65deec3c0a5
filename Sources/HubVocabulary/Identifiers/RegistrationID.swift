/// External registration ids: `digits-digits-digit`.
///
/// Source: REST reference §4.2.
package enum RegistrationID {
    /// Bytes of an id that a client may bring along.
    package static let byteCountMax = 64

    /// A new id: two random 63-bit numbers and the partition, which is always 1.
    package static func make(random: inout some RandomNumberGenerator) -> [UInt8] {
        let first: UInt64 = random.next() >> 1
        let second: UInt64 = random.next() >> 1
        return Array("\(first)-\(second)-1".utf8)
    }

    /// Whether a text has the form of an id: three groups of digits joined by `-`, at most 64
    /// bytes.
    package static func isWellFormed(_ text: [UInt8]) -> Bool {
        guard text.count <= byteCountMax else { return false }
        let groups = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return groups.count == 3
            && groups.allSatisfy { !$0.isEmpty && $0.allSatisfy(ASCII.isDigit) }
    }
}
