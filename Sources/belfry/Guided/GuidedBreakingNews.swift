import DeviceEmulator
import HubClient

// The tutorials' breaking news: categories as tags, one template for each platform.
extension GuidedRuns {
    /// A phone, whose it is, and how many notifications it has.
    private struct Reader {
        let person: BreakingNews.Person
        let phone: ChildPhone
        var count = 0
    }

    /// Breaking news: six phones with different categories, and a sender that knows none of them.
    static func breakingNews(_ stage: GuidedStage) async throws {
        stage.say("Six phones subscribe with a Listen key, each with its platform's template")
        var readers: [Reader] = []
        for person in BreakingNews.people {
            let phone = try await stage.subscribed(
                person.name,
                platform: person.platform.commandLineName,
                tags: person.subscribes,
                template: template(person.platform)
            )
            readers.append(Reader(person: person, phone: phone))
        }

        stage.say("One template send for each category; each phone gets its own form of it")
        for category in BreakingNews.categories {
            try await sendNews(category, "first", to: &readers, stage) { $0.first }
        }

        stage.say("Dmitri switches off Sports")
        for reader in readers where !reader.person.switchesOff.isEmpty {
            try await stage.subscribe(
                reader.phone,
                tags: reader.person.subscribes.filter { !reader.person.switchesOff.contains($0) },
                template: template(reader.person.platform)
            )
        }

        stage.say("Sports again, and Business behind it: what was switched off does not come")
        for category in ["Sports", "Business"] {
            try await sendNews(category, "second", to: &readers, stage) { $0.second }
        }

        stage.say("The key of the phones cannot send")
        let status = try await sendWithListenKey(stage)
        stage.check("the hub refuses: \(status.map(String.init) ?? "no")", status == 403)

        let counts = readers.map(\.phone.pushes.count)
        stage.check(
            "they have \(counts) notifications, and Farid, who wants the weather, none",
            counts == readers.map(\.count) && counts.last == 0
        )
    }

    private static func template(_ platform: DevicePlatform) -> String {
        PlatformPayload.alert("$(messageParam)", on: platform)
    }

    /// Sends a category's news, and looks at everybody who must get it.
    private static func sendNews(
        _ category: String,
        _ edition: String,
        to readers: inout [Reader],
        _ stage: GuidedStage,
        expected: (BreakingNews.Person) -> [String]
    ) async throws {
        let text = "Breaking \(category) News : \(edition) edition"
        try await send(["messageParam": text], to: category, stage)
        for index in readers.indices where expected(readers[index].person).contains(category) {
            readers[index].count += 1
            let reader = readers[index]
            let push = try await stage.arrived(reader.count, on: reader.phone)
            stage.check(
                "\(reader.person.name) (\(reader.person.platform.commandLineName)) reads: "
                    + (push.payload.flatMap(PlatformPayload.alertText) ?? "nothing"),
                push.payload == PlatformPayload.alert(text, on: reader.person.platform)
            )
        }
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
