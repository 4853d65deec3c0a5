import DeviceEmulator
import FoundationEssentials
import GRDB
import Glibc
import HubClient
import HubClientGRDB
import HubSender

/// One device comes back to a backlog, stores each notification durably, and takes each.
package struct DrainBenchmark: BenchScenario {
    /// The sizes.
    package struct Options: Equatable, Sendable {
        /// Notifications that wait for the device; the hub keeps 10,000 for one that is away.
        package var notifications = 10_000
        /// About how many bytes a payload has.
        package var payloadBytes = 256
        /// Where the device remembers.
        package var store = BenchStore.file
        /// How long to wait for the device, and for all that waits for it.
        package var patience: Duration = .seconds(60)
        /// Decides payloads.
        package var seed: UInt64 = 1

        /// The defaults.
        package init() {}
    }

    /// The notifications of the device that came back.
    private struct Drained {
        var receipts: [NotificationIdentifier: Int] = [:]
        var fault: String?
    }

    private static let tag = "drain"

    /// `drain`.
    package let name = "drain"
    private let options: Options

    /// A benchmark of a hub that has no other clients.
    package init(options: Options) { self.options = options }

    /// The options, by name.
    package var settings: [String: String] {
        [
            "notifications": "\(options.notifications)", "payload": "\(options.payloadBytes)",
            "store": options.store.rawValue, "seed": "\(options.seed)",
        ]
    }

    /// Measures once.
    package func turn(
        _ hub: any BenchHub,
        progress: @escaping BenchProgress
    ) async throws(BenchFailure) -> BenchTurn {
        let manager = FileManager.default
        let folder = manager.temporaryDirectory.path + "/belfry-drain-\(UUID().uuidString)"
        // The path lives for the call.
        guard unsafe mkdir(folder, 0o700) == 0 else {
            throw .setup(.store(.system(operation: "create", path: folder, code: errno)))
        }
        defer { try? manager.removeItem(atPath: folder) }  // Left to the system then.
        let disk = CountedDisk()
        do throws(DeviceFault) {
            try await register(at: hub.connection, folder, disk)
        } catch {
            throw .setup(error)
        }
        let ids = try await send(to: hub.connection)
        progress("\(ids.count) notifications wait for the device")
        do throws(DeviceFault) {
            return try await drain(ids, at: hub.connection, folder, disk)
        } catch {
            throw .setup(error)
        }
    }

    /// The device's memory, opened anew.
    private func open(_ folder: String, _ disk: CountedDisk) throws(DeviceFault) -> CountedStore {
        let path = folder + "/device"
        do throws(DeviceStoreError) {
            switch options.store {
            case .file: return CountedStore(try FileDeviceStore(path: path, disk: disk))
            case .database:
                let pool: DatabasePool
                do {
                    pool = try DatabasePool(path: path)
                } catch {
                    throw .database(path: path, reason: "\(error)")
                }
                return CountedStore(try DeviceDatabase(pool))
            }
        } catch {
            throw .store(error)
        }
    }

    /// Lets the device register and leave.
    private func register(
        at connection: ConnectionFile,
        _ folder: String,
        _ disk: CountedDisk
    ) async throws(DeviceFault) {
        let device = try DeviceClient(connection, store: try open(folder, disk))
        device.register(RegistrationChoice(platform: .gcm, tags: [Self.tag]))
        let limit = ending(device)
        var fault: DeviceFault?
        for await event in device.events {
            if case .fault(let met) = event { fault = met }
            if case .registered = event {
                fault = nil
                break
            }
        }
        limit.cancel()
        await device.close()
        if let fault { throw fault }
    }

    /// Closes a device when patience ends.
    private func ending(_ device: DeviceClient) -> Task<Void, Never> {
        Task { [patience = options.patience] in
            if await Pause.last(patience) { await device.close() }
        }
    }

    /// Sends what the device will have missed.
    private func send(
        to connection: ConnectionFile
    ) async throws(BenchFailure) -> [NotificationIdentifier] {
        do throws(SenderError) {
            let sender = try SenderClient(connection, retries: .standard)
            var payloads = PayloadMaker(bytes: options.payloadBytes, seed: options.seed)
            let outcomes = await sender.send(
                (0..<options.notifications).map { _ in
                    .native(.gcm, body: payloads.next(), tags: Self.tag)
                }
            )
            await sender.close()
            var ids: [NotificationIdentifier] = []
            for outcome in outcomes {
                guard let id = try outcome.get().identifier else {
                    throw .answerMalformed(reason: "unknown id")
                }
                ids.append(id)
            }
            return ids
        } catch {
            throw .sending(error)
        }
    }

    /// Lets the device come back and take everything.
    private func drain(
        _ ids: [NotificationIdentifier],
        at connection: ConnectionFile,
        _ folder: String,
        _ disk: CountedDisk
    ) async throws(DeviceFault) -> BenchTurn {
        let store = try open(folder, disk)
        let syncs = disk.syncs
        let (own, served) = (HubReading(getpid()), HubReading(connection.pid))
        let device = try DeviceClient(connection, store: store)
        let limit = ending(device)
        var drained = Drained()
        for await event in device.events {
            switch event {
            case .notification(let notification):
                drained.receipts[notification.id, default: 0] += 1
                device.taken(notification)
            case .fault(let fault): drained.fault = drained.fault ?? fault.description
            case .connected, .registered, .unregistered, .gap, .upToDate, .disconnected: break
            }
            if drained.receipts.count == ids.count { break }
        }
        limit.cancel()
        // Ends when all that was taken is noted.
        await device.close()
        let ownEnd = HubReading(getpid())
        var turn = BenchTurn()
        let count = Double(max(1, drained.receipts.count))
        turn.read("drained", count / own.seconds(to: ownEnd), "/s", .more)
        let cpu = own.cpuMicroseconds(to: ownEnd)
        turn.read("device CPU per notification", cpu.map { $0 / count }, "µs", .less)
        let server = served.cpuMicroseconds(to: HubReading(connection.pid))
        turn.read("server CPU per notification", server.map { $0 / count }, "µs", .less)
        turn.read("commits per notification", Double(store.commits) / count, "", .less)
        if options.store == .file {
            turn.read("syncs per notification", Double(disk.syncs - syncs) / count, "", .less)
        }
        judge(drained, ids, store, &turn)
        return turn
    }

    /// Whether each came once, and nothing is left in the device's memory.
    private func judge(
        _ drained: Drained,
        _ ids: [NotificationIdentifier],
        _ store: CountedStore,
        _ turn: inout BenchTurn
    ) {
        let known = Set(ids)
        turn.counts.expected = ids.count
        for (id, times) in drained.receipts {
            guard known.contains(id) else {
                turn.counts.misrouted += times
                continue
            }
            turn.counts.delivered += 1
            turn.counts.duplicated += times - 1
        }
        turn.counts.lost = ids.count - turn.counts.delivered
        if !turn.counts.isExact, let fault = drained.fault { turn.faults.append(fault) }
        if store.waitingCount > 0 {
            turn.faults.append("\(store.waitingCount) taken notifications still wait")
        }
    }
}
