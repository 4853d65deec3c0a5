import HubModel
import HubRelay
import HubRelayLink
import HubVocabulary
import RelayFakes
import Testing

/// Cases 40, 41 and 109 of the relays' reference, with bundles that openssl wrote.
@Suite("Certificates for APNs")
struct CertificateTests {
    private static let password = Array("secret".utf8)
    private static let valid = CertificateBundle.valid

    private static func open(_ bundle: [UInt8], _ password: [UInt8]) -> CertificateFacts? {
        ClientCertificate(bundle: bundle, password: password)?.facts
    }

    private static func properties(
        _ bundle: CertificateBundle,
        password: String = "secret"
    ) throws -> CredentialProperties {
        try CredentialProperties(
            .apns,
            [("ApnsCertificate", bundle.base64), ("CertificateKey", password)]
        )
    }

    private static func apple(
        _ bundle: CertificateBundle,
        password: String = "secret"
    ) throws -> AppleCredential {
        let made = try RelayCredential(
            properties(bundle, password: password),
            now: time(valid.lowerBound),
            open: open
        )
        guard case .apple(let apple) = made else { throw OtherCredential() }
        return apple
    }

    private static func time(_ seconds: UInt64) -> Timestamp {
        Timestamp(milliseconds: seconds * 1_000)
    }

    @Test(
        "40: bundles of old Keychains and of today's tools open, and name their app",
        arguments: CertificateBundle.allCases
    )
    func opens(bundle: CertificateBundle) throws {
        let apple = try Self.apple(bundle)
        #expect(apple.topic == "com.example.app")
        let facts = try #require(Self.open(bundle.bytes, Self.password))
        #expect(facts.starts == Self.time(Self.valid.lowerBound))
        #expect(facts.ends == Self.time(Self.valid.upperBound))
        #expect(throws: CredentialProblem.self) { try Self.apple(bundle, password: "other") }
    }

    @Test("80: a bundle's file with its password is a credential; PEM is told what to do")
    func file() throws {
        let properties = try CredentialFile.appleCertificate(
            CertificateBundle.present.bytes,
            password: "secret",
            sandbox: true
        )
        let made = try RelayCredential(
            properties,
            now: Self.time(Self.valid.lowerBound),
            open: Self.open
        )
        guard case .apple(let apple) = made, case .certificate = apple.proof else {
            Issue.record("no certificate")
            return
        }
        #expect(apple.topic == "com.example.app" && apple.environment == .sandbox)
        let pem = Array("-----BEGIN CERTIFICATE-----".utf8)
        let refusal = #expect(throws: CredentialProblem.self) {
            try CredentialFile.appleCertificate(pem, password: "")
        }
        #expect(refusal?.detail.contains("openssl pkcs12 -export") == true)
        let large = [0x30] + [UInt8](repeating: 0, count: CredentialFile.bytesMax)
        #expect(throws: CredentialProblem.self) {
            try CredentialFile.appleCertificate(large, password: "")
        }
    }

    @Test("40: a request with a certificate has no token, and the service reads the app from it")
    func sends() async throws {
        try await FakedService.run(Faked.appleFake()) { faked in
            let bytes = CertificateBundle.present.bytes
            let opened = ClientCertificate(bundle: bytes, password: Self.password)
            let certificate = try #require(opened)
            let carrier = try StreamCarrier(.apple, faked.options, certificate: certificate)
            let notification = try Faked.notification(Array(#"{"aps":{"alert":"hello"}}"#.utf8))
            let request = try AppleService.form(
                notification,
                credential: Self.apple(.present),
                authorization: nil
            ).request(to: Faked.token(1), notification.identifier)
            let answer = try await carrier.send(request, within: Faked.patience)
            #expect(answer.status == 200)
            let entry = try #require(faked.journal.entries.first)
            #expect(entry.request["authorization"] == nil)
            #expect(entry.request.certifiedTopic == "com.example.app")
            #expect(entry.request["apns-topic"] == "com.example.app")
        }
    }

    @Test("41: a certificate of 20 days is told; one that ended or has not begun is refused")
    func dates() throws {
        let hub = try #require(HubSecret(Array(repeating: 1, count: 32)))
        func warnings(_ seconds: UInt64) throws -> [String] {
            try CredentialSet().changed(
                by: [.apns: .set(Self.properties(.legacy))],
                hub: hub,
                now: Self.time(seconds),
                place: LogPlace(epoch: 7, sequence: 1),
                open: Self.open
            ).warnings
        }
        let day: UInt64 = 86_400
        #expect(try warnings(Self.valid.upperBound - 31 * day) == [])
        #expect(
            try warnings(Self.valid.upperBound - 20 * day)
                == ["ApnsCredential the certificate ends in less than 30 days"]
        )
        for second in [Self.valid.lowerBound - 1, Self.valid.upperBound] {
            #expect(throws: CredentialProblem.self) { try warnings(second) }
        }
    }

    @Test(
        "109: a damaged bundle opens as what it was, or not at all",
        arguments: CertificateBundle.allCases
    )
    func damaged(bundle: CertificateBundle) throws {
        let facts = try #require(Self.open(bundle.bytes, Self.password))
        var random = SeededRandom(seed: 5)
        for round in 0..<200 {
            var bytes = bundle.bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: bytes.indices, using: &random)
                bytes[place] = .random(in: 0...255, using: &random)
            }
            if round % 5 == 0 { bytes.removeLast(.random(in: 1...bytes.count, using: &random)) }
            let opened = Self.open(bytes, Self.password)
            #expect(opened == nil || opened == facts, "round \(round)")
        }
    }
}
