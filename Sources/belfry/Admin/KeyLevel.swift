import ArgumentParser

/// The option of commands about keys that says whose they are.
struct KeyLevel: ParsableArguments {
    @Flag(help: "The rules that hold for every hub, in place of a hub's own.")
    var namespace = false

    func check(_ options: HubOptions) throws {
        if namespace { try options.refuseHub(since: "--namespace means all hubs") }
    }
}
