import Crypto
import Foundation
import HubRelay
import HubRelayLink
import HubServer
import HubTestSupport
import Logging
import NIOHTTP1
import RelayFakes
import Testing

/// A fake of a push service beside a hub that relays to it over real connections.
struct FakedRelay {
    /// One platform's service, with the words in which its registrations and sends are written.
    struct Service: Sendable, CustomTestStringConvertible {
        let kind: FakeFolder.Kind
        let registration: String
        let format: String
        let outcomes: String
        let body: String
        var headers: [String: String] = [:]
        /// The word of the fake for a handle that is dead, and Azure's.
        let dead: (word: String, outcome: String)

        var testDescription: String { kind.rawValue }

        static let all = [apple, firebase, browser, windows]

        static let apple = Service(
            kind: .apns,
            registration: "Apple",
            format: "apple",
            outcomes: "ApnsOutcomeCounts",
            body: #"{"aps":{"alert":"hello"}}"#,
            dead: ("Unregistered+9000000000000", "ExpiredChannel")
        )

        static let firebase = Service(
            kind: .fcm,
            registration: "FcmV1",
            format: "fcmv1",
            outcomes: "FcmV1OutcomeCounts",
            body: #"{"message":{"notification":{"title":"hello"}}}"#,
            dead: ("UNREGISTERED", "ExpiredChannel")
        )

        static let browser = Service(
            kind: .webpush,
            registration: "Browser",
            format: "browser",
            outcomes: "BrowserOutcomeCounts",
            body: #"{"title":"hello"}"#,
            dead: ("410", "ExpiredChannel")
        )

        static let windows = Service(
            kind: .wns,
            registration: "Windows",
            format: "windows",
            outcomes: "WnsOutcomeCounts",
            body: "<toast><visual/></toast>",
            headers: ["X-WNS-Type": "wns/toast"],
            dead: ("410", "ExpiredChannel")
        )

        static func of(_ kind: FakeFolder.Kind) -> Service {
            switch kind {
            case .apns: apple
            case .fcm: firebase
            case .webpush: browser
            case .wns: windows
            }
        }

        /// The handle that the fake's journal names for a number.
        func handle(_ number: Int) -> String {
            switch kind {
            case .apns: String(repeating: "a\(number)", count: 32)
            case .fcm: "device\(number):APA91bFake"
            case .webpush: "browser\(number)"
            case .wns: "https://db5p.notify.windows.com/?token=channel\(number)"
            }
        }

        /// The members of a registration with that handle.
        func members(_ number: Int) -> String {
            let handle = handle(number)
            switch kind {
            case .apns: return "<DeviceToken>\(handle)</DeviceToken>"
            case .fcm: return "<FcmV1RegistrationId>\(handle)</FcmV1RegistrationId>"
            case .webpush:
                let subscription = BrowserSubscription(name: handle)
                let endpoint = "https://updates.push.services.mozilla.com/push/\(handle)"
                return "<Endpoint>\(endpoint)</Endpoint>"
                    + "<P256DH>\(Base64URL.encode(subscription.publicKey))</P256DH>"
                    + "<Auth>\(Base64URL.encode(subscription.secret))</Auth>"
            case .wns: return "<ChannelUri>\(handle)</ChannelUri>"
            }
        }
    }

    static let hosts = [
        "api.push.apple.com", "fcm.googleapis.com", "oauth2.googleapis.com",
        "updates.push.services.mozilla.com", "login.live.com", "db5p.notify.windows.com",
    ]

    let service: Service
    let journal: FakeJournal
    let admin: RelayOperator
    let files: ScenarioFolder

    /// Messages that the fake has got for a number's handle, the latest last.
    func messages(_ number: Int) -> [FakeJournal.Entry] {
        journal.entries.filter { $0.handle == service.handle(number) }
    }

    /// Requests for access tokens.
    var tokenRequests: Int { journal.entries.count { $0.handle.isEmpty } }

    func register(_ number: Int) async throws -> String {
        try await admin.register(service.registration, service.members(number))
    }

