import AppBackend
import ArgumentParser

/// Where a backend is.
struct BackendPlace: ParsableArguments {
    @Option(help: "The data folder of the hub.")
    var data: String

    @Option(help: "The backend's own folder. (default: the hub's with -backend)")
    var backendData: String?

    /// The options of a backend at this place.
    var options: BackendOptions { BackendOptions(hubData: data, data: backendData) }
}
