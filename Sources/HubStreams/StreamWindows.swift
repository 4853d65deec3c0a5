package import NIOCore

/// How much both sides of a connection may send, and how often the service may want an answer.
package struct StreamWindows {
    /// Bytes of content that the connection may send now.
    package var connection = 65_535
    /// Bytes that a new stream may send.
    package private(set) var ofStreams = 65_535
    private var received = 0
    private var control = (since: NIODeadline.uptimeNanoseconds(0), count: 0)

    /// The windows of a new connection.
    package init() {}

    /// The connection may send so much more.
    package mutating func grow(by increment: Int) throws(FrameFault) {
        connection += increment
        guard connection <= ServiceFrame.windowMax else { throw FrameFault("a window too wide") }
    }

    /// New streams may send so many bytes; returns by how much the windows of others change.
    package mutating func resizeStreams(_ size: Int) throws(FrameFault) -> Int {
        guard size <= ServiceFrame.windowMax else { throw FrameFault("a window too wide") }
        defer { ofStreams = size }
        return size - ofStreams
    }

    /// Bytes came; returns by how many the service's window is to grow.
    package mutating func receive(_ size: Int) -> Int? {
        received += size
        guard received >= StreamLimits.windowStep else { return nil }
        defer { received = 0 }
        return received
    }

    /// A frame came that wants an answer.
    package mutating func countControl(at now: NIODeadline) throws(FrameFault) {
        if now - control.since >= StreamLimits.controlTime { control = (now, 0) }
        control.count += 1
        guard control.count <= StreamLimits.controlMax else {
            throw FrameFault("more questions than answers")
        }
    }
}
