import HubCore

/// Single registrations: reserve, create, put, get, delete.
///
/// Source: REST §4.3–§4.7.
enum RegistrationRoutes {
    /// `POST /{hub}/registrationIDs`: 201 with the new id at the end of `Location`.
    static func reserve(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        let reply = try await exchange.submit(.reserveRegistrationID)
        guard case .reserved(let id) = reply else { throw .mismatch }
        let location = exchange.location(of: String(decoding: id, as: UTF8.self))
        return Answer(status: 201, headers: [("Location", location)])
    }

    /// `POST /{hub}/registrations`: 200 with the stored entry.
    static func create(
        _ exchange: Exchange,
        body: [UInt8]
    ) async throws(RequestFailure) -> Answer {
        let content = try content(of: body, exchange)
        let reply = try await exchange.submit(.createRegistration(content, exchange.grant))
        guard case .registration(let stored) = reply else { throw .mismatch }
        let url = exchange.location(of: String(decoding: stored.id, as: UTF8.self))
        return entry(stored, url: url, exchange)
    }

    /// `PUT /{hub}/registrations/{id}`: 200 with the stored entry.
    static func put(
        _ exchange: Exchange,
        id: [UInt8],
        body: [UInt8]
    ) async throws(RequestFailure) -> Answer {
        let content = try content(of: body, exchange)
        let condition = WriteCondition(
            ifMatch: exchange.incoming.header("If-Match"),
            absent: .none
        )
        let reply = try await exchange.submit(
            .putRegistration(id: id, content, condition, exchange.grant)
        )
        guard case .registration(let stored) = reply else { throw .mismatch }
        return entry(stored, url: ownURL(exchange), exchange)
    }

    /// `GET /{hub}/registrations/{id}`: 200 with the entry.
    static func get(_ exchange: Exchange, id: [UInt8]) async throws(RequestFailure) -> Answer {
        let reply = try await exchange.submit(.getRegistration(id: id))
        guard case .registration(let stored) = reply else { throw .mismatch }
        return entry(stored, url: ownURL(exchange), exchange)
    }

    /// `DELETE /{hub}/registrations/{id}`: 200, empty; without `If-Match` as with `*`.
    static func delete(_ exchange: Exchange, id: [UInt8]) async throws(RequestFailure) -> Answer {
        let condition = WriteCondition(
            ifMatch: exchange.incoming.header("If-Match"),
            absent: .exists
        )
        let reply = try await exchange.submit(
            .deleteRegistration(id: id, condition, exchange.grant)
        )
        guard case .deleted = reply else { throw .mismatch }
        return Answer(status: 200)
    }

    private static func content(
        of body: [UInt8],
        _ exchange: Exchange
    ) throws(RequestFailure) -> RegistrationContent {
        let limits = exchange.configuration.limits
        return try refusing { () throws(Refusal) -> RegistrationContent in
            try RegistrationReader.read(body, limits: limits).validated(limits: limits)
        }
    }

    private static func ownURL(_ exchange: Exchange) -> String {
        let target = exchange.incoming.target
        return exchange.incoming.url(path: target.path, query: target.query())
    }

    private static func entry(
        _ registration: Registration,
        url: String,
        _ exchange: Exchange
    ) -> Answer {
        Answer(
            status: 200,
            headers: [
                ("Content-Type", "application/atom+xml; type=entry; charset=utf-8"),
                ("ETag", "W/\"\(registration.version)\""), ("Content-Location", url),
            ],
            body: RegistrationWriter.entry(registration, url: url, now: exchange.service.now)
        )
    }
}

extension RequestFailure {
    /// The service replied to another command than it was given; the reference says so.
    static let mismatch = RequestFailure.refused(.internalError(reference: 1))
}
