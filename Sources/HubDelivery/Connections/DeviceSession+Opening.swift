import HubModel
import HubVocabulary
import HubWire

extension DeviceSession {
    /// The session that the directory described, which begins with what its device missed.
    init(_ reply: AttachReply, _ pending: PendingHello, connection: ConnectionID) {
        self.init(
            connection: connection,
            device: reply.device,
            generation: reply.sessionGeneration,
            capabilities: pending.capabilities,
            window: pending.window,
            registrations: SessionRegistrations(reply.registrations),
            mode: .catchingUp(
                CatchUp(scanned: reply.readsFrom, scannedCheck: reply.start.check)
            ),
            start: reply.start.sequence,
            redeliveredThrough: reply.head,
            counted: CountedMatches(through: reply.evaluatedThrough, at: reply.lastSeen)
        )
    }
}
