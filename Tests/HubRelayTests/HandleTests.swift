import Crypto
import HubRelay
import HubVocabulary
import Testing

/// Cases 39, 51, 58, 81–83 and 101–103 of the relays' reference.
@Suite("Handles")
struct HandleTests {
    static let device = DeviceID(high: 5, low: 6)
    static let judge = HandleJudge(
        hub: Samples.hub,
        others: [HandleJudge.Hub(name: Samples.name("other"), secret: Samples.secret(2))]
    )

    static func handle(
        hub: String = "news",
        secret: UInt8 = 1,
        generation: UInt32 = 0
    ) -> [UInt8] {
        PushHandle(
            device: device,
            hub: Samples.name(hub),
            secret: Samples.secret(secret),
            generation: generation
        ).text
    }

    static func verdict(
        _ handle: [UInt8],
        credential: CredentialKind? = .apns,
        present: UInt32? = 0
    ) -> HandleVerdict {
        var judge = judge
        return judge.verdict(
            handle,
            platform: .apple,
            credential: credential,
            generation: { $0 == device ? present : nil }
        )
    }

    @Test(
        "81–83: a handle that Belfry made never counts as foreign, of whatever hub and generation"
    )
    func ours() {
        #expect(Self.verdict(Self.handle()) == .ours)
        #expect(Self.verdict(ASCII.lower(Self.handle())) == .ours)
        #expect(Self.verdict(Self.handle(generation: 3), present: 3) == .ours)
        for generation in 0...16 as ClosedRange<UInt32> {
            let present: UInt32 = 17
            let old = Self.handle(generation: generation)
            #expect(Self.verdict(old, present: present) == .oursButDead)
            #expect(Self.verdict(old, present: nil) == .oursButDead)
            let other = Self.handle(hub: "other", secret: 2, generation: generation)
            #expect(Self.verdict(other) == .oursButDead)
        }
        let channel = Array("https://evil.example/x/".utf8) + Self.handle(generation: 1)
        var judge = Self.judge
        let verdict = judge.verdict(
            channel,
            platform: .windows,
            credential: .wns,
            generation: { _ in nil }
        )
        #expect(verdict == .oursButDead)
    }

    @Test("handles of hubs with names of any length are known", arguments: [1, 18, 19, 27, 28, 64])
    func longNames(length: Int) {
        let name = String(repeating: "n", count: length)
        let hub = HandleJudge.Hub(name: Samples.name(name), secret: Samples.secret(4))
        var judge = HandleJudge(hub: Samples.hub, others: [hub])
        for generation in [0, 1, 16] as [UInt32] {
            let made = Self.handle(hub: name, secret: 4, generation: generation)
            func verdict(_ handle: [UInt8]) -> HandleVerdict {
                judge.verdict(
                    handle,
                    platform: .apple,
                    credential: .apns,
                    generation: { _ in nil }
                )
            }
            #expect(verdict(made) == .oursButDead)
            var other = made
            other[63] = made[63] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
            #expect(verdict(other) != .oursButDead)
        }
    }

