/// Something to play against a peer, and the rules that it proves.
struct Scenario<Stage>: Sendable {
    /// A name that stays.
    let name: String
    /// The rules of `Protocol/` by their labels, the main one first.
    let rules: [String]
    /// Seconds that it takes at least; only played on request from ten on.
    let seconds: Int
    let play: @Sendable (Stage) throws(KitFault) -> Void

    init(
        _ name: String,
        _ rules: [String],
        seconds: Int = 0,
        _ play: @escaping @Sendable (Stage) throws(KitFault) -> Void
    ) {
        self.name = name
        self.rules = rules
        self.seconds = seconds
        self.play = play
    }

    /// Scenarios from here on are played only on request.
    static var secondsPatient: Int { 10 }
}
