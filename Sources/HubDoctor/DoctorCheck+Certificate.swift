/// The certificate of both listeners.
extension DoctorCheck {
    static let certificate = [
        DoctorCheck(10) { facts in
            guard let end = facts.certificate?.end else { return [] }
            let remedy =
                facts.certificate?.isDevelopment == true
                ? "Start the hub anew: it signs another."
                : "Renew it, then belfry reload; systemctl restart belfry where systemd has a copy "
                    + "of it (LoadCredential)."
            let day = DoctorText.day(end)
            if end <= facts.now { return [(.error, "The certificate ended on \(day).", remedy)] }
            let days = DoctorText.days(from: facts.now, to: end)
            guard days < DoctorLimits.certificateDays else { return [] }
            let text = "The certificate ends in \(DoctorText.days(days)) (\(day))."
            return [(.warning, text, remedy)]
        },
        DoctorCheck(11) { facts in
            guard let certificate = facts.certificate, let names = certificate.names,
                let settings = facts.settings
            else { return [] }
            let known = settings.list("names")
            return known.filter { name in !names.contains { covers($0, name) } }.map { name in
                (
                    .error,
                    "The certificate is not for \(name), which connection strings name.",
                    "Use a certificate with that name, or take the name out of the setting names."
                )
            }
        },
        DoctorCheck(12) { facts in
            guard let issuer = facts.certificate?.missingIssuer else { return [] }
            return [
                (
                    .error,
                    "The certificate file lacks the intermediate \(issuer): clients that do not "
                        + "have it refuse the hub.",
                    "Use the full chain."
                )
            ]
        },
        DoctorCheck(13) { facts in
            guard let pair = facts.certificate?.unequalPair else { return [] }
            let text = "\(pair.key) does not belong to \(pair.certificate)."
            return [(.error, text, "Name the pair that was issued together.")]
        },
        DoctorCheck(14) { facts in
            guard facts.certificate?.isDevelopment == true, let settings = facts.settings,
                settings.isOn("confirm.public.bind")
            else { return [] }
            return [
                (
                    .warning,
                    "The hub can be reached from elsewhere with the development certificate.",
                    "--certificate and --key, or hand tls/ca.pem to every client."
                )
            ]
        },
    ]

    /// Whether a name of a certificate means a host; a star stands for its first part.
    private static func covers(_ pattern: String, _ host: String) -> Bool {
        let (pattern, host) = (pattern.lowercased(), host.lowercased())
        guard pattern.hasPrefix("*.") else { return pattern == host }
        let rest = host.drop { $0 != "." }
        return !host.hasPrefix(".") && !rest.isEmpty && rest == pattern.dropFirst()
    }
}
