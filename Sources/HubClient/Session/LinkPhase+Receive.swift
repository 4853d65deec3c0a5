import HubParcel
import HubVocabulary
import HubWire

extension LinkPhase {
    /// Takes the next bytes of the connection, wherever they were cut.
    mutating func receive(
        _ bytes: Span<UInt8>,
        _ core: inout SessionCore,
        _ inflater: inout ParcelInflater
    ) {
        guard let begun = takeBegun() else { return }
        let known = begun.bytes
        var isWhole = false
        var rest: [UInt8] = []
        if known.isEmpty {
            let used = read(bytes, &core, &inflater)
            isWhole = used > 0
            if used < bytes.count { rest = bytes.extracting(used..<bytes.count).copied() }
        } else {
            var joined = known
            joined.reserveCapacity(joined.count + bytes.count)
            for index in bytes.indices { joined.append(bytes[index]) }
            let used = read(joined.span, &core, &inflater)
            isWhole = used > 0
            rest = isWhole ? Array(joined[used...]) : joined
        }
        let deadline = core.now.instant + .seconds(WireLimits.frameSecondsMax)
        keep(BegunFrame(rest, due: isWhole ? deadline : begun.due ?? deadline))
    }

    /// The frame that has begun; nil in phases that read nothing.
    private func takeBegun() -> BegunFrame? {
        switch self {
        case .idle: nil
        case .opening(let link): link.begun
        case .ready(let link): link.begun
        case .leaving: nil
        case .closing: nil
        }
    }

    /// Keeps what has come of a frame, where more is read.
    private mutating func keep(_ begun: BegunFrame) {
        switch consume self {
        case .idle: self = .idle
        case .opening(var link):
            link.begun = begun
            self = .opening(link)
        case .ready(var link):
            link.begun = begun
            self = .ready(link)
        case .leaving(let departure, let link): self = .leaving(departure, from: link)
        case .closing(let openedAt): self = .closing(openedAt: openedAt)
        }
    }

    /// The frames that the decoder may find now; nil where nothing is read.
    private var expected: DecodingState? {
        switch self {
        case .idle: nil
        case .opening: .waitWelcome
        case .ready: .ready
        case .leaving: nil
        case .closing: nil
        }
    }

    /// Handles whole frames from the front; returns how many bytes are done with.
    private mutating func read(
        _ bytes: Span<UInt8>,
        _ core: inout SessionCore,
        _ inflater: inout ParcelInflater
    ) -> Int {
        var used = 0
        while let expected {
            let rest = bytes.extracting(used..<bytes.count)
            do throws(WireError) {
                let step = try FrameDecoder.step(
                    rest,
                    direction: .hubToDevice,
                    state: expected,
                    limits: .device
                )
                switch step {
                case .needMore: return used
                case .skip(let count): used += count
                case .frame(let header):
                    used += header.totalBytes
                    if core.configuration.keepsFrames, header.type == .deliver {
                        core.frame = rest.extracting(0..<header.totalBytes).copied()
                    }
                    take(header, body: header.body(of: rest), &core, &inflater)
                }
            } catch {
                end(core.refuse(error))
            }
        }
        // Bytes behind a departure are not looked at: the position has not moved over them.
        return bytes.count
    }

    /// Takes one frame; one that breaks the protocol ends the session.
    private mutating func take(
        _ header: FrameHeader,
        body: Span<UInt8>,
        _ core: inout SessionCore,
        _ inflater: inout ParcelInflater
    ) {
        switch consume self {
        case .idle: self = .idle
        case .opening(let link): self = link.take(header, body: body, &core)
        case .ready(var link):
            do throws(WireError) {
                if let departure = try link.take(header, body: body, &core, &inflater) {
                    self = .leaving(departure, from: link)
                } else {
                    self = .ready(link)
                }
            } catch {
                self = .leaving(core.refuse(error), from: link)
            }
        case .leaving(let departure, let link): self = .leaving(departure, from: link)
        case .closing(let openedAt): self = .closing(openedAt: openedAt)
        }
    }
}
