/// Why stored bytes are not what an encoder of ours writes.
package enum RecordProblem: Error, Hashable, Sendable {
    /// The first byte names a format this release does not know.
    case unknownFormat(UInt8)
    /// The bytes end before a field does; the place at which the field begins.
    case truncated(at: Int)
    /// A field holds what no encoder writes.
    case badField(String)
    /// Bytes behind the last field.
    case trailingBytes(at: Int)
}
