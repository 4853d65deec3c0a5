import HubWire

/// The numbers of errors.md, and the client's conduct after each.
enum ErrorScenarios {
    static let all: [Scenario<KitHub>] = ErrorNumber.allCases.map(scenario) + unknown

    /// Numbers after which a device stays away.
    ///
    /// Source: errors.md, the table behind [E-4].
    private static let staying: Set<ErrorNumber> = [
        .badMagic, .versionUnsupported, .authRequired, .authFailed, .forbidden, .unknownHub,
        .deviceRevoked, .unsupported, .takenOver,
    ]

    private static func scenario(_ number: ErrorNumber) -> Scenario<KitHub> {
        Scenario("error/\(number.name)", ["E-4", "C-3"]) { hub throws(KitFault) in
            try play(
                number.rawValue,
                stays: staying.contains(number),
                retryAfter: number == .rateLimited ? 600 : 0,
                on: hub
            )
            if number == .deviceRevoked { try expectAnother(hub) }
        }
    }

    private static let unknown: [Scenario<KitHub>] = [
        Scenario("error/unknown-of-class-0x02", ["E-2", "E-5"]) { hub throws(KitFault) in
            try play(0x02F0, stays: true, retryAfter: 0, on: hub)
        },
        Scenario("error/unknown-of-class-0x05", ["E-2", "E-5"]) { hub throws(KitFault) in
            try play(0x05F0, stays: false, retryAfter: 0, on: hub)
        },
        Scenario("error/about-hello", ["E-4", "E-5"]) { hub throws(KitFault) in
            let guest = try hub.introducedGuest()
            try refuse(
                guest,
                ErrorNumber.badField.rawValue,
                about: FrameType.hello.rawValue,
                retryAfter: 0
            )
            try expectAway(hub, "BAD_FIELD about HELLO")
        },
    ]

    private static func play(
        _ code: UInt16,
        stays: Bool,
        retryAfter: UInt32,
        on hub: KitHub
    ) throws(KitFault) {
        let guest = try hub.welcomed()
        try guest.awaitQuiet()
        try refuse(guest, code, about: 0, retryAfter: retryAfter)
        let name = "0x" + String(code, radix: 16)
        if stays { return try expectAway(hub, name) }
        let begun = KitClock.milliseconds
        let again = try hub.guest()
        let away = KitClock.milliseconds - begun
        try expect(
            away >= Int(retryAfter) * 9 / 10,
            "no return before retry_after_ms, \(retryAfter)",
            came: "\(away) ms"
        )
        try again.check()
        again.welcome()
        try again.awaitQuiet()
    }

    /// The key of a revoked client is dead: it begins anew with a token.
    private static func expectAnother(_ hub: KitHub) throws(KitFault) {
        let known = hub.memory
        hub.forgetClient()
        do throws(KitFault) {
            try hub.welcomed().awaitQuiet()
        } catch {
            hub.memory = known
            throw error
        }
    }

    private static func refuse(
        _ guest: Guest,
        _ code: UInt16,
        about type: UInt8,
        retryAfter: UInt32
    ) throws(KitFault) {
        var error = ErrorFrame(.internalError, isFatal: true)
        error.code = code
        error.aboutType = type
        error.retryAfter = retryAfter
        var bytes: [UInt8] = []
        error.encode(into: &bytes)
        guest.say(bytes)
        guest.close()
        try guest.wait("a close after a fatal ERROR [C-3]") { $0 == .closed }
    }

    private static func expectAway(_ hub: KitHub, _ name: String) throws(KitFault) {
        hub.memory.isAway = true
        try expect(
            !hub.comes(within: KitHub.longest + 1_500),
            "the client stays away after \(name) [E-4]",
            came: "a connection"
        )
    }
}
