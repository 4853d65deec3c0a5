import HubModel
import HubTags
import HubVocabulary
import HubWire

/// Frames of an open session.
extension ShardCore {
    /// Takes a frame of a session that is ready, or draining: then only what saves work is heard.
    ///
    /// Source: Protocol [C-2].
    mutating func handleOpen(
        _ header: FrameHeader,
        body: Span<UInt8>,
        slot: ConnectionSlot,
        session: SessionReference,
        now: Now
    ) throws(WireError) {
        if header.ref != 0, header.type != .error,
            connections[slot]?.outstanding.contains(header.ref) == true
        {
            fail(slot, .duplicateRequest, now: now)
            return
        }
        let isDraining = connections[hot: slot].kind == .draining
        switch header.type {
        case .ack:
            if try !acknowledge(AckFrame(decoding: body, header: header).seq, session, now: now) {
                _ = admit(slot, bytes: header.totalBytes, now: now)
            }
        case .ping:
            let frame = try PingFrame(decoding: body, header: header)
            try receivePing(frame, slot: slot, session, now: now)
        case .window:
            let frame = try WindowFrame(decoding: body, header: header)
            guard !isDraining else { return }
            hubs[session.hub].sessions[session.index].use(frame, limits)
            hubs[session.hub].markDue(session.index)
        case .register:
            let frame = try RegisterFrame(decoding: body, header: header)
            if isDraining { return refuse(FrameRefusal(.draining), frame.ref, frame.slot, slot) }
            receiveRegister(frame, slot: slot, session: session, now: now)
        case .unregister:
            let frame = try UnregisterFrame(decoding: body, header: header)
            if isDraining { return refuse(FrameRefusal(.draining), frame.ref, frame.slot, slot) }
            request(.unregister(slot: frame.slot), frame.ref, frame.slot, slot, session, now: now)
        case .tags:
            let frame = try TagsFrame(decoding: body, header: header)
            if isDraining { return refuse(FrameRefusal(.draining), frame.ref, frame.slot, slot) }
            receiveTags(frame, slot: slot, session: session, now: now)
        case .receipts:
            let frame = try ReceiptsFrame(decoding: body, header: header)
            receiveReceipts(frame, slot: slot, session: session)
        case .bye:
            _ = try ByeFrame(decoding: body, header: header)
            leave(slot, session, now: now)
        case .error:
            let frame = try ErrorFrame(decoding: body, header: header)
            if frame.isFatal { beginClosing(slot, now: now) }
        case .padding: break
        case .hello, .welcome, .pong, .goaway, .result, .deliver, .gap:
            throw WireError(.wrongDirection, about: header.type)
        }
    }

    /// Everything through `sequence` is stored on the device; whether that is news.
    ///
    /// Source: Protocol [D-9].
    private mutating func acknowledge(
        _ sequence: UInt64,
        _ session: SessionReference,
        about type: FrameType = .ack,
        now: Now
    ) throws(WireError) -> Bool {
        let hub = hubs[session.hub]
        guard sequence <= hub.sessions[session.index].progress.sentThrough else {
            throw WireError(.badAck, about: type)
        }
        guard sequence > hub.sessions[session.index].progress.acknowledged else { return false }
        hub.acknowledge(session.index, through: sequence, now: now)
        return true
    }

    private mutating func receivePing(
        _ frame: PingFrame,
        slot: ConnectionSlot,
        _ session: SessionReference,
        now: Now
    ) throws(WireError) {
        if frame.ack > 0 { _ = try acknowledge(frame.ack, session, about: .ping, now: now) }
        if connections[slot]?.admitPing(now: now.instant) == false {
            fail(slot, .pingTooFast, isFatal: true, now: now)
            return
        }
        let pong = PongFrame(token: frame.token, serverTime: now.time.milliseconds)
        connections.control(slot) { pong.encode(into: &$0) }
        promise(slot, seconds: max(frame.nextSeconds, 1), now: now)
    }

    private mutating func receiveReceipts(
        _ frame: borrowing ReceiptsFrame,
        slot: ConnectionSlot,
        session: SessionReference
    ) {
        let hub = hubs[session.hub]
        hub.counters.add(frame)
        hub.report.add(frame, of: hub.sessions[session.index].device)
        let outcome = DeviceOutcome(slot: SlotNumber.all, applied: UInt16(frame.count))
        finishRequest(slot, frame.ref, outcome)
    }
}
