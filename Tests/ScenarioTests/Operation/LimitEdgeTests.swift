import AppBackend
import Foundation
import HubClient
import HubDelivery
import HubMetrics
import HubSender
import HubServer
import HubTestSupport
import HubVocabulary
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import Testing

@testable import ScenarioSupport

/// Limits that show only between running programs: at the limit, and one above.
@Suite("Limits at their edge")
struct LimitEdgeTests {
    // MARK: The device side of the SDK

    @Test("an app may leave so many notifications untaken; with one more its device pauses")
    func untaken() async throws {
        try await HostedHub.run { hub in
            let device = try DeviceClient(hub.connection, store: MemoryDeviceStore())
            let (log, pump) = try await device.subscribed()
            let sender = try SenderClient(hub.connection)
            try await Self.send(DeviceLoop.untakenMax, with: sender)
            try await log.wait(for: "as many as the limit") {
                Self.stored($0).count == DeviceLoop.untakenMax
            }
            // The window is open: now or never is now.
            _ = try await sender.send(Self.transient("open"))
            try await log.wait(for: "a transient one") { events in
                Self.received(events).contains { $0.alert == "open" }
            }
            try await Self.send(1, with: sender)
            let all = try await log.wait(for: "one more") {
                Self.stored($0).count == DeviceLoop.untakenMax + 1
            }
            var missed: UInt64 = 0
            try await eventually("a device that has paused") {
                _ = try await sender.send(Self.transient("paused"))
                missed = await hub.server.reports().reduce(0) {
                    $0 + $1.core.unwritten.transientMissed
                }
                return missed > 0
            }
            #expect(missed == 1)
            // With half of them taken it goes on.
            device.taken(Self.stored(all)[DeviceLoop.untakenMax / 2])
            try await Self.send(1, with: sender)
            try await log.wait(for: "what comes after") {
                Self.stored($0).count == DeviceLoop.untakenMax + 2
            }
            await sender.close()
            await device.close()
            await pump.value
        }
    }

    private static func transient(_ text: String) -> OutgoingNotification {
        var notification = OutgoingNotification.alert(text, on: .apple, to: "World")
        notification.headers.append(.init(name: "apns-expiration", value: "0"))
        return notification
    }

