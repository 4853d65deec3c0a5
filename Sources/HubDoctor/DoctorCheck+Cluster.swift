/// The database of a node.
extension DoctorCheck {
    static let cluster = [
        DoctorCheck(37) { facts in
            guard let cluster = facts.cluster, let fault = cluster.fault else { return [] }
            return [
                (
                    .error, "The hubs' database \(cluster.database) cannot be used: \(fault)",
                    "Look at PostgreSQL, and at the network to it."
                )
            ]
        },
        DoctorCheck(38) { facts in
            guard let fault = facts.cluster?.keyFault else { return [] }
            return [
                (
                    .error, "cluster.key, which opens the keys of the hubs, \(fault).",
                    "Copy that of the node that leads them."
                )
            ]
        },
        DoctorCheck(39) { facts in
            guard let ahead = facts.cluster?.clockMilliseconds,
                abs(ahead) >= DoctorLimits.databaseClockMilliseconds
            else { return [] }
            let word = ahead > 0 ? "ahead of" : "behind"
            return [
                (
                    .warning,
                    "The database's clock is \(DoctorText.count(abs(ahead))) ms \(word) this "
                        + "machine's. Leases go by it, and expiry by the leader's.",
                    "Have every node and every host of PostgreSQL follow NTP."
                )
            ]
        },
        DoctorCheck(40) { facts in
            guard let cluster = facts.cluster, cluster.fault == nil else { return [] }
            if cluster.synchronousNames.isEmpty {
                return [
                    (
                        .warning,
                        "PostgreSQL has no synchronous standby: sends are lost with its disk.",
                        "Start a standby, and name it in synchronous_standby_names."
                    )
                ]
            }
            guard (cluster.synchronous ?? cluster.standbys) == 0 else { return [] }
            return [
                (
                    .error,
                    "No synchronous standby is connected to PostgreSQL: sends wait for one.",
                    "Start it, or change synchronous_standby_names "
                        + "(\(cluster.synchronousNames)) and reload."
                )
            ]
        },
    ]
}
