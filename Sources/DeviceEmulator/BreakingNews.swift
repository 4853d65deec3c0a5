package import HubClient

/// The tutorials' breaking news: six devices choose categories, a sender makes one template send
/// for each category, and everybody receives exactly what they chose, in their platform's format.
///
/// It runs two rounds of six sends; between them one device switches a category off.
package struct BreakingNews: Sendable {
    /// One device of the scenario.
    package struct Person: Equatable, Sendable {
        /// Whose device it is.
        package var name: String
        /// The platform of its template.
        package var platform: DevicePlatform
        /// What it subscribes to.
        package var subscribes: [String]
        /// What it switches off after the first round.
        package var switchesOff: [String]
        /// Categories that must arrive in the first round.
        package var first: [String]
        /// Categories that must arrive in the second round.
        package var second: [String]

        /// A device with its choices and what must follow from them.
        package init(
            _ name: String,
            _ platform: DevicePlatform,
            subscribes: [String],
            switchesOff: [String] = [],
            first: [String],
            second: [String]
        ) {
            self.name = name
            self.platform = platform
            self.subscribes = subscribes
            self.switchesOff = switchesOff
            self.first = first
            self.second = second
        }
    }

    /// The categories of the tutorials, in the order in which they are sent.
    package static let categories = [
        "World", "Politics", "Business", "Technology", "Science", "Sports",
    ]

    /// Who takes part.
    ///
    /// What must arrive is written out, not derived: a wrong tag must be noticed.
    package static let people = [
        Person(
            "Mara",
            .apple,
            subscribes: ["World", "Politics"],
            first: ["World", "Politics"],
            second: ["World", "Politics"]
        ),
        Person(
            "Ben",
            .gcm,
            subscribes: ["World", "Sports"],
            first: ["World", "Sports"],
            second: ["World", "Sports"]
        ),
        Person(
            "Chloe",
            .windows,
            subscribes: ["World", "Technology", "Science"],
            first: ["World", "Technology", "Science"],
            second: ["World", "Technology", "Science"]
        ),
        Person(
            "Dmitri",
            .apple,
            subscribes: ["Business", "Sports"],
            switchesOff: ["Sports"],
            first: ["Business", "Sports"],
            second: ["Business"]
        ),
        Person(
            "Emilia",
            .gcm,
            subscribes: ["Science"],
            first: ["Science"],
            second: ["Science"]
        ),
        Person("Farid", .apple, subscribes: ["Weather"], first: [], second: []),
    ]

    /// What can stop the scenario before there is a result.
    package enum Failure: Error, Equatable, Sendable {
        /// A device could not be set up.
        case setup(DeviceFault)
        /// A send was not accepted.
        case sending(SenderError)
        /// Not all devices were subscribed in time; says what they reported.
        case notSubscribed(firstFault: String?)
    }

    private let connection: ConnectionFile
    private let people: [Person]
    private let progress: @Sendable (String) -> Void
    private let patience: Duration

    /// The scenario against a running hub.
    ///
    /// - Parameters:
    ///   - connection: the hub.
    ///   - people: who takes part.
    ///   - patience: how long to wait for subscriptions and deliveries.
    ///   - progress: told what is going on, in readable lines.
    package init(
        _ connection: ConnectionFile,
        people: [Person] = BreakingNews.people,
        patience: Duration = .seconds(15),
        progress: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.connection = connection
        self.people = people
        self.patience = patience
        self.progress = progress
    }

    /// Runs both rounds.
    ///
    /// - Returns: who should have received what and who did; look at `isExact`.
    /// - Throws: `Failure`.
    package func run() async throws(Failure) -> BreakingNewsResult {
        let log = ScenarioLog(devices: people.count)
        let sender: SenderClient
        do throws(SenderError) {
            sender = try SenderClient(connection)
        } catch {
            throw .sending(error)
        }
        let loop: DeviceLoop
        do throws(DeviceFault) {
            loop = try DeviceLoop(
                DeviceLoop.Configuration(connection),
                observer: log,
                name: "demo"
            )
        } catch {
            await sender.close()
            throw .setup(error)
        }
        let outcome: Result<BreakingNewsResult, Failure>
        do throws(Failure) {
            outcome = .success(try await play(loop, log, sender))
        } catch {
            outcome = .failure(error)
        }
        loop.stop()
        await log.end.wait()
        await sender.close()
        return try outcome.get()
    }

    private func play(
        _ loop: DeviceLoop,
        _ log: ScenarioLog,
        _ sender: SenderClient
    ) async throws(Failure) -> BreakingNewsResult {
        progress("\(people.count) devices connect over TLS and subscribe")
        loop.add(people.enumerated().map { number, person in setup(number, person) })
        try await subscribed(log, count: people.count)

        let first = try await round("first", sender, log, expecting: people.map(\.first))
        var changes = 0
        for (number, person) in people.enumerated() where !person.switchesOff.isEmpty {
            progress("\(person.name) switches off \(person.switchesOff.joined(separator: ", "))")
            changes += 1
            let rest = person.subscribes.filter { !person.switchesOff.contains($0) }
            loop.register(Self.template(for: person.platform, tags: rest), device: number)
        }
        try await subscribed(log, count: people.count + changes)
        let second = try await round("second", sender, log, expecting: people.map(\.second))
        return BreakingNewsResult(rounds: [first, second])
    }

    private func setup(_ number: Int, _ person: Person) -> DeviceSetup {
        var session = LinkSession.Configuration(hub: connection.hub)
        session.netType = 4
        var setup = DeviceSetup(
            session: session,
            store: MemoryDeviceStore(),
            seed: .random(in: 0 ... .max)
        )
        setup.choose(Self.template(for: person.platform, tags: person.subscribes))
        return setup
    }

    private func subscribed(_ log: ScenarioLog, count: Int) async throws(Failure) {
        let isDone = await log.wait(upTo: patience) { $0.registered >= count }
        guard isDone else { throw .notSubscribed(firstFault: log.firstFault) }
    }

    /// Six sends, then everybody's list.
    private func round(
        _ name: String,
        _ sender: SenderClient,
        _ log: ScenarioLog,
        expecting: [[String]]
    ) async throws(Failure) -> BreakingNewsResult.Round {
        log.forgetReceived()
        progress("\(name) round: one template send for each of \(Self.categories.count) categories")
        for category in Self.categories {
            let message = Self.message(category, round: name)
            do throws(SenderError) {
                _ = try await sender.send(.template(["messageParam": message], tags: category))
            } catch {
                throw .sending(error)
            }
        }
        let total = expecting.reduce(0) { $0 + $1.count }
        _ = await log.wait(upTo: patience) { state in
            state.received.reduce(0) { $0 + $1.count } >= total
        }
        // What comes too often or to the wrong device would come about now.
        try? await Task.sleep(for: .milliseconds(200))
        let received = log.received
        let rows = people.enumerated().map { number, person in
            BreakingNewsResult.Row(
                name: person.name,
                platform: person.platform.commandLineName,
                expected: expecting[number].map {
                    Self.payload(for: person.platform, Self.message($0, round: name))
                },
                received: received[number],
                categories: expecting[number]
            )
        }
        return BreakingNewsResult.Round(name: name, rows: rows)
    }

    /// The message of a category's send.
    static func message(_ category: String, round: String) -> String {
        "Breaking \(category) News : \(round) edition"
    }

    /// The template that an app of a platform registers.
    static func template(for platform: DevicePlatform, tags: [String]) -> RegistrationChoice {
        let headers: [(name: String, value: String)] =
            platform == .windows ? [("X-WNS-Type", "wns/toast")] : []
        let name =
            switch platform {
            case .apple: "simpleAPNSTemplate"
            case .windows: "simpleWNSTemplate"
            default: "simpleGCMTemplate"
            }
        return .template(
            platform: platform,
            name: name,
            body: payload(for: platform, "$(messageParam)"),
            headers: headers,
            tags: tags
        )
    }

    /// What a message looks like on a platform.
    static func payload(for platform: DevicePlatform, _ message: String) -> String {
        switch platform {
        case .apple: "{\"aps\":{\"alert\":\"\(message)\"}}"
        case .windows:
            "<toast><visual><binding template=\"ToastText01\"><text id=\"1\">\(message)</text>"
                + "</binding></visual></toast>"
        default: "{\"data\":{\"msg\":\"\(message)\"}}"
        }
    }
}

extension BreakingNews.Failure: CustomStringConvertible {
    /// One readable line.
    package var description: String {
        switch self {
        case .setup(let fault): fault.description
        case .sending(let error): "a send failed: \(error)"
        case .notSubscribed(let fault):
            "not all devices were subscribed in time" + (fault.map { ": \($0)" } ?? "")
        }
    }
}
