import Foundation
import HubSender
import HubVocabulary

/// The guided runs: each plays a scenario on a stage, step by step, and checks what must hold.
enum GuidedRuns {
    /// Rich push: an image by its id.
    static func richPush(_ stage: GuidedStage) async throws {
        stage.say("A backend with two users; alice has two phones, bob has one")
        try await stage.startBackend(users: ["alice", "bob"])
        let first = try await stage.loggedIn("alice")
        let second = try await stage.loggedIn("alice", name: "alice's other")
        let other = try await stage.loggedIn("bob")

        stage.say("alice asks her backend for a picture: it keeps it and sends an id")
        try await first.perform(PhoneCommand(.sendRich))
        stage.showRequests(of: first)
        for phone in [first, second] {
            let push = try await stage.arrived(1, on: phone)
            let id = push.payload.flatMap(SilentPush.init(payload:))
            stage.check("\(phone.name)'s notification is silent and names an image", id.isImage)
            let isShown = await phone.wait { lines in lines.contains { $0.event == .shown } }
            stage.showRequests(of: phone)
            let fetch = phone.lines.compactMap(\.fetch).first
            let content = fetch?.content
            let isPNG = content?.ends.hasPrefix("89504e470d0a1a0a") == true
            stage.check(
                "the fetch gave new data, an image/png of \(content?.bytes ?? 0) bytes",
                fetch?.outcome == .newData && content?.mediaType == "image/png" && isPNG
            )
            stage.check(
                "only then it shows: \(phone.shown.last ?? "nothing")",
                isShown && phone.shown == ["Check this image out! [OK] [More]"]
            )
            stage.check("no byte of the image was in the frame", !push.holds("89504e470d0a1a0a"))
        }

        stage.say("alice presses More")
        try await first.perform(PhoneCommand(.open))
        let opened = first.lines.compactMap(\.opened).first?.content
        let fetched = first.lines.compactMap(\.fetch).first?.content
        stage.check(
            "the picture that opens is the one that was fetched",
            opened != nil && opened?.ends == fetched?.ends && opened?.bytes == fetched?.bytes
        )

        stage.say("bob, who knows the number, asks for it too")
        let status = try await fetch(as: "bob", fetched?.id ?? "", on: stage)
        stage.check("the backend answers 403", status == 403)
        try await textToEnd(from: first, to: "bob", other, stage)
    }

    /// Secure push: a payload by its id.
    static func securePush(_ stage: GuidedStage) async throws {
        let secret = "Your result: \(UUID().uuidString)"
        stage.say("A backend with two users; bob has two phones")
        try await stage.startBackend(users: ["alice", "bob"])
        let sender = try await stage.loggedIn("alice")
        let first = try await stage.loggedIn("bob")
        let second = try await stage.loggedIn("bob", name: "bob's other")

        stage.say("bob's other phone loses its access token; alice sends him a secure message")
        try await second.perform(PhoneCommand(.forgetToken))
        try await sender.perform(PhoneCommand(.sendSecure, user: "bob", text: secret))
        stage.showRequests(of: sender)
        var frames: [PhoneLine.Push] = []
        for phone in [first, second] { frames.append(try await stage.arrived(1, on: phone)) }
        let isSecure = frames.allSatisfy { $0.payload?.contains("\"secureId\":\"") == true }
        stage.check("both notifications are silent and hold an id alone", isSecure)
        stage.check("neither frame holds the message", !frames.contains { $0.holds(text: secret) })
        _ = await first.wait { lines in lines.contains { $0.event == .shown } }
        stage.showRequests(of: first)
        stage.check("bob's phone shows: \(first.shown.last ?? "nothing")", first.shown == [secret])
        _ = await second.wait { lines in lines.contains { $0.event == .shown } }
        let isGeneric = second.shown == ["You have a new message: log in to read it"]
        stage.check("the other one shows: \(second.shown.last ?? "nothing")", isGeneric)
        let failed = second.lines.contains { $0.fetch?.outcome == .failed }
        stage.check("and its background fetch has failed", failed)

        stage.say("bob logs in again on it")
        try await second.perform(stage.logIn("bob"))
        stage.showRequests(of: second)
        stage.check("now it shows the message", second.shown.last == secret)

        stage.say("alice asks for bob's message, and for one that there is not")
        let id = frames[0].payload.flatMap(SilentPush.init(payload:)).map(\.number) ?? 0
        stage.check("403", try await fetch(as: "alice", "\(id)", on: stage) == 403)
        stage.check("404", try await fetch(as: "alice", "999", on: stage) == 404)

        stage.say("Every file of the hub and of the backend is searched for the message")
        let folders = [stage.hub.folder, stage.backend?.folder ?? ""]
        let found = folders.flatMap { files(below: $0, holding: secret) }
        stage.check("none of them holds it", found.isEmpty)
    }

