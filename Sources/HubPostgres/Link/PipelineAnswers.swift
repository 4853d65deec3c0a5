import CPostgres

/// The answers to a pipeline, as they arrive.
struct PipelineAnswers {
    /// One for each command that was carried out.
    private(set) var rows: [PostgresRows] = []
    /// The first command that was refused; those behind it were left out.
    private(set) var refusal: ServerRefusal?
    /// Why the server ends the connection; what was sent last is in doubt.
    private(set) var ending: PostgresError?
    /// Whether the sync was answered.
    private(set) var isOver = false

    /// Takes what has arrived; false when the connection is lost.
    mutating func take(from link: OpaquePointer) -> Bool {
        while !isOver {
            var result: OpaquePointer?
            // The caller keeps `link` alive; a result is ours.
            let answer = unsafe belfry_postgres_next(link, &result)
            switch answer {
            case belfry_postgres_answer_pending: return true
            case belfry_postgres_answer_end: continue
            case belfry_postgres_answer_synced: isOver = true
            case belfry_postgres_answer_rows:
                if let result = unsafe result { unsafe rows.append(PostgresRows(owning: result)) }
            case belfry_postgres_answer_error:
                guard let result = unsafe result else { return false }
                unsafe note(result)
                unsafe belfry_postgres_result_free(result)
            default: return false
            }
        }
        return true
    }

    private mutating func note(_ error: OpaquePointer) {
        // The texts live as long as the result.
        let state = unsafe String(cString: belfry_postgres_error_state(error))
        let severity = unsafe String(cString: belfry_postgres_error_severity(error))
        let message = unsafe String(cString: belfry_postgres_error_message(error))
        if severity == "ERROR" {
            if refusal == nil { refusal = ServerRefusal(state: state, message: message) }
        } else if ending == nil, !message.isEmpty {
            ending = .lost("\(message) (SQLSTATE \(state))")
        }
    }
}
