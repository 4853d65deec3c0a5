package import Crypto
package import HubVocabulary

/// A shared access signature: who signed, for what, until when; borrows the header's bytes.
///
///     SharedAccessSignature sr=<R>&sig=<S>&se=<E>&skn=<N>      parts in any order
///
/// Source: REST reference §3.1, §3.2.
package struct SASToken: ~Escapable {
    /// `sr` as it stands, still percent-encoded: what was signed.
    package let resource: Span<UInt8>
    /// `se` as it stands: what was signed.
    package let expiryText: Span<UInt8>
    /// `se` as a time.
    package let expiry: Timestamp
    /// `skn`, decoded: the name of the access rule.
    package let rule: String
    /// `sig`, decoded: 32 bytes.
    package let signature: [UInt8]

    /// Reads a token; every part must be there once, further parts are ignored.
    ///
    /// - Throws: `.tokenMalformed` with the reason. Never traps, whatever the bytes.
    @_lifetime(copy bytes)
    package static func parse(_ bytes: Span<UInt8>) throws(Refusal) -> SASToken {
        try SASToken(parsing: bytes)
    }

    @_lifetime(copy bytes)
    private init(parsing bytes: Span<UInt8>) throws(Refusal) {
        guard bytes.count <= CoreLimits.standard.namespace.tokenBytesMax else {
            throw .tokenMalformed(reason: "The token is too long.")
        }
        let places = try SASParts(of: bytes)
        resource = bytes.extracting(places.resource)
        expiryText = bytes.extracting(places.expiry)
        guard let seconds = ASCII.decimal(bytes.bytes(in: places.expiry)) else {
            throw .tokenMalformed(reason: "'se' is not a number of seconds since 1970.")
        }
        expiry = Timestamp(milliseconds: 0).adding(seconds: seconds)
        guard let name = PercentCoding.decode(bytes.extracting(places.rule)),
            let rule = String(validating: name, as: UTF8.self), !rule.isEmpty
        else { throw .tokenMalformed(reason: "'skn' is not a rule's name.") }
        self.rule = rule
        guard let code = Self.signature(in: bytes.extracting(places.signature)) else {
            throw .tokenMalformed(reason: "'sig' is not base64 of 32 bytes.")
        }
        signature = code
    }

    /// The bytes of a `sig`; nil unless it is their one spelling, with or without padding, so that
    /// no changed token passes for the one that was signed.
    private static func signature(in part: Span<UInt8>) -> [UInt8]? {
        guard let decoded = PercentCoding.decode(part) else { return nil }
        let text = decoded.map { $0 == 0x20 ? UInt8(ascii: "+") : $0 }
        guard let code = Base64.decode(text), code.count == SHA256.byteCount,
            Base64.encode(code).utf8.starts(with: text)
        else { return nil }
        return code
    }

    /// Whether a key made this signature; compares in constant time.
    package func isSigned(with key: SymmetricKey) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(
            signature,
            authenticating: SharedAccessSigner.stringToSign(
                resource: resource.bytes(in: 0..<resource.count),
                expiry: expiryText.bytes(in: 0..<expiryText.count)
            ),
            using: key
        )
    }
}

/// Where the four parts of a token lie.
private struct SASParts {
    let resource: Range<Int>
    let signature: Range<Int>
    let expiry: Range<Int>
    let rule: Range<Int>

    init(of bytes: Span<UInt8>) throws(Refusal) {
        var resource: Range<Int>?
        var signature: Range<Int>?
        var expiry: Range<Int>?
        var rule: Range<Int>?
        var end = bytes.count
        while end > 0, ASCII.isBlank(bytes[end - 1]) { end -= 1 }
        var start = try Self.afterScheme(bytes, end: end)
        while start <= end {
            let stop = bytes.firstIndex(of: UInt8(ascii: "&"), in: start..<end) ?? end
            guard let equals = bytes.firstIndex(of: UInt8(ascii: "="), in: start..<stop) else {
                throw .tokenMalformed(reason: "A part has no '='.")
            }
            let value = equals + 1..<stop
            switch String(decoding: ASCII.lower(bytes.bytes(in: start..<equals)), as: UTF8.self) {
            case "sr": try Self.set(&resource, to: value, name: "sr")
            case "sig": try Self.set(&signature, to: value, name: "sig")
            case "se": try Self.set(&expiry, to: value, name: "se")
            case "skn": try Self.set(&rule, to: value, name: "skn")
            default: break
            }
            start = stop + 1
        }
        self.resource = try Self.required(resource, name: "sr")
        self.signature = try Self.required(signature, name: "sig")
        self.expiry = try Self.required(expiry, name: "se")
        self.rule = try Self.required(rule, name: "skn")
    }

    /// The place behind the scheme and at least one blank.
    private static func afterScheme(_ bytes: Span<UInt8>, end: Int) throws(Refusal) -> Int {
        var start = 0
        while start < end, ASCII.isBlank(bytes[start]) { start += 1 }
        let scheme = Array(SharedAccessSigner.scheme.utf8)
        let behind = start + scheme.count
        guard behind < end, ASCII.isBlank(bytes[behind]),
            ASCII.equal(bytes.bytes(in: start..<behind), scheme)
        else { throw .tokenMalformed(reason: "The scheme is not SharedAccessSignature.") }
        var first = behind
        while first < end, ASCII.isBlank(bytes[first]) { first += 1 }
        return first
    }

    private static func set(
        _ place: inout Range<Int>?,
        to value: Range<Int>,
        name: String
    ) throws(Refusal) {
        guard place == nil else { throw .tokenMalformed(reason: "'\(name)' is there twice.") }
        guard !value.isEmpty else { throw .tokenMalformed(reason: "'\(name)' is empty.") }
        place = value
    }

    private static func required(_ place: Range<Int>?, name: String) throws(Refusal) -> Range<Int> {
        guard let place else { throw .tokenMalformed(reason: "'\(name)' is missing.") }
        return place
    }
}
