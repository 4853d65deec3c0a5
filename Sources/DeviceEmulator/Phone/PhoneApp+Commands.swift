import HubClient

// Commands to the app.
extension PhoneApp {
    /// Carries out a command; its end is a line, with what went wrong if something did.
    package func perform(_ command: PhoneCommand) async {
        do throws(PhoneFault) {
            try await carryOut(command)
            show(.done(fault: nil))
        } catch {
            show(.done(fault: error.description))
        }
    }

    private func carryOut(_ command: PhoneCommand) async throws(PhoneFault) {
        switch command.action {
        case .logIn:
            try await logIn(command.user ?? "", command.password ?? "", command.tags ?? [])
        case .logOut: try await logOut()
        case .subscribe:
            try await subscribe(
                command.tags ?? [],
                locale: command.locale,
                template: command.text
            )
        case .send:
            try requireRegistration()
            let platforms = command.platforms ?? ["apns", "gcm", "wns"]
            await send(command.text ?? "", to: command.user ?? "", platforms)
        case .sendNews: await sendNews(command.text ?? "", key: command.key)
        case .open: try await open(command.number)
        case .inbox: for entry in inbox.entries { show(.entry(PhoneLine.Item(entry))) }
        case .newHandle: try await changeHandle()
        case .register: try await register(memory.confirmed?.tags ?? [], isForced: true)
        case .sendRich:
            try requireRegistration()
            try await post("")
        case .sendSecure:
            try requireRegistration()
            try await post(
                "{\"kind\":\"secure\",\"to\":\(PlatformPayload.json(command.user ?? "")),"
                    + "\"payload\":\(PlatformPayload.json(command.text ?? ""))}"
            )
        case .forgetToken: try forgetToken()
        }
    }

    /// Throws unless the app is registered: as in the tutorial, that comes before sending to users.
    private func requireRegistration() throws(PhoneFault) {
        _ = try credentials()
        guard isRegistered else { throw .notRegistered }
    }
}
