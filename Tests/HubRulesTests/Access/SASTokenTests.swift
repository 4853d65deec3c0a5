import HubRules
import HubTestSupport
import HubVocabulary
import Testing

/// One row of the published test vectors.
struct SignatureVector: Sendable, CustomTestStringConvertible {
    let style: String
    let resource: String
    let signature: String

    var testDescription: String { style }

    static let all = [
        SignatureVector(
            style: ".NET",
            resource: "http%3a%2f%2fhub.example.net%2fnews%2fmessages%2f",
            signature: "QXtk6V+X0FsDJp3/UCFwD6fnhP9HhqQB2MOy5/Qa1Rs="
        ),
        SignatureVector(
            style: "Java",
            resource: "https%3a%2f%2fhub.example.net%2fnews%2fmessages"
                + "%3fapi-version%3d2020-06",
            signature: "+Oywtex7qYfEnMpv8SE1d/bI5Y8L5NyI5D1Hwxi4jXE="
        ),
        SignatureVector(
            style: "JS",
            resource: "https%3A%2F%2Fhub.example.net%2F",
            signature: "PyHIn9QpJWbrpI73AvxUElTmvepUfGn6txN1pk8A/2c="
        ),
    ]
}

let vectorKey = "c2VsZi1ob3N0ZWQtaHViLWRlbW8ta2V5LTAwMDE="

/// What parsing says of a text: nil when it is a token.
func refusal(ofToken text: String) -> Refusal? {
    let bytes = Array(text.utf8)
    do throws(Refusal) {
        _ = try SASToken.parse(bytes.span)
        return nil
    } catch {
        return error
    }
}

@Suite("Shared access signatures")
struct SASTokenTests {
    @Test("agree with the published vectors, escaped or not", arguments: SignatureVector.all)
    func vectors(_ vector: SignatureVector) throws {
        let escaped = vector.signature
            .split(separator: "+", omittingEmptySubsequences: false).joined(separator: "%2B")
            .split(separator: "=", omittingEmptySubsequences: false).joined(separator: "%3d")
        let spaced = vector.signature
            .split(separator: "+", omittingEmptySubsequences: false).joined(separator: " ")
        for signature in [vector.signature, escaped, spaced] {
            let header = Array(
                ("SharedAccessSignature sr=\(vector.resource)&sig=\(signature)&se=1900000000"
                    + "&skn=DefaultFullSharedAccessSignature").utf8
            )
            let token = try SASToken.parse(header.span)
            let signed = token.isSigned(with: SharedAccessSigner.signingKey(vectorKey))
            let rule = token.rule
            let expiry = token.expiry
            #expect(signed, "\(signature)")
            #expect(rule == "DefaultFullSharedAccessSignature")
            #expect(expiry == Timestamp(milliseconds: 1_900_000_000_000))
        }
    }

    @Test("are taken with their parts in any order, of any case, among unknown ones")
    func partOrder() throws {
        let vector = SignatureVector.all[0]
        let parts = [
            "SR=\(vector.resource)", "sig=\(vector.signature)", "Se=1900000000",
            "skn=DefaultFull%53haredAccessSignature", "future=x=y",
        ]
        for turn in 0..<parts.count {
            let order = parts[turn...] + parts[..<turn]
            let text = " sharedaccesssignature   " + order.joined(separator: "&") + " "
            let header = Array(text.utf8)
            let token = try SASToken.parse(header.span)
            let signed = token.isSigned(with: SharedAccessSigner.signingKey(vectorKey))
            #expect(signed, "\(text)")
        }
    }

    @Test("made by the maker are verified by the parser, and only with their key")
    func made() throws {
        let text = SharedAccessSigner(keyName: "rule & name", key: "ключ").token(
            for: "https://hub.example.net/news",
            expiry: Timestamp(milliseconds: 1_900_000_000_999)
        )
        let header = Array(text.utf8)
        let token = try SASToken.parse(header.span)
        let right = token.isSigned(with: SharedAccessSigner.signingKey("ключ"))
        let wrong = token.isSigned(with: SharedAccessSigner.signingKey("ключ "))
        let rule = token.rule
        let seconds = token.expiry.milliseconds
        #expect(right)
        #expect(!wrong)
        #expect(rule == "rule & name")
        #expect(seconds == 1_900_000_000_000)
    }

