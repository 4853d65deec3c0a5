import Foundation
import Testing

@testable import AppBackend

@Suite("Content that the backend keeps")
struct ContentStoreTests {
    @Test("of one sender for one user the oldest goes, at the limit of pieces and of bytes")
    func pair() async throws {
        let it = try TemporaryStore { limits in
            limits.content.perPairMax = 2
            limits.content.bytesPerPairMax = 10
        }
        let first = try await it.give(4, from: "alice", to: "bob")
        let second = try await it.give(6, from: "alice", to: "bob")
        let other = try await it.give(6, from: "alice", to: "carol")
        #expect(try await it.holds(first))
        let third = try await it.give(1, from: "alice", to: "bob")
        #expect(try await !it.holds(first), "three pieces are one too many")
        #expect(try await it.holds(second))
        let fourth = try await it.give(10, from: "alice", to: "bob")
        #expect(try await !it.holds(second))
        #expect(try await !it.holds(third), "eleven bytes are one too many")
        #expect(try await it.holds(fourth))
        #expect(try await it.holds(other))
        #expect(await refusal { try await it.give(11, from: "alice", to: "bob") } == 413)
        #expect(try await it.holds(fourth), "what was refused has removed nothing")
    }

    @Test("nobody's unread content goes for somebody else's; what is read does, and one's own")
    func fairness() async throws {
        let it = try TemporaryStore { $0.content.perUserMax = 3 }
        let unread = try await it.give(from: "alice", to: "bob")
        let read = try await it.give(from: "alice", to: "bob")
        try await it.store.content.markRead(id: read)
        let own = try await it.give(from: "carol", to: "bob")
        let next = try await it.give(from: "carol", to: "bob")
        #expect(try await it.holds(unread))
        #expect(try await !it.holds(read), "what was read made room")
        #expect(try await it.holds(own))
        let last = try await it.give(from: "carol", to: "bob")
        #expect(try await !it.holds(own), "then the sender's own")
        for id in [unread, next, last] { #expect(try await it.holds(id)) }
        #expect(await refusal { try await it.give(from: "bob", to: "bob") } == 507)
    }

    @Test("a sender gives so many pieces and bytes in a day, and begins anew on the next")
    func day() async throws {
        let it = try TemporaryStore { limits in
            limits.content.perDayMax = 2
            limits.content.bytesPerDayMax = 10
        }
        let day: Int64 = 86_400
        try await it.give(4, from: "alice", to: "bob", now: 0)
        #expect(await refusal { try await it.give(7, from: "alice", to: "bob", now: 1) } == 429)
        try await it.give(6, from: "alice", to: "carol", now: 1)
        #expect(
            await refusal { try await it.give(0, from: "alice", to: "bob", now: day - 1) } == 429
        )
        try await it.give(10, from: "bob", to: "alice", now: day - 1)
        try await it.give(10, from: "alice", to: "bob", now: day)
    }

    @Test("all content together has a limit, and removing some of it makes room")
    func whole() async throws {
        let it = try TemporaryStore { $0.content.bytesMax = 10 }
        let first = try await it.give(9, from: "alice", to: "bob")
        try await it.give(1, from: "bob", to: "alice")
        #expect(await refusal { try await it.give(1, from: "carol", to: "carol") } == 507)
        try await it.store.content.remove(id: first)
        try await it.give(9, from: "carol", to: "carol")
        let (counted, sum) = try await it.store.content.bytes()
        #expect(counted == 10 && sum == 10)
        try it.store.users.remove(UserName("carol"))
        #expect(try await it.store.content.bytes() == (1, 1), "the sum follows a removed user")
    }

    @Test("after its days content is neither served nor kept; on the last of them it is")
    func days() async throws {
        let it = try TemporaryStore { $0.content.daysMax = 2 }
        let id = try await it.give(3, from: "alice", to: "bob", now: 1_000)
        let last: Int64 = 1_000 + 2 * 86_400
        #expect(try await it.holds(id, now: last))
        #expect(try await !it.holds(id, now: last + 1))
        try await it.store.content.purge(limits: it.limits.content, now: last)
        #expect(try await it.store.content.bytes() == (3, 3))
        try await it.store.content.purge(limits: it.limits.content, now: last + 1)
        #expect(try await it.store.content.bytes() == (0, 0))
    }

