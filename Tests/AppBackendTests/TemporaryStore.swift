import Foundation
import Testing

@testable import AppBackend

/// A backend's folder with a few users, which goes with the test.
final class TemporaryStore {
    static let cost = PasswordCost(logRounds: 4, blockSize: 8, parallelism: 1)

    let path: String
    let store: BackendStore
    var limits: BackendLimits

    init(
        users: [String] = ["alice", "bob", "carol"],
        limits change: (inout BackendLimits) -> Void = { _ in }
    ) throws {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("belfry-backend-\(UUID().uuidString)").path
        try BackendFolder.make(path)
        store = try BackendStore(path: path + "/backend.sqlite")
        var limits = BackendLimits.standard
        limits.users.passwordCost = Self.cost
        change(&limits)
        self.limits = limits
        for name in users { try add(name) }
    }

    deinit {
        store.close()
        try? FileManager.default.removeItem(atPath: path)
    }

    func add(_ name: String, now: Int64 = 0) throws {
        let hash = try PasswordHash(Array("password of \(name)".utf8), cost: Self.cost)
        try store.users.add(UserName(name), hash: hash, usersMax: limits.users.countMax, now: now)
    }

    /// A user who has given the password.
    func caller(_ name: String, in other: BackendStore? = nil) async throws -> Caller {
        let user = try UserName(name)
        let stored = try #require(try await (other ?? store).users.password(of: user))
        return Caller(user: user, generation: stored.generation)
    }

    /// Content of some bytes.
    func content(
        _ bytes: Int,
        to recipient: String,
        identity: RequestIdentity? = nil
    ) throws -> NewContent {
        NewContent(
            recipient: try UserName(recipient),
            isSecure: false,
            message: "Look",
            richType: "coupon",
            mediaType: "text/plain",
            etag: "\"e\"",
            bytes: bytes,
            identity: identity
        )
    }

    /// Gives content of some bytes, and returns its id.
    @discardableResult
    func give(
        _ bytes: Int = 1,
        from sender: String,
        to recipient: String,
        now: Int64 = 0,
        identity: RequestIdentity? = nil
    ) async throws -> Int64 {
        try await store.content.add(
            content(bytes, to: recipient, identity: identity),
            from: try await caller(sender),
            limits: limits.content,
            now: now
        ) { _ in Data(repeating: 0x61, count: bytes) }.id
    }

    /// Whether content is there.
    func holds(_ id: Int64, now: Int64 = 0) async throws -> Bool {
        try await store.content.find(id: id, limits: limits.content, now: now) != nil
    }
}

/// The status with which something is refused; nil when it is not.
func refusal(_ body: () async throws -> Void) async -> Int? {
    do {
        try await body()
        return nil
    } catch let refusal as BackendRefusal {
        return refusal.status
    } catch {
        return 0
    }
}
