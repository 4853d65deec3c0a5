import HubData
import HubDatabase
package import HubEndpoint
import HubFront
package import Logging

/// A server from its start to its end; where a database has its hubs it waits for their lead first.
package enum BelfryNode {
    /// For so long a start waits for the lease of its own last run, which may have crashed.
    private static let firstLook: Duration = .seconds(5)

    /// Serves until SIGTERM or SIGINT.
    ///
    /// `onStandby` runs when the node waits while another leads, `onReady` when it serves.
    /// - Throws: `ServerError`, also when another node has taken the lead.
    package static func run(
        _ options: ServerOptions,
        logger: Logger,
        onStandby: @escaping @Sendable (String) -> Void,
        onReady: @escaping @Sendable (ConnectionFile) -> Void
    ) async throws {
        let held = try BelfryServer.hold(options, logger: logger)
        do {
            var signals: EndSignals?
            var front: StandingFront?
            if let database = held.database, try !database.takeFreeLead(within: firstLook) {
                let heard = EndSignals()
                signals = heard
                let standby = Standby(held, database, options.numeric, logger: logger)
                switch try await standby.wait(heard, onStandby: onStandby) {
                case .ends: return held.release()
                case .leads(let standing): front = standing
                }
            }
            await front?.leaveDevices()
            // A node that was told to end neither fills copies to their end nor reads registrations.
            signals?.whenTold { [database = held.database] in database?.endWaiting() }
            let isFront = front != nil
            guard let server = try open(options, in: held, isFront: isFront, logger: logger) else {
                return held.release()
            }
            signals?.whenTold { [weak server] in server?.stop() }
            do {
                if let front, try await !front.leave() { return await server.close() }
            } catch {
                // No other may lead while the hubs are open.
                await server.close()
                throw error
            }
            try await server.run(onReady: onReady)
        } catch {
            held.release()
            throw error
        }
    }

    /// Opens the hubs; nil when the node was told to end meanwhile, and nothing is open then.
    private static func open(
        _ options: ServerOptions,
        in held: HeldFolder,
        isFront: Bool,
        logger: Logger
    ) throws(ServerError) -> BelfryServer? {
        do throws(ServerError) {
            return try BelfryServer(options, in: held, isFront: isFront, logger: logger)
        } catch {
            guard held.database?.isEnding == true else { throw error }
            return nil
        }
    }
}
