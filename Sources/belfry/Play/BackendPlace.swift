import AppBackend
import ArgumentParser
import Foundation

/// Where a backend is.
struct BackendPlace: ParsableArguments {
    @Option(help: "The data folder of the hub.")
    var data: String

    @Option(help: "The backend's own folder. (default: the hub's with -backend)")
    var backendData: String?

    /// The options of a backend at this place.
    var options: BackendOptions {
        let options = BackendOptions(hubData: data, data: backendData)
        #if DEBUG
            // Without optimisation a hash takes a second. Tests of whole programs need dozens, and ask
            // for cheaper ones; a release knows no such word.
            if ProcessInfo.processInfo.environment["HUB_CHEAP_PASSWORDS"] == "1" {
                var cheaper = options
                cheaper.limits.users.passwordCost = PasswordCost(
                    logRounds: 4,
                    blockSize: 8,
                    parallelism: 1
                )
                return cheaper
            }
        #endif
        return options
    }
}
