import HubModel
import HubTags
import HubVocabulary
import HubWire

/// Frames of an open session.
extension ShardCore {
    mutating func handleReady(
        _ header: FrameHeader,
        body: Span<UInt8>,
        slot: Int,
        session: SessionReference,
        now: Now
    ) throws(WireError) {
        if isDue(header, slot) {
            fail(slot, .duplicateRequest, now: now)
            return
        }
        switch header.type {
        case .ack:
            let sequence = try AckFrame(decoding: body, header: header).seq
            if try !acknowledge(sequence, session, about: .ack) {
                _ = admit(slot, bytes: header.totalBytes, now: now)
            }
        case .ping:
            try receivePing(
                PingFrame(decoding: body, header: header),
                slot: slot,
                session,
                now: now
            )
        case .window:
            try receiveWindow(WindowFrame(decoding: body, header: header), session)
        case .register:
            let frame = try RegisterFrame(decoding: body, header: header)
            receiveRegister(frame, slot: slot, session: session, now: now)
        case .unregister:
            let frame = try UnregisterFrame(decoding: body, header: header)
            request(.unregister(slot: frame.slot), frame.ref, frame.slot, slot, session, now: now)
        case .tags:
            let frame = try TagsFrame(decoding: body, header: header)
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

    /// Whether a request, of any kind, uses the ref of one that has no answer yet.
    private func isDue(_ header: FrameHeader, _ slot: Int) -> Bool {
        guard header.ref != 0, header.type != .error else { return false }
        return connections[slot]?.outstanding.contains(header.ref) == true
    }

    /// After GOAWAY only what saves work is still heard.
    ///
    /// Source: Protocol, states.
    mutating func handleDraining(
        _ header: FrameHeader,
        body: Span<UInt8>,
        slot: Int,
        session: SessionReference,
        now: Now
    ) throws(WireError) {
        switch header.type {
        case .ack:
            _ = try acknowledge(AckFrame(decoding: body, header: header).seq, session, about: .ack)
        case .ping:
            try receivePing(
                PingFrame(decoding: body, header: header),
                slot: slot,
                session,
                now: now
            )
        case .receipts:
            let frame = try ReceiptsFrame(decoding: body, header: header)
            receiveReceipts(frame, slot: slot, session: session)
        case .bye:
            _ = try ByeFrame(decoding: body, header: header)
            leave(slot, session, now: now)
        case .error:
            let frame = try ErrorFrame(decoding: body, header: header)
            if frame.isFatal { beginClosing(slot, now: now) }
        case .register, .unregister, .tags:
            finishRequest(slot, header.ref, DeviceOutcome(error: .draining, slot: SlotNumber.all))
        case .window, .padding: break
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
        about type: FrameType
    ) throws(WireError) -> Bool {
        let hub = hubs[session.hub]
        guard sequence <= hub.sessions[session.index].sentThrough else {
            throw WireError(.badAck, about: type)
        }
        guard sequence > hub.sessions[session.index].acknowledged else { return false }
        hub.acknowledge(session.index, through: sequence)
        return true
    }

    private mutating func receivePing(
        _ frame: PingFrame,
        slot: Int,
        _ session: SessionReference,
        now: Now
    ) throws(WireError) {
        if frame.ack > 0 { _ = try acknowledge(frame.ack, session, about: .ping) }
        let fastPings = update(slot) { state -> UInt8 in
            let isFast = state.lastPing.map {
                now.instant.milliseconds(since: $0) < UInt64(WireLimits.pingSecondsMin) * 1_000
            }
            state.fastPings = isFast == true ? min(state.fastPings, .max - 1) + 1 : 0
            state.lastPing = now.instant
            return state.fastPings
        }
        if let fastPings, Int(fastPings) > WireLimits.pingTooFastMax {
            fail(slot, .pingTooFast, isFatal: true, now: now)
            return
        }
        let pong = PongFrame(token: frame.token, serverTime: now.time.milliseconds)
        control(slot) { pong.encode(into: &$0) }
        promise(slot, seconds: max(frame.nextSeconds, 1), now: now)
    }

    private mutating func receiveWindow(
        _ frame: WindowFrame,
        _ session: SessionReference
    ) throws(WireError) {
        let hub = hubs[session.hub]
        hub.sessions[session.index].window.resize(
            messagesMax: min(UInt32(frame.messages), limits.windowMessagesMax),
            bytesMax: min(frame.bytes, limits.windowBytesMax)
        )
        hub.sessions[session.index].isDozing = frame.appState == AppState.doze
        hub.markDue(session.index)
    }

    private mutating func receiveReceipts(
        _ frame: borrowing ReceiptsFrame,
        slot: Int,
        session: SessionReference
    ) {
        let hub = hubs[session.hub]
        let device = hub.sessions[session.index].device
        for index in 0..<frame.count {
            let receipt = frame[index]
            hub.counters.receipts[min(Int(receipt.event), 15)] += 1
            hub.report.receipts.append(
                DeviceReceipt(
                    device: device,
                    notification: NotificationID(
                        high: receipt.notification.high,
                        low: receipt.notification.low
                    ),
                    event: receipt.event,
                    slot: receipt.slot
                )
            )
        }
        let outcome = DeviceOutcome(slot: SlotNumber.all, applied: UInt16(frame.count))
        finishRequest(slot, frame.ref, outcome)
    }
}

/// The app's states in WINDOW.
///
/// Source: Protocol, WINDOW.
enum AppState {
    static let doze: UInt8 = 3
}
