/// The machine and its system.
extension DoctorCheck {
    static let machine = [
        DoctorCheck(7) { facts in
            guard let most = facts.machine?.openFilesMax, most < DoctorLimits.openFilesMin else {
                return []
            }
            let devices = max(0, most - DoctorLimits.openFilesKept) / 100 * 100
            return [
                (
                    .error,
                    "The process may open \(DoctorText.count(most)) files: at most some "
                        + "\(DoctorText.count(devices)) devices.",
                    "LimitNOFILE=1048576 in the service, ulimit -n 1048576 in a shell."
                )
            ]
        },
        DoctorCheck(8) { facts in
            guard let machine = facts.machine else { return [] }
            var told: [Told] = []
            let hubs = facts.server?.hubs ?? []
            let devices = hubs.map(\.connected).reduce(0, +)
            let need =
                DoctorLimits.memory.process + devices * DoctorLimits.memory.connection
                + hubs.map(\.registrations).reduce(0, +) * DoctorLimits.memory.registration
            if let most = machine.memoryBytesMax, !hubs.isEmpty, most < need {
                let text =
                    "The cgroup allows \(DoctorText.bytes(most)); \(DoctorText.count(devices)) "
                    + "devices and their registrations take some \(DoctorText.bytes(need))."
                told.append((.warning, text, "Raise MemoryMax."))
            }
            if let most = machine.acceptQueueMax, most < DoctorLimits.acceptQueueMin {
                let wanted = DoctorText.count(DoctorLimits.acceptQueueMin)
                let text =
                    "net.core.somaxconn is \(most); \(wanted) connections should be able to wait."
                told.append((.warning, text, "sysctl -w net.core.somaxconn=1024"))
            }
            return told
        },
        DoctorCheck(9) { facts in
            let remedy = "Start chrony or systemd-timesyncd, here and where the hub runs."
            let seconds = abs(facts.server?.clockSeconds ?? 0)
            if seconds >= DoctorLimits.clockSeconds {
                let text =
                    "The clocks of the hub and of this machine differ by \(seconds) s; tokens are "
                    + "refused from \(DoctorLimits.clockSeconds) s on."
                return [(.error, text, remedy)]
            }
            guard facts.machine?.isClockSynchronised == false else { return [] }
            let text =
                "The clock is not synchronised; tokens are refused from "
                + "\(DoctorLimits.clockSeconds) s on."
            return [(.warning, text, remedy)]
        },
        DoctorCheck(18) { facts in
            guard let error = facts.machine?.ringError,
                facts.settings?.values["device.submission"] ?? "ring" == "ring"
            else { return [] }
            return [
                (
                    .warning,
                    "io_uring is not permitted here (errno \(error)): every write is a call of its "
                        + "own.",
                    "Allow it in the container's filter, or set device.submission = send."
                )
            ]
        },
    ]
}
