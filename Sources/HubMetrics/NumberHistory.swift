import Foundation
package import HubHistory
package import HubModel
import HubTransport
package import HubVocabulary
import Synchronization

/// The numbers of the server and its hubs over time.
package final class NumberHistory: Sendable {
    private struct State {
        var server = HistoryRing(
            names: NumberHistory.serverNumbers.map(\.name) + LatencyMetrics.names
        )
        var hubs: [HubName: HistoryRing] = [:]
        /// As they were read last.
        var latencies: LatencyMetrics?
    }

    /// One moment of a server.
    package struct Reading: Sendable {
        let reports: [ShardReport]
        let problems: Int
        let stored: LatencyHistogram
        let hubs: [(hub: HubName, gauges: DirectoryGauges)]

        /// The reports of shards, the number of problems, how long sends took until they were
        /// stored, and the gauges of each hub.
        package init(
            reports: [ShardReport],
            problems: Int,
            stored: LatencyHistogram,
            hubs: [(hub: HubName, gauges: DirectoryGauges)]
        ) {
            self.reports = reports
            self.problems = problems
            self.stored = stored
            self.hubs = hubs
        }
    }

    private static let serverNumbers: [(name: String, value: @Sendable (Reading) -> Int)] = [
        ("connections", { $0.reports.reduce(0) { $0 + $1.connections } }),
        ("live", { $0.reports.reduce(0) { $0 + $1.live } }),
        ("catchingUp", { $0.reports.reduce(0) { $0 + $1.catchingUp } }),
        ("memoryBytes", { _ in memoryBytes }),
        ("problems", { $0.problems }),
    ]

    private static let hubNumbers: [(name: String, value: @Sendable (DirectoryGauges) -> UInt64)] =
        [
            ("registrations", { UInt64($0.registrations) }), ("devices", { UInt64($0.devices) }),
            ("connected", { UInt64($0.sessions) }), ("waiting", { UInt64($0.waiting) }),
            ("schedules", { UInt64($0.schedules) }), ("logHead", { $0.logHead }),
            ("logBytes", { UInt64($0.logBytes) }), ("behindMean", { $0.cursorLagMean }),
        ]

    private static var memoryBytes: Int {
        let own = ProcessInfo.processInfo.processIdentifier
        return ProcessMeter.residentAnonymousBytes(process: own) ?? 0
    }

    private let state = Mutex(State())

    /// A past without a reading.
    package init() {}

    /// Adds one moment; hubs that are gone are forgotten.
    package func add(_ reading: Reading, hubs: Set<HubName>, at time: Timestamp) {
        let server = Self.serverNumbers.map { Double($0.value(reading)) }
        let latencies = LatencyMetrics(reading.reports, stored: reading.stored)
        state.withLock { state in
            let most = latencies.most(since: state.latencies)
            state.latencies = latencies
            state.server.add(server + most.map { $0 ?? .nan }, at: time)
            state.hubs = state.hubs.filter { hubs.contains($0.key) }
            for (hub, gauges) in reading.hubs {
                let numbers = Self.hubNumbers.map { Double($0.value(gauges)) }
                let names = Self.hubNumbers.map(\.name)
                state.hubs[hub, default: HistoryRing(names: names)].add(numbers, at: time)
            }
        }
    }

    /// Returns the values of a hub, or of the server; of all series where none is named.
    package func page(
        of hub: HubName?,
        _ step: HistoryRing.Step,
        series: [String]?,
        since: Timestamp?
    ) -> HistoryRing.Page {
        let ring = state.withLock { state in
            hub.map { state.hubs[$0] ?? HistoryRing(names: Self.hubNumbers.map(\.name)) }
                ?? state.server
        }
        return ring.page(step, of: series ?? ring.names, since: since)
    }
}
