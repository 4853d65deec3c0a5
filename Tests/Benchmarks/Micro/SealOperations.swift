import Benchmark
import HubTransport
import TLSRecords

/// The hub's own records: one connection over and over, and 10,000 in turn.
func sealOperations() -> [Operation] {
    [
        sealing("seal 256 bytes, one connection", connections: 1, bytes: 256),
        sealing("seal 256 bytes, 10,000 connections", connections: 10_000, bytes: 256),
        sealing("seal 2,048 bytes, one connection", connections: 1, bytes: 2_048),
    ]
}

private func sealing(_ name: String, connections: Int, bytes: Int) -> Operation {
    Operation(name) {
        let sealer = Sealer(connections: connections, bytes: bytes)
        return { count in
            for number in 0..<count { sealer.seal(number % connections) }
            blackHole(sealer.sealedBytes)
        }
    }
}

@safe private final class Sealer {
    private let cipher: OpenSSLCipher
    private let layers: UnsafeMutableBufferPointer<RecordLayer>
    private let space: UnsafeMutableBufferPointer<UInt8>
    private let text: [UInt8]
    private var limits = RecordLimits()
    private(set) var sealedBytes = 0

    init(connections: Int, bytes: Int) {
        cipher = sound { () throws(TransportError) in try OpenSSLCipher() }
        text = [UInt8](repeating: 0x61, count: bytes)
        // Sealed bytes have no reader here, so a key may be used for as long as is measured.
        limits.recordsPerKey = .max
        // Both live until deinit; every layer is initialised here.
        unsafe space = .allocate(capacity: RecordLayer.sealedBytes(bytes))
        unsafe layers = .allocate(capacity: connections)
        for index in 0..<connections {
            unsafe layers.initializeElement(at: index, to: RecordLayer())
            let secret = [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: 32)
            let isBegun = unsafe layers[index].begin(
                .aes128GCM,
                receivingSecret: secret.span,
                sendingSecret: secret.span,
                with: cipher
            )
            precondition(isBegun, "no keys for connection \(index)")
        }
    }

    deinit {
        // Allocated and initialised in init, and not used elsewhere.
        unsafe layers.deinitialize()
        unsafe layers.deallocate()
        unsafe space.deallocate()
    }

    func seal(_ index: Int) {
        let text = text
        // The space has room for one such record, and nothing else writes to it.
        var output = unsafe OutputSpan(buffer: space, initializedCount: 0)
        let isSealed = unsafe layers[index].seal(
            text.span,
            into: &output,
            within: limits,
            with: cipher
        )
        precondition(isSealed, "connection \(index) cannot seal")
        sealedBytes &+= unsafe output.finalize(for: space)
    }
}
