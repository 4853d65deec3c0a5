import HubVocabulary
import NIOHTTP1

// Registrations over REST, as a back end manages them for its users.
extension SenderClient {
    /// Pages of a list that are read at most; each has up to 100 entries unless the hub says more.
    public static let listPagesMax = 1_000

    /// Reserves an id for a registration; nothing is stored until it is put.
    ///
    /// - Throws: `SenderError`.
    public func reserveRegistrationID() async throws(SenderError) -> String {
        let answer = try await perform(
            .POST,
            path: "registrationIDs/",
            headers: HTTPHeaders(),
            body: []
        )
        return try answer.place.id
    }

    /// Creates a registration; the hub gives it an id.
    ///
    /// It is not repeated when the hub is away, since it might be created twice; `reserve` an id and
    /// put the registration for that.
    /// - Throws: `SenderError`.
    public func createRegistration(
        _ entry: RegistrationEntry
    ) async throws(SenderError) -> RegistrationAnswer {
        try await registration(
            .POST,
            path: "registrations/",
            body: entry.xml(),
            isRepeatable: false
        )
    }

    /// Creates or replaces the registration with an id.
    ///
    /// - Throws: `SenderError`; status 410 when it was deleted or has expired, 412 when `etag` is
    ///   given and is not the stored one.
    public func putRegistration(
        id: String,
        _ entry: RegistrationEntry,
        etag: String? = nil
    ) async throws(SenderError) -> RegistrationAnswer {
        let condition = etag.map { [("If-Match", "\"\($0)\"")] } ?? []
        return try await registration(
            .PUT,
            path: "registrations/\(id)",
            body: entry.xml(),
            extra: condition
        )
    }

    /// Reads the registration with an id.
    ///
    /// - Throws: `SenderError`; status 404 when there is none.
    public func registration(id: String) async throws(SenderError) -> RegistrationAnswer {
        try await registration(.GET, path: "registrations/\(id)", body: nil)
    }

    /// Deletes the registration with an id, whatever its version.
    ///
    /// - Throws: `SenderError`; status 404 when there is none.
    public func deleteRegistration(id: String) async throws(SenderError) {
        var headers = HTTPHeaders()
        headers.add(name: "If-Match", value: "*")
        _ = try await perform(.DELETE, path: "registrations/\(id)", headers: headers, body: nil)
    }

    /// The registrations of a push handle on every platform, in the order of their creation.
    ///
    /// - Throws: `SenderError`.
    public func registrations(
        handle: String
    ) async throws(SenderError) -> [RegistrationAnswer] {
        // Any field's name stands for the handle on every platform.
        let filter = PercentCoding.encoded("DeviceToken eq '\(handle)'")
        return try await list(path: "registrations/", query: "&$filter=\(filter)")
    }

    /// The registrations with a tag, in the order of their creation; needs the Manage right.
    ///
    /// - Throws: `SenderError`.
    public func registrations(tag: String) async throws(SenderError) -> [RegistrationAnswer] {
        try await list(path: "tags/\(PercentCoding.encoded(tag))/registrations/", query: "")
    }

    private func list(
        path: String,
        query: String
    ) async throws(SenderError) -> [RegistrationAnswer] {
        var found: [RegistrationAnswer] = []
        var rest = ""
        for _ in 0..<listPagesMax {
            let answer = try await perform(
                .GET,
                path: path,
                query: query + rest,
                headers: HTTPHeaders(),
                body: nil
            )
            found += RegistrationAnswer.list(xml: answer.text)
            guard let token = answer.headers.first(name: "x-ms-continuationtoken") else {
                return found
            }
            rest = "&continuationtoken=\(PercentCoding.encoded(token))"
        }
        throw .answerMalformed(reason: "the list has more than \(listPagesMax) pages")
    }

    private func registration(
        _ method: HTTPMethod,
        path: String,
        body: String?,
        extra: [(String, String)] = [],
        isRepeatable: Bool = true
    ) async throws(SenderError) -> RegistrationAnswer {
        var headers = HTTPHeaders(extra)
        if body != nil {
            headers.add(
                name: "Content-Type",
                value: "application/atom+xml;type=entry;charset=utf-8"
            )
        }
        let answer = try await perform(
            method,
            path: path,
            headers: headers,
            body: body.map { Array($0.utf8) },
            isRepeatable: isRepeatable
        )
        guard let registration = RegistrationAnswer(xml: answer.text) else {
            throw .answerMalformed(reason: "there is no RegistrationId")
        }
        return registration
    }
}
