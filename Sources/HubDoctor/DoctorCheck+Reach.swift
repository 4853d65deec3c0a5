/// The way to the device listener.
extension DoctorCheck {
    static let reach = [
        DoctorCheck(29) { facts in
            guard let link = facts.link, case .none = link.answer else { return [] }
            let text = "\(link.place) does not answer from this machine."
            return [(.error, text, "Look at firewall, DNS, and NAT without a way back.")]
        },
        DoctorCheck(30) { facts in
            guard let link = facts.link, case .stranger = link.answer else { return [] }
            return [
                (
                    .error,
                    "Between here and \(link.place) something else ends TLS (its certificate is not "
                        + "ours).",
                    "The device link must pass through unopened (TCP, not HTTP)."
                )
            ]
        },
    ]
}
