import HubTransport
import TLSRecords
import Testing

/// OpenSSL's ciphers with one call that fails; notes each key and nonce of something sealed.
private final class FailingCipher: RecordCipher {
    private let cipher: OpenSSLCipher
    private var callsLeft: Int
    private(set) var sealed: [[UInt8]] = []

    /// Fails at the call of this number, from 0 on.
    init(failingAt call: Int) throws {
        cipher = try OpenSSLCipher()
        callsLeft = call
    }

    private func fails() -> Bool {
        callsLeft -= 1
        return callsLeft == -1
    }

    func seal(
        _ text: Span<UInt8>,
        type: UInt8,
        header: Span<UInt8>,
        suite: CipherSuite,
        key: Span<UInt8>,
        nonce: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) -> Bool {
        sealed.append(Self.copy(key) + Self.copy(nonce))
        if fails() { return false }
        return cipher.seal(
            text,
            type: type,
            header: header,
            suite: suite,
            key: key,
            nonce: nonce,
            into: &output
        )
    }

    func open(
        _ sealed: Span<UInt8>,
        header: Span<UInt8>,
        suite: CipherSuite,
        key: Span<UInt8>,
        nonce: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) -> Bool {
        cipher.open(
            sealed,
            header: header,
            suite: suite,
            key: key,
            nonce: nonce,
            into: &output
        )
    }

    func authenticate(
        _ message: Span<UInt8>,
        key: Span<UInt8>,
        hash: HashFunction,
        count: Int,
        into code: inout MutableSpan<UInt8>
    ) -> Bool {
        if fails() { return false }
        return cipher.authenticate(message, key: key, hash: hash, count: count, into: &code)
    }

    func wipe(_ bytes: inout MutableSpan<UInt8>) { cipher.wipe(&bytes) }

    private static func copy(_ bytes: Span<UInt8>) -> [UInt8] { bytes.indices.map { bytes[$0] } }
}

@Suite("A cipher that is out of means")
struct FailingCipherTests {
    /// Two records, a key update, two records, and so on; whether each step was sealed.
    private static func seal(with cipher: FailingCipher, _ suite: CipherSuite) -> [Bool] {
        var keys = TrafficKeys()
        let secret = [UInt8](repeating: 7, count: suite.hash.bytes)
        var results = [keys.begin(suite, secret: secret.span, with: cipher)]
        for step in 0..<9 {
            if step % 3 == 2 {
                results.append(keys.update(with: cipher))
                continue
            }
            let text: [UInt8] = [1, 2, 3]
            _ = [UInt8](capacity: text.count + RecordLimits.overheadBytes) { output in
                results.append(keys.seal(text.span, type: 23, into: &output, with: cipher))
            }
        }
        return results
    }

    @Test("never makes a nonce come twice with a key", arguments: CipherSuite.allCases)
    func neverRepeats(suite: CipherSuite) throws {
        let whole = try FailingCipher(failingAt: .max)
        #expect(Self.seal(with: whole, suite).allSatisfy { $0 })
        #expect(whole.sealed.count == 6)
        for call in 0..<17 {
            let cipher = try FailingCipher(failingAt: call)
            let results = Self.seal(with: cipher, suite)
            #expect(results.contains(false), "call \(call)")
            #expect(Set(cipher.sealed).count == cipher.sealed.count, "call \(call)")
        }
    }

    @Test("at a derivation ends all sealing", arguments: [0, 1, 4, 5, 6, 9, 10, 11])
    func ends(call: Int) throws {
        let cipher = try FailingCipher(failingAt: call)
        let results = Self.seal(with: cipher, .aes128GCM)
        let first = try #require(results.firstIndex(of: false))
        #expect(results[first...].allSatisfy { !$0 }, "call \(call): \(results)")
    }
}
