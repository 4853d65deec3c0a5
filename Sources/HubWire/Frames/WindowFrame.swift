/// WINDOW: how much the device takes from now on.
///
///     app_state: u8 | zero: u8 | msgs: u16 | bytes: u32                 big-endian, Protocol §4.8
package struct WindowFrame: Equatable, Sendable {
    /// 0 unknown, 1 foreground, 2 background, 3 doze; others: unknown.
    package var appState: UInt8
    /// Entries that may be unacknowledged; 0 pauses everything.
    package var messages: UInt16
    /// Bytes that may be unacknowledged; at least `windowBytesFloor` unless paused.
    package var bytes: UInt32

    /// The fields of a WINDOW to send.
    package init(appState: UInt8, messages: UInt16, bytes: UInt32) {
        self.appState = appState
        self.messages = messages
        self.bytes = bytes
    }

    /// Refuses anything that is not exactly one WINDOW body.
    package init(decoding body: Span<UInt8>, header: FrameHeader) throws(WireError) {
        var reader = WireReader(body, of: .window)
        appState = try reader.u8()
        try reader.zero(1)
        messages = try reader.u16()
        bytes = try reader.u32()
        try reader.require(
            messages == 0 || bytes >= WireLimits.windowBytesFloor,
            limit: WireLimits.windowBytesFloor
        )
        try reader.finish(header)
    }

    /// Appends the frame; traps on a window below the floor.
    package func encode(into output: inout [UInt8]) {
        precondition(
            messages == 0 || bytes >= WireLimits.windowBytesFloor,
            "window of \(bytes) bytes"
        )
        let frame = WireWriter(.window, into: &output)
        output.append(appState)
        output.append(0)
        output.appendInteger(messages)
        output.appendInteger(bytes)
        frame.finish(&output)
    }
}
