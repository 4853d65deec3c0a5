import Crypto
import HubTestSupport
import HubVocabulary
import Testing

private func secret(_ fill: UInt8 = 7) throws -> HubSecret {
    try #require(HubSecret([UInt8](repeating: fill, count: 32)))
}

private func hub(_ name: String = "news") throws -> HubName { try #require(HubName(name)) }

private let device = DeviceID(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C_0D0E_0F10)

@Suite("Push handles")
struct PushHandleTests {
    @Test("are the device id and the first half of an HMAC over one documented text")
    func layout() throws {
        let handle = PushHandle(
            device: device,
            hub: try hub("News"),
            secret: try secret(),
            generation: 0x0A0B_0C0D
        )
        var text = Array("handle".utf8)
        text += [0, 4] + Array("news".utf8)
        text += Array(1...16)
        text += [0x0A, 0x0B, 0x0C, 0x0D]
        let code = HMAC<SHA256>.authenticationCode(
            for: text,
            using: SymmetricKey(data: [UInt8](repeating: 7, count: 32))
        )
        #expect(handle.bytes == Array(1...16) + Array(code)[..<16])
        #expect(handle.text.count == 64)
        #expect(String(decoding: handle.text, as: UTF8.self).hasPrefix("0102030405060708090A0B"))
    }

    @Test("lead to their device in either case, and nowhere when anything differs")
    func verification() throws {
        let secret = try secret()
        let handle = PushHandle(device: device, hub: try hub(), secret: secret, generation: 3)
        func found(
            _ text: [UInt8],
            hub name: String = "news",
            secret: HubSecret,
            generation: UInt32 = 3
        ) throws -> DeviceID? {
            PushHandle.device(
                of: text,
                platform: .apple,
                hub: try hub(name),
                secret: secret,
                generation: { $0 == device ? generation : 0 }
            )
        }
        #expect(try found(handle.text, secret: secret) == device)
        let lowerCase = handle.text.map { $0 >= 0x41 && $0 <= 0x46 ? $0 | 0x20 : $0 }
        #expect(try found(lowerCase, secret: secret) == device)
        #expect(try found(handle.text, hub: "other", secret: secret) == nil)
        #expect(try found(handle.text, secret: try self.otherSecret()) == nil)
        #expect(try found(handle.text, secret: secret, generation: 2) == nil)
        #expect(try found(Array(handle.text.dropLast()), secret: secret) == nil)
        #expect(try found(handle.text + [0x30], secret: secret) == nil)
        for place in handle.text.indices {
            var changed = handle.text
            changed[place] = changed[place] == 0x30 ? 0x31 : 0x30
            #expect(try found(changed, secret: secret) == nil, "digit \(place)")
            changed[place] = UInt8(ascii: "G")
            #expect(try found(changed, secret: secret) == nil, "digit \(place)")
        }
    }

    private func otherSecret() throws -> HubSecret { try secret(8) }

    @Test("are found in every platform's form of a handle")
    func forms() throws {
        let secret = try secret()
        let hub = try hub()
        let made = PushHandle(device: device, hub: hub, secret: secret, generation: 0)
        let text = String(decoding: made.text, as: UTF8.self)
        let forms: [(Platform, String)] = [
            (.apple, text), (.gcm, text), (.fcmV1, text), (.adm, text), (.xiaomi, text),
            (.apple, text.lowercased()), (.baidu, "user-\(text)"), (.baidu, "-\(text)"),
            (.baidu, text), (.windows, "https://push.example.net/c/\(text)"),
            (.windows, "https://push.example.net/\(text)/"),
            (.windowsPhone, "https://push.example.net/\(text)?token=x/y#z"),
            (.browser, "https://push.example.net/wpush/v2/\(text)"),
        ]
        for (platform, form) in forms {
            let found = PushHandle.device(
                of: Array(form.utf8),
                platform: platform,
                hub: hub,
                secret: secret,
                generation: { _ in 0 }
            )
            #expect(found == device, "\(platform) \(form)")
        }
        let foreign: [(Platform, String)] = [
            (.apple, "https://push.example.net/\(text)"), (.windows, "https://push.example.net/"),
            (.gcm, "\(text)0"), (.browser, ""), (.baidu, "-"), (.apple, ""),
        ]
        for (platform, form) in foreign {
            #expect(PushHandle.digits(in: Array(form.utf8), platform: platform) == nil, "\(form)")
        }
    }

    @Test("of the id that means none lead nowhere")
    func noDevice() throws {
        let secret = try secret()
        let made = PushHandle(device: .none, hub: try hub(), secret: secret, generation: 0)
        let found = PushHandle.verify(bytes: made.bytes, hub: try hub(), secret: secret) { _ in 0 }
        #expect(found == nil)
    }

    @Test("and keys need a secret of exactly 32 bytes, which is never printed")
    func secrets() throws {
        for count in [0, 16, 31, 33, 64] {
            #expect(HubSecret([UInt8](repeating: 1, count: count)) == nil)
        }
        let secret = try secret()
        #expect("\(secret)" == "HubSecret")
        let key = DeviceKey(device: device, hub: try hub(), secret: secret, generation: 0)
        #expect("\(key)" == "DeviceKey")
    }
}

@Suite("Device keys")
struct DeviceKeyTests {
    private let exporter = [UInt8](repeating: 0x5A, count: 32)
    private let prefix = Array("HELLO up to the auth field".utf8)

    @Test("are HKDF-SHA256 of the hub secret over the documented text")
    func derivation() throws {
        let key = DeviceKey(device: device, hub: try hub(), secret: try secret(), generation: 1)
        var info = Array("device key".utf8)
        info += [0, 4] + Array("news".utf8) + Array(1...16) + [0, 0, 0, 1]
        let extracted = HMAC<SHA256>.authenticationCode(
            for: [UInt8](repeating: 7, count: 32),
            using: SymmetricKey(data: [UInt8](repeating: 0, count: 32))
        )
        let expanded = HMAC<SHA256>.authenticationCode(
            for: info + [1],
            using: SymmetricKey(data: Array(extracted))
        )
        #expect(key.bytes == Array(expanded))
    }

    @Test("differ by device, hub, secret and generation")
    func separation() throws {
        let other = DeviceID(high: device.high, low: device.low ^ 1)
        let keys = [
            DeviceKey(device: device, hub: try hub(), secret: try secret(), generation: 0),
            DeviceKey(device: device, hub: try hub(), secret: try secret(), generation: 1),
            DeviceKey(device: other, hub: try hub(), secret: try secret(), generation: 0),
            DeviceKey(device: device, hub: try hub("new"), secret: try secret(), generation: 0),
            DeviceKey(device: device, hub: try hub(), secret: try secret(9), generation: 0),
        ]
        #expect(Set(keys.map(\.bytes)).count == keys.count)
    }

    @Test("prove a device on the connection whose exporter value was signed, and on no other")
    func proofs() throws {
        let key = DeviceKey(device: device, hub: try hub(), secret: try secret(), generation: 0)
        let proof = key.proof(exporter: exporter, helloPrefix: prefix.span)
        let expected = HMAC<SHA256>.authenticationCode(
            for: Array("BLF1 auth".utf8) + exporter + prefix,
            using: SymmetricKey(data: key.bytes)
        )
        #expect(proof == Array(expected))
        func accepted(
            _ proof: [UInt8],
            _ exporter: [UInt8],
            _ prefix: [UInt8],
            _ key: DeviceKey
        ) -> Bool {
            key.accepts(proof: proof.span, exporter: exporter, helloPrefix: prefix.span)
        }
        #expect(accepted(proof, exporter, prefix, key))
        let other = DeviceKey(device: device, hub: try hub(), secret: try secret(), generation: 1)
        #expect(!accepted(proof, exporter, prefix, other))
        #expect(!accepted(proof, [UInt8](repeating: 0x5B, count: 32), prefix, key))
        #expect(!accepted(proof, exporter, prefix + [0], key))
        #expect(!accepted(Array(proof.dropLast()), exporter, prefix, key))
        #expect(!accepted(proof + [0], exporter, prefix, key))
        #expect(!accepted([], exporter, prefix, key))
        for place in proof.indices {
            var changed = proof
            changed[place] ^= 1
            #expect(!accepted(changed, exporter, prefix, key), "byte \(place)")
        }
    }

    @Test("accept no proof without an exporter value of 32 bytes")
    func exporterLength() throws {
        let key = DeviceKey(device: device, hub: try hub(), secret: try secret(), generation: 0)
        for count in [0, 31, 33] {
            let exporter = [UInt8](repeating: 1, count: count)
            let proof = key.proof(exporter: exporter, helloPrefix: prefix.span)
            let accepted = key.accepts(
                proof: proof.span,
                exporter: exporter,
                helloPrefix: prefix.span
            )
            #expect(!accepted, "\(count)")
        }
    }
}

@Suite("New identifiers")
struct NewIdentifiersTests {
    @Test("of notifications take the clock's time and never go back with it")
    func notificationTimes() {
        var random = SeededGenerator(seed: 1)
        let newest = NotificationID(high: 5_000 << 16 | 0x7000, low: 0x8000 << 48)
        var maker = NotificationIDMaker(after: newest)
        var ids = [newest]
        for now in [4_000, 5_000, 5_000, 9_000, 9_000, 1_000, 0, 9_500] as [UInt64] {
            let id = maker.make(now: Timestamp(milliseconds: now), random: &random)
            #expect(id > ids[ids.count - 1])
            #expect(maker.last == id.time)
            #expect(id.high >> 12 & 0xF == 7, "version")
            #expect(id.low >> 62 == 0b10, "variant")
            ids.append(id)
        }
        let times = ids.dropFirst().map(\.time.milliseconds)
        #expect(times == [5_000, 5_000, 5_000, 9_000, 9_000, 9_000, 9_000, 9_500])
    }

    @Test("of notifications advance the time only when a millisecond's ids are used up")
    func notificationCounter() {
        var random = SeededGenerator(seed: 1)
        var maker = NotificationIDMaker()
        let now = Timestamp(milliseconds: 7)
        let ids = (0..<10_000).map { _ in maker.make(now: now, random: &random) }
        #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
        #expect(ids[2_047].time == now, "half a millisecond's ids are always there")
        #expect((9...11).contains(ids[9_999].time.milliseconds))
    }

    @Test("of notifications stay with the clock at 100,000 a second for ten seconds")
    func notificationRate() {
        var random = SeededGenerator(seed: 1)
        var maker = NotificationIDMaker()
        var ahead: UInt64 = 0
        for sent in 0..<1_000_000 as Range<UInt64> {
            let now = Timestamp(milliseconds: 1_000 + sent / 100)
            let id = maker.make(now: now, random: &random)
            ahead = max(ahead, id.time.milliseconds - now.milliseconds)
        }
        #expect(ahead == 0)
    }

    @Test("of notifications read back from their text")
    func notificationText() {
        let id = NotificationID(high: 0x0190_0000_0000_7ABC, low: 0x8000_0000_0000_00FF)
        #expect(id.text == "0190000000007abc80000000000000ff")
        #expect(NotificationID(text: id.text) == id)
        #expect(NotificationID(text: id.text.uppercased()) == id)
        for wrong in [
            "", "0190000000007abc80000000000000f", id.text + "0", "g" + id.text.dropFirst(),
        ] {
            #expect(NotificationID(text: wrong) == nil, "\(wrong)")
        }
    }

    @Test("of devices are random and never the one that means none")
    func devices() {
        struct Stuck: RandomNumberGenerator {
            var values: [UInt64]
            mutating func next() -> UInt64 { values.removeFirst() }
        }
        var stuck = Stuck(values: [0, 0, 0, 5])
        #expect(DeviceID.make(random: &stuck) == DeviceID(high: 0, low: 5))
        #expect(DeviceID(high: 0, low: 5).bytes == [UInt8](repeating: 0, count: 15) + [5])
    }

    @Test("of devices with a certificate are the start of their public key's SHA-256")
    func certificateDevices() {
        let id = DeviceID(publicKey: Array("abc".utf8))
        #expect(id == DeviceID(high: 0xBA78_16BF_8F01_CFEA, low: 0x4141_40DE_5DAE_2223))
    }

    @Test(
        "of registrations have the service's form and are unguessable",
        arguments: 0..<50 as Range<UInt64>
    )
    func registrations(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let first = RegistrationID.make(random: &random)
        let second = RegistrationID.make(random: &random)
        #expect(first != second)
        #expect(RegistrationID.isWellFormed(first), "seed \(seed)")
        #expect(first.count <= 41)
    }

    @Test(
        "of registrations that clients bring along need three groups of digits",
        arguments: [
            ("123-234-1", true), ("1-1-1", true), ("", false), ("1-1", false), ("1-1-1-1", false),
            ("-1-1", false), ("1--1", false), ("1-1-", false), ("a-1-1", false),
            (String(repeating: "1", count: 60) + "-1-1", true),
            (String(repeating: "1", count: 61) + "-1-1", false),
        ]
    )
    func registrationForms(_ text: String, _ expected: Bool) {
        #expect(RegistrationID.isWellFormed(Array(text.utf8)) == expected)
    }
}
