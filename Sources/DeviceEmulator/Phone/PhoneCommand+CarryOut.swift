import HubSender

// The effect of each command on the app.
extension PhoneCommand {
    /// Carries it out.
    func carryOut(on app: isolated PhoneApp) async throws(PhoneFault) {
        switch action {
        case .logIn:
            try await app.logIn(user ?? "", password ?? "", tags ?? [])
        case .logOut: try await app.logOut()
        case .subscribe:
            try await app.subscribe(
                tags ?? [],
                locale: locale,
                template: text
            )
        case .send:
            try app.requireRegistration()
            let platforms = platforms ?? ["apple", "gcm", "wns"]
            await app.send(text ?? "", to: user ?? "", platforms)
        case .sendNews: await app.sendNews(text ?? "", key: key)
        case .open: try await app.open(number)
        case .inbox: for entry in app.inbox.entries { app.show(.entry(PhoneLine.Item(entry))) }
        case .newHandle: try await app.changeHandle()
        case .register: try await app.register(app.memory.confirmed?.tags ?? [], isForced: true)
        case .sendRich:
            try app.requireRegistration()
            try await app.post("")
        case .sendSecure:
            try app.requireRegistration()
            try await app.post(
                "{\"kind\":\"secure\",\"to\":\(PlatformPayload.json(user ?? "")),"
                    + "\"payload\":\(PlatformPayload.json(text ?? ""))}"
            )
        case .forgetToken: try app.forgetToken()
        }
    }
}
