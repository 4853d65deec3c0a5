import HubRelay
import HubStreams
import NIOCore

private let now = NIODeadline.uptimeNanoseconds(1)

/// Frames of push services, with the header blocks of their answers.
///
/// The first two bytes say where the rest is cut. Cut or whole, the same frames come and the same
/// fault behind them; no frame holds more than came, an answer has a status, its headers are
/// bounded, and no window leaves its bounds.
package func fuzzServiceFrames(_ bytes: Span<UInt8>) {
    guard bytes.count >= 2 else { return }
    let rest = bytes.dropping(2).copied
    let place = (Int(bytes[0]) << 8 | Int(bytes[1])) % (rest.count + 1)
    let whole = read([rest[...]])
    precondition(read([rest[..<place], rest[place...]]) == whole, "a cut changes what is read")
    precondition(whole.reduce(0) { $0 + $1.bytes.count } <= rest.count, "more than came")
}

/// What a frame says, to be compared.
private struct SeenFrame: Equatable {
    var name: String
    var stream: UInt32 = 0
    var numbers: [UInt64] = []
    var bytes: [UInt8] = []
}

private func read(_ pieces: [ArraySlice<UInt8>]) -> [SeenFrame] {
    var reader = FrameReader()
    var windows = StreamWindows()
    var seen: [SeenFrame] = []
    for piece in pieces {
        var more = ByteBuffer(bytes: piece)
        reader.append(&more)
        do throws(FrameFault) {
            while let frame = try reader.next() {
                seen.append(look(frame))
                try apply(frame, &windows)
            }
        } catch {
            precondition(!error.reason.isEmpty, "a fault without a reason")
            // The connection ends with it.
            return seen + [SeenFrame(name: error.reason)]
        }
    }
    return seen
}

private func look(_ frame: ServiceFrame) -> SeenFrame {
    switch frame {
    case .headers(let stream, let block, let endsStream):
        return SeenFrame(
            name: "headers",
            stream: stream,
            numbers: [endsStream ? 1 : 0],
            bytes: Array(block.readableBytesView)
        )
    case .tooLong(let stream, let endsStream):
        return SeenFrame(name: "tooLong", stream: stream, numbers: [endsStream ? 1 : 0])
    case .data(let stream, let content, let size, let endsStream):
        precondition(content.readableBytes <= size, "content that counts too little")
        return SeenFrame(
            name: "data",
            stream: stream,
            numbers: [UInt64(size), endsStream ? 1 : 0],
            bytes: Array(content.readableBytesView)
        )
    case .reset(let stream, let code):
        return SeenFrame(name: "reset", stream: stream, numbers: [UInt64(code)])
    case .settings(let values):
        let numbers = values.flatMap { [UInt64($0.identifier), UInt64($0.value)] }
        return SeenFrame(name: "settings", numbers: numbers)
    case .ping(let data): return SeenFrame(name: "ping", numbers: [data])
    case .goAway(let last, let code, let reason):
        return SeenFrame(
            name: "goAway",
            stream: last,
            numbers: [UInt64(code)],
            bytes: Array(reason.readableBytesView)
        )
    case .windowUpdate(let stream, let increment):
        precondition(increment > 0, "a window that grows by nothing")
        return SeenFrame(name: "windowUpdate", stream: stream, numbers: [UInt64(increment)])
    case .nothing: return SeenFrame(name: "nothing")
    }
}

/// Takes a frame as a connection does, as far as it changes what a later one may say.
private func apply(
    _ frame: ServiceFrame,
    _ windows: inout StreamWindows
) throws(FrameFault) {
    switch frame {
    case .headers(_, let block, _):
        guard case .answer(let answer) = try AnswerHead.read(block) else { return }
        precondition(answer.status >= 200, "an answer that only announces another")
        let size = answer.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        precondition(size <= StreamLimits.headerBytesMax, "headers without a bound")
    case .data(_, _, let size, _): _ = windows.receive(size)
    case .settings(let values):
        for (identifier, value) in values where identifier == ServiceFrame.Setting.window {
            _ = try windows.resizeStreams(Int(value))
        }
        try windows.countControl(at: now)
    case .ping: try windows.countControl(at: now)
    case .windowUpdate(0, let increment): try windows.grow(by: increment)
    case .tooLong, .reset, .goAway, .windowUpdate, .nothing: break
    }
    let bounds = 0...ServiceFrame.windowMax
    precondition(bounds.contains(windows.connection), "a window out of bounds")
    precondition(bounds.contains(windows.ofStreams), "a window of streams out of bounds")
}
