import Crypto
import CryptoExtras
import HubRelay
import HubVocabulary
import Testing

/// Cases 64 and 71–76 of the relays' reference, as far as no request is in them.
@Suite("Credentials")
struct CredentialTests {
    static let hub = Samples.secret(9)

    static func changed(
        _ set: CredentialSet,
        _ changes: [CredentialKind: CredentialSet.Change],
        confirmsNewKeys: Bool = false
    ) throws(CredentialProblem) -> CredentialSet.Changed {
        try set.changed(
            by: changes,
            hub: hub,
            now: Samples.time,
            place: Samples.place,
            confirmsNewKeys: confirmsNewKeys,
            open: Samples.open
        )
    }

    static func properties(
        _ kind: CredentialKind,
        _ values: [(name: String, value: String)]
    ) throws -> CredentialProperties {
        try CredentialProperties(kind, values)
    }

    /// All four that are relayed to, and one that is not.
    static func full() throws -> CredentialSet {
        try changed(
            CredentialSet(),
            [
                .apns: .set(try properties(.apns, Samples.apple)),
                .fcmV1: .set(try properties(.fcmV1, Samples.firebase)),
                .browser: .set(try properties(.browser, Samples.browser)),
                .wns: .set(try properties(.wns, Samples.windows)),
                .gcm: .set(try properties(.gcm, [("GoogleApiKey", "an old key of Google")])),
            ]
        ).credentials
    }

