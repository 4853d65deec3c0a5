import DeviceEmulator
import HubClient

/// The hub's cost of taking so many devices.
struct Ramp: Sendable {
    let devices: Int
    let before: HubReading
    /// When the last device was registered.
    let connected: HubReading
    /// When the hub had come to rest.
    let idle: HubReading

    /// Adds what the devices' coming cost to a turn.
    func read(into turn: inout BenchTurn) {
        let count = Double(max(1, devices))
        turn.read(
            "handshake and subscribe",
            before.cpuMicroseconds(to: connected).map { $0 / count },
            "µs CPU",
            .less
        )
        turn.read("memory without devices", before.bytes.map(Double.init), "bytes", .neither)
        turn.read(
            "memory per idle connection",
            before.growth(to: idle).map { $0 / count },
            "bytes",
            .less
        )
        turn.read("ramp", before.seconds(to: connected), "s", .neither)
    }
}
