import HubModel
import HubVocabulary
import HubWire

extension WelcomeFrame {
    /// The answer to a HELLO whose session the directory described.
    init(
        _ reply: AttachReply,
        _ pending: PendingHello,
        of hub: HubShard,
        shard: Int,
        _ limits: SessionLimits,
        now: Now
    ) {
        let handle = PushHandle(
            device: reply.device,
            hub: hub.name,
            secret: hub.secret,
            generation: pending.keyGeneration
        )
        self.init(
            resume: reply.outcome,
            deviceID: ID16(high: reply.device.high, low: reply.device.low),
            position: reply.start,
            handle: handle.bytes
        )
        lost = reply.lost
        capabilities = pending.capabilities.intersection(.known)
        serverTime = now.time.milliseconds
        etag = reply.etag
        retention = hub.retentionSeconds
        keepalive = pending.keepAlive
        grace = limits.timers.graceSeconds
        ackDelay = limits.timers.acknowledgementDelay
        if pending.isNew {
            deviceKey =
                DeviceKey(
                    device: reply.device,
                    hub: hub.name,
                    secret: hub.secret,
                    generation: pending.keyGeneration
                ).bytes
        }
        trace = "\(shard)-\(reply.sessionGeneration)"
    }
}
