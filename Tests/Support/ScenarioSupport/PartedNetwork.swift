import Foundation
import HubTestSupport

/// Machines in network namespaces, with a router between them that can part any two.
///
///     tests: database 10.98.8.2, balancer 10.98.9.2 ── router ── node a 10.98.1.2
///                                                        └─── node b 10.98.2.2
///
/// It needs root, and is taken away with its last holder.
final class PartedNetwork {
    /// One of the machines.
    enum Machine: String, CaseIterable {
        case database = "10.98.8.2"
        case balancer = "10.98.9.2"
        case a = "10.98.1.2"
        case b = "10.98.2.2"

        /// The namespace of a node; nil for what runs in that of the tests.
        fileprivate var space: String? {
            switch self {
            case .database, .balancer: nil
            case .a: PartedNetwork.name + "a"
            case .b: PartedNetwork.name + "b"
            }
        }
    }

    /// Packets of one machine to another that are lost without a word.
    struct Cut: Hashable {
        var from: Machine
        var to: Machine
    }

    private static let name = "bf\(UInt16.random(in: .min ... .max))"
    private static let router = name + "r"

    /// Whether this process may make one.
    static var isPossible: Bool {
        geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/sbin/ip")
    }

    /// Makes everything.
    init() throws {
        try Self.ip("netns add \(Self.router)")
        try Self.ip("-n \(Self.router) link set lo up")
        try Self.run("ip netns exec \(Self.router) sysctl -qw net.ipv4.ip_forward=1")
        try join(nil, "9", [.balancer, .database])
        for (machine, net) in [(Machine.a, "1"), (.b, "2")] {
            try Self.ip("netns add \(machine.space ?? "")")
            try Self.ip("-n \(machine.space ?? "") link set lo up")
            try join(machine.space, net, [machine])
        }
    }

    deinit {
        for space in [Self.router] + Machine.allCases.compactMap(\.space) {
            try? Self.ip("netns del \(space)")
        }
    }

    /// The namespace of a node.
    func space(of machine: Machine) -> String { machine.space ?? "" }

    /// Loses packets for some seconds, and returns when they pass again.
    func part(_ cuts: Set<Cut>, seconds: Int) async throws {
        let rules = cuts.map {
            "ip -n \(Self.router) rule %s from \($0.from.rawValue) to "
                + "\($0.to.rawValue) blackhole"
        }
        let script =
            rules.map { $0.replacing("%s", with: "add") } + ["sleep \(seconds)"]
            + rules.map { $0.replacing("%s", with: "del") }
        let program = try Program.named("sh", ["-ec", script.joined(separator: "\n")])
        let code = try await program.exitCode(seconds: seconds + 30)
        guard code == 0 else { throw RigLoad.Failed(reason: "\(program.errors.events)") }
    }

    /// Joins a namespace, or that of the tests, to the router.
    private func join(_ space: String?, _ net: String, _ machines: [Machine]) throws {
        let (near, far) = (Self.name + "n" + net, Self.name + "f" + net)
        try Self.ip("link add \(near) type veth peer name \(far)")
        try Self.ip("link set \(far) netns \(Self.router)")
        if let space { try Self.ip("link set \(near) netns \(space)") }
        let here = space.map { "-n \($0) " } ?? ""
        let there = "-n \(Self.router) "
        try Self.ip("\(there)addr add 10.98.\(net).1/24 dev \(far)")
        try Self.ip("\(there)link set \(far) up")
        try Self.ip("\(here)link set \(near) up")
        for machine in machines {
            let isFirst = machine == machines[0]
            try Self.ip("\(here)addr add \(machine.rawValue)/\(isFirst ? 24 : 32) dev \(near)")
            guard !isFirst else { continue }
            try Self.ip("\(there)route add \(machine.rawValue) via \(machines[0].rawValue)")
        }
        let route = "10.98.0.0/16 via 10.98.\(net).1 src \(machines[0].rawValue)"
        try Self.ip("\(here)route add \(route)")
    }

    private static func ip(_ words: String) throws { try run("ip " + words) }

    private static func run(_ line: String) throws {
        let (code, text) = try Tool.run(
            "/usr/bin/env",
            line.split(separator: " ").map(String.init),
            within: .seconds(20)
        )
        guard code == 0 else { throw RigLoad.Failed(reason: "\(line): \(text)") }
    }
}
