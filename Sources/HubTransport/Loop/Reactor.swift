import CLinux
import Glibc
import HubVocabulary

/// One thread's loop: one epoll instance, one listener, its connections and one handler.
///
/// Made and run on the thread that owns it; only the mailbox is shared with others. A turn is:
/// wait, messages, events, deadlines and tick, `endOfTurn`, then everything that was written
/// leaves, one send for each connection.
package final class Reactor<Handler: ConnectionHandler> {
    /// The connections that the handler works with.
    package let connections: Connections
    /// The user of this reactor.
    package let handler: Handler
    private let mailbox: Mailbox<Handler.Message>
    private var stalls = StallWatch()
    /// Whether the mailbox knows that there is no connection.
    private var isIdle = false

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
                token: PollToken.mailbox
            )
        else { throw .system("epoll_ctl", code: 0) }
    }

    /// Runs until `Connections.stop` was called and all connections have ended.
    package func run() {
        let rest = connections.limits.timers.restMilliseconds
        var count = 0
        while !connections.isFinished {
            // Rests only when everything that waited has been looked at.
            if rest > 0, count == 0 { usleep(UInt32(clamping: rest * 1_000)) }
            let patience = rest > 0 ? 0 : connections.waitMilliseconds()
            count = connections.poller.wait(milliseconds: patience)
            connections.now = Clock.now
            turn(events: count)
        }
        // The last flush may have ended connections.
        handler.endOfTurn(now: connections.now)
        mailbox.close()
    }

    private func turn(events count: Int) {
        var hasMail = false
        for index in 0..<count {
            let event = connections.poller[index]
            switch event.token {
            case PollToken.mailbox: hasMail = true
            case PollToken.listener: connections.acceptWaiting()
            default: connections.handle(event, handler)
            }
        }
        if isIdle != (connections.count == 0) {
            isIdle.toggle()
            mailbox.rest(isIdle)
            // Patient messages came without a wake.
            if !isIdle { hasMail = true }
        }
        if hasMail {
            mailbox.wake.reset()
            let batch = mailbox.drain()
            if !batch.isEmpty { handler.received(batch, now: connections.now) }
        }
        connections.runOwed(handler)
        let isBehind = stalls.putsOff(
            isListFull: count == BufferSizes.events,
            atNanoseconds: connections.now.instant.nanoseconds
        )
        if !isBehind { connections.runDue(handler) }
        connections.endAllIfStopped()
        connections.tellEnded(handler)
        handler.endOfTurn(now: connections.now)
        connections.flush()
        if connections.tellEnded(handler) {
            // Another turn, so that `endOfTurn` comes after that too.
            connections.requestTick(atNanoseconds: connections.now.instant.nanoseconds)
        }
        connections.releaseDead()
    }
}
