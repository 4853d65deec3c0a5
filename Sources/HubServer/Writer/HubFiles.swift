import HubDirectory
import HubModel

/// A hub's directory and store; live on the writer's thread only.
struct HubFiles {
    var directory: HubDirectory
    var storage: any HubStorage
}