    /// Sends so many at once, since each waits for the disk.
    private static func send(_ count: Int, with sender: SenderClient) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                if number >= 32 { try await group.next() }
                group.addTask {
                    _ = try await sender.send(.alert("\(number)", on: .apple, to: "World"))
                }
            }
            try await group.waitForAll()
        }
    }

    private static func received(_ events: [DeviceEvent]) -> [ReceivedNotification] {
        events.compactMap { if case .notification(let found) = $0 { found } else { nil } }
    }

    private static func stored(_ events: [DeviceEvent]) -> [ReceivedNotification] {
        received(events).filter { !$0.isTransient }
    }

    @Test("a loop opens so many connections at once, and the next when one has gone")
    func openings() async throws {
        for most in [2, 3] {
            let silent = try await SilentListener()
            let observer = LoopLog()
            var configuration = DeviceLoop.Configuration(host: "127.0.0.1", port: silent.port)
            configuration.openingsMax = most
            let loop = try DeviceLoop(configuration, observer: observer)
            loop.add(Self.setups(3))
            try await silent.accepted.wait(for: "\(most) connections") { $0.count >= most }
            // Each that ends makes room for one.
            for ended in 1...4 {
                silent.endOldest()
                try await silent.accepted.wait(for: "the next") { $0.count >= most + ended }
            }
            let highest = silent.accepted.events.max()
            #expect(highest == most, "\(silent.accepted.events)")
            loop.stop()
            try await observer.log.end()
            try await silent.close()
        }
    }

    @Test("a loop has so many connections, and says of the next that there is no room")
    func connections() async throws {
        try await HostedHub.run { hub in
            for (devices, refused) in [(2, 0), (3, 1)] {
                let observer = LoopLog()
                var configuration = try DeviceLoop.Configuration(hub.connection)
                // One address, since a try of another one takes a place too.
                configuration.host = "127.0.0.1"
                configuration.connectionsMax = 2
                let loop = try DeviceLoop(configuration, observer: observer)
                loop.add(Self.setups(devices))
                try await observer.log.wait(for: "\(devices) devices that came to something") {
                    let ended = $0.filter { $0.isConnected || $0.isFault }
                    return Set(ended.map(\.device)).count == devices
                }
                let log = observer.log.events
                #expect(Set(log.filter(\.isConnected).map(\.device)).count == 2, "\(log)")
                #expect(Set(log.filter(\.isFault).map(\.device)).count == refused, "\(log)")
                loop.stop()
                try await observer.log.end()
            }
        }
    }

    private static func setups(_ count: Int) -> [DeviceSetup] {
        (0..<count).map { number in
            DeviceSetup(
                session: LinkSession.Configuration(hub: "hub"),
                store: MemoryDeviceStore(),
                seed: UInt64(number + 1)
            )
        }
    }

    @Test("a sender's token ends so many seconds after its request")
    func token() async throws {
        try await HostedHub.run { hub in
            let mute = try await MuteHub(like: hub, [.created])
            let sender = try SenderClient(try ConnectionFile(dataFolder: mute.folder.path))
            let before = UInt64(Date().timeIntervalSince1970)
            _ = try await sender.send(.alert("x", on: .apple, to: "World"))
            let after = UInt64(Date().timeIntervalSince1970)
            await sender.close()
            let header = mute.requests.events.first?.headers["authorization"] ?? ""
            let expiry = header.components(separatedBy: "&").compactMap { part in
                part.hasPrefix("se=") ? UInt64(part.dropFirst(3)) : nil
            }
            #expect(SenderClient.tokenSeconds == 1_200)
            #expect(expiry.count == 1 && (before + 1_200...after + 1_200).contains(expiry[0]))
            try await mute.close()
        }
    }

    // MARK: The app backend

    private static func answers(_ link: RawLink) -> Int {
        let text = String(decoding: Array(link.input.events.joined()), as: UTF8.self)
        return text.components(separatedBy: "HTTP/1.1 401").count - 1
    }

    private static let question = Array(
        "GET /api/notifications/1 HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8
    )

    private static func ask(_ link: RawLink) async throws {
        let before = answers(link)
        await link.write(question)
        try await link.input.wait(for: "answer \(before + 1)") { pieces in
            let text = String(decoding: Array(pieces.joined()), as: UTF8.self)
            return text.components(separatedBy: "HTTP/1.1 401").count - 1 > before
        }
    }

    @Test("a backend has so many connections; the next is heard when one has gone")
    func backendConnections() async throws {
        try await HostedBackend.run { limits in
            limits.connections.countMax = 2
        } _: { hub, backend in
            let (connection, port) = (hub.connection, UInt16(backend.port))
            let link = { @Sendable () async throws -> RawLink in
                try await RawLink(connection, port: port, .tls(alpn: ["http/1.1"]))
            }
            let first = try await link()
            let second = try await link()
            try await Self.ask(first)
            try await Self.ask(second)
            let answered = EventLog<Bool>()
            let third = Task {
                let third = try await link()
                try await Self.ask(third)
                answered.append(true)
                await third.close()
            }
            // Both others are answered meanwhile, the third is not even accepted.
            for link in [first, second, first, second] { try await Self.ask(link) }
            #expect(answered.events.isEmpty)
            await first.close()
            try await third.value
            await second.close()
        }
    }

    @Test("a connection may be silent between two requests for its seconds, and no longer")
    func backendSilence() async throws {
        for (seconds, isEnded) in [(1, true), (3_600, false)] as [(Int64, Bool)] {
            try await HostedBackend.run { limits in
                limits.connections.silentSeconds = seconds
                limits.connections.handshakeSeconds = 10
            } _: { hub, backend in
                let link = try await RawLink(
                    hub.connection,
                    port: UInt16(backend.port),
                    .tls(alpn: ["http/1.1"])
                )
                try await Self.ask(link)
                if isEnded {
                    try await link.closedByHub()
                } else {
                    // A peer that never began is left after ten seconds; one that has begun is not.
                    let other = try await RawLink(
                        hub.connection,
                        port: UInt16(backend.port),
                        .plain
                    )
                    try await other.closedByHub()
                    try await Self.ask(link)
                    await link.close()
                }
            }
        }
    }

    // MARK: Bulk jobs

    @Test("a job's results have their bytes, and a job that has more fails and says so")
    func jobOutput() async throws {
        let whole = try await Self.runJob(bytesMax: nil)
        #expect(whole.status == "Completed" && whole.bytes > 40, "\(whole)")
        let fits = try await Self.runJob(bytesMax: UInt64(whole.bytes))
        #expect(fits.status == "Completed" && fits.bytes == whole.bytes, "\(fits)")
        let over = try await Self.runJob(bytesMax: UInt64(whole.bytes - 1))
        #expect(over.status == "Failed", "\(over)")
        #expect(over.text.contains("more than \(whole.bytes - 1) bytes"), "\(over.text)")
    }

    private struct JobEnd {
        var status = ""
        var bytes = 0
        var text = ""
    }

    /// Imports two lines that are refused, on a hub of its own.
    private static func runJob(bytesMax: UInt64?) async throws -> JobEnd {
        var end = JobEnd()
        try await HostedHub.run { options in
            if let bytesMax { options.coreLimits.jobs.jobOutputBytesMax = bytesMax }
        } _: { hub in
            let folder = hub.folder.file("hubs/hub/jobs")
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true
            )
            try Data("no XML\nnor this\n".utf8).write(to: URL(fileURLWithPath: folder + "/in.txt"))
            let caller = try RESTCaller(hub.connection)
            let token = try caller.token(hub.connection.connectionStrings.full)
            let connect = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect"
            let job =
                "<entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"application/xml\">"
                + "<NotificationHubJob xmlns=\"\(connect)\"><Type>ImportCreateRegistrations</Type>"
                + "<OutputContainerUri>file:///</OutputContainerUri>"
                + "<ImportFileUri>file:///in.txt</ImportFileUri></NotificationHubJob></content></entry>"
            let begun = try await caller.perform(
                .POST,
                "hub/jobs",
                headers: [:],
                body: job,
                authorization: token
            )
            let location = begun.headers["location"] ?? ""
            let id = location.split(separator: "?").first?.split(separator: "/").last ?? ""
            try await eventually("the job's end") {
                end.text = try await caller.perform(
                    .GET,
                    "hub/jobs/\(id)",
                    headers: [:],
                    body: nil,
                    authorization: token
                ).text
                for status in ["Completed", "Failed"]
                where end.text.contains("<Status>\(status)</Status>") {
                    end.status = status
                }
                return !end.status.isEmpty
            }
            let failed = folder + "/belfry/hub/\(id)/Failed.txt"
            end.bytes = FileManager.default.contents(atPath: failed)?.count ?? 0
            await caller.close()
        }
        return end
    }
}

