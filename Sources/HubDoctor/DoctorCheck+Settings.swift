/// The settings.
extension DoctorCheck {
    static let settings = [
        DoctorCheck(15) { facts in
            guard let settings = facts.settings, let host = settings.values["rest.host"],
                host == "0.0.0.0" || host == "::", settings.list("names").isEmpty
            else { return [] }
            return [
                (
                    .error,
                    "REST listens on \(host), and names is empty: connection strings say localhost.",
                    "BELFRY_NAMES=push.example.net"
                )
            ]
        },
        DoctorCheck(16) { facts in
            guard let mistake = facts.settings?.mistake else { return [] }
            return [
                (
                    .error, mistake,
                    "Correct it; the handbook's chapter Configuration lists all settings."
                )
            ]
        },
        DoctorCheck(17) { facts in
            guard let changed = facts.settings?.fileChanged, let server = facts.server,
                changed > server.started
            else { return [] }
            return [
                (
                    .warning,
                    "belfry.json was changed at \(DoctorText.minute(changed)), after the hub was "
                        + "started at \(DoctorText.minute(server.started)).",
                    "belfry reload takes limits and the log's level, and its log names the rest; "
                        + "restart for those."
                )
            ]
        },
        DoctorCheck(23) { facts in
            let name = "access.listen.may.set.protected.tags"
            guard facts.settings?.isOn(name) == true else { return [] }
            return [
                (
                    .warning,
                    "\(name) is on: who has a Listen key gets anybody's notifications.",
                    "Let the back end register for users, and switch it off."
                )
            ]
        },
    ]
}
