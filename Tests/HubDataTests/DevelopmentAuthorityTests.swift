import Foundation
import HubTestSupport
import Testing

@testable import HubData

@Suite("The development authority")
struct DevelopmentAuthorityTests {
    private static let names = ["push.example.net", "192.0.2.7", "2001:db8::5"]

    @Test("signs a certificate for localhost and the names given, as openssl sees it")
    func verified() throws {
        let place = TemporaryFolder()
        let files = try DevelopmentAuthority.files(
            in: try DataFolder(path: place.path),
            names: Self.names
        )
        for (option, name) in [
            ("-verify_hostname", "localhost"), ("-verify_hostname", "push.example.net"),
            ("-verify_ip", "127.0.0.1"), ("-verify_ip", "::1"), ("-verify_ip", "192.0.2.7"),
            ("-verify_ip", "2001:db8::5"),
        ] {
            let result = try Tool.openssl(
                "verify -x509_strict -purpose sslserver \(option) \(name) -CAfile",
                files.authority,
                files.certificate
            )
            #expect(result.code == 0, "\(name): \(result.text)")
        }
        let stranger = try Tool.openssl(
            "verify -verify_hostname other.example.net -CAfile",
            files.authority,
            files.certificate
        )
        #expect(stranger.code != 0)
        #expect(try place.mode("tls") == 0o700)
        for file in place.everything where file.hasSuffix(".pem") {
            #expect(try place.mode(file) == 0o600, "\(file)")
        }
    }

    @Test("leaves a certificate alone that will do, and renews it for a new name or a wrong key")
    func renewal() throws {
        let place = TemporaryFolder()
        let folder = try DataFolder(path: place.path)
        _ = try DevelopmentAuthority.files(in: folder, names: Self.names)
        let authority = try place.text("tls/ca.pem")
        let first = try place.text("tls/server.pem")
        _ = try DevelopmentAuthority.files(in: folder, names: ["192.0.2.7"])
        #expect(try place.text("tls/server.pem") == first)
        _ = try DevelopmentAuthority.files(in: folder, names: ["new.example.net"])
        let second = try place.text("tls/server.pem")
        #expect(second != first)
        try place.write(try place.text("tls/ca-key.pem"), to: "tls/server-key.pem")
        _ = try DevelopmentAuthority.files(in: folder, names: ["new.example.net"])
        #expect(try place.text("tls/server.pem") != second)
        #expect(try place.text("tls/ca.pem") == authority)
        #expect(
            try Tool.openssl(
                "verify -CAfile",
                place.file("tls/ca.pem"),
                place.file("tls/server.pem")
            ).code == 0
        )
    }

    @Test("renews a certificate in its last month")
    func expiry() throws {
        let place = TemporaryFolder()
        let folder = try DataFolder(path: place.path)
        let files = try DevelopmentAuthority.files(in: folder, names: [])
        // The same names and key, signed by the same authority, for twenty days.
        try place.write(
            "subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1\n",
            to: "extensions"
        )
        let request = try Tool.openssl(
            "req -new -key",
            files.key,
            "-subj",
            "/CN=Belfry",
            "-out",
            place.file("request")
        )
        #expect(request.code == 0, "\(request.text)")
        let signed = try Tool.openssl(
            "x509 -req -in",
            place.file("request"),
            "-CA",
            files.authority,
            "-CAkey",
            place.file("tls/ca-key.pem"),
            "-days",
            "20",
            "-extfile",
            place.file("extensions"),
            "-out",
            files.certificate
        )
        #expect(signed.code == 0, "\(signed.text)")
        let short = try place.text("tls/server.pem")
        _ = try DevelopmentAuthority.files(in: folder, names: [])
        #expect(try place.text("tls/server.pem") != short)
        let later = try Tool.openssl("x509 -checkend \(300 * 86_400) -noout -in", files.certificate)
        #expect(later.code == 0, "\(later.text)")
    }

    @Test("is not replaced behind its clients' backs when its key is lost")
    func lostKey() throws {
        let place = TemporaryFolder()
        let folder = try DataFolder(path: place.path)
        _ = try DevelopmentAuthority.files(in: folder, names: [])
        try FileManager.default.removeItem(atPath: place.file("tls/ca-key.pem"))
        // Nothing has to be signed.
        _ = try DevelopmentAuthority.files(in: folder, names: [])
        let error = try #require(throws: ServerError.self) {
            _ = try DevelopmentAuthority.files(in: folder, names: ["new.example.net"])
        }
        #expect("\(error)".contains("ca-key.pem is missing"))
    }
}
