import HubCluster
package import HubTransport
import HubVocabulary
import NIOCore
import NIOPosix
import Synchronization

/// The device port of a node that does not lead: each connection goes byte for byte to the leader.
///
/// TLS, proof and session are between the device and the leader. In front of the device's bytes goes
/// a header that says who the device is, with a code that `cluster.key` is needed for. When another
/// leads, connections to the one before end at once, also to one that is frozen.
package final class DeviceFront: Sendable {
    private struct State {
        var listener: (any Channel)?
        var table: SpliceTable
        /// The port is the node's own from now on.
        var isLeaving = false
        /// Nothing of the front listens there any more.
        var hasLeft = false
        var isEnding = false
    }

    /// The run of this node.
    private let run: UInt64
    private let watch: LeaderWatch
    private let proof: FrontProof
    private let limits: FrontLimits
    private let proxies: [AddressBlock]
    private let state: Mutex<State>

    /// Passes devices of a node's run on to the leader that is heard of; `proxies` are balancers in
    /// front of it.
    package init(
        of run: UInt64,
        _ watch: LeaderWatch,
        _ proof: FrontProof,
        _ limits: FrontLimits,
        proxies: [AddressBlock]
    ) {
        self.run = run
        self.watch = watch
        self.proof = proof
        self.limits = limits
        self.proxies = proxies
        state = Mutex(State(table: SpliceTable(limits)))
    }

    /// Connections of devices that are open.
    package var count: Int { state.withLock { $0.table.count } }

    /// Accepts devices at a numeric address.
    ///
    /// - Returns: the port, also where the kernel chose it.
    @discardableResult
    package func listen(host: String, port: Int) async throws -> Int {
        let limits = limits
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: FrontLimits.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.writeBufferWaterMark, value: Self.waterMark(limits))
            .childChannelOption(
                .recvAllocator,
                value: FixedSizeRecvByteBufferAllocator(capacity: limits.devices.bufferBytes)
            )
            .childChannelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture { try accept(channel) }
            }
            .bind(host: host, port: port).get()
        let isOver = state.withLock { state in
            state.listener = listener
            return state.isEnding || state.isLeaving
        }
        if isOver { try await listener.close() }
        return listener.localAddress?.port ?? port
    }

    /// Ends every connection to another node than this one.
    package func follow(_ leader: LeaderWatch.Leader?) {
        guard let leader else { return }
        let ended = state.withLock { $0.table.elsewhere(than: leader) }
        if !ended.isEmpty { FrontEvents.count(.moved, by: ended.count) }
        for channel in ended { channel.close(promise: nil) }
    }

    /// Lets go of the port: the node itself serves devices there from now on.
    ///
    /// Those that wait for a leader go on waiting, and come to this node.
    package func leave() async {
        let listener = state.withLock { state in
            state.isLeaving = true
            return state.listener
        }
        // A listener that has failed is closed already.
        try? await listener?.close()
        state.withLock { $0.hasLeft = true }
    }

    /// Ends all connections, and lets go of the port.
    package func end() async {
        let (listener, channels) = state.withLock { state in
            state.isEnding = true
            return (state.listener, state.table.channels)
        }
        // A listener that has failed is closed already.
        try? await listener?.close()
        for channel in channels { channel.close(promise: nil) }
    }

    /// On the connection's loop; one too many is closed as soon as it is set up.
    private func accept(_ device: any Channel) throws {
        let own = Self.address(device.remoteAddress)
        // A balancer's stands for another client.
        let counted = own.flatMap { isProxy($0) ? nil : network(of: $0) }
        let entrance = state.withLock { state in
            state.isEnding || state.isLeaving
                ? .refused : state.table.enter(device, of: counted)
        }
        guard case .entered(let yielding) = entrance else {
            FrontEvents.count(FrontEvents.Connection.refused)
            return device.eventLoop.execute { device.close(promise: nil) }
        }
        yielding?.close(promise: nil)
        device.closeFuture.whenComplete { [self] _ in
            state.withLock { $0.table.leave(device) }
        }
        try device.pipeline.syncOperations.addHandler(
            SpliceEnd(
                onFirst: { [self] bytes in begin(device, &bytes) },
                opening: limits.devices.openingMilliseconds
            )
        )
    }

    /// Reads who the device is; false when more bytes are needed for that.
    private func begin(_ device: any Channel, _ bytes: inout ByteBuffer) -> Bool {
        guard var source = Self.address(device.remoteAddress) else {
            device.close(promise: nil)
            return true
        }
        if isProxy(source) {
            do throws(ProxyHeader.Fault) {
                let front = Array(bytes.readableBytesView)
                guard let read = try ProxyHeader.read(front.span) else { return false }
                bytes.moveReaderIndex(forwardBy: read.count)
                source = read.header.peer(of: source)
                guard state.withLock({ $0.table.learn(network(of: source), of: device) }) else {
                    FrontEvents.count(FrontEvents.Connection.refused)
                    device.close(promise: nil)
                    return true
                }
            } catch {
                FrontEvents.count(FrontEvents.Connection.refused)
                device.close(promise: nil)
                return true
            }
        } else if bytes.readableBytesView.first == ProxyHeader.firstByte {
            // From a front that took this node for the leader; it is never carried any further.
            device.close(promise: nil)
            return true
        }
        join(device, from: source)
        return true
    }

    /// Finds the leader's end for a device that has sent something.
    private func join(_ device: any Channel, from source: HubTransport.SocketAddress) {
        Task { [self] in
            let loop = device.eventLoop
            let began = Clock.now.instant
            var isHeld = false
            while device.isActive, !watch.isEnding {
                let leader = watch.leader
                if let leader, isReady(leader) {
                    // One that cannot be reached is tried again.
                    if let end = try? await connect(device, from: source, to: leader) {
                        FrontEvents.count(.spliced)
                        return await splice(device, end, leader)
                    }
                }
                let waited = Clock.now.instant.milliseconds(since: began)
                guard waited < limits.devices.holdMilliseconds else { break }
                if !isHeld { FrontEvents.count(FrontEvents.Connection.held) }
                isHeld = true
                await watch.change(from: leader, within: limits.pauseMilliseconds, on: loop)
            }
            device.close(promise: nil)
        }
    }

    /// Whether it is a leader at its port, and not this front.
    private func isReady(_ leader: LeaderWatch.Leader) -> Bool {
        leader.run != run || state.withLock { $0.hasLeft }
    }

    /// A connection to a leader's device port, with the header in front.
    private func connect(
        _ device: any Channel,
        from source: HubTransport.SocketAddress,
        to leader: LeaderWatch.Leader
    ) async throws -> (any Channel)? {
        guard let place = leader.devices, let local = Self.address(device.localAddress) else {
            return nil
        }
        let header = ProxyHeader(
            source: source,
            fields: [proof.field(of: source, leader: leader.run)]
        ).encoded(to: local)
        let connect = TimeAmount.milliseconds(Int64(limits.connectMilliseconds))
        let end = try await ClientBootstrap(group: device.eventLoop)
            .connectTimeout(connect)
            .channelOption(.autoRead, value: false)
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.writeBufferWaterMark, value: Self.waterMark(limits))
            .channelOption(
                .recvAllocator,
                value: FixedSizeRecvByteBufferAllocator(capacity: limits.devices.bufferBytes)
            )
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(SpliceEnd())
                }
            }
            .connect(host: place.host, port: place.port).get()
        end.write(ByteBuffer(bytes: header), promise: nil)
        return end
    }

    private func isProxy(_ address: HubTransport.SocketAddress) -> Bool {
        proxies.contains { $0.contains(address) }
    }

    /// As limits count it; nil for an address that none counts.
    private func network(of address: HubTransport.SocketAddress) -> DeviceID? {
        limits.devices.limitsLoopback || !address.isLoopback ? address.network : nil
    }

    private static func address(
        _ address: NIOCore.SocketAddress?
    ) -> HubTransport.SocketAddress? {
        address?.ipAddress.flatMap {
            // A connection by a socket of the file system has none.
            try? SocketAddress(numeric: $0, port: UInt16(clamping: address?.port ?? 0))
        }
    }

    private func splice(
        _ device: any Channel,
        _ end: any Channel,
        _ leader: LeaderWatch.Leader
    ) async {
        let isStale = state.withLock { state in
            !state.table.join(device, leader) || state.isEnding
        }
        // The lead may have moved while the connection was made.
        guard !isStale, watch.leader == nil || watch.leader == leader else {
            end.close(promise: nil)
            return device.close(promise: nil)
        }
        let joined = device.eventLoop.submit {
            let ends = try (
                device.pipeline.syncOperations.handler(type: SpliceEnd.self),
                end.pipeline.syncOperations.handler(type: SpliceEnd.self)
            )
            ends.0.join(ends.1)
        }
        do {
            try await joined.get()
        } catch {
            end.close(promise: nil)
            device.close(promise: nil)
        }
    }

    private static func waterMark(
        _ limits: FrontLimits
    ) -> ChannelOptions.Types.WriteBufferWaterMark {
        let high = limits.devices.bufferBytes
        return ChannelOptions.Types.WriteBufferWaterMark(low: high / 2, high: high)
    }
}