    func send() async throws -> String {
        try await admin.send(service.body, format: service.format, headers: service.headers)
    }

    /// Posts the service's notification without a tag.
    func post(query: String, headers: [String: String] = [:]) async throws -> RESTCaller.Answer {
        var all = [
            "ServiceBusNotification-Format": service.format,
            "Content-Type": service.kind == .wns
                ? "application/xml" : "application/json;charset=utf-8",
        ]
        all.merge(service.headers) { _, new in new }
        all.merge(headers) { _, new in new }
        return try await admin.ask(
            .POST,
            "/messages",
            query: query,
            headers: all,
            body: service.body
        )
    }

    func wait(_ id: String, _ outcome: String, _ count: Int = 1) async throws {
        try await eventually("\(outcome) \(count)") {
            let text = try await admin.ask(.GET, "/messages/\(id)").text
            guard let start = text.firstRange(of: "<\(service.outcomes)>"),
                let end = text.firstRange(of: "</\(service.outcomes)>")
            else { return false }
            return text[start.upperBound..<end.lowerBound]
                .contains("<Name>\(outcome)</Name><Count>\(count)</Count>")
        }
    }

    /// Runs a test with a fake, a hub with its credential, and rules of faults.
    static func run(
        _ service: Service,
        rules: [String] = [],
        logger: Logger = HostedHub.silent,
        configure: @escaping (inout ServerOptions) -> Void = { _ in },
        _ body: (FakedRelay) async throws -> Void
    ) async throws {
        let files = ScenarioFolder()
        let folder = try FakeFolder(files.path + "/fake")
        let shown = try FakeCertificate()
        let authority = try folder.trust(shown)
        var script = FaultScript()
        for rule in rules {
            let isAdded = script.add(rule)
            #expect(isAdded, "\(rule)")
        }
        let journal = FakeJournal(keepsEntries: true)
        let (fake, _) = try folder.service(service.kind, bundle: "com.example.app")
        let server = try await FakeServer.start(fake, shown, script: script, journal: journal)
        let place = CarrierOptions.Place(address: "127.0.0.1", port: server.port)
        let result: Result<Void, any Error>
        do {
            try await HostedHub.run(
                logger: logger,
                configure: { options in
                    options.relay.carrier.trust = .file(authority)
                    for host in hosts { options.relay.carrier.places[host] = place }
                    configure(&options)
                }
            ) { hub in
                let admin = try RelayOperator(hub)
                let set = try await admin.put(try credential(service.kind, files.path + "/fake"))
                #expect(set.status == 200, "\(set.text)")
                try await body(
                    FakedRelay(service: service, journal: journal, admin: admin, files: files)
                )
                await admin.caller.close()
            }
            result = .success(())
        } catch { result = .failure(error) }
        await server.stop()
        try result.get()
    }

    /// The credential that the fake of a folder knows.
    static func credential(_ kind: FakeFolder.Kind, _ folder: String) throws -> String {
        func file(_ name: String) throws -> [UInt8] {
            Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)))
        }
        let properties: CredentialProperties
        switch kind {
        case .apns:
            properties = try CredentialFile.apple(
                try file("AuthKey_FAKEKEY001.p8"),
                fileName: "AuthKey_FAKEKEY001.p8",
                team: FakeFolder.team,
                bundle: "com.example.app"
            )
        case .fcm: properties = try CredentialFile.firebase(try file("service-account.json"))
        case .webpush:
            let pem = P256.Signing.PrivateKey().pemRepresentation
            properties = try CredentialFile.browser(
                Array(pem.utf8),
                subject: "mailto:ops@example.com"
            )
        case .wns:
            properties = try CredentialProperties(
                .wns,
                [
                    ("PackageSid", "ms-app://s-1-15-2-1"),
                    ("SecretKey", String(decoding: try file("wns-secret"), as: UTF8.self)),
                ]
            )
        }
        return RelayOperator.credential(
            properties.kind.rawValue,
            properties.stored.map { ($0.name, String(decoding: $0.value.bytes, as: UTF8.self)) }
        )
    }
}
