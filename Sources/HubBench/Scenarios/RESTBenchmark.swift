import DeviceEmulator
import HubClient
import HubVocabulary

/// Measures requests over REST: durable sends over few and many connections, and new installations.
///
/// One device listens for one send in fifty, so that sends that were answered 201 are also seen to
/// arrive.
package struct RESTBenchmark: BenchScenario {
    /// The settings of a run.
    package struct Options: Equatable, Sendable {
        /// Sends of each line; a tenth over one connection and of installations.
        package var sends = 20_000
        /// How many connections each line has.
        package var connections = [1, 16, 64]
        /// Requests at once on each HTTP/2 connection.
        package var streams = 4
        /// Requests a second of each line, whatever became of earlier ones; nil for as many as can.
        package var rate: Double?
        /// About how many bytes a payload has.
        package var payloadBytes = 256
        /// Requests before each line.
        package var warmup = 200
        /// How long to wait for the device and for what it should receive.
        package var patience: Duration = .seconds(60)
        /// Decides payloads.
        package var seed: UInt64 = 1

        /// The defaults.
        package init() {}
    }

    private static let witness = "witness"
    /// One send in so many goes to the device that listens.
    private static let witnessShare = 50
    private static let installationConnectionsMax = 16

    /// `rest`.
    package let name = "rest"
    private let options: Options

    /// A benchmark of a hub that has no other clients.
    package init(options: Options) { self.options = options }

    /// The settings, by the option's name.
    package var settings: [String: String] {
        var settings = [
            "sends": "\(options.sends)", "streams": "\(options.streams)",
            "connections": options.connections.map { "\($0)" }.joined(separator: ","),
            "payload": "\(options.payloadBytes)", "warmup": "\(options.warmup)",
            "seed": "\(options.seed)",
        ]
        settings["rate"] = options.rate.map { "\($0)" }
        return settings
    }

    /// Measures once.
    package func turn(
        _ hub: any BenchHub,
        progress: @escaping BenchProgress
    ) async throws(BenchFailure) -> BenchTurn {
        let ledger = ReceiptLedger()
        var configuration = Fleet.Configuration(
            connection: hub.connection,
            count: 1,
            seed: options.seed
        ) { _ in [RegistrationChoice(platform: .gcm, tags: [Self.witness])] }
        configuration.loops = 1
        return try await Fleet.ramped(
            configuration,
            patience: options.patience,
            progress: progress,
            onNotification: { device, notification, time in
                ledger.record(device: device, notification, at: time)
            },
            body: { (_, _) async throws(BenchFailure) in
                var turn = BenchTurn()
                var all: [AuditedSend] = []
                for version in RESTLoad.Version.allCases {
                    for connections in options.connections {
                        progress("HTTP/\(version.rawValue), \(connections) connections")
                        all += try await line(version, connections, hub.connection, &turn)
                    }
                }
                let most = Self.installationConnectionsMax
                for connections in options.connections
                where connections <= most {
                    progress("installations, \(connections) connections")
                    try await installations(connections, hub.connection, &turn)
                }
                let seen = all.filter { $0.audience.count > 0 }.map(\.record)
                _ = await ledger.arrival(of: seen, at: 1, within: options.patience)
                turn.counts.add(ledger.audit(all))
                return turn
            }
        )
    }

    /// One line: warm-up, then sends over so many connections.
    private func line(
        _ version: RESTLoad.Version,
        _ connections: Int,
        _ hub: ConnectionFile,
        _ turn: inout BenchTurn
    ) async throws(BenchFailure) -> [AuditedSend] {
        let load = try RESTLoad(hub, connections: connections, version: version)
        var maker = PayloadMaker(bytes: options.payloadBytes, seed: options.seed)
        let payloads = (0..<64).map { _ in maker.next() }
        let workers = connections * (version == .http2 ? max(1, options.streams) : 1)
        let warm = await send(max(workers, options.warmup), workers, nil, load, payloads)
        if let failure = warm.first?.record.failure, warm.allSatisfy({ $0.record.id == nil }) {
            await load.close()
            throw .sending(failure)
        }
        let count = connections == 1 ? max(1, options.sends / 10) : options.sends
        let start = HubReading(hub.pid)
        let sends = await send(count, workers, options.rate, load, payloads)
        let end = HubReading(hub.pid)
        await load.close()
        let what = Self.title("HTTP/\(version.rawValue)", connections)
        report(what, sends.map(\.record), start, end, &turn)
        return warm + sends
    }

    private func send(
        _ count: Int,
        _ workers: Int,
        _ rate: Double?,
        _ load: RESTLoad,
        _ payloads: [[UInt8]]
    ) async -> [AuditedSend] {
        await Operations(
            count: count,
            workers: rate == nil ? workers : max(64, workers),
            rate: rate
        )
        .run { number, worker, due in
            let isSeen = number % Self.witnessShare == 0
            let record = await load.send(
                payloads[number % payloads.count],
                tags: isSeen ? Self.witness : "nobody",
                over: worker
            )
            let audience = isSeen ? BenchAudience.one(0) : .some([])
            let intended = record.intended(at: rate == nil ? nil : due)
            return AuditedSend(record: intended, audience: audience)
        }
    }

    /// New installations, each with a template.
    private func installations(
        _ connections: Int,
        _ hub: ConnectionFile,
        _ turn: inout BenchTurn
    ) async throws(BenchFailure) {
        let load = try RESTLoad(hub, connections: connections, version: .http1)
        var random = SeededRandom(seed: options.seed ^ UInt64(connections) << 32)
        let count = max(1, options.sends / 10)
        let names = (0..<count).map { number in
            "i-\(connections)-\(number)-" + String(random.next(), radix: 16)
        }
        let channels = names.map { _ in
            (0..<4).map { _ in HexText.digits(random.next()) }.joined()
        }
        let start = HubReading(hub.pid)
        let rate = options.rate
        let workers = rate == nil ? connections : max(64, connections)
        let records = await Operations(count: count, workers: workers, rate: rate)
            .run { number, worker, due in
                let document = Self.installation(names[number], channels[number])
                let record = await load.putInstallation(
                    names[number],
                    document,
                    over: worker
                )
                return record.intended(at: rate == nil ? nil : due)
            }
        let end = HubReading(hub.pid)
        await load.close()
        report(Self.title("installations", connections), records, start, end, &turn)
        turn.counts.sendsFailed += records.count { $0.failure != nil }
    }

    private func report(
        _ what: String,
        _ records: [SendRecord],
        _ start: HubReading,
        _ end: HubReading,
        _ turn: inout BenchTurn
    ) {
        let count = Double(max(1, records.count))
        turn.read(
            "\(what), server CPU",
            start.cpuMicroseconds(to: end).map { $0 / count },
            "µs",
            .less
        )
        let aim: BenchAim = options.rate == nil ? .more : .neither
        turn.read("\(what), rate", count / max(start.seconds(to: end), 1e-9), "/s", aim)
        var sample = LatencySample(what)
        for record in records where record.failure == nil {
            let took = record.answeredAt.since(record.intendedAt)
            sample.record(nanoseconds: took.wholeNanoseconds)
        }
        turn.latencies.append(sample)
    }

    private static func title(_ what: String, _ connections: Int) -> String {
        "\(what), \(connections) connection" + (connections == 1 ? "" : "s")
    }

    private static func installation(_ name: String, _ channel: String) -> [UInt8] {
        Array(
            """
            {"installationId":"\(name)","platform":"apns","pushChannel":"\(channel)",\
            "tags":["World","locale:fr"],"templates":{"news":\
            {"body":"{\\"aps\\":{\\"alert\\":\\"$(messageParam)\\"}}"}}}
            """.utf8
        )
    }
}
