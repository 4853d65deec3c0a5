/// The numbers from which on a check speaks.
enum DoctorLimits {
    /// Days until a disk is full.
    static let diskDays = 7
    /// Free bytes of a disk, whatever its log grows by.
    static let freeBytesMin = 1 << 30
    /// Microseconds of a sync, of 99 in 100.
    static let syncMicroseconds = 20_000
    /// Files that a process may open.
    static let openFilesMin = 8_192
    /// Files that a hub needs besides its devices' connections.
    static let openFilesKept = 124
    /// Bytes of memory of a connection, of a registration, and of all else.
    static let memory = (connection: 1_536, registration: 256, process: 128 << 20)
    /// Connections that should be able to wait.
    static let acceptQueueMin = 1_024
    /// Seconds by which clocks may differ before tokens are refused.
    static let clockSeconds = 60
    /// Milliseconds by which a database's clock may differ.
    static let databaseClockMilliseconds = 1_000
    /// Days before a certificate's end.
    static let certificateDays = 30
    /// Days since a backup.
    static let backupDays = 7
    /// Days of a key's life.
    static let keyDays = 365
    /// Days of a rotation, and those in which a key counts as used.
    static let rotationDays = 7
    /// Requests that wait for a writer.
    static let waiting = 1_000
    /// The part of the device cap, in percent, from which on a device is nearly losing.
    static let capPercent = 90
    /// Minutes without a reader of numbers.
    static let numbersMinutes = 10
}
