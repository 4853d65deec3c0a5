import AsyncHTTPClient
import HubCluster
import HubData
package import HubDatabase
package import HubTransport
import HubVocabulary
import NIOHTTP1
import NIOPosix
import Synchronization

/// All that a node needs to carry requests and devices to the one that leads.
package final class NodeFront: Sendable {
    /// Who leads.
    package let watch: LeaderWatch
    let link: LeaderLink
    let bundler: SendBundler
    let proof: FrontProof
    let budget: RequestBudget
    /// Who may ask about the node itself.
    package let keys: FrontKeys
    let limits: FrontLimits
    /// The run of this node.
    let run: UInt64
    private let devices: DeviceFront
    private let database: ServerDatabase
    private let leaving = Atomic<Bool>(false)
    /// Since when requests wait; nil while they are carried.
    private let waitingSince = Mutex<Instant?>(nil)

    /// A front of a node whose database names the leader; `proxies` are balancers of its device port.
    ///
    /// - Throws: `.database` when the folder has no `cluster.key`.
    package init(
        _ database: ServerDatabase,
        keys: FrontKeys,
        proxies: [AddressBlock]
    ) throws {
        limits = FrontLimits(leaseMilliseconds: database.leaseMilliseconds)
        let secret = try NodeSecret(database)
        let watch = LeaderWatch()
        let trusted = try secret.certificate.authority()
        let link = LeaderLink(trusted: trusted, limits: limits) { [weak database] leader, isThere in
            database?.tellWay(to: leader.node, at: "\(leader.rest)", isReached: isThere)
        }
        let devices = DeviceFront(
            of: database.run,
            watch,
            secret.proof,
            limits,
            proxies: proxies
        )
        proof = secret.proof
        bundler = SendBundler(link, secret.proof, limits)
        run = database.run
        budget = RequestBudget(limits)
        self.watch = watch
        self.link = link
        self.keys = keys
        self.devices = devices
        self.database = database
        watch.whenChanged { [weak devices] leader in
            link.follow(leader)
            devices?.follow(leader)
        }
        if let row = database.leader { watch.hear(row) }
        let held = self.budget
        database.whenHeard { row in
            watch.hear(row)
            // Connections that waited when this node took the lead stay beside it.
            FrontEvents.measure(requests: held.requests, connections: devices.count)
        }
    }

    /// The nodes of the database, at most a second old.
    func cluster() async -> ClusterReport { await database.report() }

    /// Accepts devices at a numeric address, until `leaveDevices` or `close`.
    package func listen(host: String, port: Int) async throws {
        try await devices.listen(host: host, port: port)
        Task { await self.greet() }
    }

    /// Lets go of the devices' port; those that wait for a leader come to this node.
    package func leaveDevices() async { await devices.leave() }

    /// The node serves from now on: requests that wait here go to itself.
    package func leave() { leaving.store(true, ordering: .releasing) }

    /// Whether it does.
    var isLeaving: Bool { leaving.load(ordering: .acquiring) }

    /// Answers what waits, and carries nothing any more.
    package func end() {
        watch.end()
        link.close()
    }

    /// Ends behind its last request; devices that waited stay at a node that serves now.
    package func close() async {
        guard isLeaving else {
            end()
            return await devices.end()
        }
        link.close()
    }

    /// Seconds for which it holds a request.
    package var holdSeconds: UInt64 { limits.holdMilliseconds / 1_000 }

    /// Why requests wait, once they have for longer than one is held; nil before.
    ///
    /// A balancer that heard of it earlier would end the connections of those that wait.
    func trouble(now: Instant) -> String? {
        let cause =
            watch.leader == nil
            ? "no node leads" : link.isFailing ? "the node that leads is not reached" : nil
        return waitingSince.withLock { since -> String? in
            guard let cause else {
                since = nil
                return nil
            }
            let began = since ?? now
            since = began
            return now.milliseconds(since: began) < limits.holdMilliseconds ? nil : cause
        }
    }

    /// Has the numbers of now counted.
    package func measure() {
        FrontEvents.measure(requests: budget.requests, connections: devices.count)
    }

    /// Lets each leader know from where devices come, so that they count under their own addresses.
    private func greet() async {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        while !watch.isEnding, !isLeaving {
            let leader = watch.leader
            let isHeard = await greet(leader)
            let pause = isHeard ? limits.helloMilliseconds : limits.refusedPauseMilliseconds
            await watch.change(from: leader, within: pause, on: loop)
        }
    }

    /// Whether a leader has heard of this front, or there is none.
    private func greet(_ leader: LeaderWatch.Leader?) async -> Bool {
        guard let leader else { return true }
        guard let url = leader.url(of: "/healthz") else { return false }
        var hello = HTTPClientRequest(url: url)
        let word = proof.value(client: nil, leader: leader.run)
        hello.headers.add(name: FrontProof.header, value: word)
        // It says the same a little later.
        let outcome = try? await link.send(
            hello,
            to: leader,
            withinMilliseconds: limits.helloMilliseconds
        )
        guard case .answered(let answer)? = outcome else { return false }
        // Its head says enough.
        _ = try? await answer.body.collect(upTo: limits.wholeAnswerBytes)
        return !answer.headers.contains(name: FrontProof.header)
    }
}
