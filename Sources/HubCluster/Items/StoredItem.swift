import HubModel
package import HubVocabulary

/// One row of what holds now in a hub: the fold of all its changes.
package struct StoredItem: Hashable, Sendable {
    /// Its name.
    package let key: ItemKey
    /// By which it is removed one day: a place of the log, or a time in milliseconds; see `ItemKind`.
    package let gone: UInt64?
    /// As the codec of its kind writes it.
    package let body: [UInt8]

    /// Takes a row that was stored with a checksum.
    ///
    /// - Throws: `.badField` for another checksum.
    package init(
        stored body: [UInt8],
        key: ItemKey,
        gone: UInt64?,
        checksum: UInt32
    ) throws(RecordProblem) {
        (self.key, self.gone, self.body) = (key, gone, body)
        guard self.checksum == checksum else { throw .badField("checksum") }
    }

    /// The checksum that is stored with it.
    package var checksum: UInt32 {
        var checksum = Checksum([UInt64(key.kind.rawValue), gone == nil ? 0 : 1, gone ?? 0])
        checksum.append(UInt64(key.bytes.count))
        checksum.append(key.bytes)
        checksum.append(body)
        return checksum.value
    }

    private init(_ kind: ItemKind, _ key: [UInt8], gone: UInt64? = nil, _ body: [UInt8]) {
        (self.key, self.gone, self.body) = (ItemKey(kind, key), gone, body)
    }

    /// Encodes a value.
    package init(_ value: ItemValue) {
        switch value {
        case .registration(let row):
            self.init(.registration, .number(row.number.raw), RegistrationCodec.encode(row))
        case .tombstone(let row, let gone):
            let body = RegistrationCodec.encode(row)
            self.init(.registration, .number(row.number.raw), gone: gone, body)
        case .installation(let row):
            self.init(.installation, row.key, InstallationCodec.encode(row))
        case .schedule(let row):
            self.init(.schedule, .id(row.id.high, row.id.low), ScheduleCodec.encode(row))
        case .scheduleKey(let key, let id):
            let fingerprint = [UInt8].id(key.fingerprint.high, key.fingerprint.low)
            self.init(
                .scheduleKey,
                .id(key.scope.high, key.scope.low),
                gone: id.time.milliseconds,
                fingerprint + .id(id.high, id.low)
            )
        case .cancelled(let row):
            self.init(.cancelled, .id(row.id.high, row.id.low), ScheduleCodec.encode(row))
        case .generation(let device, let generation):
            self.init(.generation, .id(device.high, device.low), .number(generation))
        case .settings(let settings):
            self.init(.settings, [], HubSettingsCodec.encode(settings))
        case .job(let job): self.init(.job, Array(job.id.text.utf8), JobCodec.encode(job))
        case .departure(let row):
            let body = DepartureCodec.encode(row)
            self.init(.departure, .number(row.number), gone: row.time.milliseconds, body)
        }
    }

    /// The meaning of its body.
    ///
    /// - Throws: what is wrong with its body; `.badField` where name and body disagree.
    package func value() throws(RecordProblem) -> ItemValue {
        let value = try decoded()
        // Bytes of an older format are written anew, so names are compared and not bodies.
        let written = StoredItem(value)
        guard written.key == key, written.gone == gone else { throw .badField("key") }
        return value
    }

    private func decoded() throws(RecordProblem) -> ItemValue {
        switch key.kind {
        case .registration:
            let row = try RegistrationCodec.decode(body.span)
            return gone.map { .tombstone(row, gone: $0) } ?? .registration(row)
        case .installation: return .installation(try InstallationCodec.decode(body.span))
        case .schedule: return .schedule(try ScheduleCodec.decode(body.span))
        case .scheduleKey:
            var name = RecordReader(key.bytes.span)
            let scope = try name.hash()
            try name.expectEnd()
            var reader = RecordReader(body.span)
            let key = IdempotencyKey(scope: scope, fingerprint: try reader.hash())
            let high = try reader.integer(UInt64.self)
            let id = ScheduleID(high: high, low: try reader.integer())
            try reader.expectEnd()
            return .scheduleKey(key, id)
        case .cancelled: return .cancelled(try ScheduleCodec.decode(body.span))
        case .generation:
            var name = RecordReader(key.bytes.span)
            let high = try name.integer(UInt64.self)
            let device = DeviceID(high: high, low: try name.integer())
            var reader = RecordReader(body.span)
            let generation = try reader.integer(UInt32.self)
            try reader.expectEnd()
            return .generation(device, generation)
        case .settings: return .settings(try HubSettingsCodec.decode(body.span))
        case .job: return .job(try JobCodec.decode(body.span))
        case .departure:
            var name = RecordReader(key.bytes.span)
            let number = try name.integer(UInt64.self)
            let time = Timestamp(milliseconds: gone ?? 0)
            return .departure(try DepartureCodec.decode(body.span, number: number, time: time))
        }
    }
}

extension [UInt8] {
    /// A number, big-endian.
    fileprivate static func number(_ value: some FixedWidthInteger & UnsignedInteger) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendBigEndian(value)
        return bytes
    }

    /// An identifier of 16 bytes.
    static func id(_ high: UInt64, _ low: UInt64) -> [UInt8] { number(high) + number(low) }
}
