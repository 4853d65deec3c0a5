import HubDirectory
@testable import HubHarness
import HubMemory
import HubModel
import HubQuestions
import HubTags
import HubVocabulary
import HubWire
import Testing

@Suite("Devices that do not come back")
struct IdleDeviceTests {
    private static let day: UInt64 = 86_400_000
    /// Milliseconds after which each device is looked at again.
    private static let round: UInt64 = 60_000
    private let idleDays = CoreLimits.standard.devices.deviceIdleDays

    /// Some turns of the writer without anything to do.
    private func rest(_ harness: DirectoryHarness, turns: Int = 3) throws {
        for _ in 0..<turns {
            harness.directory.tick(now: harness.now)
            harness.run()
        }
        try harness.checkpoint()
    }

    private func register(_ harness: DirectoryHarness, _ session: AttachReply) throws {
        let request = DeviceRequest.register(
            slot: 0,
            Given.content(tags: Given.tagSet("a")),
            ttlSeconds: 0,
            ifETag: 0
        )
        #expect(try harness.request(request, of: session).error == nil)
    }

    private func leave(_ harness: DirectoryHarness, _ session: AttachReply) {
        harness.directory.receive(
            .detach(device: session.device, sessionGeneration: session.sessionGeneration),
            now: harness.now
        )
        harness.run()
    }

    @Test("take the installations of their handles with them, and what else these stood for")
    func installations() throws {
        let harness = try DirectoryHarness()
        let handle = String(decoding: try harness.handle(Given.phone), as: UTF8.self)
        let template = #""templates":{"t":{"body":"{}"}}"#
        try harness.install(GivenInstallation.apple(template, handle: handle))
        try harness.install(GivenInstallation.apple(id: "i-2"), id: "i-2")
        harness.pass(milliseconds: idleDays * Self.day)
        try rest(harness)
        #expect(harness.storage.installations.keys.map { $0 } == ["i-2".utf8Bytes])
        #expect(harness.directory.gauges.installations == 1)
        #expect(harness.directory.gauges.registrations == 1)
    }

    @Test("go after 90 days with every registration that leads to them, and are forgotten")
    func removed() throws {
        let harness = try DirectoryHarness()
        let session = try harness.attach(Given.phone)
        try register(harness, session)
        let handle = String(decoding: try harness.handle(Given.phone), as: UTF8.self)
        let made = try harness.create(Given.content(handle))
        let other = try harness.create(Given.content("AB01"))
        leave(harness, session)
        harness.pass(milliseconds: idleDays * Self.day - 1)
        try rest(harness)
        #expect(harness.directory.gauges.registrations == 3)
        #expect(harness.storage.cursors[Given.phone] != nil)
        harness.forget()
        harness.pass(milliseconds: Self.round)
        try rest(harness)
        #expect(harness.directory.gauges.registrations == 1)
        #expect(harness.directory.gauges.devices == 0)
        #expect(harness.storage.registrations.keys.map { $0 } == [other.number])
        #expect(harness.storage.cursors.isEmpty)
        #expect(harness.events == [.deviceForgotten])
        let removed = harness.feed.flatMap(\.changes).count { change in
            if case .removed = change { true } else { false }
        }
        #expect(removed == 2)
        #expect(try harness.refusal(GetRegistration(id: made.id)) == .registrationNotFound)
    }

    @Test("stay while they are connected, and for 90 days from then on")
    func connected() throws {
        let harness = try DirectoryHarness()
        let session = try harness.attach(Given.phone)
        try register(harness, session)
        for _ in 0..<3 {
            harness.pass(milliseconds: idleDays * Self.day)
            try rest(harness)
        }
        #expect(harness.directory.gauges.registrations == 1)
        leave(harness, session)
        harness.pass(milliseconds: idleDays * Self.day - 1)
        try rest(harness)
        #expect(harness.directory.gauges.registrations == 1)
        harness.pass(milliseconds: Self.round)
        try rest(harness)
        #expect(harness.directory.gauges.registrations == 0)
    }

    @Test("are known to be there while they are connected, also by a store that is opened later")
    func connectedForLong() throws {
        let first = try DirectoryHarness()
        try register(first, try first.attach(Given.phone))
        for _ in 0..<(idleDays - 1) {
            first.pass(milliseconds: Self.day)
            try rest(first)
        }
        // The hub is stopped, and the device comes back a fortnight later.
        let second = try DirectoryHarness(storage: first.storage, seed: 2)
        second.now = first.now
        try rest(second)
        second.pass(milliseconds: 14 * Self.day)
        try rest(second)
        #expect(second.directory.gauges.registrations == 1)
        second.pass(milliseconds: idleDays * Self.day)
        try rest(second)
        #expect(second.directory.gauges.registrations == 0)
    }

    @Test("that came back between the look and the removal stay")
    func cameBack() throws {
        let harness = try DirectoryHarness()
        let session = try harness.attach(Given.phone)
        try register(harness, session)
        leave(harness, session)
        harness.pass(milliseconds: idleDays * Self.day)
        harness.directory.receive(
            .attach(
                AttachRequest(
                    address: harness.address(9),
                    device: Given.phone,
                    keyGeneration: 0,
                    instance: 1,
                    position: .none,
                    isNew: false
                )
            ),
            now: harness.now
        )
        try rest(harness)
        #expect(harness.directory.gauges.registrations == 1)
        #expect(harness.events.isEmpty)
    }

