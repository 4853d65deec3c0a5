import Foundation
import Testing

@testable import ScenarioSupport

/// The judge of the kill rig sees what it is there to see.
@Suite("The journal of the kill rig")
struct KillJournalTests {
    private static let id = "01a1fee8f2167cd68f0758f556b14408"

    private static func sent(_ key: String, id: String, at sequence: Int) -> String {
        let kind = key.split(separator: ".")[2]
        return #"{"key":"\#(key)","kind":"\#(kind)","tries":1,"status":201,"#
            + #""id":"\#(id)-20261121162041-\#(sequence)-1"}"#
    }

    private static func received(_ key: String, id: String, at sequence: Int) -> String {
        let dashed = [8, 13, 18, 23].reduce(into: id) { text, place in
            text.insert("-", at: text.index(text.startIndex, offsetBy: place))
        }
        return #"{"event":"notification","id":"\#(dashed)","seq":\#(sequence),"#
            + #""registration":0,"template":false,"receivedAt":"2026-11-21T16:20:41.000Z","#
            + #""payload":"{\"m\":\"[\#(key)]\"}"}"#
    }

    private static func faults(_ senders: [String], _ gcm: [String]) throws -> [String] {
        let devices = KillJournal.Device.all.filter { $0.name == "gcm" }
        return try KillJournal(senders: [senders], devices: devices.map { ($0, gcm) }).faults
    }

    private static func id(_ number: Int) -> String { Self.id.dropLast() + "\(number)" }

    @Test("finds nothing where everything arrived once, in order")
    func sound() throws {
        let senders = (1...2).map { Self.sent("a0.\($0).gcm", id: Self.id($0), at: $0) }
        let devices = (1...2).map { Self.received("a0.\($0).gcm", id: Self.id($0), at: $0) }
        #expect(try Self.faults(senders, devices) == [])
    }

    @Test("finds what is lost, doubled, misrouted, out of order, renamed or never answered")
    func unsound() throws {
        let senders = (1...2).map { Self.sent("a0.\($0).gcm", id: Self.id($0), at: $0) }
        let devices = (1...2).map { Self.received("a0.\($0).gcm", id: Self.id($0), at: $0) }
        func expect(_ text: String, _ senders: [String], _ devices: [String]) throws {
            let found = try Self.faults(senders, devices)
            #expect(found.contains { $0.contains(text) }, "\(text): \(found)")
        }
        try expect("lost a0.2.gcm", senders, [devices[0]])
        try expect("twice", senders, devices + [devices[1]])
        try expect("after", senders, devices.reversed())
        try expect(
            "not for it",
            senders + [Self.sent("a0.3.world", id: Self.id(3), at: 3)],
            devices + [Self.received("a0.3.world", id: Self.id(3), at: 3)]
        )
        try expect("and then", senders + [Self.sent("a0.1.gcm", id: Self.id(4), at: 4)], devices)
        try expect("not", senders, [devices[0], Self.received("a0.2.gcm", id: Self.id(2), at: 3)])
        try expect("is both", senders + [Self.sent("a0.9.world", id: Self.id(1), at: 1)], devices)
        let cut = #"{"key":"a0.3.gcm","kind":"gcm","tries":1,"error":"TimeoutError"}"#
        try expect("never answered", senders + [cut], devices)
        try expect("gap", senders, devices + [#"{"event":"gap","reason":"purge","seq":2}"#])
        let reset = #"{"event":"connected","outcome":"reset","seq":0,"device":"d"}"#
        try expect("reset", senders, [reset] + devices)
    }

    @Test(
        "takes what sends a device away for a moment, and no other error",
        arguments: [
            ("the hub reports DRAINING: ", true),
            ("the hub reports UNAVAILABLE: the lead is in doubt", true),
            ("the hub reports HANDSHAKE_TIMEOUT: ", true),
            ("the hub reports STORAGE: DRAINING", false),
            ("tags refused: UNAVAILABLE ", false),
        ]
    )
    func errors(message: String, isTaken: Bool) throws {
        let line = #"{"event":"error","message":"\#(message)"}"#
        let found = try Self.faults([], [line])
        #expect(found == (isTaken ? [] : ["gcm: error, \(message)"]))
    }
}
