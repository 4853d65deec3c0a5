import HubModel
import HubVocabulary
import Logging
import Metrics

/// The news of a hub's copy in words, and counted.
enum CopyNews {
    /// Tells that a copy was filled; `tell` hears the sentence as well.
    static func report(
        _ fault: CopyFault,
        of hub: HubName,
        to logger: Logger,
        tell: (String) -> Void = { _ in }
    ) {
        let news =
            switch fault {
            case .missing: "the copy is filled: there was none, or only a part"
            case .damaged: "the copy is filled anew: it was damaged"
            case .otherPast: "the copy is filled anew: its past was another than the database's"
            }
        count("copy_filled", of: hub)
        let level: Logger.Level = fault == .missing ? .notice : .warning
        logger.log(level: level, "\(news)", metadata: ["hub": "\(hub)"])
        tell(news)
    }

    /// Counts an event of a hub's database.
    static func count(_ event: String, of hub: HubName) {
        Counter(
            label: "belfry_database_events_total",
            dimensions: [("hub", hub.description), ("event", event)]
        ).increment()
    }
}