    @Test("that nobody but a back end ever registered go too")
    func neverConnected() throws {
        let harness = try DirectoryHarness()
        let handle = String(decoding: try harness.handle(Given.tablet), as: UTF8.self)
        _ = try harness.create(Given.content(handle))
        harness.pass(milliseconds: idleDays * Self.day)
        try rest(harness)
        #expect(harness.directory.gauges.registrations == 0)
    }

    @Test("are counted by the store's word after a restart, and have a day to come back")
    func restart() throws {
        let first = try DirectoryHarness()
        for device in [Given.phone, Given.tablet] {
            let session = try first.attach(device)
            try register(first, session)
            leave(first, session)
        }
        try rest(first)
        // The hub was off for longer than any device may be silent.
        let second = try DirectoryHarness(storage: first.storage, seed: 2)
        second.now.time = first.now.time.adding(seconds: (idleDays + 10) * 86_400)
        try rest(second)
        #expect(second.directory.gauges.registrations == 2)
        try second.attach(Given.tablet)
        second.pass(milliseconds: Self.day - 1)
        try rest(second)
        #expect(second.directory.gauges.registrations == 2)
        second.pass(milliseconds: 1)
        try rest(second)
        #expect(second.storage.registrations.values.map(\.target?.device) == [Given.tablet])
        #expect(second.storage.cursors.keys.map { $0 } == [Given.tablet])
    }

    @Test("are removed some at a time")
    func bounded() throws {
        let harness = try DirectoryHarness()
        let step = CoreLimits.standard.devices.idleDevicesPerStep
        for number in 0..<UInt64(2 * step + 1) {
            let device = DeviceID(high: 9, low: number + 1)
            let handle = String(decoding: try harness.handle(device), as: UTF8.self)
            _ = try harness.create(Given.content(handle))
        }
        harness.pass(milliseconds: idleDays * Self.day)
        var left: [Int] = []
        for _ in 0..<4 {
            try rest(harness, turns: 1)
            left.append(harness.directory.gauges.devices)
        }
        #expect(left == [step + 1, 1, 0, 0])
    }

    @Test("are tried again after a minute when the store refuses")
    func refused() throws {
        let harness = try DirectoryHarness()
        let session = try harness.attach(Given.phone)
        try register(harness, session)
        leave(harness, session)
        harness.pass(milliseconds: idleDays * Self.day)
        harness.storage.refuseChanges = .full
        try rest(harness)
        #expect(harness.directory.gauges.registrations == 1)
        #expect(harness.directory.gauges.devices == 1)
        harness.storage.refuseChanges = nil
        harness.pass(milliseconds: 59_999)
        try rest(harness)
        #expect(harness.directory.gauges.registrations == 1)
        harness.pass(milliseconds: 1)
        try rest(harness)
        #expect(harness.directory.gauges.registrations == 0)
    }

    @Test("that register again begin anew, also when the store has not yet forgotten them")
    func again() throws {
        let harness = try DirectoryHarness()
        let session = try harness.attach(Given.phone)
        try register(harness, session)
        try harness.send(5)
        harness.directory.receive(
            Given.progress(
                CursorAdvance(
                    device: Given.phone,
                    sessionGeneration: session.sessionGeneration,
                    acknowledged: 5,
                    scannedThrough: 5
                )
            ),
            now: harness.now
        )
        leave(harness, session)
        try harness.checkpoint()
        harness.pass(milliseconds: idleDays * Self.day)
        harness.directory.tick(now: harness.now)
        harness.run()
        let back = try harness.attach(Given.phone, at: 2)
        try register(harness, back)
        let waiting = try #require(harness.directory.checkpoint(now: harness.now))
        #expect(waiting.forgotten == [Given.phone])
        #expect(waiting.cursors.map(\.device) == [Given.phone])
        try harness.storage.checkpoint(waiting)
        #expect(harness.storage.cursors[Given.phone]?.acknowledged == 5)
        #expect(harness.directory.gauges.devices == 1)
    }

    @Test("gauges follow what the directory holds")
    func gauges() throws {
        let harness = try DirectoryHarness()
        let session = try harness.attach(Given.phone)
        try register(harness, session)
        try harness.send(10)
        harness.directory.receive(
            Given.progress(
                CursorAdvance(
                    device: Given.phone,
                    sessionGeneration: session.sessionGeneration,
                    acknowledged: 4,
                    scannedThrough: 6
                )
            ),
            now: harness.now
        )
        _ = try harness.create(Given.content("AB01", tags: Given.tagSet("a", "b")))
        let gauges = harness.directory.gauges
        #expect(gauges.registrations == 2 && gauges.unknownHandles == 1)
        #expect(gauges.devices == 1 && gauges.sessions == 1 && gauges.tags == 2)
        #expect(gauges.logFirst == 1 && gauges.logHead == 10)
        #expect(gauges.cursorLagMean == 4)
        #expect(gauges.waiting == 0 && gauges.undeliverable == 0)
    }
}
