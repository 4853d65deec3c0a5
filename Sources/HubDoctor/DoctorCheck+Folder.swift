/// The data folder: who reads it, what lies in it.
extension DoctorCheck {
    static let folder = [
        DoctorCheck(1) { facts in
            guard let folder = facts.folder else { return [] }
            var told: [Told] = []
            if folder.mode & 0o077 != 0 {
                let mode = DoctorText.mode(folder.mode)
                told.append(
                    (
                        .error, "\(folder.path) can be read by others (mode \(mode)).",
                        "chmod 700 \(folder.path)"
                    )
                )
            }
            for file in folder.secrets where file.mode & 0o077 != 0 {
                let mode = DoctorText.mode(file.mode)
                told.append(
                    (
                        .error, "\(file.path) holds keys and can be read by others (mode \(mode)).",
                        "chmod 600 \(file.path)"
                    )
                )
            }
            return told
        },
        DoctorCheck(2) { facts in
            guard let process = facts.folder?.goneProcess else { return [] }
            return [
                (
                    .warning,
                    "connection.json names process \(process), which is not running.",
                    "Start the hub: belfry serve writes the file anew."
                )
            ]
        },
        DoctorCheck(19) { facts in
            guard let folder = facts.folder, let backup = folder.backup else { return [] }
            let remedy = "belfry backup --data \(folder.path) --to COPY --verify"
            switch backup {
            case .none: return [(.warning, "No backup of this folder is known.", remedy)]
            case .made(let time, let isVerified):
                let days = DoctorText.days(from: time, to: facts.now)
                if days > DoctorLimits.backupDays {
                    let text = "The last backup is \(DoctorText.days(days)) old."
                    return [(.warning, text, remedy)]
                }
                if isVerified { return [] }
                let text = "The backup of \(DoctorText.day(time)) was never read back."
                return [(.warning, text, remedy)]
            }
        },
        DoctorCheck(31) { facts in
            guard let folder = facts.folder else { return [] }
            return folder.oldFiles.map { old in
                let room = folder.freeBytes.map { "; \(DoctorText.bytes($0)) are free" } ?? ""
                return (
                    .warning,
                    "Files of \(old.hub) have schema \(old.schema); this release writes "
                        + "\(folder.schemaWritten) and copies \(DoctorText.bytes(old.bytes)) at its "
                        + "next start\(room).",
                    "Make room, and a backup, before the upgrade."
                )
            }
        },
        DoctorCheck(34) { facts in
            guard let number = facts.folder?.brokenAuditEntry else { return [] }
            return [
                (
                    .warning,
                    "The line of the audit with number \(number) does not fit the one before.",
                    "Somebody changed audit/: compare it with a backup."
                )
            ]
        },
    ]
}
