import HubClient
import HubSender

// The tutorials' breaking news: categories as tags, one template for each platform.
extension GuidedRuns {
    /// A phone, and whose it is.
    private struct Reader {
        let person: BreakingNews.Person
        let phone: ChildPhone

        /// Returns the payload of a text on its platform.
        func payload(_ text: String) -> String {
            PlatformPayload.alert(text, on: person.platform)
        }
    }

    /// Six sends, and what they must lead to.
    private struct Edition {
        /// As the table and the texts name it.
        let name: String
        /// The categories that must arrive of it.
        let expected: @Sendable (BreakingNews.Person) -> [String]

        static let first = Edition(name: "first") { $0.first }
        static let second = Edition(name: "second") { $0.second }

        /// The text of a category's send.
        func text(_ category: String) -> String { "Breaking \(category) News : \(name) edition" }
    }

    /// The text of the send behind all others.
    private static let last = "That was the news"

    /// Breaking news: six phones with different categories, and a sender that knows none of them.
    static func breakingNews(_ stage: GuidedStage) async throws {
        stage.say("Six phones subscribe with a Listen key, each with its platform's template")
        // All start at once, and each says in its turn that it is there.
        let readers = try BreakingNews.people.map { person in
            let platform = person.platform.commandLineName
            return Reader(person: person, phone: try stage.phone(person.name, platform: platform))
        }
        for reader in readers {
            try await stage.subscribe(
                reader.phone,
                tags: reader.person.subscribes,
                template: template(reader.person.platform)
            )
        }

        stage.say("One template send for each category; each phone gets its own form of it")
        try await send(.first, to: readers, stage)

        for reader in readers where !reader.person.switchesOff.isEmpty {
            let off = reader.person.switchesOff
            stage.say("\(reader.person.name) switches off \(off.joined(separator: ", "))")
            try await stage.subscribe(
                reader.phone,
                tags: reader.person.subscribes.filter { !off.contains($0) },
                template: template(reader.person.platform)
            )
        }

        stage.say("Each category again: Dmitri gets no Sports")
        try await send(.second, to: readers, stage)

        stage.say("The key of the phones cannot send")
        let status = try await sendWithListenKey(stage)
        stage.check("the hub refuses: \(status.map(String.init) ?? "no")", status == 403)

        stage.say("A last send to everyone: all others have come before it")
        try await stage.send(["messageParam": last], to: nil)
        for reader in readers {
            let push = await stage.arrival(of: reader.payload(last), on: reader.phone)
            stage.check("\(reader.person.name) has it", push != nil)
        }
        let news = table(readers)
        stage.show(news)
        stage.check("every device got exactly what it should", news.isExact)
    }

    private static func template(_ platform: Platform) -> String {
        PlatformPayload.alert("$(messageParam)", on: platform)
    }

    /// Sends the news of every category, and looks at everyone who must get it.
    private static func send(
        _ edition: Edition,
        to readers: [Reader],
        _ stage: GuidedStage
    ) async throws {
        for category in BreakingNews.categories {
            let text = edition.text(category)
            try await stage.send(["messageParam": text], to: category)
            for reader in readers where edition.expected(reader.person).contains(category) {
                let push = await stage.arrival(of: reader.payload(text), on: reader.phone)
                stage.check(
                    "\(reader.person.name) (\(reader.person.platform.commandLineName)) reads: "
                        + (push?.payload.flatMap(AlertText.read) ?? "nothing"),
                    push != nil
                )
            }
        }
    }

    /// Who should have received what, and who did; the last send is not counted.
    private static func table(_ readers: [Reader]) -> NewsTable {
        let rounds = [Edition.first, .second].map { edition in
            let rows = readers.map { reader in
                let received = reader.phone.pushes.map { $0.payload ?? "(not text)" }
                let ofFirst = BreakingNews.categories.map { category in
                    reader.payload(Edition.first.text(category))
                }
                let categories = edition.expected(reader.person)
                return NewsTable.Row(
                    name: reader.person.name,
                    platform: reader.person.platform.commandLineName,
                    expected: categories.map { reader.payload(edition.text($0)) },
                    received: received.filter { payload in
                        let isFirst = ofFirst.contains(payload)
                        return payload != reader.payload(last)
                            && isFirst == (edition.name == "first")
                    },
                    categories: categories
                )
            }
            return NewsTable.Round(name: edition.name, rows: rows)
        }
        return NewsTable(rounds: rounds)
    }

    /// The status with which a hub refuses a send; nil when it takes it.
    private static func sendWithListenKey(_ stage: GuidedStage) async throws -> Int? {
        let sender = try stage.sender(mayOnlyListen: true)
        var status: Int?
        do throws(SenderError) {
            _ = try await sender.send(.template(["messageParam": "mine"], to: "World"))
        } catch {
            status = error.status
        }
        await sender.close()
        stage.showHubRequests()
        return status
    }
}
