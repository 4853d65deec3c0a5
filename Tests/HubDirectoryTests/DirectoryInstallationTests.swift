import HubDirectory
@testable import HubHarness
import HubModel
import HubQuestions
import HubRules
import HubTags
import HubTemplates
import HubVocabulary
import Testing

@Suite("Installations in a directory")
struct DirectoryInstallationTests {
    private typealias Installed = GivenInstallation

    private static let template = #""news":{"body":"{\"a\":\"$(b)\"}"}"#

    /// What a registration of an installation is, in one line.
    private static func line(_ registration: Registration) -> String {
        let tags = (0..<registration.tags.count).map {
            let all = registration.tags
            return String(decoding: all.bytes[all.range(at: $0)], as: UTF8.self)
        }
        let name = registration.content.template.map { String(decoding: $0.name, as: UTF8.self) }
        return "\(name ?? "native") \(tags.joined(separator: ","))"
    }

    private func phone(_ harness: DirectoryHarness, _ more: String = "") throws -> String {
        Installed.apple(
            more,
            handle: String(decoding: try harness.handle(Given.phone), as: UTF8.self)
        )
    }

    @Test("what is put is read again, with its registrations in lists")
    func putAndRead() throws {
        let harness = try DirectoryHarness()
        let json = try phone(
            harness,
            #""userId":"mara","tags":["World"],"templates":{\#(Self.template)}"#
        )
        let stored = try harness.install(json)
        #expect(try harness.installation("I-1") == stored)
        #expect(stored.isGranted)
        let listed = try harness.registrations(.all)
        #expect(
            listed.map(Self.line) == [
                "native $InstallationId:{i-1},$UserId:{mara},World",
                "news $InstallationId:{i-1},$UserId:{mara},World,news",
            ]
        )
        #expect(listed.map(\.target?.slot) == [0x0100, 0x0101])
        for tag in ["$installationid:{I-1}", "$UserId:{mara}", "world"] {
            let tagged = try harness.registrations(.tag(tag.utf8Bytes))
            #expect(tagged.map(\.id) == listed.map(\.id), "\(tag)")
        }
        for registration in listed {
            #expect(try harness.get(registration.id).number == registration.number)
        }
        // Behind a write of the same group a read sees it already.
        _ = harness.submit(PutInstallation(try Installed.draft(json), DirectoryHarness.manage))
        let read = try harness.perform(GetInstallation(id: "i-1".utf8Bytes))
        #expect(try read.get().installation == stored && !read.get().channelExpired)
        let reopened = try harness.reopened()
        #expect(try reopened.installation("i-1") == stored)
        #expect(try reopened.registrations(.all).map(Self.line) == listed.map(Self.line))
    }

    @Test("unchanged content writes nothing; each change writes what it changes")
    func unchanged() throws {
        let harness = try DirectoryHarness()
        let json = try phone(harness, #""tags":["a"],"templates":{\#(Self.template)}"#)
        try harness.install(json)
        harness.forget()
        try harness.install(json)
        #expect(harness.feed.isEmpty)
        try harness.send()
        harness.forget()
        try harness.install(
            try phone(harness, #""tags":["b"],"templates":{\#(Self.template)}"#)
        )
        let changes = try #require(harness.feed.first).changes
        #expect(changes.count == 2)
        for change in changes {
            guard case .put(let after, let before?) = change else {
                Issue.record("\(change)")
                continue
            }
            #expect(after.number == before.number && after.version == 2)
            #expect(after.tags(at: 1)?.contains("a".utf8Bytes.span) == true)
            #expect(after.tags(at: 2)?.contains("a".utf8Bytes.span) == false)
            #expect(after.tags(at: 2)?.contains("b".utf8Bytes.span) == true)
        }
    }

    @Test("another handle, platform or template is another incarnation; the rest stays")
    func incarnations() throws {
        let harness = try DirectoryHarness()
        let phone = String(decoding: try harness.handle(Given.phone), as: UTF8.self)
        let tablet = String(decoding: try harness.handle(Given.tablet), as: UTF8.self)
        let templates = #""templates":{\#(Self.template)}"#
        try harness.install(Installed.apple(templates, handle: phone))
        let first = try harness.registrations(.all)
        try harness.send()
        try harness.install(Installed.apple(templates, handle: tablet))
        let second = try harness.registrations(.all)
        #expect(second.map(\.id) == first.map(\.id))
        #expect(zip(first, second).allSatisfy { $0.number < $1.number })
        #expect(second.allSatisfy { $0.since.sequence == 2 && $0.target?.device == Given.tablet })
        try harness.install(
            Installed.apple(templates, handle: tablet).replacing("apns", with: "gcm")
        )
        let third = try harness.registrations(.all)
        #expect(zip(second, third).allSatisfy { $0.number < $1.number })
        #expect(third.map(\.target?.slot) == [0x0102, 0x0103])
        try harness.install(
            Installed.apple(#""templates":{"x":{"body":"{}"}}"#, handle: tablet)
                .replacing("apns", with: "gcm")
        )
        let fourth = try harness.registrations(.all)
        #expect(fourth.map(\.number).first == third.map(\.number).first)
        #expect(
            fourth.map(Self.line) == ["native $InstallationId:{i-1}", "x $InstallationId:{i-1},x"]
        )
        // A change of the template's text alone keeps the identity.
        try harness.install(
            Installed.apple(#""templates":{"x":{"body":"{\"q\":\"r\"}"}}"#, handle: tablet)
                .replacing("apns", with: "gcm")
        )
        #expect(try harness.registrations(.all).map(\.number) == fourth.map(\.number))
    }

    @Test("after a delete everything is gone, and the same content can be put again")
    func delete() throws {
        let harness = try DirectoryHarness()
        let json = try phone(harness, #""templates":{\#(Self.template)}"#)
        try harness.install(json)
        let first = try harness.registrations(.all)
        #expect(try harness.refusal(Self.deletion) == nil)
        #expect(try harness.refusal(Self.deletion) == nil)
        #expect(try harness.refusal(GetInstallation(id: "i-1".utf8Bytes)) == .installationNotFound)
        #expect(try harness.registrations(.all).isEmpty)
        #expect(harness.storage.installations.isEmpty)
        try harness.send()
        try harness.install(json)
        let second = try harness.registrations(.all)
        #expect(second.count == 2)
        #expect(Set(second.map(\.id)).isDisjoint(with: first.map(\.id)))
        #expect(second.allSatisfy { $0.since.sequence == 2 })
    }

    @Test("registrations that were deleted singly come back with the next write")
    func repair() throws {
        let harness = try DirectoryHarness()
        let json = try phone(harness, #""templates":{\#(Self.template)}"#)
        try harness.install(json)
        let first = try harness.registrations(.all)
        let deletion = DeleteRegistration(
            id: first[0].id,
            .none,
            DirectoryHarness.listen
        )
        #expect(try harness.refusal(deletion) == nil)
        #expect(try harness.registrations(.all).map(\.number) == [first[1].number])
        try harness.install(json)
        #expect(try harness.registrations(.all).count == 2)
    }

    @Test("32 registrations of a handle are taken, whoever made them; the next is refused whole")
    func handleLimit() throws {
        let harness = try DirectoryHarness()
        let handle = String(decoding: try harness.handle(Given.phone), as: UTF8.self)
        func templates(_ count: Int) -> String {
            let all = (0..<count).map { #""t\#($0)":{"body":"{\"a\":\"b\"}"}"# }
            return Installed.apple(#""templates":{\#(all.joined(separator: ","))}"#, handle: handle)
        }
        for _ in 0..<2 { _ = try harness.create(Given.content(handle)) }
        try harness.install(templates(29))
        #expect(try harness.registrations(.all).count == 32)
        harness.forget()
        let over = PutInstallation(
            try Installed.draft(templates(30)),
            DirectoryHarness.manage
        )
        #expect(
            try harness.refusal(over) == .tooMany(what: "registrations of this handle", limit: 32)
        )
        #expect(harness.feed.isEmpty)
        // All of them anew fit in the places of the old ones.
        try harness.install(templates(29).replacing("apns", with: "gcm"))
        #expect(try harness.registrations(.all).count == 32)
        #expect(
            try harness.refusal(CreateRegistration(Given.content(handle), DirectoryHarness.manage))
                == .tooMany(what: "registrations of this handle", limit: 32)
        )
    }

    @Test("a user and protected tags are the backend's; what it gave a Listen token leaves alone")
    func protection() throws {
        let harness = try DirectoryHarness()
        let listen = DirectoryHarness.listen
        for (more, tag) in [
            (#""userId":"mara""#, "$UserId:{mara}"),
            (#""tags":["username:mara"]"#, "username:mara"),
            (#""templates":{"a":{"body":"{}","tags":["FROM:x"]}}"#, "FROM:x"),
            (#""templates":{"from:x":{"body":"{}"}}"#, "from:x"),
        ] {
            let draft = try Installed.draft(Installed.apple(more))
            #expect(
                try harness.refusal(PutInstallation(draft, listen)) == .protectedTag(tag),
                "\(more)"
            )
        }
        try harness.install(Installed.apple(), grant: listen)
        let patch = PatchInstallation(
            id: "i-1".utf8Bytes,
            try Installed.patch(#"[{"op":"add","path":"/userId","value":"mara"}]"#),
            listen
        )
        #expect(try harness.refusal(patch) == .protectedTag("$UserId:{mara}"))
        try harness.install(Installed.apple(#""userId":"mara""#))
        let again = PutInstallation(try Installed.draft(Installed.apple()), listen)
        let gone = DeleteInstallation(id: "i-1".utf8Bytes, listen)
        for command in [again, patch, gone] as [any HubRequest] {
            #expect(try harness.refusal(command) == .installationIsGranted)
        }
        // Once the backend took the user away, it is the device's again.
        try harness.install(Installed.apple())
        #expect(try harness.refusal(again) == nil)
        let open = try DirectoryHarness(protected: ProtectedTags(listenMaySet: true))
        try open.install(Installed.apple(#""userId":"mara""#))
        try open.install(Installed.apple(#""userId":"ada""#), grant: listen)
        #expect(try open.refusal(gone) == nil)
    }

    @Test("its registrations are read and deleted one by one, but written only with it")
    func derived() throws {
        let harness = try DirectoryHarness()
        try harness.install(try phone(harness, #""templates":{\#(Self.template)}"#))
        let derived = try harness.registrations(.all)
        #expect(derived.count == 2)
        for registration in derived {
            var content = registration.content
            content.tags = TagSet(["World".utf8Bytes])
            let write = PutRegistration(
                id: registration.id,
                content,
                .none,
                DirectoryHarness.manage
            )
            guard case .invalid(field: "Tags", _)? = try harness.refusal(write) else {
                Issue.record("written: \(Self.line(registration))")
                continue
            }
        }
        #expect(try harness.registrations(.all).map(Self.line) == derived.map(Self.line))
        let last = DeleteRegistration(
            id: derived[1].id,
            .none,
            DirectoryHarness.manage
        )
        #expect(try harness.refusal(last) == nil)
        #expect(try harness.registrations(.all).map(Self.line) == [Self.line(derived[0])])
    }

    @Test("a patch changes what it names; one of an unknown installation is refused")
    func patches() throws {
        let harness = try DirectoryHarness()
        func patch(_ json: String) throws -> Refusal? {
            try harness.refusal(
                PatchInstallation(
                    id: "I-1".utf8Bytes,
                    Installed.patch(json),
                    DirectoryHarness.manage
                )
            )
        }
        #expect(try patch("[]") == .installationNotFound)
        try harness.install(try phone(harness, #""tags":["a"]"#))
        let one = #"{"op":"add","path":"/tags/b"}"#
        #expect(try patch("[\(one)]") == nil)
        #expect(try harness.registrations(.tag("b".utf8Bytes)).count == 1)
        let before = try harness.installation("i-1")
        let bad = #"{"op":"add","path":"/tags/c d"}"#
        #expect(try patch("[\(one.replacing("/b", with: "/z")),\(bad)]")?.status == 400)
        #expect(try harness.installation("i-1") == before)
        #expect(try harness.registrations(.tag("z".utf8Bytes)).isEmpty)
    }

    @Test("an installation lapses with its registrations")
    func expiry() throws {
        let harness = try DirectoryHarness()
        let soon = TimeText.iso8601(harness.now.time.adding(seconds: 60))
        let json = try phone(
            harness,
            #""expirationTime":"\#(soon)","templates":{\#(Self.template)}"#
        )
        try harness.install(json)
        harness.pass(milliseconds: 59_000)
        harness.directory.tick(now: harness.now)
        harness.run()
        #expect(try harness.registrations(.all).count == 2)
        harness.pass(milliseconds: 1_000)
        #expect(try harness.refusal(GetInstallation(id: "i-1".utf8Bytes)) == .installationNotFound)
        #expect(try harness.registrations(.all).isEmpty)
        harness.storage.refuseChanges = .full
        harness.directory.tick(now: harness.now)
        harness.run()
        #expect(harness.storage.installations.count == 1)
        harness.storage.refuseChanges = nil
        harness.directory.tick(now: harness.now)
        harness.run()
        #expect(harness.storage.installations.isEmpty && harness.storage.registrations.isEmpty)
        let draft = try Installed.draft(json)
        #expect(
            try harness.refusal(PutInstallation(draft, DirectoryHarness.manage))
                == .invalid(field: "/expirationTime", reason: "has passed")
        )
    }

    @Test("an installation put before its lapsed self was removed begins anew")
    func lapsed() throws {
        let harness = try DirectoryHarness()
        let soon = TimeText.iso8601(harness.now.time.adding(seconds: 60))
        let first = try harness.install(try phone(harness, #""expirationTime":"\#(soon)""#))
        let old = try harness.registrations(.all)
        harness.pass(milliseconds: 60_000)
        let second = try harness.install(try phone(harness))
        #expect(second.number > first.number)
        let new = try harness.registrations(.all)
        #expect(new.count == 1 && new[0].number > old[0].number && new[0].id != old[0].id)
        harness.directory.tick(now: harness.now)
        harness.run()
        #expect(try harness.installation("i-1") == second)
        #expect(try harness.reopened().installation("i-1") == second)
    }

    @Test("what the store refuses is taken back entirely")
    func refusedCommit() throws {
        let harness = try DirectoryHarness()
        let json = try phone(harness, #""tags":["a"],"templates":{\#(Self.template)}"#)
        try harness.install(json)
        let before = try harness.registrations(.all)
        let installation = try harness.installation("i-1")
        let other = try phone(harness, #""tags":["b"]"#).replacing("apns", with: "gcm")
        let commands: [any HubRequest] = [
            PutInstallation(try Installed.draft(other), DirectoryHarness.manage),
            PatchInstallation(
                id: "i-1".utf8Bytes,
                try Installed.patch(#"[{"op":"add","path":"/tags","value":"c"}]"#),
                DirectoryHarness.manage
            ),
            Self.deletion,
            PutInstallation(
                try Installed.draft(Installed.apple(id: "i-2"), id: "i-2"),
                DirectoryHarness.manage
            ),
        ]
        harness.storage.refuseChanges = .full
        let tokens = commands.map { harness.submitAny($0) }
        harness.run()
        for token in tokens {
            #expect(token.refusal == .storeFull)
        }
        harness.storage.refuseChanges = nil
        #expect(try harness.installation("i-1") == installation)
        #expect(try harness.registrations(.all).map(\.number) == before.map(\.number))
        #expect(try harness.registrations(.all).map(\.version) == before.map(\.version))
        #expect(harness.directory.gauges.installations == 1)
        #expect(try harness.registrations(.tag("b".utf8Bytes)).isEmpty)
        let next = try harness.install(Installed.apple(id: "i-2"), id: "i-2")
        #expect(next.number == InstallationNumber(2))
    }

    @Test("a revoked device's installation says that its channel has expired")
    func revoked() throws {
        let harness = try DirectoryHarness()
        try harness.install(try phone(harness))
        harness.directory.revoked(Given.phone, generation: 1)
        let read = try harness.perform(GetInstallation(id: "i-1".utf8Bytes))
        #expect(try read.get().channelExpired)
        let fresh = String(decoding: try harness.handle(Given.phone, generation: 1), as: UTF8.self)
        try harness.install(Installed.apple(handle: fresh))
        _ = try harness.installation("i-1")
    }

    private static let deletion = DeleteInstallation(
        id: "i-1".utf8Bytes,
        DirectoryHarness.manage
    )
}