/// What the devices of a loop have told.
private final class LoopLog: DeviceObserver {
    struct Entry: Sendable {
        var device: Int
        var isConnected = false
        var isFault = false
    }

    let log = EventLog<Entry>()

    func device(_ index: Int, did event: DeviceEvent, at time: Instant) {
        var entry = Entry(device: index)
        if case .connected = event { entry.isConnected = true }
        if case .fault(.transport) = event { entry.isFault = true }
        log.append(entry)
    }

    func loopEnded() { log.finish() }
}

/// Takes connections and says nothing on them.
final class SilentListener: Sendable {
    /// How many were open when each was taken, itself included.
    let accepted = EventLog<Int>()
    let port: UInt16
    private let open: Connections
    private let listener: any Channel

    private final class Connections: Sendable {
        private let state = Mutex<[any Channel]>([])

        func add(_ channel: any Channel) -> Int {
            state.withLock { state in
                state.append(channel)
                return state.count
            }
        }

        func remove(_ channel: any Channel) {
            state.withLock { $0.removeAll { $0 === channel } }
        }

        var oldest: (any Channel)? { state.withLock(\.first) }
    }

    init() async throws {
        let open = Connections()
        let accepted = accepted
        listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.closeFuture.whenComplete { _ in open.remove(channel) }
                accepted.append(open.add(channel))
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: "127.0.0.1", port: 0).get()
        self.open = open
        port = UInt16(listener.localAddress?.port ?? 0)
    }

    /// Ends the connection that was taken first; the loop hears of it behind its removal here.
    func endOldest() {
        guard let oldest = open.oldest else { return }
        open.remove(oldest)
        oldest.close(promise: nil)
    }

    func close() async throws {
        try await listener.close().get()
        while let oldest = open.oldest {
            open.remove(oldest)
            try? await oldest.close().get()
        }
    }
}
