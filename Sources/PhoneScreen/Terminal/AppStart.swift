import DeviceEmulator

/// The common beginning of every form of the app.
struct AppStart: Sendable {
    let configuration: PhoneSetup
    let login: (user: String, password: String)?
    let playsNewHandle: Bool
    let show: ContentShow
    /// Takes a line for standard output.
    let print: @Sendable (String) -> Void
    /// Takes text for standard error, without a line break.
    let prompt: @Sendable (String) -> Void

    /// Begins, and goes on at once; a login that was given and is refused ends the app.
    func begin(_ app: PhoneApp) async throws(PhoneFault) {
        try await app.begin(login, playsNewHandle: playsNewHandle)
    }
}
