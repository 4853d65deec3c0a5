import NIOHTTP1

/// How long a hub keeps what for absent devices, and what was purged, as the hub says it.
public struct HubSettingsAnswer: Decodable, Equatable, KeptAnswer, Sendable {
    private enum CodingKeys: String, CodingKey {
        case deviceCap, logBytesWarned, purgedThrough, retentionSeconds, timeToLiveSeconds
    }

    /// Notifications kept for one absence of a device.
    public var deviceCap: UInt32
    /// Bytes of the log above which the operator is told.
    public var logBytesWarned: UInt64
    /// Records at or below are not delivered any more; 0 for none.
    public var purgedThrough: UInt64
    /// Seconds a notification lives at most.
    public var retentionSeconds: UInt32
    /// Seconds a notification lives when its send says nothing.
    public var timeToLiveSeconds: UInt32
    /// The answer as it came.
    public internal(set) var json = ""
}

extension SenderClient {
    /// How far a purge goes.
    public enum Purge: Equatable, Sendable {
        /// Up to this place in the log.
        case through(UInt64)
        /// Notifications that were accepted so many seconds ago, or earlier.
        case olderThan(seconds: UInt64)
    }

    /// Changes a hub's settings: `deviceCap`, `retentionSeconds`, `timeToLiveSeconds`; without any it
    /// only reads them.
    ///
    /// - Throws: `SenderError`; status 400 naming what is out of its range.
    public func settings(
        changing members: [String: UInt64] = [:]
    ) async throws(SenderError) -> HubSettingsAnswer {
        let path = "$belfry/settings"
        guard !members.isEmpty else { return try read(try await read(path: path, query: "")) }
        let pairs = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
        let body = "{" + pairs.joined(separator: ",") + "}"
        return try read(try await write(.PUT, path: path, query: "", body: Array(body.utf8)))
    }

    /// Takes back what was sent: no device gets it any more that has not got it.
    ///
    /// - Throws: `SenderError`.
    public func purge(_ extent: Purge) async throws(SenderError) -> HubSettingsAnswer {
        let query =
            switch extent {
            case .through(let place): "&through=\(place)"
            case .olderThan(let seconds): "&olderThan=\(seconds)"
            }
        return try read(try await write(.POST, path: "$belfry/purge", query: query, body: []))
    }

    private func read(_ text: String) throws(SenderError) -> HubSettingsAnswer {
        guard let answer = HubSettingsAnswer(json: text) else {
            throw .answerMalformed(reason: "there are no settings")
        }
        return answer
    }
}
