import Foundation
import HubRules
import HubTestSupport
import HubVocabulary
import Testing

@testable import HubData

@Suite("The file of uses of keys")
struct KeyUseBookTests {
    private let place = TemporaryFolder()
    private let time = Timestamp(milliseconds: 1_777_885_200_000)

    private func keys() throws -> HubKeys {
        let folder = try DataFolder(path: place.path)
        defer { folder.release() }
        return try HubKeys(folder: folder, hubs: ["a", "b"])
    }

    private func hubs(_ keys: HubKeys) -> [(HubName, [AccessRule])] {
        keys.hubs.map { ($0.name, $0.rules) }
    }

    @Test("brings each use back to its key, and to no other")
    func restart() throws {
        let before = try keys()
        let book = KeyUseBook(data: place.path, before)
        try book.write(namespace: before.namespace.map(\.rule), hubs(before))
        #expect(!place.everything.contains("key-uses.json"))
        before.hubs[1].rules[2].secondaryUse.mark(.request, at: time)
        before.namespace[0].rule.primaryUse.mark(.device, at: time)
        try book.write(namespace: before.namespace.map(\.rule), hubs(before))
        #expect(try place.mode("key-uses.json") == 0o600)
        let after = try keys()
        _ = KeyUseBook(data: place.path, after)
        let rules = after.namespace.map(\.rule) + after.hubs.flatMap(\.rules)
        let uses = rules.flatMap { [$0.primaryUse, $0.secondaryUse] }
        #expect(uses.compactMap { $0.last(.request) } == [time])
        #expect(uses.compactMap { $0.last(.device) } == [time])
        #expect(after.hubs[1].rules[2].secondaryUse.last == time)
        #expect(after.namespace[0].rule.primaryUse.last(.device) == time)
    }

    @Test("is written when something has changed, and replaced when it cannot be read")
    func writing() throws {
        let keys = try keys()
        try place.write("no list", to: "key-uses.json")
        let book = KeyUseBook(data: place.path, keys)
        try book.write(namespace: keys.namespace.map(\.rule), hubs(keys))
        #expect(try place.text("key-uses.json") == "no list")
        keys.namespace[0].rule.primaryUse.mark(.request, at: time)
        try book.write(namespace: keys.namespace.map(\.rule), hubs(keys))
        #expect(try place.text("key-uses.json").contains("RootManageSharedAccessKey"))
        try place.write("", to: "key-uses.json")
        try book.write(namespace: keys.namespace.map(\.rule), hubs(keys))
        #expect(try place.text("key-uses.json") == "")
    }
}
