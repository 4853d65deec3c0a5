import HubDirectory
@testable import HubHarness
import HubModel
import HubQuestions
import HubRules
import HubTags
import HubTemplates
import HubTestSupport
import HubVocabulary
import Testing

@Suite("Installations against a naive model")
struct InstallationModelTests {
    private typealias Installed = GivenInstallation

    private static let ids = ["a-1", "b-2", "c-3"]

    private enum Question {
        case put(String, String)
        case patch(String, String)
        case delete(String)
    }

    /// Document texts by id, as callers were told.
    private typealias Model = [String: String]

    @Test(
        "whatever the store refuses, documents and registrations are what callers were told",
        arguments: UInt64(1)...30
    )
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var harness = try DirectoryHarness(seed: seed)
        let handles = [
            String(decoding: try harness.handle(Given.phone), as: UTF8.self), "AB01",
        ]
        var model: Model = [:]
        for round in 0..<25 {
            let asked = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                Self.pick(&random, handles)
            }
            let tokens = try asked.map { try Self.submit($0, to: harness) }
            harness.storage.refuseChanges = Int.random(in: 0..<4, using: &random) == 0 ? .full : nil
            harness.run()
            for (token, one) in zip(tokens, asked) {
                #expect(token.count == 1, "seed \(seed), round \(round)")
                try Self.apply(one, token.refusal, &model, "seed \(seed), round \(round): \(one)")
            }
            harness.storage.refuseChanges = nil
            harness.forget()
            if Int.random(in: 0..<6, using: &random) == 0 { harness = try harness.reopened() }
            try Self.compare(harness, model, "seed \(seed), round \(round): \(asked)")
            try harness.send()
        }
        try Self.compare(try harness.reopened(), model, "seed \(seed), reopened")
    }

    private static func pick(_ random: inout SeededGenerator, _ handles: [String]) -> Question {
        let id = ids[Int.random(in: 0..<ids.count, using: &random)]
        let tag = "t\(Int.random(in: 0..<3, using: &random))"
        let handle = handles[Int.random(in: 0..<handles.count, using: &random)]
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1, 2:
            let names = ["x", "y y", "z"].filter { _ in Bool.random(using: &random) }
            let templates = names.map { #""\#($0)":{"body":"{\"a\":\"$(\#(tag))\"}"}"# }
            let more =
                #""userId":"u-\#(tag)","tags":["\#(tag)","all"],"#
                + #""templates":{\#(templates.joined(separator: ","))}"#
            return .put(id, Installed.apple(more, id: id, handle: handle))
        case 3:
            return .patch(id, #"[{"op":"add","path":"/tags","value":"\#(tag)"}]"#)
        case 4:
            return .patch(id, #"[{"op":"replace","path":"/pushChannel","value":"\#(handle)"}]"#)
        default: return .delete(id)
        }
    }

    /// What callers of all kinds are told: nothing, or a refusal.
    private static func submit(
        _ asked: Question,
        to harness: DirectoryHarness
    ) throws -> any AnyAsked {
        let grant = DirectoryHarness.manage
        return switch asked {
        case .put(let id, let json):
            harness.submit(PutInstallation(try Installed.draft(json, id: id), grant))
        case .patch(let id, let json):
            harness.submit(
                PatchInstallation(id: id.utf8Bytes, try Installed.patch(json), grant)
            )
        case .delete(let id): harness.submit(DeleteInstallation(id: id.utf8Bytes, grant))
        }
    }

    private static func apply(
        _ asked: Question,
        _ refusal: Refusal?,
        _ model: inout Model,
        _ note: String
    ) throws {
        switch (asked, refusal) {
        case (.put(let id, let json), nil):
            model[id] = String(decoding: try Installed.draft(json, id: id).text, as: UTF8.self)
        case (.patch(let id, let json), nil):
            let before = try Installed.document(try #require(model[id], "\(note)"), id: id)
            let changed = try Installed.patch(json).apply(to: before, limits: .standard)
            model[id] = String(decoding: changed.value().json, as: UTF8.self)
        case (.patch(let id, _), .installationNotFound?):
            #expect(model[id] == nil, "\(note)")
        case (.delete(let id), nil): model[id] = nil
        case (_, .storeFull?): break
        default: Issue.record("\(note): \(String(describing: refusal))")
        }
    }

    private static func compare(
        _ harness: DirectoryHarness,
        _ model: Model,
        _ note: String
    ) throws {
        var expected: [String] = []
        for id in ids {
            let read = try harness.perform(GetInstallation(id: id.utf8Bytes))
            guard let text = model[id] else {
                guard case .failure(.installationNotFound) = read else {
                    Issue.record("\(note): \(id) is there")
                    continue
                }
                continue
            }
            guard case .success(let found) = read else {
                Issue.record("\(note): \(id) is not there")
                continue
            }
            #expect(String(decoding: found.installation.text, as: UTF8.self) == text, "\(note)")
            for part in try Installed.draft(text, id: id).parts {
                expected.append(
                    line(part, part.tags.union(Given.tagSet("$InstallationId:{\(id)}")))
                )
            }
        }
        let listed = try harness.registrations(.all)
        #expect(listed.map { line($0.content, $0.tags) }.sorted() == expected.sorted(), "\(note)")
        let slots = listed.compactMap(\.target?.slot)
        #expect(Set(slots).count == slots.count && slots.allSatisfy { $0 >= 0x0100 }, "\(note)")
    }

    /// What a registration is, in one line.
    private static func line(_ content: RegistrationContent, _ tags: TagSet) -> String {
        let spelled = (0..<tags.count).map {
            String(decoding: tags.bytes[tags.range(at: $0)], as: UTF8.self)
        }
        let handle = String(decoding: content.handle, as: UTF8.self)
        let body = content.template.map { String(decoding: $0.name + $0.body, as: UTF8.self) }
        return "\(handle) \(body ?? "native") \(spelled.sorted())"
    }
}
