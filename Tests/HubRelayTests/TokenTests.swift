import Crypto
import CryptoExtras
import HubRelay
import HubTemplates
import HubVocabulary
import Testing

/// Cases 2, 3, 5–7, 42, 59 and 68 of the relays' reference.
@Suite("Tokens")
struct TokenTests {
    struct Parts {
        let signed: [UInt8]
        let header: String
        let claims: String
        let signature: [UInt8]

        init(_ token: String) throws {
            let parts = token.split(separator: ".", omittingEmptySubsequences: false)
            try #require(parts.count == 3)
            signed = Array((parts[0] + "." + parts[1]).utf8)
            func text(_ part: Substring) throws -> [UInt8] {
                try #require(!part.contains("=") && !part.contains("+") && !part.contains("/"))
                return try #require(Base64URL.decode(Array(part.utf8)))
            }
            header = String(decoding: try text(parts[0]), as: UTF8.self)
            claims = String(decoding: try text(parts[1]), as: UTF8.self)
            signature = try text(parts[2])
        }
    }

    static func later(_ minutes: UInt64) -> Timestamp { Samples.time.adding(seconds: minutes * 60) }

    @Test("2: Apple's names key and team, has no end, and is signed by two numbers of 32 bytes")
    func apple() throws {
        let parts = try Parts(JSONWebToken.apple(Samples.appleSigner(), now: Samples.time))
        #expect(parts.header == #"{"alg":"ES256","kid":"ABC1234567"}"#)
        #expect(parts.claims == #"{"iss":"TEAM123456","iat":1800000000}"#)
        #expect(parts.signature.count == 64)
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: parts.signature)
        #expect(Samples.appleKey.publicKey.isValidSignature(signature, for: parts.signed))
    }

    @Test("42: the assertion for Google is RS256, for an hour at most")
    func firebase() throws {
        let request = FirebaseToken.request(Samples.firebaseCredential(), now: Samples.time)
        #expect(request.host == "oauth2.googleapis.com" && request.path == "/token")
        #expect(
            request.headers.contains { $0 == ("content-type", "application/x-www-form-urlencoded") }
        )
        let body = String(decoding: request.body, as: UTF8.self)
        let prefix = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="
        try #require(body.hasPrefix(prefix))
        let parts = try Parts(String(body.dropFirst(prefix.count)))
        #expect(parts.header == #"{"alg":"RS256","typ":"JWT"}"#)
        let claims = try JSONTree(json: Array(parts.claims.utf8).span, depthMax: 2)
        #expect(
            claims.member("iss") == .string(Array("push@demo-project.iam.gserviceaccount.com".utf8))
        )
        #expect(claims.member("aud") == .string(Array("https://oauth2.googleapis.com/token".utf8)))
        #expect(
            claims.member("scope")
                == .string(Array("https://www.googleapis.com/auth/firebase.messaging".utf8))
        )
        #expect(claims.member("iat") == .number(Array("1800000000".utf8)))
        #expect(claims.member("exp") == .number(Array("1800003600".utf8)))
        let signature = _RSA.Signing.RSASignature(rawRepresentation: parts.signature)
        #expect(
            Samples.googleKey.publicKey.isValidSignature(
                signature,
                for: parts.signed,
                padding: .insecurePKCS1v1_5
            )
        )
    }

    @Test("3: Apple's token is replaced after 43 to 47 minutes", arguments: 0..<20 as Range<UInt64>)
    func renewal(seed: UInt64) {
        var source = AppleTokenSource(key: Samples.appleSigner(), seed: seed)
        let first = source.token(now: Samples.time)
        var second = 0 as UInt64
        for minute in 1...61 as ClosedRange<UInt64>
        where second == 0 && source.token(now: Self.later(minute)) != first { second = minute }
        #expect((43...48).contains(second))
    }

    @Test("5: an expired one is renewed at once, but never twice within 20 minutes")
    func expired() {
        var source = AppleTokenSource(key: Samples.appleSigner(), seed: 1)
        func token(_ minute: UInt64) -> String { source.token(now: Self.later(minute)) }
        func renew(_ minute: UInt64) -> Bool { source.renew(now: Self.later(minute)) }
        let first = token(0)
        #expect(!renew(19))
        #expect(token(19) == first)
        #expect(renew(20))
        #expect(token(20) != first)
        #expect(!renew(39))
    }

    @Test("3: a process that begins anew within 20 minutes shows Apple a token of the same time")
    func beginsAnew() throws {
        func issued(_ minute: UInt64) throws -> String {
            var source = AppleTokenSource(key: Samples.appleSigner(), seed: minute)
            return try Parts(source.token(now: Self.later(minute))).claims
        }
        #expect(try issued(0) == issued(19) && issued(0) != issued(20))
        // It is never so old that it would not last for 20 minutes.
        var source = AppleTokenSource(key: Samples.appleSigner(), seed: 1)
        let first = source.token(now: Self.later(19))
        #expect(source.token(now: Self.later(39)) == first)
    }

    @Test("7: hubs with one key share its token; another team's key has its own")
    func shared() {
        var tokens = AppleTokens(seed: 1)
        let first = tokens.token(Samples.appleSigner(), now: Samples.time)
        // Another hub read the same key from its own credential.
        #expect(tokens.token(Samples.appleSigner(), now: Self.later(5)) == first)
        let values = Samples.replacing(Samples.apple, "AppId", "OTHERTEAM1")
        let other = Samples.appleSigner(values)
        #expect(tokens.token(other, now: Samples.time) != first)
        // A renewal for one hub is the renewal of all.
        let isNewer = tokens.renew(Samples.appleSigner(), now: Self.later(21))
        #expect(isNewer)
        let second = tokens.token(Samples.appleSigner(), now: Self.later(21))
        #expect(second != first)
        let isNewest = tokens.renew(Samples.appleSigner(), now: Self.later(22))
        #expect(!isNewest)
        #expect(tokens.token(Samples.appleSigner(), now: Self.later(22)) == second)
    }

    @Test("6: when Apple wants no newer one, the older one serves for 20 minutes")
    func tooMany() {
        var source = AppleTokenSource(key: Samples.appleSigner(), seed: 1)
        func token(_ minute: UInt64) -> String { source.token(now: Self.later(minute)) }
        func renew(_ minute: UInt64) -> Bool { source.renew(now: Self.later(minute)) }
        let first = token(0)
        #expect(renew(30))
        source.keepOlder(now: Self.later(30))
        #expect(token(49) == first)
        #expect(token(50) != first)
    }

    @Test("68: an access token is asked for once, renewed at 80 % of its life and used until then")
    func access() {
        var source = AccessTokenSource()
        func now(_ minute: UInt64) -> Now {
            Now(
                instant: Instant(nanoseconds: minute * 60_000_000_000),
                time: Self.later(minute)
            )
        }
        func asks(_ minute: UInt64) -> Bool { source.asks(now: now(minute)) }
        #expect(asks(0))
        #expect(!asks(0))
        guard case .waiting = source.read(now: Samples.time) else {
            Issue.record("a token from nowhere")
            return
        }
        let text = RelaySecret("abc")
        source.receive(text, lifeSeconds: 3_600, now: Samples.time)
        func token(_ minute: UInt64) -> RelaySecret? {
            guard case .token(let text) = source.read(now: Self.later(minute)) else { return nil }
            return text
        }
        #expect(token(59) == text && token(60) == nil)
        #expect(!asks(47))
        #expect(asks(48))
        #expect(source.fail(.away(retryAfter: nil), now: now(48).instant) == 1)
        #expect(asks(49))
        source.receive(RelaySecret("next"), lifeSeconds: 3_600, now: Self.later(49))
        source.refused(text)
        #expect(token(50) == RelaySecret("next"))
        source.refused(RelaySecret("next"))
        #expect(token(50) == nil)
        #expect(asks(50))
    }

    @Test("59: one Web Push token for an origin in 6 hours; its audience has no path")
    func browser() throws {
        var source = BrowserTokenSource(Samples.browserCredential())
        let origin = "https://push.example.org:8443"
        func text(_ minute: UInt64, _ origin: String) -> String {
            source.authorization(origin: origin, now: Self.later(minute))
        }
        let first = text(0, origin)
        #expect(text(359, origin) == first)
        #expect(text(360, origin) != first)
        #expect(text(0, "https://a.example") != first)
        try #require(first.hasPrefix("vapid t=") && first.hasSuffix(",k=\(Samples.browserPublic)"))
        let token = first.dropFirst(8).prefix { $0 != "," }
        let parts = try Parts(String(token))
        #expect(parts.header == #"{"typ":"JWT","alg":"ES256"}"#)
        #expect(
            parts.claims
                == #"{"aud":"https://push.example.org:8443","exp":1800043200,"sub":"mailto:ops@example.com"}"#
        )
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: parts.signature)
        #expect(Samples.browserKey.publicKey.isValidSignature(signature, for: parts.signed))
        let renewed = text(361, origin)
        source.refused(origin: origin)
        #expect(text(361, origin) != renewed)
    }
}
