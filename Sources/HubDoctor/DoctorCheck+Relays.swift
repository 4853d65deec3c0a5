/// The credentials of relays to push services.
extension DoctorCheck {
    static let relays = [
        DoctorCheck(35) { facts in
            found(facts) { hub, relay in
                guard let refusal = relay.refusal else { return nil }
                return (
                    .error,
                    "The relay of \(hub.name) to \(relay.platform) stands still: \(refusal).",
                    "See BelfryRelayStandsStill in the runbook."
                )
            }
        },
        DoctorCheck(36) { facts in
            found(facts) { hub, relay in
                guard let end = relay.certificateEnd else { return nil }
                let remedy = "See BelfryRelayCertificateEndsInMonth in the runbook."
                let subject = "The certificate of \(hub.name) for \(relay.platform)"
                let day = DoctorText.day(end)
                if end <= facts.now { return (.error, "\(subject) ended on \(day).", remedy) }
                let days = DoctorText.days(from: facts.now, to: end)
                guard days < DoctorLimits.certificateDays else { return nil }
                let text = "\(subject) ends in \(DoctorText.days(days)) (\(day))."
                return (.warning, text, remedy)
            }
        },
    ]

    private static func found(
        _ facts: DoctorFacts,
        _ look: (HubFacts, RelayFacts) -> Told?
    ) -> [Told] {
        (facts.server?.hubs ?? []).flatMap { hub in hub.relays.compactMap { look(hub, $0) } }
    }
}
