import Crypto
import HubWire

/// A hub that plays with one client, connection after connection, and remembers what both said.
final class KitHub {
    /// The kit's knowledge of the client.
    struct Memory {
        var identity = ID16(high: 0x0192_F3A0_7C4D_7E1A, low: .random(in: 1 ... .max))
        var key = (0..<32).map { _ in UInt8.random(in: 0 ... .max) }
        /// Whether the client has been given them.
        var isIntroduced = false
        var epoch = UInt64.random(in: 1 ... .max)
        /// Checks of what was sent, by number.
        var checks: [UInt64: UInt32] = [:]
        var sequence: UInt64 = 0
        var acknowledged: UInt64 = 0
        var etag: UInt64 = 0
        var instance: UInt64?
        /// Milliseconds at which the last connection ended.
        var ended = 0
        /// Whether the client stays away until it is woken.
        var isAway = false
    }

    /// The longest delay that WELCOME tells, in milliseconds.
    static let longest = 1_000
    /// Milliseconds that a busy machine may add.
    static let slack = 2_500

    private let listener: KitSocket
    private let identity: (chain: [UInt8], key: [UInt8])
    private let setup: ClientUnderTest
    var memory = Memory()

    init(_ setup: ClientUnderTest) {
        listener = setup.listener
        identity = setup.certificate.identity
        self.setup = setup
    }

    /// Wakes a client that stays away.
    func wake() {
        guard memory.isAway else { return }
        memory.isAway = false
        setup.wake()
    }

    /// Knows the client no longer, whose next identity is another.
    func forgetClient() {
        var fresh = Memory()
        fresh.isAway = memory.isAway
        memory = fresh
    }

    /// Whether a client comes within a time; it is sent away again.
    func comes(within milliseconds: Int) -> Bool { listener.accept(within: milliseconds) != nil }

    /// The client's next connection, up to its HELLO.
    func guest() throws(KitFault) -> Guest {
        let isFirst = !memory.isIntroduced
        let isWoken = memory.isAway
        wake()
        let patience = isFirst || isWoken ? setup.patience : Self.longest + Self.slack
        guard let socket = listener.accept(within: patience) else {
            memory.isAway = true
            if isFirst || isWoken { throw .setup("no client came within \(patience / 1_000) s") }
            throw .broken(
                expected: "the client again within \(Self.longest) ms, as WELCOME said [C-4]",
                came: "no connection in \(patience) ms"
            )
        }
        guard let link = try KitTLS.accept(over: socket, showing: identity) else {
            memory.isAway = false
            throw .broken(
                expected: "TLS 1.3 with ALPN belfry/1, and trust in the kit's certificate [F-1]",
                came: "a handshake that failed"
            )
        }
        let guest = Guest(link, self, change: setup.change)
        try guest.takeHello()
        return guest
    }

    /// The next connection of a client that has seen a WELCOME and said what it wanted at first, up
    /// to its HELLO: so a scenario finds the same client, whatever was played before.
    func introducedGuest() throws(KitFault) -> Guest {
        if !memory.isIntroduced { try introduce() }
        let guest = try guest()
        try guest.check()
        return guest
    }

    /// The client's next connection, behind WELCOME.
    func welcomed(
        _ change: (inout WelcomeFrame) -> Void = { _ in }
    ) throws(KitFault) -> Guest {
        let guest = try introducedGuest()
        guest.welcome(change)
        return guest
    }

    private func introduce() throws(KitFault) {
        let guest = try guest()
        try guest.check()
        guest.welcome()
        try guest.awaitQuiet()
    }
}
