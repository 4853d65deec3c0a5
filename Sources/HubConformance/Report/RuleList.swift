/// The rules of `Protocol/` that a form of the kit cannot see, with the reason.
enum RuleList {
    /// Some rules and why no scenario plays them.
    struct Unseen {
        let rules: [String]
        let why: String

        init(_ why: String, _ rules: [String]) {
            self.rules = rules
            self.why = why
        }
    }

    /// Rules that `--connect` cannot see.
    static let atHub = [
        Unseen("a later version is needed", ["F-12", "V-2"]),
        Unseen("a token outlives a run", ["A-5"]),
        Unseen("no hub grants fewer slots than a device can name", ["T-8"]),
        Unseen("the hub's own state: [R-3] plays what follows from it", ["R-2"]),
        Unseen("the hub would have to stop: --listen plays the other side", ["C-2"]),
        Unseen(
            "a rule for devices: belfry conformance --listen",
            [
                "S-3", "S-7", "D-1", "D-5", "D-8", "D-13", "D-15", "R-6", "K-3", "K-4", "C-4",
                "E-2", "E-4", "E-5", "E-6", "P-2", "P-3", "P-7", "P-9", "P-10",
            ]
        ),
        Unseen("[D-12] plays the size of a flush; TCP_NODELAY is not seen", ["F-2"]),
        Unseen("no scenario asks for receipts or silence: --listen plays flags", ["P-4"]),
    ]

    /// Rules that `--listen` cannot see.
    static let atClient = [
        Unseen("a later version is needed", ["F-12", "V-2"]),
        Unseen("the app is not seen, only what the client says", ["P-7", "D-15"]),
        Unseen("the client shows a token once", ["A-1", "A-4", "A-5"]),
        Unseen("the client would have to leave by itself", ["C-1"]),
        Unseen("the kit answers each PING", ["K-3"]),
        Unseen(
            "a rule for hubs: belfry conformance --connect",
            [
                "C-5", "D-7", "D-10", "D-11", "D-12", "E-1", "K-2", "K-5", "P-1", "P-4", "P-5",
                "P-6", "R-2", "R-3", "R-4", "R-5", "R-8", "S-4", "S-5", "S-6", "T-1", "T-2", "T-3",
                "T-4", "T-5", "T-6", "T-8", "V-1", "X-1", "X-2", "X-3", "X-4", "X-5", "X-6", "X-7",
                "X-8", "X-9", "X-10", "X-11", "X-12",
            ]
        ),
    ]

    /// A finding for each rule of a list that is chosen.
    static func findings(_ list: [Unseen], only: [String]) -> [Finding] {
        list.flatMap { unseen in
            unseen.rules.filter { only.isEmpty || only.contains($0) }.map {
                Finding($0, [$0], .notPlayed(why: unseen.why))
            }
        }
    }
}
