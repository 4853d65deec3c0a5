import Crypto
import Foundation
import HubRelay
import HubVocabulary
import Testing

/// Cases 2, 42, 55 and 59 of the relays' reference, for judges that are not ours: writes what
/// `Tests/Outside/Interop/relay_samples.py` verifies with packages of PyPI.
@Suite("Samples for other judges")
struct SampleFileTests {
    static let path = ProcessInfo.processInfo.environment["HUB_RELAY_SAMPLES"]

    struct File: Codable {
        var apple: [String: Value]
        var firebase: [String: Value]
        var browser: [String: Value]
        var messages: [[String: String]]
        var requests: [String: Sent]
    }

    /// A request in the form of a fake's journal.
    struct Sent: Codable {
        var path: String
        var headers: [String: String]
        var text: String

        init(_ request: RelayRequest) {
            path = request.path
            headers = Dictionary(uniqueKeysWithValues: request.headers.map { ($0.name, $0.value) })
            headers["authorization"] = request["authorization"]
                .map { String($0.prefix { $0 != " " }) }
            text = String(decoding: request.body, as: UTF8.self)
        }
    }

    enum Value: Codable {
        case text(String)
        case number(Int)

        init(from decoder: any Decoder) throws {
            self = .text(try decoder.singleValueContainer().decode(String.self))
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .number(let number): try container.encode(number)
            }
        }
    }

    @Test(
        "55: tokens and a thousand encrypted messages are written for packages that verify them",
        .enabled(
            if: SampleFileTests.path != nil,
            "HUB_RELAY_SAMPLES names no file; `make relay-samples` sets it"
        )
    )
    func write() throws {
        let seconds = Value.number(Int(Samples.time.milliseconds / 1_000))
        var source = BrowserTokenSource(Samples.browserCredential())
        let origin = "https://push.example.org:8443"
        let form = FirebaseToken.request(Samples.firebaseCredential(), now: Samples.time).body
        let file = File(
            apple: [
                "token": .text(JSONWebToken.apple(Samples.appleSigner(), now: Samples.time)),
                "key": .text(KeyText.pem(Array(Samples.appleKey.derRepresentation))),
                "time": seconds,
            ],
            firebase: [
                "form": .text(String(decoding: form, as: UTF8.self)),
                "key": .text(Samples.googlePEM), "time": seconds,
            ],
            browser: [
                "authorization": .text(source.authorization(origin: origin, now: Samples.time)),
                "origin": .text(origin), "public": .text(Samples.browserPublic), "time": seconds,
            ],
            messages: try messages(),
            requests: try requests()
        )
        let path = try #require(Self.path)
        try JSONEncoder().encode(file).write(to: URL(fileURLWithPath: path))
    }

    /// The notification that `relay_requests.py` sends with other libraries.
    private func requests() throws -> [String: Sent] {
        let alert = Samples.notification(Array(#"{"aps":{"alert":"hello"}}"#.utf8))
        let apple = try AppleService.form(
            alert,
            credential: Samples.appleCredential(),
            authorization: "token"
        ).request(to: String(repeating: "00", count: 32), alert.identifier)
        let message = #"{"message":{"data":{"a":"b"},"notification":{"title":"hello"}}}"#
        let firebase = try FirebaseService.form(
            Samples.notification(Array(message.utf8)),
            credential: Samples.firebaseCredential(),
            accessToken: RelaySecret("token"),
            now: Samples.time
        ).request(to: .firebaseToken("cAbc:APA91b-token"))
        var source = BrowserTokenSource(Samples.browserCredential())
        let address = try ServiceAddress(
            Array("https://push.services.mozilla.com/push/anna".utf8),
            hosts: ServiceHosts.browser
        )
        let key = try #require(
            SubscriberKey(Array(Samples.browserKey.publicKey.x963Representation))
        )
        var draw = WebPushEncryption.Draw(
            key: Array(P256.KeyAgreement.PrivateKey().rawRepresentation),
            salt: Array(repeating: 9, count: 16)
        )
        let browser = try BrowserService.form(
            Samples.notification(Array("hello".utf8)),
            to: address,
            authorization: source.authorization(origin: address.origin, now: Samples.time),
            now: Samples.time
        ).request(
            to: address,
            key: key,
            secret: Array(repeating: 7, count: 16),
            draw: &draw
        )
        let windows = try WindowsService.request(
            Samples.notification(
                Array("<toast/>".utf8),
                headers: [("x-wns-type", "wns/toast")]
            ),
            to: ServiceAddress(
                Array("https://db5p.notify.windows.com/?token=a".utf8),
                hosts: ServiceHosts.windows
            ),
            accessToken: RelaySecret("token"),
            now: Samples.time
        )
        return [
            "apns": Sent(apple), "fcm": Sent(firebase), "webpush": Sent(browser),
            "wns": Sent(windows),
            "wnsToken": Sent(WindowsToken.request(Samples.windowsCredential())),
        ]
    }

    private func messages() throws -> [[String: String]] {
        var random = SeededRandom(seed: 291)
        return try (0..<1_000).map { index in
            let subscriber = P256.KeyAgreement.PrivateKey()
            let secret = bytes(16, &random)
            let text = bytes(index == 0 ? 3_993 : index % 700, &random)
            let key = try #require(SubscriberKey(Array(subscriber.publicKey.x963Representation)))
            var draw = WebPushEncryption.Draw(
                key: Array(P256.KeyAgreement.PrivateKey().rawRepresentation),
                salt: bytes(16, &random)
            )
            let encrypted = WebPushEncryption.encrypt(text, to: key, secret: secret, draw: &draw)
            let body = try #require(encrypted)
            return [
                "private": Base64URL.encode(Array(subscriber.rawRepresentation)),
                "secret": Base64URL.encode(secret), "text": Base64URL.encode(text),
                "body": Base64URL.encode(body),
            ]
        }
    }

    private func bytes(_ count: Int, _ random: inout SeededRandom) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
}
