import HubModel

/// What the parts of a group have to tell once it is settled.
struct GroupNews {
    /// What shards must know of registrations.
    var registrations: [RegistrationChange] = []
    /// What an operator counts.
    var events: [DirectoryEvent] = []
    /// What every shard hears behind the group's feed item.
    var broadcasts: [ShardMessage] = []
}
