import HubTags

/// Under which lists a record is found: a tag, a device, or everyone; and a collapse key.
///
/// Every registration that a record means had, at the record's place, at least one of the record's
/// anchors among its own; which of several is a question of speed only. No registration asks for the
/// list of a collapse key: it leads to what may have replaced a record. Two names may share a key:
/// then a list holds records that do not matter to one of them. Kept on disk.
///
///     everyone: 0        a tag: the lowest bit 0, but not 0
///     a device, a collapse key: the lowest bit 1
///
/// Source: rules A.7.
package struct AnchorKey: Hashable, Comparable, Sendable {
    /// The key as lists and files keep it.
    package let raw: UInt64

    /// The key of a number that was stored.
    package init(raw: UInt64) { self.raw = raw }

    /// The list that every device looks at.
    package static let everyone = AnchorKey(raw: 0)

    /// The list of a tag, in any spelling: FNV-1a over its folded bytes.
    package init(tag: Span<UInt8>) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for index in tag.indices {
            hash = (hash ^ UInt64(TagRules.fold(tag[index]))) &* 0x0000_0100_0000_01B3
        }
        raw = max(2, Self.mixed(hash) & ~1)
    }

    /// The list of a device.
    package init(device: DeviceID) {
        raw = Self.mixed(Self.mixed(device.high) ^ device.low) | 1
    }

    /// The list of a collapse key, byte for byte.
    package init(collapseKey: [UInt8]) {
        var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
        for byte in collapseKey { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        raw = Self.mixed(hash) | 1
    }

    package static func < (left: AnchorKey, right: AnchorKey) -> Bool { left.raw < right.raw }

    /// The finisher of splitmix64.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var bits = value
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}

extension NotificationDraft {
    /// Where a record of this draft is listed: ascending, each once, at most 1,001; empty when
    /// nobody can match.
    ///
    /// Of an expression the tags that hold at least one tag of everybody it can mean, the rarest by
    /// `count`; everyone when it can mean registrations without any of its tags, as with `!a`. One
    /// with a collapse key, unless it is transient, is listed under that too.
    package func anchors(count: (Span<UInt8>) -> Int) -> [AnchorKey] {
        var found = audienceAnchors(count: count)
        if !found.isEmpty, !collapseKey.isEmpty, timeToLive != .transient {
            found.insert(AnchorKey(collapseKey: collapseKey))
        }
        return found.sorted()
    }

    private func audienceAnchors(count: (Span<UInt8>) -> Int) -> Set<AnchorKey> {
        var found: Set<AnchorKey> = []
        switch target {
        case .broadcast: return [.everyone]
        case .tags(let expression):
            guard let cover = expression.cover(cost: { count(expression.tag(at: $0)) }) else {
                return [.everyone]
            }
            for index in 0..<expression.tagCount where cover.tags >> UInt64(index) & 1 != 0 {
                found.insert(AnchorKey(tag: expression.tag(at: index)))
            }
        case .handles(let handles):
            guard case .native(let platform) = format else { return [.everyone] }
            for handle in handles {
                if let device = PushHandle.claimedDevice(in: handle, platform: platform) {
                    found.insert(AnchorKey(device: device))
                }
            }
        case .slots(let targets):
            for target in targets { found.insert(AnchorKey(device: target.device)) }
        }
        return found
    }
}

extension Registration {
    /// Adds the lists in which records behind `after` that match this registration are found: those
    /// of every tag that it has, or had at such a record's place.
    package func addAnchors(after: UInt64, to found: inout Set<AnchorKey>) {
        func add(_ tags: TagSet) {
            for index in 0..<tags.count { found.insert(AnchorKey(tag: tags.tag(at: index))) }
        }
        add(tags)
        for former in formerTags where former.until.sequence > after + 1 { add(former.tags) }
    }
}

/// Records of a part of the log that lists name.
package struct LogCandidates: Hashable, Sendable {
    /// Sequence numbers, ascending, each once.
    package var sequences: [UInt64]
    /// Everything up to here was looked at.
    package var through: UInt64

    /// Makes a part's answer.
    package init(sequences: [UInt64], through: UInt64) {
        self.sequences = sequences
        self.through = through
    }
}

extension LogReading {
    /// Looks through every record; for stores without lists.
    package func candidates(
        anchors: Set<AnchorKey>,
        after: UInt64,
        through: UInt64,
        limit: Int
    ) throws(StoreError) -> LogCandidates {
        var found = LogCandidates(sequences: [], through: min(after, through))
        while found.through < through {
            let page = try records(
                after: found.through,
                through: through,
                limit: 256,
                bytesMax: 1 << 20
            )
            for record in page {
                guard found.sequences.count < limit else { return found }
                if record.anchors.contains(where: { anchors.contains($0) }) {
                    found.sequences.append(record.sequence)
                }
                found.through = record.sequence
            }
            if page.isEmpty { found.through = through }
        }
        return found
    }

    /// Reads one after another; for stores that cannot do better.
    package func records(
        at sequences: ArraySlice<UInt64>,
        bytesMax: Int
    ) throws(StoreError) -> [NotificationRecord] {
        var found: [NotificationRecord] = []
        var bytes = 0
        for sequence in sequences where sequence > 0 {
            let one = try records(after: sequence - 1, through: sequence, limit: 1, bytesMax: 0)
            guard let record = one.first else { continue }
            bytes += record.draft.weight
            if bytes > bytesMax, !found.isEmpty { break }
            found.append(record)
        }
        return found
    }

    /// Reads whole records; for stores that cannot do better.
    package func headers(
        at sequences: ArraySlice<UInt64>
    ) throws(StoreError) -> [RecordHeader] {
        var found: [RecordHeader] = []
        var rest = sequences
        while !rest.isEmpty {
            let part = rest.prefix(64)
            found += try records(at: part, bytesMax: .max).map(\.header)
            rest = rest.dropFirst(64)
        }
        return found
    }
}
