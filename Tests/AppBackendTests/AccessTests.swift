import Testing

@testable import AppBackend

@Suite("Access to the app backend")
struct AccessTests {
    private static let cost = PasswordCost(logRounds: 4, blockSize: 8, parallelism: 1)

    @Test("a hash accepts its password alone, has a salt of its own, and says its cost")
    func hashes() throws {
        let password = Array("correct horse".utf8)
        let hash = try PasswordHash(password, cost: Self.cost)
        #expect(hash.text.hasPrefix("scrypt$4$8$1$"))
        #expect(hash.accepts(password))
        for other in ["", "correct horsf", "correct horse ", "Correct horse"] {
            #expect(!hash.accepts(Array(other.utf8)), "\(other)")
        }
        #expect(try PasswordHash(password, cost: Self.cost) != hash)
        for text in [
            "", "scrypt", "scrypt$99$8$1$AAAA$AAAA", "md5$4$8$1$AAAA$AAAA", hash.text + "$",
        ] {
            #expect(!PasswordHash(stored: text).accepts(password), "\(text)")
        }
    }

    @Test("a hash of the standard cost takes 16 MB five times, and accepts its password")
    func standardCost() throws {
        let password = Array("correct horse".utf8)
        let hash = try PasswordHash(password, cost: BackendLimits.standard.users.passwordCost)
        #expect(hash.text.hasPrefix("scrypt$14$8$5$"))
        #expect(hash.accepts(password))
    }

    @Test(
        "names are letters, digits and a few signs, at most 64 bytes, in lower case",
        arguments: [
            ("Alice", "alice"), ("a.b@c#d_e-f9", "a.b@c#d_e-f9"),
            (String(repeating: "a", count: 64), String(repeating: "a", count: 64)),
            (String(repeating: "a", count: 65), nil), ("", nil), ("a b", nil), ("a:b", nil),
            ("\u{E4}", nil), ("a\n", nil), (String(repeating: "a", count: 10_000), nil),
        ] as [(String, String?)]
    )
    func names(_ text: String, _ expected: String?) {
        #expect((try? UserName(text))?.text == expected)
    }

    @Test("credentials are read as clients write them, split at the first colon")
    func credentials() {
        let password = Array("b:c".utf8)
        #expect(Credentials("Basic YTpiOmM=") == .basic(name: "a", password: password))
        #expect(Credentials("bAsIc  YTpiOmM=") == .basic(name: "a", password: password))
        #expect(Credentials("Bearer abc") == .bearer("abc"))
        for text in ["", "Basic", "Basic YWI=", "Basic !", "Digest a", "Bearer"] {
            #expect(Credentials(text) == nil, "\(text)")
        }
    }

    @Test("failures count by user and by address, up to their limits and for their window")
    func failures() {
        var limits = BackendLimits.standard.failures
        limits.perUserMax = 3
        limits.perAddressMax = 5
        limits.windowSeconds = 100
        let limiter = FailureLimiter(limits)
        func wait(_ address: String, _ user: String, _ now: Int64) -> Int64? {
            limiter.secondsToWait(address: address, user: user, now: now)
        }
        for now in 0..<3 as Range<Int64> {
            #expect(wait("a", "alice", now) == nil)
            limiter.began(address: "a", user: "alice", now: now)
        }
        #expect(wait("a", "alice", 10) == 90)
        #expect(wait("b", "alice", 10) == nil)
        #expect(wait("a", "bob", 10) == nil)
        for _ in 0..<2 { limiter.began(address: "a", user: "bob", now: 10) }
        #expect(wait("a", "carol", 10) == 90)
        #expect(wait("a", "alice", 100) == nil)
        limiter.began(address: "a", user: "alice", now: 100)
        #expect(wait("a", "alice", 100) == nil)
    }

    @Test("no more names and addresses are remembered than the limit")
    func failureEntries() {
        var limits = BackendLimits.standard.failures
        limits.entriesMax = 10
        let limiter = FailureLimiter(limits)
        for number in 0..<100 {
            limiter.began(address: "a", user: "user\(number)", now: 0)
            #expect(limiter.entries == min(number + 2, 10))
        }
    }

