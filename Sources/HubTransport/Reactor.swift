import CLinux
import COpenSSL
import Glibc

/// Who seals and opens records after OpenSSL's handshake; the raw value names it in settings.
package enum RecordSealing: String, CaseIterable, Sendable {
    /// The `SSL` object of the handshake.
    case openSSL = "openssl"
    /// Our record layer with OpenSSL's ciphers; the `SSL` object is freed. A connection that
    /// cannot be handed over stays with OpenSSL.
    case own

    /// What is used here when this is asked for: with a version of OpenSSL other than 3.0, whose
    /// sessions may agree on what our layer does not know, nothing is handed over.
    package var effective: RecordSealing {
        belfry_secrets_may_be_taken() == 1 ? self : .openSSL
    }
}

/// What a reactor is made from; the same value may make several.
package struct ReactorConfiguration: Sendable {
    /// The listening side.
    package struct Server: Sendable {
        /// Opened for as many reactors as will be made.
        package let listeners: Listeners
        /// What devices are shown.
        package let tls: ServerTLS
        /// Who seals the records of accepted connections.
        package let sealing: RecordSealing
        /// How their bytes go to the kernel.
        package let submission: Submission

        /// A listening side.
        package init(
            listeners: Listeners,
            tls: ServerTLS,
            sealing: RecordSealing = .openSSL,
            submission: Submission = .send
        ) {
            self.listeners = listeners
            self.tls = tls
            self.sealing = sealing
            self.submission = submission
        }
    }

    /// Limits of each reactor.
    package var limits: TransportLimits
    /// Nil for a reactor that only connects.
    package var server: Server?

    /// A configuration.
    package init(limits: TransportLimits = .standard, server: Server? = nil) {
        self.limits = limits
        self.server = server
    }
}

/// One thread's loop: one epoll instance, one listener, its connections and one handler.
///
/// Made and run on the thread that owns it; only the mailbox is shared with others. A turn is:
/// wait, messages, events, deadlines and tick, `endOfTurn`, then everything that was written
/// leaves, one send for each connection.
package final class Reactor<Handler: ConnectionHandler> {
    /// What the handler works with.
    package let connections: Connections
    /// The user of this reactor.
    package let handler: Handler
    private let mailbox: Mailbox<Handler.Message>
    private var stalls = StallWatch()

    /// Makes the connections' table, then the handler that will use it.
    /// - Throws: `.system`, `.tlsUnavailable`; certificate cases only if a certificate has
    ///   expired since its configuration was made.
    package init(
        _ configuration: ReactorConfiguration,
        mailbox: Mailbox<Handler.Message>,
        makeHandler: (Connections) -> Handler
    ) throws(TransportError) {
        connections = try Connections(limits: configuration.limits, server: configuration.server)
        self.mailbox = mailbox
        handler = makeHandler(connections)
        guard
            connections.poller.add(
                mailbox.wake.descriptor,
                interest: BELFRY_READABLE,
                token: Token.mailbox
            )
        else { throw .system("epoll_ctl", code: 0) }
    }

    /// Runs until `Connections.stop` was called and all connections have ended.
    package func run() {
        let rest = connections.limits.restMilliseconds
        var count = 0
        while !connections.isFinished {
            // Rests only when everything that waited has been looked at.
            if rest > 0, count == 0 { usleep(UInt32(clamping: rest * 1_000)) }
            let patience = rest > 0 ? 0 : connections.waitMilliseconds()
            count = connections.poller.wait(milliseconds: patience)
            connections.time = TurnTime.read()
            turn(events: count)
        }
        // The last flush may have ended connections.
        handler.endOfTurn(now: connections.time)
        mailbox.close()
    }

    private func turn(events count: Int) {
        var hasMail = false
        for index in 0..<count {
            let event = connections.poller[index]
            switch event.token {
            case Token.mailbox: hasMail = true
            case Token.listener: connections.acceptWaiting()
            default: connections.handle(event, handler)
            }
        }
        if hasMail {
            mailbox.wake.reset()
            let batch = mailbox.drain()
            if !batch.isEmpty { handler.received(batch, now: connections.time) }
        }
        connections.runOwed(handler)
        let isBehind = stalls.putsOff(
            isListFull: count == BufferSizes.events,
            atNanoseconds: connections.time.nanoseconds
        )
        if !isBehind { connections.runDue(handler) }
        connections.endAllIfStopped()
        connections.tellEnded(handler)
        handler.endOfTurn(now: connections.time)
        connections.flush()
        if connections.tellEnded(handler) {
            // Another turn, so that `endOfTurn` comes after that too.
            connections.requestTick(atNanoseconds: connections.time.nanoseconds)
        }
        connections.releaseDead()
    }
}
