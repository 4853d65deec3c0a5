import Foundation
import GRDB
import Testing

@testable import AppBackend

/// Registrations whose PUT is on its way while their user leaves.
@Suite("Registrations of the backend that are being written")
struct WritingTests {
    private static func keep(
        _ id: String,
        of name: String,
        in it: TemporaryStore,
        now: Int64
    ) async throws {
        let owned = OwnedRegistration(id: id, user: try UserName(name), handle: "ab")
        let isKept = try await it.store.registrations.keep(
            owned,
            platform: "apns",
            for: try await it.caller(name),
            limits: it.limits,
            now: now
        )
        #expect(isKept)
    }

    /// What the hub still has to forget, as "ids / users".
    private static func left(_ it: TemporaryStore) async throws -> String {
        let (ids, users) = try await it.store.deletions.pending()
        return ids.joined(separator: " ") + " / " + users.map(\.text).joined(separator: " ")
    }

    /// Everything that is noted of them is deleted at the hub.
    private static func carryOut(_ it: TemporaryStore) async throws {
        let (ids, users) = try await it.store.deletions.pending()
        for id in ids { try await it.store.deletions.finish(registration: id) }
        for user in users { try await it.store.deletions.finish(user: user) }
    }

    @Test("one that comes behind its user's removal is noted for deletion after the answer")
    func answered() async throws {
        let it = try TemporaryStore()
        let owned = OwnedRegistration(id: "1-1-1", user: try UserName("bob"), handle: "ab")
        try await Self.keep("1-1-1", of: "bob", in: it, now: 100)
        #expect(try await it.store.registrations.finishWrite(of: owned))
        try await Self.keep("1-1-1", of: "bob", in: it, now: 100)
        try it.store.users.remove(UserName("bob"))
        try await Self.carryOut(it)
        #expect(try await Self.left(it) == " / ")
        #expect(try await it.store.registrations.finishWrite(of: owned) == false)
        #expect(try await Self.left(it) == "1-1-1 / bob")
        try await Self.carryOut(it)
        try await it.store.registrations.sweepWrites(now: 100)
        #expect(try await Self.left(it) == " / ")
        try it.add("bob")
    }

    @Test(
        "one whose answer is lost is deleted again and again until nothing of it can arrive",
        arguments: [true, false]
    )
    func lost(isRemoved: Bool) async throws {
        let it = try TemporaryStore {
            $0.hub.patienceSeconds = 30
            $0.registrations.lateWriteSeconds = 60
        }
        let bob = try await it.caller("bob")
        try await Self.keep("1-1-1", of: "bob", in: it, now: 100)
        // Its user is there: nothing is to be deleted.
        try await it.store.registrations.sweepWrites(now: 100)
        #expect(try await Self.left(it) == " / ")
        if isRemoved {
            try it.store.users.remove(bob.user)
        } else {
            _ = try await it.store.users.logOut(bob, now: 100)
        }
        for now: Int64 in [100, 101, 189, 190] {
            try await Self.carryOut(it)
            #expect(try await Self.left(it) == " / ")
            if isRemoved {
                // Another user of the name would get what is for it on the old device.
                #expect(throws: BackendError.userExists(name: "bob"), "\(now)") {
                    try it.add("bob")
                }
            }
            #expect(try await HubDeletions(store: it.store).areDue(now: now), "\(now)")
            #expect(try await Self.left(it) == (isRemoved ? "1-1-1 / bob" : "1-1-1 / "), "\(now)")
        }
        try await Self.carryOut(it)
        #expect(try await HubDeletions(store: it.store).areDue(now: 191) == false)
        if isRemoved { try it.add("bob") }
    }

    @Test("the id of one that may still arrive is nobody else's")
    func others() async throws {
        let it = try TemporaryStore()
        try await Self.keep("1-1-1", of: "bob", in: it, now: 100)
        try it.store.users.remove(UserName("bob"))
        #expect(
            await refusal { try await Self.keep("1-1-1", of: "carol", in: it, now: 101) } == 410
        )
        try await it.store.registrations.sweepWrites(now: 100_000)
        try await Self.carryOut(it)
        try await Self.keep("1-1-1", of: "carol", in: it, now: 100_001)
    }

    @Test("a reserved id is not being written")
    func reserved() async throws {
        let it = try TemporaryStore()
        let owned = OwnedRegistration(id: "1-1-1", user: try UserName("bob"), handle: "ab")
        let bob = try await it.caller("bob")
        _ = try await it.store.registrations.keep(
            owned,
            platform: nil,
            for: bob,
            limits: it.limits,
            now: 1
        )
        let count = try await it.store.pool.read { database in
            try Int.fetchOne(database, sql: "SELECT count(*) FROM writing")
        }
        #expect(count == 0)
    }
}

/// What a copied database says of requests that are recognised when they are repeated.
@Suite("Digests of the backend's requests")
struct RequestDigestTests {
    private static func cipher(_ digit: String) throws -> PayloadCipher {
        let key = String(repeating: digit, count: 64)
        return try PayloadCipher(
            file: "/nowhere",
            environment: [PayloadCipher.variable: key],
            isNew: false
        )
    }

    @Test("say nothing without the key, and the same of the same request with it")
    func keyed() throws {
        let request = Array(#"{"kind":"secure","payload":"1234"}"#.utf8)
        let (one, other) = (try Self.cipher("1"), try Self.cipher("2"))
        #expect(one.digest(of: request) == one.digest(of: request))
        #expect(one.digest(of: request) == (try Self.cipher("1")).digest(of: request))
        #expect(one.digest(of: request) != one.digest(of: request + [0x20]))
        #expect(one.digest(of: request) != other.digest(of: request))
        #expect(one.digest(of: Array("belfry backend".utf8)).prefix(16) != one.check)
    }
}