    @Test("a token of the same form is foreign; without a credential it stays what it was")
    func foreign() {
        let token = Array(String(repeating: "Ab", count: 32).utf8)
        #expect(
            Self.verdict(token) == .foreign(.apple(String(repeating: "ab", count: 32)))
        )
        #expect(Self.verdict(token, credential: nil) == .noCredential)
        #expect(Self.verdict(token, credential: .fcmV1) == .noCredential)
        var judge = Self.judge
        #expect(
            judge.verdict(token, platform: .adm, credential: .adm, generation: { _ in nil })
                == .noCredential
        )
        // Made with a secret that no hub of the namespace has.
        #expect(Self.verdict(Self.handle(secret: 3)) != .ours)
        guard case .unusable(let unusable) = Self.verdict(Array("xyz".utf8)) else {
            Issue.record("usable")
            return
        }
        #expect(unusable.field == "DeviceToken")
    }

    @Test("39: an Apple token may have any length", arguments: [31, 32, 40, 100])
    func lengths(bytes: Int) throws {
        let token = String(repeating: "C4", count: bytes)
        let handle = try ForeignHandle(Array(token.utf8), platform: .apple)
        #expect(handle == .apple(token.lowercased()))
    }

    @Test("51: an installation id and a registration token are told apart")
    func firebase() throws {
        func read(_ text: String) throws -> ForeignHandle {
            try ForeignHandle(Array(text.utf8), platform: .fcmV1)
        }
        let installation = "cAbCdEfGhIjKlMnOpQrS-_"
        #expect(try read(installation) == .firebaseInstallation(installation))
        let token = installation + ":APA91bX"
        #expect(try read(token) == .firebaseToken(token))
        #expect(
            try read("a" + installation.dropFirst())
                == .firebaseToken("a" + installation.dropFirst())
        )
        #expect(throws: ForeignHandle.Unusable.self) { try read("two words") }
    }

    @Test("58: a subscription whose key is off the curve or whose secret is short is refused")
    func subscriptions() throws {
        let endpoint = Array("https://updates.push.services.mozilla.com/wpush/v2/abc".utf8)
        let point = Array(P256.KeyAgreement.PrivateKey().publicKey.x963Representation)
        func field(_ key: [UInt8], _ secret: [UInt8]) -> String? {
            do throws(ForeignHandle.Unusable) {
                let keys = ForeignHandle.SubscriptionKeys(
                    publicKey: Array(Base64URL.encode(key).utf8),
                    secret: Array(Base64.encode(secret).utf8)
                )
                _ = try ForeignHandle(endpoint, platform: .browser, keys: keys)
                return nil
            } catch { return error.field }
        }
        let secret = Array(repeating: UInt8(3), count: 16)
        #expect(field(point, secret) == nil)
        #expect(field([4] + Array(repeating: 7, count: 64), secret) == "P256DH")
        #expect(field(Array(point.dropLast()), secret) == "P256DH")
        #expect(field(point, Array(secret.dropLast())) == "Auth")
    }

    @Test(
        "101: an address of another host, port, scheme or form is refused",
        arguments: [
            "https://notify.windows.com.evil.example/", "https://x@db5.notify.windows.com/",
            "https://db5.notify.windows.com:8443/", "http://db5.notify.windows.com/",
            "https://127.0.0.1/", "https://[::1]/", "https://2130706433/", "https://0x7f.1/",
            "https://xn--notify-1.windows.com/", "https://notify.windows.com./",
            "https://notify%2ewindows.com/", "https://evilnotify.windows.com.x/", "https://",
            "https://notify.windows.com#@evil.example/",
            "https://notify.windows.com\\@evil.example/",
            "https://evil.example\\.notify.windows.com/", "https://noti\u{66}y.windows.com:0443x/",
            "https://nötify.windows.com/", "https://fakenotify.windows.com/",
        ]
    )
    func addresses(address: String) {
        #expect(throws: ServiceAddress.Problem.self) {
            try ServiceAddress(Array(address.utf8), hosts: ServiceHosts.windows)
        }
    }

    @Test("an address of the service keeps its path and query")
    func addressParts() throws {
        let text = "HTTPS://DB5.notify.windows.com:443/?token=AwY%3d"
        let address = try ServiceAddress(Array(text.utf8), hosts: ServiceHosts.windows)
        #expect(address.host == "db5.notify.windows.com" && address.path == "/?token=AwY%3d")
        #expect(address.origin == "https://db5.notify.windows.com")
        let own = try ServiceAddress(
            Array("https://push.example.org:8443/up".utf8),
            hosts: ["push.example.org:8443"]
        )
        #expect(own.origin == "https://push.example.org:8443" && own.port == 8_443)
        let long = "https://notify.windows.com/" + String(repeating: "a", count: 2_022)
        #expect(throws: ServiceAddress.Problem.tooLong) {
            try ServiceAddress(Array(long.utf8), hosts: ServiceHosts.windows)
        }
        #expect(throws: Never.self) {
            try ServiceAddress(Array(long.utf8.dropLast()), hosts: ServiceHosts.windows)
        }
    }

    static let privateAddresses: [[UInt8]] = [
        [127, 0, 0, 1], [10, 1, 2, 3], [169, 254, 169, 254], [100, 64, 0, 1], [172, 31, 0, 1],
        [192, 168, 0, 1], [0, 0, 0, 0], [224, 0, 0, 1], [255, 255, 255, 255], [198, 19, 0, 1],
        v6([0, 0, 0, 0, 0, 0, 0, 1]), v6([0, 0, 0, 0, 0, 0, 0, 0]),
        v6([0xFC00, 0, 0, 0, 0, 0, 0, 1]),
        v6([0xFE80, 0, 0, 0, 0, 0, 0, 1]), v6([0, 0, 0, 0, 0, 0xFFFF, 0x7F00, 1]),
        v6([0x64, 0xFF9B, 0, 0, 0, 0, 0x0A00, 1]), v6([0x2002, 0x0A00, 1, 0, 0, 0, 0, 1]),
        v6([0xFF02, 0, 0, 0, 0, 0, 0, 1]), v6([0x2001, 0xDB8, 0, 0, 0, 0, 0, 1]),
        v6([0x64, 0xFF9B, 1, 0, 0, 0, 0, 1]), v6([0, 0, 0, 0, 0, 0, 0x0102, 0x0304]), [],
        [1, 2, 3],
    ]

    static func v6(_ groups: [UInt16]) -> [UInt8] {
        groups.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }

    @Test(
        "102, 103: an address that is not of the public internet is told",
        arguments: privateAddresses
    )
    func privateAddress(bytes: [UInt8]) { #expect(!PublicAddress.isPublic(bytes)) }

    @Test(
        "addresses of the public internet pass",
        arguments: [
            [8, 8, 8, 8], [17, 188, 1, 1], [172, 32, 0, 1], [100, 63, 0, 1], [192, 0, 1, 1],
            v6([0x2A00, 0x1450, 0, 0, 0, 0, 0, 1]), v6([0, 0, 0, 0, 0, 0xFFFF, 0x0808, 0x0808]),
            v6([0x64, 0xFF9B, 0, 0, 0, 0, 0x0808, 0x0808]), v6([0x2620, 0x149, 0, 0, 0, 0, 0, 1]),
        ]
    )
    func publicAddress(bytes: [UInt8]) { #expect(PublicAddress.isPublic(bytes)) }
}