    /// Notify users: the backend registers, a user sends to a user.
    static func notifyUsers(_ stage: GuidedStage) async throws {
        stage.say("A backend with three users; bob has three phones of different platforms")
        try await stage.startBackend(users: ["alice", "bob", "carol"])
        let alice = try await stage.loggedIn("alice")
        var phones: [(phone: ChildPhone, platform: Platform)] = []
        for platform in [Platform.apple, .gcm, .windows] {
            let word = platform.commandLineName
            let phone = try await stage.loggedIn("bob", platform: word, name: "bob's \(word)")
            phones.append((phone, platform))
        }
        let carol = try await stage.loggedIn("carol")

        stage.say("alice sends bob a text, one request for each platform")
        let text = "Tea at \"four\" & <cake> \u{1F370}?"
        try await alice.perform(
            PhoneCommand(.send, user: "bob", text: text, platforms: ["apple", "gcm", "wns"])
        )
        stage.showRequests(of: alice)
        let errors = alice.lines.last { $0.event == .sent }?.text
        stage.check("no error status is shown", errors == "")
        for (phone, platform) in phones {
            let push = try await stage.arrived(1, on: phone)
            let expected = PlatformPayload.alert("From alice: \(text)", on: platform)
            stage.check("\(phone.name) phone has it in its own form", push.payload == expected)
        }

        let apple = phones[0].phone
        try await handleChanges(apple, stage)
        try await registrationGoes(apple, stage)

        stage.say("bob logs out: none of his phones gets anything more")
        try await apple.perform(PhoneCommand(.logOut))
        stage.showRequests(of: apple)
        try await alice.perform(
            PhoneCommand(.send, user: "bob", text: "Too late", platforms: ["apple", "gcm", "wns"])
        )
        try await textToEnd(from: alice, to: "carol", carol, stage)
        let late = phones.flatMap(\.phone.shown).filter { $0.contains("Too late") }
        stage.check("nothing arrived on any of them", late.isEmpty)
    }

    private static func handleChanges(_ phone: ChildPhone, _ stage: GuidedStage) async throws {
        stage.say(
            "The handle of \(phone.name) phone changes: the same registration gets the new one"
        )
        let before = phone.lines.compactMap(\.registered).last?.id
        try await phone.perform(PhoneCommand(.newHandle))
        stage.showRequests(of: phone)
        let after = phone.lines.compactMap(\.registered).last?.id
        stage.check("the registration's id is the same", before != nil && before == after)
    }

    private static func registrationGoes(_ phone: ChildPhone, _ stage: GuidedStage) async throws {
        stage.say(
            "The hub forgets the registration; the app hears 410 and asks for a new one, once"
        )
        let sender = try stage.sender()
        let before = phone.lines.compactMap(\.registered).last?.id ?? ""
        do throws(SenderError) {
            try await sender.deleteRegistration(id: before)
        } catch {
            await sender.close()
            throw error
        }
        await sender.close()
        let puts = phone.puts.count
        try await phone.perform(PhoneCommand(.register))
        stage.showRequests(of: phone)
        let statuses = phone.puts.dropFirst(puts).map(\.status)
        stage.check("the answers were \(statuses)", statuses == [410, 200])
        let after = phone.lines.compactMap(\.registered).last?.id
        stage.check("the registration has a new id", after != nil && after != before)
    }

    // MARK: Steps

    /// Sends a user a text and checks that it is the only one that their phone has shown.
    private static func textToEnd(
        from sender: ChildPhone,
        to user: String,
        _ phone: ChildPhone,
        _ stage: GuidedStage
    ) async throws {
        stage.say("A text to \(user), who must have got nothing before it")
        try await sender.perform(
            PhoneCommand(.send, user: user, text: "The end", platforms: ["apple"])
        )
        stage.showRequests(of: sender)
        try await stage.arrived(1, on: phone)
        stage.check("it is the first that \(user)'s phone got", phone.pushes.count == 1)
    }

    /// The status of a request for content as a user.
    private static func fetch(
        as user: String,
        _ id: String,
        on stage: GuidedStage
    ) async throws(PhoneFault) -> Int {
        let client = try BackendClient(BackendFile(folder: stage.backend?.folder ?? ""))
        let text = "\(user):\(GuidedStage.password(of: user))"
        let header = "Basic " + Base64.encode(Array(text.utf8))
        let answer: Result<BackendExchange, PhoneFault>
        do throws(PhoneFault) {
            answer = .success(
                try await client.ask("GET", "/api/notifications/\(id)", authorization: header)
            )
        } catch {
            answer = .failure(error)
        }
        await client.close()
        return try answer.get().status
    }

    private static func files(below folder: String, holding text: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
        let mark = Data(text.utf8)
        return names.filter { name in
            FileManager.default.contents(atPath: folder + "/" + name)?.range(of: mark) != nil
        }
    }
}

extension SilentPush? {
    /// Whether it names an image.
    fileprivate var isImage: Bool {
        if case .rich(_, "Check this image out!", "img") = self { true } else { false }
    }
}

extension SilentPush {
    /// The id of what is to be fetched.
    fileprivate var number: Int {
        switch self {
        case .rich(let id, _, _), .secure(let id): id
        case .unknownType: 0
        }
    }
}

extension ChildPhone {
    /// The registrations that it has asked its backend for.
    fileprivate var puts: [PhoneLine.Request] {
        lines.compactMap(\.request).filter { $0.request.hasPrefix("PUT ") }
    }
}

extension PhoneLine.Push {
    /// Whether bytes, as hex digits, are in the frame.
    fileprivate func holds(_ digits: String) -> Bool { frame?.contains(digits) != false }

    /// Whether a text is in the frame or in what it says.
    fileprivate func holds(text: String) -> Bool {
        holds(HexText.lowercase(text.utf8)) || payload?.contains(text) != false
    }
}
