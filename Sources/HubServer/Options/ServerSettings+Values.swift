import HubConsole
import HubDatabase
import HubTraces
import HubTransport
import HubVocabulary
import Logging

extension ServerSettings {
    /// Every setting as it is in force, by its key, spelled as in the environment.
    var values: [String: String] {
        let core = options.coreLimits
        let returning = options.devices.sessionLimits.returning
        return [
            "rest.host": options.rest.host,
            "rest.port": "\(options.rest.port)",
            "rest.proxy": options.rest.proxies.map(\.description).joined(separator: ","),
            "console": options.rest.console.rawValue,
            "device.host": options.devices.host,
            "device.port": "\(options.devices.port)",
            "device.proxy": options.devices.proxies.map(\.description).joined(separator: ","),
            "device.records": options.devices.records.rawValue,
            "device.submission": options.devices.submission.rawValue,
            "shards": "\(options.devices.shards)",
            "names": options.names.joined(separator: ","),
            "jobs.urls": options.jobURLs.joined(separator: ","),
            "database.url": options.storage.database?.shown ?? "",
            "database.lease.seconds": "\(options.storage.leaseSeconds)",
            "database.password.file": options.storage.database?.passwordFile ?? "",
            "node.host": options.storage.nodeHost ?? "",
            "certificate": options.certificate.chainFile ?? "",
            "key": options.certificate.keyFile ?? "",
            "client.authorities": options.certificate.clientAuthoritiesFile ?? "",
            "confirm.public.bind": "\(options.isPublicBindConfirmed)",
            "access.listen.may.set.protected.tags": "\(options.listenMaySetProtectedTags)",
            "core.dumps": "\(options.allowsCoreDumps)",
            "relay.authority": options.relay.authority,
            "relay.places": options.relay.places,
            "traces.url": options.rest.traces.url ?? "",
            "traces.ratio": "\(options.rest.traces.ratio)",
            "return.rate": "\(returning.perSecond)",
            "return.max.seconds": "\(returning.secondsMax)",
            "log.level": logLevel.rawValue,
            "log.format": logFormat.rawValue,
            "rest.connections.per.address": "\(options.rest.limits.connectionsPerAddress)",
            "schedule.horizon.seconds": "\(core.schedules.scheduleHorizonSeconds)",
            "registrations.max": "\(core.quota.registrationsMax)",
            "tags.max": "\(core.quota.tagsMax)",
            "tags.bytes.max": "\(core.quota.tagBytesMax)",
            "registrations.per.minute.key": "\(core.quota.newPerKeyPerMinute)",
            "registrations.per.minute.address": "\(core.quota.newPerAddressPerMinute)",
            "tags.expression.max": "\(core.expressions.tagsOrOnly)",
            "tags.expression.mixed.max": "\(core.expressions.tagsMixed)",
            "tags.expression.bytes": "\(core.expressions.bytes)",
        ]
    }
}
