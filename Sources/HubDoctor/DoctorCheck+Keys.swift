import HubVocabulary

/// Access rules and their keys.
extension DoctorCheck {
    static let keys = [
        DoctorCheck(20) { facts in
            each(facts) { hub, rule in
                let days = DoctorText.days(from: rule.primary.made, to: facts.now)
                guard days > DoctorLimits.keyDays else { return nil }
                return (
                    .warning,
                    "The primary key of \(rule.name) is \(DoctorText.days(days)) old.",
                    facts.command("key rotate \(DoctorFacts.word(rule.name))", hub: hub)
                )
            }
        },
        DoctorCheck(21) { facts in
            each(facts) { hub, rule in
                let days = DoctorText.days(from: rule.secondary.made, to: facts.now)
                func isUsed(_ key: RuleFacts.Key) -> Bool {
                    key.used.map {
                        DoctorText.days(from: $0, to: facts.now) < DoctorLimits.rotationDays
                    } ?? false
                }
                guard rule.primary.made < rule.secondary.made, days > DoctorLimits.rotationDays,
                    isUsed(rule.primary), isUsed(rule.secondary)
                else { return nil }
                return (
                    .warning,
                    "Rotation of \(rule.name) stands still for \(DoctorText.days(days)): both keys "
                        + "are in use.",
                    "Find the sender: \(facts.command("key list", hub: hub)) shows each use; then go on."
                )
            }
        },
        DoctorCheck(22) { facts in
            each(facts) { hub, rule in
                guard rule.isManaging, rule.isUsedByDevices else { return nil }
                return (
                    .error,
                    "Devices connect with the rule \(rule.name), which has Manage.",
                    "Give apps a Listen rule, then "
                        + facts.command("key rotate \(DoctorFacts.word(rule.name))", hub: hub)
                )
            }
        },
    ]

    private static func each(
        _ facts: DoctorFacts,
        _ look: (_ hub: String, RuleFacts) -> Told?
    ) -> [Told] {
        (facts.server?.hubs ?? []).flatMap { hub in
            hub.rules.compactMap { look(hub.name, $0) }
        }
    }
}
