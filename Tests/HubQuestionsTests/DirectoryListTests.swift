import HubDirectory
@testable import HubHarness
import HubMemory
import HubModel
import HubQuestions
import HubTags
import HubVocabulary
import Testing

/// Lists of what a hub has, page by page.
@Suite("Lists of a hub")
struct DirectoryListTests {
    // MARK: Notifications

    private func places(_ harness: DirectoryHarness, limit: Int) throws -> [[UInt64]] {
        var pages: [[UInt64]] = []
        var before: UInt64?
        repeat {
            let question = ListNotifications(before: before, limit: limit)
            let page = try harness.perform(question).get()
            pages.append(page.entries.map(\.record.sequence))
            before = page.next
        } while before != nil
        return pages
    }

    @Test("show each notification once, the newest first, whatever a page holds")
    func notifications() throws {
        let harness = try DirectoryHarness()
        #expect(try places(harness, limit: 10) == [[]])
        try harness.send(7)
        #expect(try places(harness, limit: 3) == [[7, 6, 5], [4, 3, 2], [1]])
        #expect(try places(harness, limit: 7) == [[7, 6, 5, 4, 3, 2, 1]])
        var limits = CoreLimits()
        limits.inspection.listedPerPart = 2
        #expect(
            try places(harness.reopened(limits: limits), limit: 9) == [
                [7, 6], [5, 4], [3, 2], [1],
            ]
        )
    }

    @Test("show those of a time, a tag, a format or an outcome alone, page by page")
    func filtered() throws {
        var limits = CoreLimits()
        limits.inspection.listedPerPart = 3
        let harness = try DirectoryHarness(limits: limits)
        let start = harness.now.time
        // One a minute: everybody, then `World` by turns with `Sports`, then a template.
        for minute in 0..<10 {
            var draft = Given.draft()
            let tags = minute % 2 == 0 ? "World && !x" : "Sports"
            if minute > 0 { draft.target = .tags(try TagExpression(parsing: Array(tags.utf8))) }
            if minute == 9 { draft.format = .template }
            _ = try harness.perform(Send(draft.asRead))
            harness.pass(milliseconds: 60_000)
        }
        func places(_ change: (inout NotificationFilter) -> Void) throws -> [UInt64] {
            var filter = NotificationFilter()
            change(&filter)
            var (found, before): ([UInt64], UInt64?) = ([], nil)
            repeat {
                let question = ListNotifications(filter, before: before, limit: 2)
                let page = try harness.perform(question).get()
                #expect(page.entries.count <= 2)
                found += page.entries.map(\.record.sequence)
                before = page.next
            } while before != nil
            return found
        }
        #expect(try places { $0.tag = Array("WORLD".utf8) } == [9, 7, 5, 3])
        #expect(try places { $0.tag = Array("x".utf8) } == [9, 7, 5, 3])
        #expect(try places { $0.format = .template } == [10])
        let third = start.adding(seconds: 120)
        #expect(try places { $0.span.until = third } == [2, 1])
        #expect(try places { $0.span.since = third } == [10, 9, 8, 7, 6, 5, 4, 3])
        #expect(
            try places { ($0.span.since, $0.span.until) = (third, third.adding(seconds: 120)) } == [
                4, 3,
            ]
        )
        #expect(try places { $0.span.until = start } == [])
        #expect(try places { $0.span.since = harness.now.time.adding(seconds: 1) } == [])
        #expect(try places { $0.outcome = .acknowledged } == [])
        #expect(try places { $0.outcome = .dropped } == [])
    }

    @Test("go on below a hole that lost history left")
    func hole() throws {
        let harness = try DirectoryHarness()
        try harness.send(2)
        let storage = harness.storage
        storage.loseHistory(through: 100_000)
        let later = try harness.reopened()
        try later.send()
        #expect(try places(later, limit: 50).flatMap { $0 } == [100_001, 2, 1])
    }

    // MARK: Devices

    private static func device(_ number: UInt64) -> DeviceID {
        DeviceID(high: number << 56, low: number)
    }

    /// Devices 1 to 5: the last two are connected, the first has two registrations tagged `a`.
    private func devices(perPart: Int = 10_000) throws -> DirectoryHarness {
        var limits = CoreLimits()
        limits.inspection.inspectedPerPart = perPart
        limits.inspection.devicesPerPart = perPart
        let harness = try DirectoryHarness(limits: limits)
        var sessions: [AttachReply] = []
        for number in UInt64(1)...5 {
            let session = try harness.attach(Self.device(number), at: UInt32(number), isNew: true)
            for slot in UInt16(0)..<(number == 1 ? 2 : 1) {
                let tags = number == 3 ? Given.tagSet("b") : Given.tagSet("a")
                let request = DeviceRequest.register(
                    slot: slot,
                    Given.content(tags: tags),
                    ttlSeconds: 0,
                    ifETag: 0
                )
                #expect(try harness.request(request, of: session).error == nil)
            }
            sessions.append(session)
        }
        try harness.send(4)
        for (index, place) in [(0, UInt64(3)), (1, 1), (3, 4)] {
            let advance = CursorAdvance(
                device: sessions[index].device,
                sessionGeneration: sessions[index].sessionGeneration,
                acknowledged: place,
                scannedThrough: place
            )
            harness.directory.receive(Given.progress(advance), now: harness.now)
        }
        for session in sessions[..<3] {
            harness.directory.receive(
                .detach(device: session.device, sessionGeneration: session.sessionGeneration),
                now: harness.now
            )
        }
        harness.run()
        return harness
    }

    private func list(
        _ harness: DirectoryHarness,
        _ filter: DeviceFilter = DeviceFilter(),
        _ order: ListDevices.Order = .kept,
        limit: Int = 100
    ) throws -> [[UInt64]] {
        var parts: [[UInt64]] = []
        var from: UInt32? = 0
        while let start = from {
            let question = ListDevices(filter, order: order, from: start, limit: limit)
            let part = try harness.perform(question).get()
            parts.append(part.found.map(\.cursor.device.low))
            from = part.next
        }
        return parts
    }

    @Test(
        "show each device once, whatever a page holds and a turn looks at",
        arguments: [1, 2, 100]
    )
    func pages(perPart: Int) throws {
        let harness = try devices(perPart: perPart)
        for limit in [1, 2, 100] {
            #expect(try list(harness, limit: limit).flatMap { $0 } == [1, 2, 3, 4, 5])
        }
        #expect(try list(harness, limit: 2)[0].count == min(perPart, 2))
        var tagged = DeviceFilter()
        tagged.tag = "A".utf8Bytes
        for limit in [1, 2, 100] {
            #expect(try list(harness, tagged, limit: limit).flatMap { $0 } == [1, 2, 4, 5])
        }
    }

    @Test("show devices by the beginning of their id, and by whether they are connected")
    func filters() throws {
        let harness = try devices()
        var filter = DeviceFilter()
        filter.isConnected = true
        #expect(try list(harness, filter) == [[4, 5]])
        filter.isConnected = false
        #expect(try list(harness, filter) == [[1, 2, 3]])
        filter.prefix = [0, 2]
        #expect(try list(harness, filter) == [[2]])
        filter.prefix = [0, 2] + [UInt8](repeating: 0, count: 29) + [2]
        #expect(try list(harness, filter) == [[2]])
        filter.prefix[31] = 3
        #expect(try list(harness, filter) == [[]])
    }

    @Test("show those first that are furthest behind")
    func behind() throws {
        let harness = try devices()
        let whole = ListDevices(DeviceFilter(), order: .behind, from: 0, limit: 3)
        let found = try harness.perform(whole).get().found
        #expect(found.map(\.cursor.device.low) == [3, 5, 2])
        #expect(found.map(\.behind) == [4, 4, 3])
        let parts = try list(try devices(perPart: 2), DeviceFilter(), .behind, limit: 1)
        #expect(parts == [[2], [3], [5]])
    }

    @Test("show of those that are furthest behind only ones before a device that is known")
    func beforeKnown() throws {
        let harness = try devices()
        func list(_ limit: Int, before last: ListedDevice?) throws -> [ListedDevice] {
            let rank = last.map(DeviceRank.init)
            let question = ListDevices(
                DeviceFilter(),
                order: .behind,
                from: 0,
                limit: limit,
                before: rank
            )
            return try harness.perform(question).get().found
        }
        let all = try list(9, before: nil)
        #expect(all.map(\.cursor.device.low) == [3, 5, 2, 1, 4])
        for place in all.indices {
            let found = try list(9, before: all[place])
            #expect(found.map(\.cursor.device) == all[..<place].map(\.cursor.device))
        }
        #expect(try list(1, before: all[2]).map(\.cursor.device.low) == [3])
        #expect(all.map(DeviceRank.init) == all.map(DeviceRank.init).sorted())
    }

    @Test("have a device by its id and by its handle, with its registrations")
    func one() throws {
        let harness = try devices()
        let first = Self.device(1)
        for subject in [ExplainSubject.device(first), .handle(try harness.handle(first))] {
            let found = try harness.perform(GetDevice(subject)).get()
            #expect(found.device.registrations == 2 && found.registrations.count == 2)
            #expect(!found.device.isConnected && found.device.behind == 1)
        }
        let unknown = GetDevice(.device(Self.device(9)))
        #expect(try harness.refusal(unknown) == .deviceNotFound)
    }
}