    @Test(
        "that are malformed are refused with a reason that says what is wrong",
        arguments: [
            ("", "scheme"), ("Bearer abc", "scheme"), ("SharedAccessSignature", "scheme"),
            ("SharedAccessSignaturesr=a", "scheme"), ("WRAP access_token=\"x\"", "scheme"),
            ("SharedAccessSignature sr", "no '='"), ("SharedAccessSignature sr=a&", "no '='"),
            ("SharedAccessSignature &sr=a", "no '='"),
            ("SharedAccessSignature sr=a&sr=b", "'sr' is there twice"),
            ("SharedAccessSignature sr=", "'sr' is empty"),
            ("SharedAccessSignature sig=a&se=1&skn=r", "'sr' is missing"),
            ("SharedAccessSignature sr=a&se=1&skn=r", "'sig' is missing"),
            ("SharedAccessSignature sr=a&sig=b&skn=r", "'se' is missing"),
            ("SharedAccessSignature sr=a&sig=b&se=1", "'skn' is missing"),
            ("SharedAccessSignature sr=a&sig=b&se=soon&skn=r", "'se' is not"),
            ("SharedAccessSignature sr=a&sig=b&se=-1&skn=r", "'se' is not"),
            ("SharedAccessSignature sr=a&sig=b&se=18446744073709551616&skn=r", "'se' is not"),
            ("SharedAccessSignature sr=a&sig=b&se=1&skn=r", "'sig' is not base64"),
            ("SharedAccessSignature sr=a&sig=%%&se=1&skn=r", "'sig' is not base64"),
            ("SharedAccessSignature sr=a&sig=AAAA&se=1&skn=r", "'sig' is not base64"),
            ("SharedAccessSignature sr=a&sig=b&se=1&skn=%ff", "'skn' is not"),
            ("SharedAccessSignature sr=a&sig=b&se=1&skn=%4", "'skn' is not"),
            ("SharedAccessSignature sr=" + String(repeating: "a", count: 8_200), "too long"),
        ]
    )
    func malformed(_ text: String, _ expected: String) {
        guard case .tokenMalformed(let reason) = refusal(ofToken: text) else {
            Issue.record("not refused as malformed: \(text.prefix(80))")
            return
        }
        #expect(reason.contains(expected), "\(text.prefix(80)): \(reason)")
    }

    @Test("cut or changed anywhere never trap and never verify")
    func damaged() {
        let text = SharedAccessSigner(keyName: "rule", key: vectorKey).token(
            for: "https://hub.example.net/news",
            expiry: Timestamp(milliseconds: 1_900_000_000_000)
        )
        let good = Array(text.utf8)
        let key = SharedAccessSigner.signingKey(vectorKey)
        var readable = 0
        for place in good.indices {
            var variants = [Array(good[..<place])]
            for flip in [UInt8(0x01), 0x20, 0x80] {
                var changed = good
                changed[place] ^= flip
                variants.append(changed)
            }
            for bytes in variants {
                guard let token = try? SASToken.parse(bytes.span) else { continue }
                readable += 1
                // What is signed and the signature are parts of the token; the rule's name and the
                // case of part names, scheme and escapes in the signature are not.
                let same = token.signature.count == 32 && token.isSigned(with: key)
                var resource: [UInt8] = []
                for index in token.resource.indices { resource.append(token.resource[index]) }
                let expiry = token.expiry
                if same {
                    #expect(resource == Array("https%3A%2F%2Fhub.example.net%2Fnews".utf8))
                    #expect(expiry.milliseconds == 1_900_000_000_000)
                }
            }
        }
        #expect(readable > 0)
    }

    @Test("of random bytes behind the scheme never trap", arguments: 0..<200 as Range<UInt64>)
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("srsigekn=&%2F3a+/= A9\u{0}\u{7F}".utf8)
        var bytes = Array("SharedAccessSignature ".utf8)
        for _ in 0..<Int.random(in: 0..<120, using: &random) {
            bytes.append(alphabet.randomElement(using: &random) ?? 0)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        if let refused = refusal(ofToken: text) {
            #expect(refused.status == 401, "seed \(seed): \(text)")
        }
    }

    @Test("use base64 as everybody does")
    func base64() {
        for count in 0..<70 {
            var random = SeededGenerator(seed: UInt64(count))
            let bytes = random.bytes(count)
            let text = Base64.encode(bytes)
            #expect(text.utf8.count == (count + 2) / 3 * 4)
            #expect(Base64.decode(Array(text.utf8)) == bytes)
        }
        #expect(Base64.encode(Array("any carnal pleas".utf8)) == "YW55IGNhcm5hbCBwbGVhcw==")
        for wrong in ["A", "AAAAA", "AA=", "AA===", "A*==", "====", "AAA=A"] {
            #expect(Base64.decode(Array(wrong.utf8)) == nil, "\(wrong)")
        }
        #expect(Base64.decode(Array("YW55".utf8)) == Array("any".utf8))
        #expect(Base64.decode(Array("YW4".utf8)) == Array("an".utf8))
    }
}
