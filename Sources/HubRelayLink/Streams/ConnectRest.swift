import NIOCore

/// The pause after connections that failed or ended before they answered anything.
///
/// It doubles with each up to a limit, less a random quarter: services count rapid connections as
/// an attack.
struct ConnectRest {
    private let times: CarrierTimes
    private var failures = 0
    private(set) var until = NIODeadline.uptimeNanoseconds(0)
    private(set) var reason = ""

    init(_ times: CarrierTimes) { self.times = times }

    func isOver(at now: NIODeadline) -> Bool { now >= until }

    mutating func fail(_ reason: String, at now: NIODeadline) {
        let doubled = times.restLeast * (1 << min(failures, 20))
        let pause = min(doubled, times.restMost) * Double.random(in: 0.75...1)
        failures += 1
        until = now + TimeAmount(pause)
        self.reason = reason
    }

    mutating func succeed() { failures = 0 }
}
