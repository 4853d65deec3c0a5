import COpenSSL
import HubTransport
import Testing

/// A key and a certificate made for one test run.
struct TestIdentity: Sendable {
    let certificate: PEMFile
    let key: PEMFile
    /// DER of the public key information, as OpenSSL writes it.
    let keyDER: [UInt8]
}

/// An authority that issues P-256 certificates for tests.
@safe final class TestAuthority {
    /// The certificate to trust.
    let root: PEMFile
    private let certificate: OpaquePointer
    private let key: OpaquePointer
    private let name: String

    init(_ name: String = "Test CA") {
        self.name = name
        unsafe key = Self.makeKey()
        unsafe certificate = Self.makeCertificate(
            subject: name,
            key: key,
            issuer: name,
            signer: key,
            authority: nil,
            extensions: [(NID_basic_constraints, "critical,CA:TRUE")],
            days: -1...1
        )
        root = PEMFile(path: "ca.pem", bytes: unsafe Self.text(certificate: certificate))
    }

    deinit {
        unsafe X509_free(certificate)
        unsafe EVP_PKEY_free(key)
    }

    /// A certificate for the given subject alternative names, valid over `days` from now.
    func issue(
        names: String = "DNS:localhost,IP:127.0.0.1,IP:::1",
        days: ClosedRange<Int> = -1...1
    ) -> TestIdentity {
        let secret = unsafe Self.makeKey()
        let issued = unsafe Self.makeCertificate(
            subject: "leaf",
            key: secret,
            issuer: name,
            signer: key,
            authority: certificate,
            extensions: [(NID_subject_alt_name, names)],
            days: days
        )
        defer {
            unsafe X509_free(issued)
            unsafe EVP_PKEY_free(secret)
        }
        var der: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_PUBKEY(secret, &der)
        let bytes = unsafe Array(UnsafeBufferPointer(start: der, count: Int(count)))
        unsafe CRYPTO_free(der, "", 0)
        return TestIdentity(
            certificate: PEMFile(
                path: "leaf.pem",
                bytes: unsafe Self.text(certificate: issued)
            ),
            key: PEMFile(path: "leaf.key", bytes: unsafe Self.text(key: secret)),
            keyDER: bytes
        )
    }

    private static func makeKey() -> OpaquePointer {
        let context = unsafe EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        unsafe EVP_PKEY_keygen_init(context)
        unsafe EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1)
        var key: OpaquePointer?
        unsafe EVP_PKEY_keygen(context, &key)
        // OpenSSL makes keys unless it is broken, and then no test of this target means anything.
        guard let key = unsafe key else { fatalError("no key") }
        return unsafe key
    }

    private static func makeCertificate(
        subject: String,
        key: OpaquePointer,
        issuer: String,
        signer: OpaquePointer,
        authority: OpaquePointer?,
        extensions: [(Int32, String)],
        days: ClosedRange<Int>
    ) -> OpaquePointer {
        // Only without memory is there none.
        guard let made = unsafe X509_new() else { fatalError("no certificate") }
        unsafe X509_set_version(made, 2)
        unsafe ASN1_INTEGER_set(X509_get_serialNumber(made), Int.random(in: 1...1 << 40))
        unsafe X509_gmtime_adj(X509_getm_notBefore(made), days.lowerBound * 86_400)
        unsafe X509_gmtime_adj(X509_getm_notAfter(made), days.upperBound * 86_400)
        unsafe name(X509_get_subject_name(made), subject)
        unsafe name(X509_get_issuer_name(made), issuer)
        unsafe X509_set_pubkey(made, key)
        var context = unsafe X509V3_CTX()
        unsafe X509V3_set_ctx(&context, authority ?? made, made, nil, nil, 0)
        for (kind, value) in extensions {
            let part = unsafe X509V3_EXT_conf_nid(nil, &context, kind, value)
            unsafe X509_add_ext(made, part, -1)
            unsafe X509_EXTENSION_free(part)
        }
        unsafe X509_sign(made, signer, EVP_sha256())
        return unsafe made
    }

    private static func name(_ entry: OpaquePointer?, _ text: String) {
        let bytes = Array(text.utf8)
        unsafe X509_NAME_add_entry_by_NID(
            entry,
            NID_commonName,
            0x1001,
            bytes,
            Int32(bytes.count),
            -1,
            0
        )
    }

    private static func text(certificate: OpaquePointer) -> [UInt8] {
        unsafe text { unsafe PEM_write_bio_X509($0, certificate) }
    }

    private static func text(key: OpaquePointer) -> [UInt8] {
        unsafe text { unsafe PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) }
    }

    private static func text(_ write: (OpaquePointer?) -> Int32) -> [UInt8] {
        let memory = unsafe BIO_new(BIO_s_mem())
        defer { unsafe BIO_free(memory) }
        let written = unsafe write(memory)
        precondition(written == 1, "PEM could not be written")
        var bytes = [UInt8](repeating: 0, count: 8_192)
        let count = unsafe BIO_read(memory, &bytes, Int32(bytes.count))
        return Array(bytes.prefix(Int(count)))
    }
}
