import NIOHTTP2

/// The handler of frames, with limits that fit a client of one service.
enum StreamFrames {
    /// Bytes of an answer's headers at most.
    private static let headerBytesMax = 16_384
    /// Bytes of an answer that may come before it is known to be too long.
    private static let answerBytesMax = 131_072
    /// Resets in half a minute; a service that refuses streams sends one for each.
    private static let resetsMax = 100_000

    static func handler() -> NIOHTTP2Handler {
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = [
            HTTP2Setting(parameter: .enablePush, value: 0),
            HTTP2Setting(parameter: .maxHeaderListSize, value: headerBytesMax),
            HTTP2Setting(parameter: .initialWindowSize, value: answerBytesMax),
        ]
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
