import FoundationEssentials

/// Where one relay to a push service stands.
package struct RelayStateAnswer: Decodable, Equatable, Sendable {
    /// Records that are not taken up yet.
    package var behind: UInt64
    /// Why the relay rests; nil while it sends.
    package var cause: String?
    /// Notifications whose devices asked for a pause.
    package var deferred: Int
    /// Records that are being sent.
    package var open: Int
    /// Everything up to here is done, but for the open ones.
    package var place: UInt64
    /// The first notification that is relayed.
    package var since: UInt64
}

extension SenderClient {
    /// Reads where the hub's relays stand, by platform, and the answer as it came.
    ///
    /// - Throws: `SenderError`.
    package func relays() async throws(SenderError) -> (
        relays: [String: RelayStateAnswer], json: String
    ) {
        let text = try await read(path: "$belfry/relays", query: "")
        // The caller's error says what is missing, and not in a decoder's words.
        guard
            let read = try? JSONDecoder().decode(
                [String: RelayStateAnswer].self,
                from: Data(text.utf8)
            )
        else { throw .answerMalformed(reason: "there are no relays") }
        return (read, text)
    }
}
