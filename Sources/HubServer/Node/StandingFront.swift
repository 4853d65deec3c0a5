import HubData
import HubFront
import ServiceLifecycle

/// The front of a node that leads now, until the node itself serves.
struct StandingFront: Sendable {
    let group: ServiceGroup
    let wait: LeadWait
    let front: NodeFront
    let options: RESTOptions

    /// Looks at its port at most, and how long after each other.
    private static let looks = 250
    private static let pause: Duration = .milliseconds(20)

    /// Lets go of the devices' port; those that wait for a leader come to this node.
    func leaveDevices() async { await front.leaveDevices() }

    /// Lets go of REST's port; false when the node is to end instead.
    ///
    /// Requests that wait at the front are answered in the background, by the node itself.
    /// - Throws: `ServerError` when another process has the port now.
    func leave() async throws -> Bool {
        guard wait.leave() else { return false }
        front.leave()
        await group.triggerGracefulShutdown()
        var left = Self.looks
        while true {
            do throws(ServerError) {
                try RESTListener.checkPort(options.port, host: options.host)
                return true
            } catch {
                left -= 1
                guard left > 0 else { throw error }
            }
            try await Task.sleep(for: Self.pause)
        }
    }
}
