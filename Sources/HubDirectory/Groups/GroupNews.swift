import HubModel

/// The news of a group's parts once it is settled.
struct GroupNews {
    /// Changes of registrations for the shards.
    var registrations: [RegistrationChange] = []
    /// Events that an operator counts.
    var events: [DirectoryEvent] = []
    /// Messages to every shard behind the group's feed item.
    var broadcasts: [ShardMessage] = []
}