    @Test("71: each is taken as its tools write it, and the word null counts as absent")
    func forms() throws {
        #expect(
            try Self.full().all.map(\.properties.kind) == [.apns, .wns, .gcm, .fcmV1, .browser]
        )
        let java = Samples.apple + [("ApnsCertificate", "null"), ("CertificateKey", "null")]
        guard case .apple(let apple) = try Samples.credential(.apns, java) else {
            Issue.record("no Apple credential")
            return
        }
        #expect(apple.topic == "com.example.app" && apple.environment == .production)
        let lower = Samples.firebase.map { (name: $0.name.lowercased(), value: $0.value) }
        guard case .firebase(let firebase) = try Samples.credential(.fcmV1, lower) else {
            Issue.record("no Firebase credential")
            return
        }
        #expect(firebase.project == "demo-project")
    }

    @Test(
        "Apple's endpoints name an environment, by exact host",
        arguments: [
            ("gateway.push.apple.com", "production"),
            ("gateway.sandbox.push.apple.com", "sandbox"),
            ("https://api.push.apple.com:443/3/device", "production"),
            ("https://api.development.push.apple.com:443/3/device", "sandbox"),
            ("https://api.sandbox.push.apple.com:443/3/device", "sandbox"),
            ("https://api.push.apple.com.evil.example:443/3/device", ""), ("", "production"),
        ]
    )
    func endpoints(endpoint: String, environment: String) throws {
        let values = Samples.replacing(Samples.apple, "Endpoint", endpoint)
        var thrown: CredentialProblem?
        var found = ""
        do throws(CredentialProblem) {
            if case .apple(let apple) = try Samples.credential(.apns, values) {
                found = apple.environment.rawValue
            }
        } catch { thrown = error }
        #expect(found == environment)
        #expect((thrown == nil) == !environment.isEmpty)
    }

    @Test("72, 73: get, change, put keeps every secret and shows none; an absent one stays")
    func roundTrip() throws {
        let set = try Self.full()
        var changes: [CredentialKind: CredentialSet.Change] = [:]
        for entry in set.all where entry.properties.kind != .fcmV1 {
            let shown = entry.properties.shown(Self.hub)
            changes[entry.properties.kind] = .set(try Self.properties(entry.properties.kind, shown))
        }
        let again = try Self.changed(set, changes).credentials
        #expect(again.all.map(\.properties) == set.all.map(\.properties))
        #expect(again[.fcmV1] != nil)
    }

    @Test("77: no piece of a secret is in anything that is shown")
    func masks() throws {
        let set = try Self.full()
        for entry in set.all {
            let shown = entry.properties.shown(Self.hub).map(\.value).joined(separator: "\n")
            let described = "\(entry)" + String(reflecting: entry)
            for (name, value) in entry.properties.stored {
                let text = String(decoding: value.bytes, as: UTF8.self)
                let isSecret = shown.contains(value.mask(Self.hub))
                #expect(isSecret != shown.contains(text), "\(name)")
                guard isSecret else { continue }
                let forms = [text, Base64.encode(value.bytes), HexText.lowercase(value.bytes)]
                for form in forms {
                    let piece = String(form.dropFirst(2).prefix(16))
                    #expect(!shown.contains(piece) && !described.contains(piece), "\(name)")
                }
            }
        }
        let other = RelaySecret("abc")
        #expect(other.mask(Self.hub) != other.mask(Samples.secret(8)))
        #expect(RelaySecret.isMask(other.mask(Self.hub)) && !RelaySecret.isMask("belfry:kept:1"))
    }

    @Test("74: a mask of an older secret is refused")
    func olderMask() throws {
        let set = try Self.full()
        let old = try #require(set[.wns]).properties.shown(Self.hub)
        let newer = Samples.replacing(Samples.windows, "SecretKey", "another secret")
        let changed = try Self.changed(set, [.wns: .set(try Self.properties(.wns, newer))])
        #expect(throws: CredentialProblem.changedMeanwhile(field: "WnsCredential.SecretKey")) {
            try Self.changed(changed.credentials, [.wns: .set(try Self.properties(.wns, old))])
        }
    }

    static let wrong: [(CredentialKind, [(name: String, value: String)], String)] = [
        (.apns, Samples.apple + [("ApnsCertificate", "AQID")], "ApnsCredential.Token"),
        (.apns, [("AppName", "a")], "ApnsCredential.Token"),
        (.apns, Samples.replacing(Samples.apple, "KeyId", nil), "ApnsCredential.KeyId"),
        (.apns, Samples.replacing(Samples.apple, "AppId", nil), "ApnsCredential.AppId"),
        (.apns, Samples.replacing(Samples.apple, "AppName", ""), "ApnsCredential.AppName"),
        (.apns, Samples.replacing(Samples.apple, "Token", "§"), "ApnsCredential.Token"),
        (
            .apns, Samples.replacing(Samples.apple, "Token", Samples.googlePEM),
            "ApnsCredential.Token"
        ),
        (
            .apns, [("ApnsCertificate", "AQID"), ("CertificateKey", "wrong")],
            "ApnsCredential.CertificateKey"
        ),
        (.apns, [("ApnsCertificate", "§§")], "ApnsCredential.ApnsCertificate"),
        (
            .fcmV1, Samples.replacing(Samples.firebase, "PrivateKey", Samples.appleBody),
            "FcmV1Credential.PrivateKey"
        ),
        (
            .fcmV1, Samples.replacing(Samples.firebase, "ProjectId", "../x"),
            "FcmV1Credential.ProjectId"
        ),
        (
            .fcmV1, Samples.replacing(Samples.firebase, "ClientEmail", "a@b@c"),
            "FcmV1Credential.ClientEmail"
        ),
        (
            .browser, Samples.replacing(Samples.browser, "Subject", "mailto:a@localhost"),
            "BrowserCredential.Subject"
        ),
        (
            .browser,
            Samples.replacing(
                Samples.browser,
                "VapidPublicKey",
                Base64URL.encode([4] + Array(repeating: 1, count: 64))
            ),
            "BrowserCredential.VapidPublicKey"
        ),
        (
            .browser,
            Samples.replacing(
                Samples.browser,
                "VapidPrivateKey",
                Base64URL.encode(Array(P256.Signing.PrivateKey().rawRepresentation))
            ),
            "BrowserCredential.VapidPrivateKey"
        ),
        (
            .wns, Samples.replacing(Samples.windows, "PackageSid", "s-1-15"),
            "WnsCredential.PackageSid"
        ),
        (
            .wns, Samples.windows + [("WindowsLiveEndpoint", "https://evil.example/")],
            "WnsCredential.WindowsLiveEndpoint"
        ),
    ]

    @Test("64, 75: a refusal names the property and shows no value", arguments: wrong)
    func refusals(kind: CredentialKind, values: [(name: String, value: String)], field: String) {
        var thrown: CredentialProblem?
        do throws(CredentialProblem) { _ = try Samples.credential(kind, values) } catch {
            thrown = error
        }
        guard case .invalid(let named, _)? = thrown else {
            Issue.record("\(kind) \(field): \(String(describing: thrown))")
            return
        }
        #expect(named == field)
        for (_, value) in values where value.count > 15 {
            #expect(thrown?.detail.contains(value.prefix(16)) == false)
        }
    }

    @Test(
        "76: an Apple key in armour, with any line breaks, escaped breaks or blanks is one key",
        arguments: ["\n", "\r\n", "\\n", " ", "\\r\\n"]
    )
    func keyForms(separator: String) throws {
        let armoured = KeyText.pem(Array(Samples.appleKey.derRepresentation))
        let bare = armoured.split(separator: "\n").dropFirst().dropLast()
        let der = Array(Samples.appleKey.derRepresentation)
        #expect(KeyText.der(bare.joined(separator: separator)) == der)
        if separator != " " {
            #expect(KeyText.der(armoured.replacing("\n", with: separator)) == der)
        }
    }

    @Test("40, 41: a certificate opens, is judged by its dates, and warns of its end")
    func certificates() throws {
        let values = [(name: "ApnsCertificate", value: "AQID"), ("CertificateKey", "right")]
        guard case .apple(let apple) = try Samples.credential(.apns, values),
            case .certificate = apple.proof
        else {
            Issue.record("no certificate")
            return
        }
        #expect(apple.topic == "com.example.cert")
        let end = RelayCredential.apple(apple).certificateEnd
        #expect(end.map { $0 > Samples.time.adding(seconds: 30 * 86_400) } == true)
        #expect(try Samples.credential(.apns, Samples.apple).certificateEnd == nil)
        for days in [UInt64(41), 40] {
            #expect(throws: CredentialProblem.self) {
                try Samples.credential(
                    .apns,
                    values,
                    now: Samples.time.adding(seconds: days * 86_400)
                )
            }
        }
        func warnings(day: UInt64) throws -> [String] {
            try CredentialSet().changed(
                by: [.apns: .set(try Self.properties(.apns, values))],
                hub: Self.hub,
                now: Samples.time.adding(seconds: day * 86_400),
                place: Samples.place,
                open: Samples.open
            ).warnings
        }
        #expect(try warnings(day: 1) == [])
        #expect(
            try warnings(day: 20)
                == ["ApnsCredential the certificate ends in less than 30 days"]
        )
    }

    @Test("of a service that is not relayed to it is taken, kept and said so; names are judged")
    func warnings() throws {
        let odd = Samples.replacing(Samples.apple, "KeyId", "short") + [("Colour", "red")]
        let changed = try Self.changed(
            CredentialSet(),
            [
                .gcm: .set(try Self.properties(.gcm, [("GoogleApiKey", "k")])),
                .apns: .set(try Self.properties(.apns, odd)),
            ]
        )
        #expect(
            changed.warnings == [
                "ApnsCredential Colour is unknown and was not kept",
                "ApnsCredential KeyId does not have ten letters and digits, as Apple's have",
                "GcmCredential is not used: legacy FCM ended in 2024; set FcmV1Credential",
            ]
        )
        #expect(changed.credentials[.gcm] != nil)
    }

    @Test("85: removed and set again it begins at its new place; a new secret keeps the place")
    func since() throws {
        let set = try Self.full()
        let newer = try Self.properties(
            .wns,
            Samples.replacing(Samples.windows, "SecretKey", "next")
        )
        func change(
            _ set: CredentialSet,
            _ change: CredentialSet.Change
        ) throws -> CredentialSet {
            try set.changed(
                by: [.wns: change],
                hub: Self.hub,
                now: Samples.time,
                place: LogPlace(epoch: 7, sequence: 200),
                open: Samples.open
            ).credentials
        }
        #expect(try change(set, .set(newer))[.wns]?.since == Samples.place)
        let empty = try Self.properties(.wns, [("PackageSid", ""), ("SecretKey", "")])
        for removal in [CredentialSet.Change.remove, .set(empty)] {
            let removed = try change(set, removal)
            #expect(removed[.wns] == nil && removed[.apns] != nil)
            #expect(try change(removed, .set(newer))[.wns]?.since.sequence == 200)
        }
    }

    @Test("another pair of Web Push keys needs a word that confirms it")
    func otherKeys() throws {
        let set = try Self.full()
        let key = P256.Signing.PrivateKey()
        let values: [(name: String, value: String)] = [
            ("Subject", "mailto:ops@example.com"),
            ("VapidPublicKey", Base64.encode(Array(key.publicKey.x963Representation))),
            ("VapidPrivateKey", Base64.encode(Array(key.rawRepresentation))),
        ]
        let change = CredentialSet.Change.set(try Self.properties(.browser, values))
        #expect(throws: CredentialProblem.endsSubscriptions) {
            try Self.changed(set, [.browser: change])
        }
        let confirmed = try Self.changed(set, [.browser: change], confirmsNewKeys: true)
        #expect(confirmed.credentials[.browser]?.credential.identity.hasSuffix("browser") == false)
    }
}
