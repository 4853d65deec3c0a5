/// What a storm measured; times in seconds unless the name says otherwise.
package struct StormResult: Codable, Equatable, Sendable {
    /// Devices that came back at once.
    package var devices: Int
    /// Records in the log that were made while they were away.
    package var backlog: Int
    /// Of the backlog, so many are for each device, on average.
    package var perDevice: Double
    /// Deliveries that were expected, with the last one, which goes to everybody when all have
    /// caught up.
    package var expected: Int
    /// Deliveries that came, each counted once.
    package var delivered: Int
    /// Deliveries that did not come.
    package var lost: Int
    /// Deliveries that came again.
    package var duplicated: Int
    /// Deliveries to devices that they were not for.
    package var misrouted: Int
    /// Deliveries that came after a later one.
    package var outOfOrder: Int
    /// Losses that the hub announced; there should be none.
    package var gaps: Int
    /// Connections that ended while the devices came back.
    package var disconnected: Int
    /// From the start of the hub's process until it listened.
    package var listening: Double
    /// From the moment when all were told to come back until each had a session.
    package var connected: Double
    /// From the same moment until each had everything.
    package var caughtUp: Double
    /// Sends over REST during the storm.
    package var sends: Int
    /// Of these, not answered `201`.
    package var sendsFailed: Int
    /// Milliseconds until the answer: half of the sends were at most so slow.
    package var sendP50: Double
    /// 99 of 100 sends were at most so slow, in milliseconds.
    package var sendP99: Double
    /// The slowest send in milliseconds.
    package var sendMax: Double
    /// Anonymous memory of the hub that was just started, in bytes; nil when it cannot be read.
    package var bytesBefore: Int?
    /// The most anonymous memory that was seen while they came back, in bytes.
    package var bytesPeak: Int?
    /// CPU of the hub's process from the start of the storm to its end.
    package var cpu: Double?
    /// The first fault that a device reported.
    package var firstFault: String?

    /// Whether nothing was lost, doubled, misrouted or out of order.
    package var isExact: Bool {
        lost == 0 && duplicated == 0 && misrouted == 0 && outOfOrder == 0 && gaps == 0
            && sendsFailed == 0
    }

    /// The same as a turn of a run.
    var turn: BenchTurn {
        var turn = BenchTurn()
        turn.read("hub listening", listening, "s", .less)
        turn.read("all connected", connected, "s", .less)
        turn.read("all caught up", caughtUp, "s", .less)
        turn.read("send meanwhile, p99", sendP99, "ms", .less)
        turn.read("send meanwhile, slowest", sendMax, "ms", .less)
        turn.read("sends meanwhile", Double(sends), "", .neither)
        turn.read("hub CPU", cpu, "s", .less)
        turn.read("hub memory before", bytesBefore.map(Double.init), "bytes", .neither)
        turn.read("hub memory at most", bytesPeak.map(Double.init), "bytes", .less)
        turn.read("backlog for each device", perDevice, "", .neither)
        turn.read("connections lost", Double(disconnected), "", .neither)
        turn.counts.expected = expected
        turn.counts.delivered = delivered
        turn.counts.lost = lost
        turn.counts.duplicated = duplicated
        turn.counts.misrouted = misrouted
        turn.counts.sendsFailed = sendsFailed
        if outOfOrder > 0 { turn.faults.append("\(outOfOrder) deliveries were out of order") }
        if gaps > 0 { turn.faults.append("\(gaps) losses were announced") }
        turn.detail = .storm(self)
        return turn
    }
}
