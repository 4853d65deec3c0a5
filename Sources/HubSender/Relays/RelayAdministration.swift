import FoundationEssentials
import HubVocabulary
import NIOHTTP1

/// The relays of a hub, as administrators of the namespace see and set them.
package struct RelayAdministration: Sendable {
    private let client: SenderClient

    /// Asks through a client.
    package init(_ client: SenderClient) { self.client = client }

    /// Reads the credentials of the hub's description; each secret is a mask.
    ///
    /// - Throws: `SenderError`; status 401 for a key that may not manage the hub.
    package func credentials() async throws(SenderError) -> [CredentialEntry] {
        HubEntry.credentials(in: try await client.read(path: "", query: ""))
    }

    /// Sets credentials of the hub's description, and removes those without properties; returns all.
    ///
    /// `confirmsNewKeys` allows another pair of Web Push keys, which ends every subscription.
    /// - Throws: `SenderError`; status 400 naming the property that is wrong.
    package func change(
        _ credentials: [CredentialEntry],
        confirmsNewKeys: Bool = false
    ) async throws(SenderError) -> [CredentialEntry] {
        var headers = HTTPHeaders()
        headers.add(
            name: "Content-Type",
            value: "application/atom+xml;type=entry;charset=utf-8"
        )
        headers.add(name: "If-Match", value: "*")
        if confirmsNewKeys { headers.add(name: "Belfry-Confirm", value: "new-keys") }
        let answer = try await client.perform(
            .PUT,
            path: "",
            headers: headers,
            body: Array(HubEntry.text(credentials).utf8)
        )
        return HubEntry.credentials(in: answer.text)
    }

    /// Writes an installation, whose channels may be those of push services.
    ///
    /// - Throws: `SenderError`; status 400 naming what is wrong with it.
    package func install(_ id: String, json: String) async throws(SenderError) {
        var headers = HTTPHeaders()
        headers.add(name: "Content-Type", value: "application/json")
        _ = try await client.perform(
            .PUT,
            path: "installations/\(PercentCoding.encoded(id))",
            headers: headers,
            body: Array(json.utf8)
        )
    }

    /// Reads where the hub's relays stand, by platform, and the answer as it came.
    ///
    /// - Throws: `SenderError`.
    package func relays() async throws(SenderError) -> (
        relays: [String: RelayStateAnswer], json: String
    ) {
        let text = try await client.read(path: "$belfry/relays", query: "")
        let data = Data(text.utf8)
        // The caller's error says what is missing, and not in a decoder's words.
        let read = try? JSONDecoder().decode([String: RelayStateAnswer].self, from: data)
        guard let read else { throw .answerMalformed(reason: "there are no relays") }
        return (read, text)
    }

    /// Has a platform's service asked whether it takes the hub's credential; and the answer as it
    /// came.
    ///
    /// - Throws: `SenderError`.
    package func check(
        _ platform: String
    ) async throws(SenderError) -> (check: RelayCheckAnswer, json: String) {
        try await tell("\(platform)/check", query: "")
    }

    /// Has a platform's relay give up the notifications up to a place; and the answer as it came.
    ///
    /// - Throws: `SenderError`; status 400 where no relay runs.
    package func skip(
        _ platform: String,
        through place: UInt64
    ) async throws(SenderError) -> (skip: RelaySkipAnswer, json: String) {
        try await tell("\(platform)/skip", query: "&through=\(place)")
    }

    private func tell<Value: Decodable>(
        _ path: String,
        query: String
    ) async throws(SenderError) -> (Value, String) {
        let text = try await client.perform(
            .POST,
            path: "$belfry/relays/\(path)",
            query: query,
            headers: HTTPHeaders(),
            body: nil
        ).text
        // As above.
        let read = try? JSONDecoder().decode(Value.self, from: Data(text.utf8))
        guard let read else { throw .answerMalformed(reason: "it is no answer of a relay") }
        return (read, text)
    }
}
