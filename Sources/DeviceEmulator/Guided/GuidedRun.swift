/// A scenario that is played step by step by processes of their own, with what must hold.
package struct GuidedRun: Sendable {
    /// The scenarios.
    package enum Scenario: String, CaseIterable, Sendable {
        /// Six phones with different categories, and a sender that knows none of them.
        case breakingNews = "breaking-news"
        /// An image by its id.
        case richPush = "rich-push"
        /// A payload by its id.
        case securePush = "secure-push"
        /// A backend that registers, and users who send to users.
        case notifyUsers = "notify-users"
        /// Languages as tags.
        case localized
        /// Places as tags.
        case nearby
        /// Our own link, and three push services that fakes play.
        case relay
    }

    /// How much of a run is told.
    package enum Detail: Equatable, Sendable {
        /// Each step with its requests, frames and checks.
        case everything
        /// Each step with its checks.
        case checks
        /// Each step, and the checks that do not hold.
        case steps
    }

    /// The scenario to play.
    package var scenario: Scenario
    /// Where the program of every role lies.
    package var launcher: Launcher
    /// How much is told.
    package var detail = Detail.checks
    /// Whether checks that hold are told in green.
    package var hasColours = false
    /// How long a phone waits for anything; a machine with other work needs it.
    package var patience: Duration = .seconds(60)
    /// A tag that phones subscribe to instead of another; a run must notice it.
    package var changedTag: (from: String, to: String)?

    /// A run of a scenario.
    package init(_ scenario: Scenario, launcher: Launcher) {
        self.scenario = scenario
        self.launcher = launcher
    }

    /// Plays it to the end, or to what stops it.
    ///
    /// - Parameter write: told what happens, line by line.
    /// - Returns: what held; look at `isGood`.
    package func play(_ write: @escaping (String) -> Void) async -> GuidedResult {
        let stage: GuidedStage
        do {
            stage = try await GuidedStage(self, write: write)
        } catch {
            var result = GuidedResult(scenario: scenario.rawValue)
            result.fault = error.description
            return result
        }
        do {
            switch scenario {
            case .breakingNews: try await GuidedRuns.breakingNews(stage)
            case .richPush: try await GuidedRuns.richPush(stage)
            case .securePush: try await GuidedRuns.securePush(stage)
            case .notifyUsers: try await GuidedRuns.notifyUsers(stage)
            case .localized: try await GuidedRuns.localized(stage)
            case .nearby: try await GuidedRuns.nearby(stage)
            case .relay: try await GuidedRuns.relay(stage)
            }
        } catch {
            stage.end("\(error)")
        }
        stage.close()
        return stage.result
    }
}