    @Test("the last id is given, and the one behind it is not")
    func ids() async throws {
        let it = try TemporaryStore { $0.content.idMax = 2 }
        #expect(try await it.give(from: "alice", to: "bob") == 1)
        #expect(try await it.give(from: "alice", to: "bob") == 2)
        #expect(await refusal { try await it.give(from: "alice", to: "bob") } == 507)
        #expect(try await it.store.content.bytes() == (2, 2))
    }

    @Test("a repeated request gets the id that it has; another one under its key is 409")
    func repeats() async throws {
        let it = try TemporaryStore()
        let request = RequestIdentity(key: "k", digest: Data([1]))
        let first = try await it.give(from: "alice", to: "bob", identity: request)
        #expect(try await it.give(from: "alice", to: "bob", identity: request) == first)
        let other = RequestIdentity(key: "k", digest: Data([2]))
        #expect(
            await refusal { try await it.give(from: "alice", to: "bob", identity: other) } == 409
        )
        #expect(try await it.store.content.bytes() == (1, 1))
    }

    @Test("a removed payload is not left in the file's pages")
    func overwritten() async throws {
        let it = try TemporaryStore { $0.content.daysMax = 1 }
        try await it.give(6_000, from: "alice", to: "bob")
        let mark = Data(repeating: 0x61, count: 1_000)
        let file = URL(fileURLWithPath: it.path + "/backend.sqlite")
        try it.store.checkpoint()
        #expect(try Data(contentsOf: file).range(of: mark) != nil)
        try await it.store.content.purge(limits: it.limits.content, now: 200_000)
        try it.store.checkpoint()
        #expect(try Data(contentsOf: file).range(of: mark) == nil)
    }
}

@Suite("What a held request may still do")
struct CallerTests {
    /// Each of the writes of a request.
    private static let writes: [(String, @Sendable (TemporaryStore, Caller) async throws -> Void)] =
        [
            (
                "a login",
                { it, caller in
                    try await it.store.sessions.add(
                        accessToken: Data([9]),
                        of: caller,
                        limits: it.limits.users,
                        now: 1
                    )
                }
            ),
            (
                "a registration",
                { it, caller in
                    let owned = OwnedRegistration(id: "1-1-1", user: caller.user, handle: nil)
                    _ = try await it.store.registrations.keep(
                        owned,
                        platform: "apns",
                        for: caller,
                        limits: it.limits,
                        now: 1
                    )
                }
            ),
            (
                "content",
                { it, caller in
                    let content = NewContent(
                        recipient: caller.user,
                        isSecure: false,
                        message: "",
                        richType: "coupon",
                        mediaType: "text/plain",
                        etag: "",
                        bytes: 1
                    )
                    _ = try await it.store.content.add(
                        content,
                        from: caller,
                        limits: it.limits.content,
                        now: 1
                    ) { _ in Data([1]) }
                }
            ),
            ("a text", { it, caller in try await it.store.sessions.requireLogin(caller, now: 1) }),
        ]

