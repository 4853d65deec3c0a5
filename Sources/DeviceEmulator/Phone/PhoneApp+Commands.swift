import HubClient

// Commands to the app.
extension PhoneApp {
    /// Carries out a command; its end is a line, with what went wrong if something did.
    package func perform(_ command: PhoneCommand) async {
        do throws(PhoneFault) {
            try await command.carryOut(on: self)
            show(.done(fault: nil))
        } catch {
            show(.done(fault: error.description))
        }
    }

    /// Throws unless the app is registered: as in the tutorial, that comes before sending to users.
    func requireRegistration() throws(PhoneFault) {
        _ = try credentials()
        guard isRegistered else { throw .notRegistered }
    }
}