    @Test("a right password takes its attempt back, and failures before it are forgotten")
    func takesBack() {
        var limits = BackendLimits.standard.failures
        limits.perUserMax = 2
        limits.perAddressMax = 2
        let limiter = FailureLimiter(limits)
        for _ in 0..<10 {
            limiter.began(address: "a", user: "alice", now: 0)
            limiter.succeeded(address: "a", user: "alice")
            #expect(limiter.secondsToWait(address: "a", user: "alice", now: 0) == nil)
        }
        limiter.began(address: "a", user: "bob", now: 0)
        #expect(limiter.secondsToWait(address: "a", user: "carol", now: 0) == nil)
        limiter.began(address: "a", user: "bob", now: 0)
        #expect(limiter.secondsToWait(address: "a", user: "carol", now: 0) == 300)
    }

    @Test(
        "this machine's own addresses are limited by user alone",
        arguments: ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"]
    )
    func loopback(_ address: String) {
        var limits = BackendLimits.standard.failures
        limits.perUserMax = 2
        limits.perAddressMax = 3
        let limiter = FailureLimiter(limits)
        for number in 0..<10 {
            limiter.began(address: address, user: "user\(number)", now: 0)
            #expect(limiter.secondsToWait(address: address, user: "alice", now: 0) == nil)
        }
        limiter.began(address: address, user: "user1", now: 0)
        #expect(limiter.secondsToWait(address: address, user: "user1", now: 0) == 300)
    }

    @Test("a hash that costs more than the limit accepts no password, at the limit it does")
    func costLimit() throws {
        let password = Array("correct horse".utf8)
        let hash = try PasswordHash(password, cost: Self.cost)
        #expect(hash.accepts(password, logRoundsMax: 4))
        #expect(!hash.accepts(password, logRoundsMax: 3))
        #expect(PasswordHash.logRoundsMax == 20)
    }

    @Test("a lock lets callers of a key in one after another, and others at once")
    func locks() async throws {
        let lock = KeyedLock()
        let order = Order()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask {
                    try await lock.with(["a", "b\(number % 3)"]) {
                        await order.enter()
                        await order.leave()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(await order.most == 1)
        #expect(await order.total == 50)
    }

    private actor Order {
        private var inside = 0
        private(set) var most = 0
        private(set) var total = 0

        func enter() {
            inside += 1
            most = max(most, inside)
            total += 1
        }

        func leave() { inside -= 1 }
    }
}

@Suite("Content of the app backend")
struct MediaTests {
    @Test(
        "a range header is read as HTTP says",
        arguments: [
            ("bytes=0-0", .part(0..<1)), ("bytes=5-", .part(5..<10)), ("bytes=-3", .part(7..<10)),
            ("bytes=-30", .part(0..<10)), ("bytes=2-99", .part(2..<10)),
            ("bytes=10-", .unsatisfiable), ("bytes=-0", .unsatisfiable), ("bytes=3-2", .all),
            ("bytes=", .all), ("bytes=-", .all), ("bytes=a-b", .all), ("bytes=0-1,3-4", .all),
        ] as [(String, ByteRange)]
    )
    func ranges(_ header: String, _ expected: ByteRange) {
        #expect(ByteRange(header, of: 10) == expected)
    }

    @Test("the picture that comes along is a whole PNG, and a cut one is none")
    func sample() {
        let png = SampleImage.png
        #expect(png.count > 100)
        #expect(MediaRules.fault(of: png, mediaType: "image/png") == nil)
        #expect(MediaRules.fault(of: Array(png.dropLast()), mediaType: "image/png") != nil)
        #expect(MediaRules.fault(of: png, mediaType: "image/jpeg") != nil)
        let wave = Array("RIFF".utf8) + [8, 0, 0, 0] + Array("WAVEdata".utf8)
        #expect(MediaRules.fault(of: wave, mediaType: "audio/wav") == nil)
        #expect(MediaRules.fault(of: Array(wave.dropLast()), mediaType: "audio/wav") != nil)
    }
}
