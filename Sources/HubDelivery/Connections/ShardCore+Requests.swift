import HubModel
import HubTags
import HubTemplates
import HubVocabulary
import HubWire

/// REGISTER, TAGS and UNREGISTER: structure was checked by the decoder, policy is checked here, the
/// directory decides and stores.
extension ShardCore {
    mutating func receiveRegister(
        _ frame: borrowing RegisterFrame,
        slot: ConnectionSlot,
        session: SessionReference,
        now: Now
    ) {
        let hub = hubs[session.hub]
        do throws(FrameRefusal) {
            let asked = try DeviceRequest(frame, of: hub.sessions[session.index].device, on: hub)
            request(asked, frame.ref, frame.slot, slot, session, now: now)
        } catch {
            refuse(error, frame.ref, frame.slot, slot)
        }
    }

    mutating func receiveTags(
        _ frame: borrowing TagsFrame,
        slot: ConnectionSlot,
        session: SessionReference,
        now: Now
    ) {
        do throws(FrameRefusal) {
            request(try DeviceRequest(frame), frame.ref, frame.slot, slot, session, now: now)
        } catch {
            refuse(error, frame.ref, frame.slot, slot)
        }
    }

    /// Answers a request that goes no further.
    mutating func refuse(
        _ refusal: FrameRefusal,
        _ ref: UInt16,
        _ number: UInt16,
        _ slot: ConnectionSlot
    ) {
        counters.errors[refusal.error, default: 0] += 1
        let outcome = DeviceOutcome(error: refusal.error, slot: number, detail: refusal.detail)
        finishRequest(slot, ref, outcome)
    }

    /// Hands a request to the directory, within the limit of those outstanding.
    mutating func request(
        _ request: DeviceRequest,
        _ ref: UInt16,
        _ number: UInt16,
        _ slot: ConnectionSlot,
        _ session: SessionReference,
        now: Now
    ) {
        guard let state = connections[slot] else { return }
        guard state.outstanding.count < WireLimits.outstandingRequestsMax else {
            let detail = "too many requests without an answer"
            refuse(FrameRefusal(.rateLimited, detail), ref, number, slot)
            return
        }
        connections[slot]?.outstanding.append(ref)
        let open = hubs[session.hub].sessions[session.index]
        actions.append(
            .directory(
                hubs[session.hub].name,
                .device(
                    open.device,
                    sessionGeneration: open.generation,
                    ConnectionAddress(shard: shard, connection: connections[hot: slot].id),
                    reference: ref,
                    request
                )
            )
        )
    }

    /// Writes RESULT.
    mutating func finishRequest(_ slot: ConnectionSlot, _ ref: UInt16, _ outcome: DeviceOutcome) {
        connections[slot]?.finish(ref)
        let message = ResultFrame(
            status: outcome.error,
            slot: outcome.slot,
            retryAfter: outcome.retryAfterMilliseconds,
            etag: outcome.etag,
            expires: outcome.expiresSeconds,
            applied: outcome.applied,
            detail: outcome.detail
        )
        connections.control(slot) { message.encode(into: &$0, ref: ref) }
    }
}
