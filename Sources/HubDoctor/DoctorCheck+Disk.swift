/// The disk below the data folder: whether it keeps what it was given, and for how long.
extension DoctorCheck {
    private static let remote: Set<String> = [
        "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "fuse.sshfs", "afs", "ceph",
    ]

    static let disk = [
        DoctorCheck(3) { facts in
            guard let folder = facts.folder else { return [] }
            let remedy = "Move the folder to a local disk (ext4, xfs)."
            let type = folder.fileSystem
            if remote.contains(type) {
                let text =
                    "\(folder.path) is on \(type); its syncs are not to be trusted, so 201 is not "
                    + "either."
                return [(.error, text, remedy)]
            }
            guard type == "tmpfs" || type == "ramfs" else { return [] }
            let text = "\(folder.path) is on \(type); what is stored is gone with the machine."
            return [(.error, text, remedy)]
        },
        DoctorCheck(4) { facts in
            guard let free = facts.folder?.freeBytes else { return [] }
            let growth = facts.server?.hubs.compactMap(\.logBytesPerDay).reduce(0, +) ?? 0
            let shorter = facts.command("settings --ttl 259200 --retention 259200")
            let remedy = "Enlarge it, or keep less: \(shorter)"
            if growth > 0, free / growth < DoctorLimits.diskDays {
                let text =
                    "The disk has \(DoctorText.bytes(free)) free and the log grows by "
                    + "\(DoctorText.bytes(growth)) a day: full in \(DoctorText.days(free / growth))."
                return [(.error, text, remedy)]
            }
            guard free < DoctorLimits.freeBytesMin else { return [] }
            return [(.error, "The disk has \(DoctorText.bytes(free)) free.", remedy)]
        },
        DoctorCheck(5) { facts in
            guard let syncs = facts.folder?.syncMicroseconds.sorted(), !syncs.isEmpty else {
                return []
            }
            let slow = syncs[(syncs.count * 99 - 1) / 100]
            guard slow > DoctorLimits.syncMicroseconds else { return [] }
            return [
                (
                    .warning,
                    "A sync takes \(slow / 1_000) ms (p99 of \(syncs.count)): about "
                        + "\(DoctorText.count(1_000_000 / slow)) durable sends a second one by one.",
                    "Use a disk with power-loss protection, or put many sends into one request."
                )
            ]
        },
        DoctorCheck(6) { facts in
            guard let folder = facts.folder,
                let option = folder.mountOptions.first(where: {
                    ["nobarrier", "barrier=0"].contains($0)
                })
            else { return [] }
            let text =
                "\(folder.path) is mounted with \(option); a power cut can take what was answered."
            return [(.error, text, "Mount it without that option.")]
        },
    ]
}
