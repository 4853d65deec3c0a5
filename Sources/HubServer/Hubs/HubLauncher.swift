import HubData
import HubDatabase
import HubDelivery
import HubDirectory
import HubHistory
import HubJobs
import HubMetrics
import HubModel
import HubRelay
import HubRules
import HubStore
import HubTraces
import HubTransport
import HubVocabulary
import Logging

/// Opens hubs: stores, writer thread, log reader.
struct HubLauncher: Sendable {
    let folders: HubFolders
    let options: ServerOptions
    let places: JobPlaces
    let mailboxes: ShardMailboxes
    let relays: RelayThread
    let traces: Tracer?
    /// nil where hubs are in their own files.
    let database: ServerDatabase?
    let logger: Logger

    /// Opens a hub's store on its writer's thread and starts its log reader; blocks.
    ///
    /// - Throws: `.store`; nothing of the hub is open or running then.
    func open(_ hub: StoredHub) throws(ServerError) -> ShardHub {
        let logger = logger
        ServerEvents.begin(hub.name)
        let events = EventFeed()
        let tests = TestSteps()
        let jobs = JobExecutor(
            hub: hub.name,
            folder: folders.path(hub.name) + "/" + JobFolder.name,
            places: places,
            limits: options.coreLimits,
            logger: logger
        )
        let writer = HubWriter(
            hub: hub.name,
            recent: SharedRecords(
                recordsMax: options.devices.sessionLimits.catchUp.recentRecordsMax,
                bytesMax: options.devices.sessionLimits.catchUp.recentRecordBytesMax
            ),
            shards: mailboxes,
            jobs: jobs,
            waitingBytesMax: options.coreLimits.log.waitingBytesMax,
            held: database?.heldCalls(),
            leads: { [database] in database?.leads ?? true },
            onLog: { [self] in follow($0, of: hub.name, events, tests) }
        ) { hub, event in
            ServerEvents.report(event, of: hub, to: logger)
            if let label = ServerEvents.told(event) {
                events.append([.told(label)], at: Clock.now.time)
            }
        }
        do throws(StoreError) {
            let facts = try writer.start { () throws(StoreError) in
                try files(of: hub, events)
            }
            let reader = logReader(of: hub.name, facts, for: writer)
            try reader.start()
            return ShardHub(
                configuration: configuration(hub, facts),
                writer: writer,
                reader: reader,
                jobs: jobs,
                relays: relays,
                log: facts.reader,
                events: events,
                tests: tests,
                traces: traces
            )
        } catch {
            jobs.stop()
            writer.stop()
            throw .store(hub: hub.name.description, reason: error.description)
        }
    }

    private func logReader(
        of hub: HubName,
        _ facts: OpenedHub,
        for writer: HubWriter
    ) -> LogReaderThread {
        LogReaderThread(
            hub: hub,
            reader: facts.reader,
            recent: writer.recent,
            shards: mailboxes,
            limits: options.devices.sessionLimits,
            filling: facts.unreadKeys.map { unread in
                KeyFilling(unread.keys, from: unread.log) { keys in
                    // A writer that has ended needs them no more.
                    _ = writer.inspect { $0.receive(keys) }
                }
            }
        ) { [logger] damage in Self.report(damage, of: hub, to: logger) }
    }

    /// Tells news of a hub's log to those that follow it beside the shards.
    private func follow(
        _ news: LogNews,
        of hub: HubName,
        _ events: EventFeed,
        _ tests: TestSteps
    ) {
        switch news {
        case .accepted(let records, let began):
            let now = Clock.now.instant
            traces?.committed(records, of: hub, from: began, until: now)
            tests.begin(records, at: now)
        case .committed(let records, let head):
            events.append(records.map(HubEvent.Kind.init(accepting:)), at: Clock.now.time)
            relays.post(.committed(through: head), toLanesOf: hub)
        case .purged(let place): relays.post(.purged(through: place), toLanesOf: hub)
        }
    }

    private static func report(_ damage: LogPage.Damage, of hub: HubName, to logger: Logger) {
        logger.error(
            "records of the log are damaged: devices that miss them are told of a gap",
            metadata: [
                "hub": "\(hub)", "first": "\(damage.first)", "last": "\(damage.through)",
                "records": "\(damage.count)",
            ]
        )
    }

    private func configuration(_ hub: StoredHub, _ facts: OpenedHub) -> ShardHubConfiguration {
        ShardHubConfiguration(
            name: hub.name,
            secret: hub.secret,
            bounds: facts.bounds,
            headCheck: facts.headCheck,
            keyGenerations: facts.keyGenerations,
            payloadBytesMax: options.coreLimits.sends.payloadBytesMax,
            retentionSeconds: facts.settings.retentionSeconds,
            deviceCap: Int(facts.settings.deviceCap),
            purgedThrough: facts.settings.purgedThrough
        )
    }

    /// Runs on the writer's thread; a copy with a row that is damaged is filled anew, once.
    private func files(
        of stored: StoredHub,
        _ events: EventFeed
    ) throws(StoreError) -> HubFiles {
        let opening = StoreOpening(database, limits: options.storage.limits)
        do throws(StoreError) {
            return try begin(stored, opening, events)
        } catch {
            let folder = folders.path(stored.name)
            guard try opening.discardsCopy(in: folder, after: error) else { throw error }
            logger.warning(
                "a copy is thrown away",
                metadata: ["hub": "\(stored.name)", "reason": "\(error)"]
            )
            return try begin(stored, opening, events)
        }
    }

    private func begin(
        _ stored: StoredHub,
        _ opening: StoreOpening,
        _ events: EventFeed
    ) throws(StoreError) -> HubFiles {
        let began = Clock.now
        let opened = try opening.open(stored, folder: folders.path(stored.name)) {
            events.append([.notice($0)], at: Clock.now.time)
        } progress: { step in
            logger.notice("opening", metadata: ["hub": "\(stored.name)", "step": "\(step)"])
        }
        for event in opened.events {
            logger.notice("store", metadata: ["hub": "\(stored.name)", "event": "\(event)"])
        }
        let hub: Hub
        do throws(StoreError) {
            hub = try Hub(
                hub: stored.name,
                secret: stored.secret,
                storage: opened.store,
                limits: options.coreLimits,
                protected: ProtectedTags(listenMaySet: options.listenMaySetProtectedTags),
                warm: opened.observer as? WarmDirectory,
                shards: mailboxes.shardCount,
                seed: UInt64.random(in: .min ... .max),
                now: began
            )
        } catch {
            opened.store.close()
            throw error
        }
        hub.registrationLifeSeconds = stored.description.registrationLife.seconds
        let elapsed = Clock.now.instant.milliseconds(since: began.instant)
        if elapsed > 1_000 {
            logger.notice(
                "hub loaded",
                metadata: ["hub": "\(stored.name)", "milliseconds": "\(elapsed)"]
            )
        }
        return HubFiles(hub: hub, storage: opened.store)
    }
}
