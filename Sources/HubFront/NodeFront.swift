import AsyncHTTPClient
import HubCluster
import HubData
package import HubDatabase
package import HubTransport
import NIOHTTP1
import NIOPosix

/// What a node needs to carry requests and devices to the one that leads.
package final class NodeFront: Sendable {
    /// Who leads.
    package let watch: LeaderWatch
    let link: LeaderLink
    let proof: FrontProof
    let budget: RequestBudget
    /// Who may ask about the node itself.
    package let keys: FrontKeys
    let limits: FrontLimits
    private let devices: DeviceFront

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
        let link = LeaderLink(trusted: try secret.certificate.authority(), limits: limits)
        let devices = DeviceFront(watch, secret.proof, limits, proxies: proxies)
        proof = secret.proof
        budget = RequestBudget(limits)
        self.watch = watch
        self.link = link
        self.keys = keys
        self.devices = devices
        watch.whenChanged { [weak devices] leader in
            link.follow(leader)
            devices?.follow(leader)
        }
        if let row = database.leader { watch.hear(row) }
        database.whenHeard { watch.hear($0) }
    }

    /// Accepts devices at a numeric address, until `endDevices`.
    package func listen(host: String, port: Int) async throws {
        try await devices.listen(host: host, port: port)
        Task { await self.greet() }
    }

    /// Ends devices' connections, and lets go of their port.
    package func endDevices() async { await devices.end() }

    /// Answers what waits, and carries nothing any more.
    package func end() {
        watch.end()
        link.close()
    }

    /// Seconds for which it holds a request.
    package var holdSeconds: UInt64 { limits.holdMilliseconds / 1_000 }

    /// Has the numbers of now counted.
    package func measure() {
        FrontEvents.measure(requests: budget.requests, connections: devices.count)
    }

    /// Lets each leader know from where devices come, so that they count under their own addresses.
    private func greet() async {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        while !watch.isEnding {
            let leader = watch.leader
            var isHeard = leader == nil
            if let leader {
                var hello = HTTPClientRequest(url: LeaderLink.url("/healthz", at: leader))
                let word = proof.value(client: nil, leader: leader.run)
                hello.headers.add(name: FrontProof.header, value: word)
                // It says the same a little later.
                if case .answered(let answer)? = try? await link.send(hello, to: leader) {
                    isHeard = !answer.headers.contains(name: FrontProof.header)
                    _ = try? await answer.body.collect(upTo: limits.wholeAnswerBytes)
                }
            }
            // One that has just taken the lead answers a little later.
            let pause = isHeard ? limits.helloMilliseconds : limits.refusedPauseMilliseconds
            await watch.change(from: leader, within: pause, on: loop)
        }
    }
}
