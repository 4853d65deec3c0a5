package import HubModel
package import HubVocabulary

extension GroupCodec {
    /// The number of a kind of change; part of the format.
    private enum Kind: UInt8 {
        case put = 1
        case remove = 2
        case putInstallation = 3
        case removeInstallation = 4
        case putSchedule = 5
        case removeSchedule = 6
        case cancelSchedule = 7
        case forgetSchedule = 8
        case revoke = 9
        case putSettings = 10
        case putJob = 11
        case removeJob = 12
        case putDeparture = 13
    }

    /// The bytes of changes, in their order; `check` is that of the log's head before them.
    package static func encode(_ changes: [StoredChange], check: UInt32) -> [UInt8] {
        var writer = RecordWriter(format: format, capacity: 64 + 512 * changes.count)
        writer.integer(UInt32(changes.count))
        writer.integer(check)
        for change in changes { write(change, to: &writer) }
        return writer.bytes
    }

    /// The changes of some bytes.
    ///
    /// - Throws: what is wrong with the bytes. Never traps, whatever they are.
    package static func changes(
        in bytes: Span<UInt8>
    ) throws(RecordProblem) -> [StoredChange] {
        var reader = try RecordReader(bytes, format: format)
        var changes: [StoredChange] = []
        for _ in 0..<(try ChangesFront(from: &reader).count) {
            guard let kind = Kind(rawValue: try reader.integer()) else { throw .badField("kind") }
            changes.append(try change(kind, from: &reader))
        }
        try reader.expectEnd()
        return changes
    }

    private static func write(_ change: StoredChange, to writer: inout RecordWriter) {
        switch change {
        case .put(let registration):
            writer.value(Kind.put.rawValue, RegistrationCodec.encode(registration))
        case .remove(let registration):
            writer.value(Kind.remove.rawValue, RegistrationCodec.encode(registration))
        case .putInstallation(let installation):
            writer.value(Kind.putInstallation.rawValue, InstallationCodec.encode(installation))
        case .removeInstallation(let installation):
            writer.value(Kind.removeInstallation.rawValue, InstallationCodec.encode(installation))
        case .putSchedule(let schedule):
            writer.value(Kind.putSchedule.rawValue, ScheduleCodec.encode(schedule))
            let key = schedule.draft.idempotency
            writer.integer(key == nil ? 0 : hasKey)
            if let key { writer.key(key) }
        case .removeSchedule(let id):
            writer.integer(Kind.removeSchedule.rawValue)
            writer.id(id.high, id.low)
        case .cancelSchedule(let schedule):
            writer.value(Kind.cancelSchedule.rawValue, ScheduleCodec.encode(schedule))
        case .forgetSchedule(let id):
            writer.integer(Kind.forgetSchedule.rawValue)
            writer.id(id.high, id.low)
        case .revoke(let device, let generation):
            writer.integer(Kind.revoke.rawValue)
            writer.id(device.high, device.low)
            writer.integer(generation)
        case .putSettings(let settings):
            writer.value(Kind.putSettings.rawValue, HubSettingsCodec.encode(settings))
        case .putJob(let job): writer.value(Kind.putJob.rawValue, JobCodec.encode(job))
        case .removeJob(let id):
            writer.integer(Kind.removeJob.rawValue)
            writer.medium(id.text.utf8)
        case .putDeparture(let row):
            writer.value(Kind.putDeparture.rawValue, DepartureCodec.encode(row))
            writer.integer(row.number)
            writer.integer(row.time.milliseconds)
        }
    }

    /// Decodes the bytes behind their length, which live until they are decoded.
    private static func value<Value>(
        from reader: inout RecordReader,
        _ decode: (Span<UInt8>) throws(RecordProblem) -> Value
    ) throws(RecordProblem) -> Value {
        let stored = try reader.long()
        return try decode(stored.span)
    }

    private static func change(
        _ kind: Kind,
        from reader: inout RecordReader
    ) throws(RecordProblem) -> StoredChange {
        switch kind {
        case .put: return .put(try value(from: &reader, RegistrationCodec.decode))
        case .remove: return .remove(try value(from: &reader, RegistrationCodec.decode))
        case .putInstallation:
            return .putInstallation(try value(from: &reader, InstallationCodec.decode))
        case .removeInstallation:
            return .removeInstallation(try value(from: &reader, InstallationCodec.decode))
        case .putSchedule:
            let read = try value(from: &reader, ScheduleCodec.decode)
            let parts = try reader.integer(UInt8.self)
            guard parts & ~hasKey == 0 else { throw .badField("parts") }
            return .putSchedule(parts == 0 ? read : read.keyed(try reader.key()))
        case .removeSchedule: return .removeSchedule(try reader.schedule())
        case .cancelSchedule:
            return .cancelSchedule(try value(from: &reader, ScheduleCodec.decode))
        case .forgetSchedule: return .forgetSchedule(try reader.schedule())
        case .revoke:
            let high = try reader.integer(UInt64.self)
            let device = DeviceID(high: high, low: try reader.integer())
            return .revoke(device, generation: try reader.integer())
        case .putSettings: return .putSettings(try value(from: &reader, HubSettingsCodec.decode))
        case .putJob: return .putJob(try value(from: &reader, JobCodec.decode))
        case .removeJob:
            let text = String(validating: try reader.medium(), as: UTF8.self)
            guard let id = text.flatMap(JobID.init(text:)) else { throw .badField("id") }
            return .removeJob(id)
        case .putDeparture:
            let stored = try reader.long()
            let number = try reader.integer(UInt64.self)
            let time = Timestamp(milliseconds: try reader.integer())
            return .putDeparture(
                try DepartureCodec.decode(stored.span, number: number, time: time)
            )
        }
    }
}

extension RecordWriter {
    /// A kind, and the bytes of a value.
    fileprivate mutating func value(_ kind: UInt8, _ bytes: [UInt8]) {
        integer(kind)
        long(bytes)
    }
}

extension RecordReader {
    /// A schedule's name.
    fileprivate mutating func schedule() throws(RecordProblem) -> ScheduleID {
        let high = try integer(UInt64.self)
        return ScheduleID(high: high, low: try integer())
    }
}

extension ScheduledNotification {
    /// The same, made under a key.
    fileprivate func keyed(_ key: IdempotencyKey) -> ScheduledNotification {
        var draft = draft
        draft.idempotency = key
        return ScheduledNotification(id: id, due: due, notAfter: notAfter, draft: draft)
    }
}
