/// Turns coded payloads back into bytes; one per thread, since it keeps an inflate state (16 KB).
package struct ParcelInflater: ~Copyable {
    private let stream = InflateStream()

    /// Prepares the inflate state.
    package init() {}

    /// The payload: exactly `view.rawLength` bytes, and never an allocation of more.
    ///
    /// `maxPayload` is the largest payload this side takes, in bytes. Source: [P-8].
    /// - Throws: `.inflateLimit`, `.inflateFailed`.
    package mutating func payload(
        of view: borrowing ParcelView,
        maxPayload: Int
    ) throws(ParcelError) -> [UInt8] {
        let length = Int(view.rawLength)
        guard length <= maxPayload else { throw .inflateLimit }
        guard view.codec != .identity else { return view.codedPayload.copied() }
        let coded = view.codedPayload.count
        let largest = coded * ParcelLimits.expansionFactorMax + ParcelLimits.expansionSlackBytes
        guard length <= largest else { throw .inflateLimit }
        let dictionary = view.codec == .wellKnownDictionary ? WellKnownDictionary.bytes : []
        return try stream.inflate(view.codedPayload, exactly: length, dictionary: dictionary)
    }
}
