package import NIOCore

/// The memory in which an answer waits for its peer, here and in the kernel.
///
/// The kernel grows a socket's buffer to megabytes. A peer that reads nothing would fill it with
/// answers before anything here could see that they are not taken.
package struct AnswerBuffers: Sendable {
    /// Bytes that wait here before writing pauses.
    package var pausedAt = 32_768
    /// Bytes that wait here when it goes on.
    package var resumedAt = 16_384
    /// Bytes of the kernel's buffer; it takes twice as many for its own accounts.
    package var sendBufferBytes = 65_536

    /// The defaults.
    package init() {}

    /// Gives a connection this much.
    package func limit(_ channel: any Channel) throws {
        let options = channel.syncOptions
        try options?.setOption(
            .writeBufferWaterMark,
            value: ChannelOptions.Types.WriteBufferWaterMark(low: resumedAt, high: pausedAt)
        )
        try options?.setOption(
            .socketOption(.so_sndbuf),
            value: SocketOptionValue(sendBufferBytes)
        )
    }
}
