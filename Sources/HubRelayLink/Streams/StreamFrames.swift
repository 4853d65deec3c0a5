import NIOHTTP2

/// The handler of frames, with limits that fit a client of one service.
enum StreamFrames {
    /// Bytes of an answer's headers at most.
    private static let headerBytesMax = 16_384
    /// Bytes of an answer that may come before it is known to be too long.
    private static let answerBytesMax = 131_072
    /// Resets in half a minute; a service that refuses streams sends one for each.
    private static let resetsMax = 100_000

    /// Streams that were given up and whose late answers mean nothing.
    private static let givenUpMax = 10_000

    /// Whether an error is about frames of a stream that is over; the connection goes on.
    static func isOfOneStream(_ error: any Error) -> Bool {
        error is NIOHTTP2Errors.NoSuchStream || error is NIOHTTP2Errors.StreamClosed
            || error is NIOHTTP2Errors.CreatedStreamAfterGoaway
    }

    static func handler() -> NIOHTTP2Handler {
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = [
            HTTP2Setting(parameter: .enablePush, value: 0),
            HTTP2Setting(parameter: .maxHeaderListSize, value: headerBytesMax),
            HTTP2Setting(parameter: .initialWindowSize, value: answerBytesMax),
        ]
        connection.maximumRecentlyResetStreams = givenUpMax
        var stream = NIOHTTP2Handler.StreamConfiguration()
        stream.streamResetFrameRateLimit.maximumCount = resetsMax
        stream.streamErrorRateLimit.maximumCount = resetsMax
        return NIOHTTP2Handler(
            mode: .client,
            connectionConfiguration: connection,
            streamConfiguration: stream
        )
    }
}
