import HubVocabulary

/// A running server and its hubs.
extension DoctorCheck {
    static let hubs = [
        DoctorCheck(24) { facts in
            (facts.server?.problems ?? []).map { problem in
                (
                    .error, "The hub refuses sends: \(problem).",
                    "See BelfryRefusesSends in the runbook."
                )
            }
        },
        DoctorCheck(25) { facts in
            (facts.server?.hubs ?? []).filter { $0.waiting > DoctorLimits.waiting }.map { hub in
                (
                    .warning,
                    "\(DoctorText.count(hub.waiting)) requests wait for the writer of \(hub.name).",
                    "See BelfryWriterStuck in the runbook: usually the disk (W05)."
                )
            }
        },
        DoctorCheck(26) { facts in
            (facts.server?.hubs ?? []).filter { $0.undeliverable > 0 }.map { hub in
                (
                    .warning,
                    "\(DoctorText.count(hub.undeliverable)) registrations of \(hub.name) have a "
                        + "template that does not compile; they get nothing.",
                    "Have their apps register anew; the log names each at the start."
                )
            }
        },
        DoctorCheck(27) { facts in
            (facts.server?.hubs ?? []).compactMap { hub in
                let near = hub.deviceCap * DoctorLimits.capPercent / 100
                let devices = hub.behind.count { $0 > near }
                guard hub.deviceCap > 0, devices > 0 else { return nil }
                return (
                    .warning,
                    "\(DoctorText.count(devices)) devices of \(hub.name) are more than "
                        + "\(DoctorText.count(near)) notifications behind; from "
                        + "\(DoctorText.count(hub.deviceCap)) on they lose the oldest.",
                    "Raise the cap: \(facts.command("settings --device-cap N", hub: hub.name)). Or shorten "
                        + "--ttl, or use collapse keys."
                )
            }
        },
        DoctorCheck(28) { facts in
            guard let refused = facts.server?.refusedConnections, refused > 0 else { return [] }
            return [
                (
                    .warning,
                    "\(DoctorText.count(refused)) REST connections were refused because their "
                        + "address had too many.",
                    "If it is a balancer, name it in rest.proxy, or raise "
                        + "rest.connections.per.address."
                )
            ]
        },
        DoctorCheck(32) { facts in
            guard let server = facts.server, server.version != facts.release else { return [] }
            return [
                (
                    .warning,
                    "The running hub is \(server.version), this command \(facts.release).",
                    "systemctl restart belfry; devices are told when to come back."
                )
            ]
        },
        DoctorCheck(33) { facts in
            guard let server = facts.server else { return [] }
            let last = max(server.numbersRead ?? server.started, server.started)
            let past = facts.now.milliseconds - min(last.milliseconds, facts.now.milliseconds)
            let minutes = Int(past / 60_000)
            guard minutes >= DoctorLimits.numbersMinutes else { return [] }
            return [
                (
                    .warning,
                    "The numbers were not read for \(DoctorText.count(minutes)) minutes.",
                    "Have Prometheus read /$belfry/metrics with the token of metrics.token."
                )
            ]
        },
    ]
}
