import HubDirectory
import HubModel

/// A hub and its store; live on the writer's thread only.
struct HubFiles {
    var hub: Hub
    var storage: any HubStorage
}
