package import NIOCore

/// Limits of a connection to one service, and what it tells the service of them.
package enum StreamLimits {
    /// Requests in a row without an answer after which the connection counts as a black hole.
    package static let silentMax = 3
    /// Received bytes after which the service may send as many again.
    package static let windowStep = 32_768
    /// The last stream number that is used.
    package static let lastStream: UInt32 = 2_000_000_000
    /// PING and SETTINGS of a service in half a minute.
    package static let controlMax = 1_000
    /// The half minute.
    package static let controlTime = TimeAmount.seconds(30)
    /// Bytes of an answer's headers at most.
    package static let headerBytesMax = 16_384
    /// Bytes of an answer that may come before it is known to be too long.
    private static let answerBytesMax: UInt32 = 131_072

    /// Without a table, the header block of an answer can be read by itself.
    package static let settings: [(identifier: UInt16, value: UInt32)] = [
        (ServiceFrame.Setting.headerTable, 0), (ServiceFrame.Setting.push, 0),
        (ServiceFrame.Setting.headerList, UInt32(headerBytesMax)),
        (ServiceFrame.Setting.window, Self.answerBytesMax),
    ]
}
