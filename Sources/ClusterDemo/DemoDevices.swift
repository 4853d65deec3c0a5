import DeviceEmulator
import HubClient
import HubTransport
import HubVocabulary

/// Six devices on one thread, that know the addresses of all nodes.
final class DemoDevices: Sendable {
    /// One device's messages.
    struct Account: Sendable {
        /// Numbers of the notifications, as they came.
        var received: [Int] = []
        var isSubscribed = false
        /// Events that must not happen to it.
        var faults: [String] = []
    }

    /// Their tags; everyone gets what is sent to everyone.
    static let tags: [[String]] = [
        ["News"], ["Sports"], ["News", "Sports"], ["News"], ["Sports"], ["Weather"],
    ]

    private let loop: DeviceLoop
    private let accounts: Awaited<[Account]>

    /// Starts them.
    init(_ connection: ConnectionFile) throws(DeviceFault) {
        var configuration = try DeviceLoop.Configuration(connection)
        configuration.resolve = { _, port throws(TransportError) in
            var all: [SocketAddress] = []
            for host in DemoNode.hosts {
                all.append(try SocketAddress(numeric: host, port: port))
            }
            return all
        }
        let accounts = Awaited(Self.tags.map { _ in Account() })
        self.accounts = accounts
        loop = try DeviceLoop(configuration, observer: Observer(accounts))
        let setups = Self.tags.enumerated().map { index, tags in
            var setup = DeviceSetup(
                session: LinkSession.Configuration(hub: connection.hub),
                seed: UInt64(index)
            )
            setup.choose(
                .template(platform: .apple, name: "", body: #"{"n":"$(n)"}"#, tags: tags)
            )
            return setup
        }
        loop.add(setups)
    }

    /// Each device's messages now.
    var all: [Account] { accounts.value }

    /// Waits until each is subscribed.
    func areSubscribed(within limit: Duration) async -> Bool {
        await accounts.wait(upTo: limit) { $0.allSatisfy(\.isSubscribed) }
    }

    /// Waits until each has all that it should have of the first `count` notifications.
    func haveAll(of count: Int, within limit: Duration) async -> Bool {
        let expected = Self.tags.map { Set(DemoSender.numbers(upTo: count, for: $0)) }
        return await accounts.wait(upTo: limit) { accounts in
            zip(accounts, expected).allSatisfy { $1.isSubset(of: $0.received) }
        }
    }

    /// Ends them.
    func stop() { loop.stop() }

    private final class Observer: DeviceObserver {
        private let accounts: Awaited<[Account]>

        init(_ accounts: Awaited<[Account]>) { self.accounts = accounts }

        func device(_ index: Int, did event: DeviceEvent, at time: Instant) {
            accounts.change { Self.note(event, in: &$0[index]) }
        }

        func loopEnded() {}

        private static func note(_ event: DeviceEvent, in account: inout Account) {
            switch event {
            case .registered: account.isSubscribed = true
            case .notification(let notification):
                let digits = notification.payload.filter { (0x30...0x39).contains($0) }
                account.received.append(Int(String(decoding: digits, as: UTF8.self)) ?? 0)
            case .gap(let gap): account.faults.append("\(gap)")
            case .fault(let fault): account.faults.append("\(fault)")
            case .disconnected(let departure, retryIn: nil):
                account.faults.append("away: \(departure)")
            case .connected, .unregistered, .upToDate, .disconnected: break
            }
        }
    }
}