    @Test("nothing after a logout, a new password, a removal, or the end of its access token")
    func ends() async throws {
        for (name, write) in Self.writes {
            for end in 0..<5 {
                let it = try TemporaryStore()
                let user = try UserName("alice")
                var caller = try await it.caller("alice")
                if end == 4 {
                    it.limits.users.accessTokenSeconds = 1
                    let hash = Data([1])
                    try await it.store.sessions.add(
                        accessToken: hash,
                        of: caller,
                        limits: it.limits.users,
                        now: 0
                    )
                    caller = try #require(
                        try await it.store.sessions.caller(accessToken: hash, now: 0)
                    )
                }
                switch end {
                case 0: break
                case 1: _ = try await it.store.users.logOut(try await it.caller("alice"), now: 0)
                case 2:
                    let hash = try PasswordHash([1, 2, 3], cost: TemporaryStore.cost)
                    try it.store.users.setPassword(of: user, hash)
                case 3:
                    try it.store.users.remove(user)
                    try await it.store.deletions.finish(user: user)
                    try it.add("alice")
                default: break
                }
                let status = await refusal { try await write(it, caller) }
                #expect(status == (end == 0 ? nil : 401), "\(name), end \(end)")
            }
        }
    }

    @Test("a new password notes every registration of the user to be deleted")
    func newPassword() async throws {
        let it = try TemporaryStore()
        let caller = try await it.caller("alice")
        let owned = OwnedRegistration(id: "1-1-1", user: caller.user, handle: "aa")
        #expect(
            try await it.store.registrations.keep(
                owned,
                platform: "apns",
                for: caller,
                limits: it.limits,
                now: 0
            )
        )
        let hash = try PasswordHash([1, 2, 3], cost: TemporaryStore.cost)
        try it.store.users.setPassword(of: caller.user, hash)
        #expect(try await it.store.deletions.pending().registrations == ["1-1-1"])
        #expect(try await it.store.registrations.find(id: "1-1-1") == nil)
    }

    @Test("another user's registration stays theirs, also when somebody else's takes it up")
    func owner() async throws {
        let it = try TemporaryStore()
        let alice = try await it.caller("alice")
        let bob = try await it.caller("bob")
        let owned = OwnedRegistration(id: "1-1-1", user: alice.user, handle: "aa")
        _ = try await it.store.registrations.keep(
            owned,
            platform: "apns",
            for: alice,
            limits: it.limits,
            now: 0
        )
        let taken = OwnedRegistration(id: "1-1-1", user: bob.user, handle: "aa")
        let status = await refusal {
            _ = try await it.store.registrations.keep(
                taken,
                platform: "apns",
                for: bob,
                limits: it.limits,
                now: 0
            )
        }
        #expect(status == 410)
        #expect(try await it.store.users.logOut(alice, now: 0) == ["1-1-1"])
    }

    @Test("reserved ids are forgotten from half of the limit on, written registrations never")
    func reserved() async throws {
        let it = try TemporaryStore { $0.registrations.perUserMax = 4 }
        let alice = try await it.caller("alice")
        func keep(_ number: Int64, _ platform: String?) async throws -> Bool {
            let handle = String(repeating: "ab", count: 32)
            let owned = OwnedRegistration(id: "1-1-\(number)", user: alice.user, handle: handle)
            return try await it.store.registrations.keep(
                owned,
                platform: platform,
                for: alice,
                limits: it.limits,
                now: number
            )
        }
        #expect(try await keep(1, "apns"))
        for number in 2...4 { #expect(try await keep(Int64(number), nil)) }
        #expect(try await !keep(5, nil), "the limit counts reserved ids")
        try await it.store.registrations.forgetReserved(
            of: alice.user,
            limits: it.limits.registrations
        )
        #expect(
            try await it.store.registrations.ids(of: alice.user) == ["1-1-1", "1-1-3", "1-1-4"]
        )
        #expect(try await keep(5, nil))
    }

    @Test("so many access tokens of a user are valid, the oldest ends, each for its seconds")
    func sessions() async throws {
        let it = try TemporaryStore { limits in
            limits.users.accessTokensMax = 2
            limits.users.accessTokenSeconds = 10
        }
        let alice = try await it.caller("alice")
        func isValid(_ number: UInt8, _ now: Int64) async throws -> Bool {
            try await it.store.sessions.caller(accessToken: Data([number]), now: now) != nil
        }
        for number in 1...3 as ClosedRange<UInt8> {
            try await it.store.sessions.add(
                accessToken: Data([number]),
                of: alice,
                limits: it.limits.users,
                now: Int64(number)
            )
            if number == 2 { #expect(try await isValid(1, 3)) }
        }
        #expect(try await !isValid(1, 3))
        #expect(try await isValid(2, 11))
        #expect(try await !isValid(2, 12))
        #expect(try await isValid(3, 12))
    }

    @Test("there are as many users as the limit, and a name is free again when its user is gone")
    func users() throws {
        let it = try TemporaryStore(users: []) { $0.users.countMax = 2 }
        try it.add("alice")
        try it.add("bob")
        #expect(throws: BackendError.tooManyUsers(2)) { try it.add("carol") }
        try it.store.users.remove(UserName("bob"))
        try it.add("carol")
    }
}
