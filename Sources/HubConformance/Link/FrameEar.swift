import HubWire

/// Takes frames apart that come over a connection.
final class FrameEar {
    /// A whole frame.
    struct Frame: Equatable, CustomStringConvertible {
        /// nil for an extension frame that is passed over.
        var header: FrameHeader?
        /// Header and body.
        var bytes: [UInt8]

        var type: FrameType? { header?.type }
        var body: ArraySlice<UInt8> { bytes.dropFirst(WireLimits.frameHeaderBytes) }
        var description: String { "\(type?.name ?? "extension") \(KitHex.short(bytes))" }
    }

    /// The next event.
    enum Heard: Equatable, CustomStringConvertible {
        case frame(Frame)
        /// Bytes that are no frame.
        case malformed(ErrorNumber, bytes: [UInt8])
        case closed(isOrderly: Bool)
        case silence

        var description: String {
            switch self {
            case .frame(let frame): frame.description
            case .malformed(let number, let bytes):
                "bytes that break \(number.name): \(KitHex.short(bytes))"
            case .closed(true): "close_notify"
            case .closed(false): "the end of the connection, without close_notify"
            case .silence: "nothing"
            }
        }
    }

    private let direction: Direction
    private let limits: WireLimits
    private let change: FrameChange
    var state: DecodingState
    private var waiting: [UInt8] = []

    init(
        _ direction: Direction,
        _ state: DecodingState,
        limits: WireLimits,
        _ change: @escaping FrameChange
    ) {
        self.direction = direction
        self.state = state
        self.limits = limits
        self.change = change
    }

    /// Waits for the next frame, or for the end of the connection.
    func next(on link: KitTLS, within milliseconds: Int) -> Heard {
        let deadline = KitClock.milliseconds + milliseconds
        while true {
            if let found = take() { return found }
            switch link.read(within: max(0, deadline - KitClock.milliseconds)) {
            case .bytes(let bytes): waiting += bytes
            case .closed(let isOrderly):
                return waiting.isEmpty
                    ? .closed(isOrderly: isOrderly)
                    : .malformed(.badLength, bytes: waiting)
            case .silence: return .silence
            }
        }
    }

    private func take() -> Heard? {
        while true {
            let step: FrameStep
            do throws(WireError) {
                step = try FrameDecoder.step(
                    waiting.span,
                    direction: direction,
                    state: state,
                    limits: limits
                )
            } catch {
                return .malformed(error.number, bytes: waiting)
            }
            let count: Int
            var header: FrameHeader?
            switch step {
            case .needMore: return nil
            case .skip(let bytes): count = bytes
            case .frame(let found):
                count = found.totalBytes
                header = found
                if found.type == .welcome || found.type == .hello { state = .ready }
            }
            let bytes = Array(waiting.prefix(count))
            waiting.removeFirst(count)
            guard let heard = change(bytes) else { continue }
            return .frame(Frame(header: header, bytes: heard))
        }
    }
}
