/// A user's name: lower-case letters, digits and `_ @ # . -`, so that it can stand in a tag.
///
/// Tags are compared without case, so names are too: they are kept in lower case. A colon would end
/// the name in a Basic header. Source: rules C.4.
package struct UserName: Hashable, Sendable {
    /// The name in lower case.
    package let text: String

    /// Checks a name.
    /// - Throws: `.userName` that says what is wrong, and never repeats the name.
    package init(_ text: String, limits: BackendLimits.Users = BackendLimits.standard.users)
        throws(BackendError)
    {
        guard !text.isEmpty else { throw .userName(reason: "is empty") }
        guard text.utf8.count <= limits.nameBytesMax else {
            throw .userName(
                reason: "has \(text.utf8.count) bytes; \(limits.nameBytesMax) are allowed"
            )
        }
        guard text.utf8.allSatisfy(Self.isAllowed) else {
            throw .userName(reason: "may have letters of a to z, digits and _ @ # . - only")
        }
        self.text = text.lowercased()
    }

    /// A name that was checked when it was stored.
    init(stored text: String) { self.text = text }

    /// The tag by which the hub knows the user's devices.
    package var tag: String { "username:\(text)" }

    /// The tag of those who follow what the user sends.
    var senderTag: String { "from:\(text)" }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "_@#.-".utf8.contains(byte)
        }
    }
}
