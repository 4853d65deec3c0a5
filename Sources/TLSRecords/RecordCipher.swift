/// The cryptography that records need; each implementation brings a library's ciphers.
///
/// Records are sealed with *authenticated encryption with associated data*: text stays secret, and
/// neither it nor the header can be changed unnoticed.
package protocol RecordCipher: AnyObject {
    /// Appends `text` and then the byte `type`, encrypted, and the tag to `output`.
    ///
    /// `output` has room for `text.count + 17` bytes. Returns false, with nothing appended, when the
    /// implementation is out of means.
    func seal(
        _ text: Span<UInt8>,
        type: UInt8,
        header: Span<UInt8>,
        suite: CipherSuite,
        key: Span<UInt8>,
        nonce: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) -> Bool

    /// Appends what `sealed`, which ends with the tag, says to `output`.
    ///
    /// `output` has room for `sealed.count - 16` bytes. Returns false, with nothing appended, unless
    /// the tag proves text and header.
    func open(
        _ sealed: Span<UInt8>,
        header: Span<UInt8>,
        suite: CipherSuite,
        key: Span<UInt8>,
        nonce: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) -> Bool

    /// Writes the first `count` bytes of HMAC(key, message) to the front of `code`.
    ///
    /// Returns false when the implementation is out of means.
    func authenticate(
        _ message: Span<UInt8>,
        key: Span<UInt8>,
        hash: HashFunction,
        count: Int,
        into code: inout MutableSpan<UInt8>
    ) -> Bool

    /// Overwrites bytes with zeroes in a way that no compiler leaves out.
    func wipe(_ bytes: inout MutableSpan<UInt8>)
}
