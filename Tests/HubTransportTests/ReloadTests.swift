import HubTransport
import Testing

@Suite("Certificates and keys")
struct ReloadTests {
    @Test("a new certificate serves new connections and leaves open ones alone")
    func reloads() throws {
        let net = try TestNet()
        let client = try net.client()
        try net.server.run { $0.echoes = true }
        let old = try net.open(client)
        let renewed = TestAuthority("Renewed")
        let identity = renewed.issue()
        let tls = try ServerTLS(certificate: identity.certificate, key: identity.key)
        let problem = try net.server.run { handler -> TransportError? in
            do throws(TransportError) {
                try handler.connections.use(tls)
                return .none
            } catch { return error }
        }
        #expect(problem == nil)
        let refused = try net.connect(client)
        let failure = try client.log.wait("refused") { $0.failure(of: refused) }
        guard case .handshake(.certificate, _) = failure else {
            Issue.record("\(failure)")
            return
        }
        let new = try net.connect(client, trusting: renewed.root)
        try client.log.wait("opened") { $0.opened.contains { $0.0 == new } ? () : nil }
        try client.run { handler in
            handler.write([1, 2], to: old.client)
            handler.write([3, 4], to: new)
        }
        try client.log.wait("echoes") { events in
            events.bytes(from: old.client) == [1, 2] && events.bytes(from: new) == [3, 4] ? () : nil
        }
    }

    @Test("files that cannot serve are refused with the reason")
    func refusesFiles() throws {
        let files = try TemporaryDirectory()
        let authority = TestAuthority()
        let good = authority.issue()
        let other = authority.issue()
        let certificate = try files.file("good.pem", good.certificate.bytes)
        let key = try files.file("good.key", good.key.bytes)
        let junk = try files.file("junk.pem", Array("no PEM here\n".utf8))
        let broken = try files.file(
            "broken.pem",
            good.certificate.bytes.prefix(200) + Array("\n".utf8)
        )
        let stranger = try files.file("other.key", other.key.bytes)
        let expired = try files.file("old.pem", authority.issue(days: -3 ... -1).certificate.bytes)
        let early = try files.file("early.pem", authority.issue(days: 1...3).certificate.bytes)
        let huge = try files.file("huge.pem", [UInt8](repeating: 0x20, count: 1_048_577))
        let missing = files.path + "/missing.pem"
        let cases: [(String, String, TransportError?)] = [
            (certificate, key, nil),
            (missing, key, .fileMissing(missing)),
            (certificate, missing, .fileMissing(missing)),
            (files.path, key, .fileUnreadable(files.path, code: 21)),
            (junk, key, .certificateMissing(junk)),
            (broken, key, .certificateMissing(broken)),
            (certificate, junk, .keyMissing(junk)),
            (certificate, certificate, .keyMissing(certificate)),
            (certificate, stranger, .keyMismatch(certificate: certificate, key: stranger)),
            (expired, key, .certificateExpired(expired)),
            (early, key, .certificateNotYetValid(early)),
            (huge, key, .fileTooLarge(huge)),
        ]
        for (certificate, key, expected) in cases {
            var thrown: TransportError?
            do throws(TransportError) {
                _ = try ServerTLS(certificateFile: certificate, keyFile: key)
            } catch { thrown = error }
            #expect(thrown == expected, "\(certificate) \(key)")
            if let thrown { #expect(!thrown.description.contains("BEGIN")) }
        }
    }

    @Test("a key with a pass phrase is named as such, without asking on the terminal")
    func refusesEncryptedKeys() throws {
        let identity = TestAuthority().issue()
        let text = """
            -----BEGIN EC PRIVATE KEY-----
            Proc-Type: 4,ENCRYPTED
            DEK-Info: AES-128-CBC,00112233445566778899AABBCCDDEEFF

            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
            -----END EC PRIVATE KEY-----

            """
        let key = PEMFile(path: "locked.key", bytes: Array(text.utf8))
        var thrown: TransportError?
        do throws(TransportError) {
            _ = try ServerTLS(certificate: identity.certificate, key: key)
        } catch { thrown = error }
        #expect(thrown == .keyEncrypted("locked.key"))
    }

    @Test("an authority file without a certificate is refused")
    func refusesAuthorities() {
        var thrown: TransportError?
        do throws(TransportError) {
            _ = try TLSContext(
                client: ClientTLS(authorities: PEMFile(path: "none.pem", bytes: []))
            )
        } catch { thrown = error }
        #expect(thrown == .authorityMissing("none.pem"))
    }
}
