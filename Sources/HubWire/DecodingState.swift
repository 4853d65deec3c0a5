/// How far the session is, as far as decoding depends on it.
///
/// Source: Protocol [F-10].
package enum DecodingState: UInt8, CaseIterable, Sendable {
    /// The hub has not seen HELLO.
    case waitHello
    /// The device has sent HELLO and has not seen WELCOME.
    case waitWelcome
    /// Both have opened the session.
    case ready
}
