#!/bin/sh
# Proves that client.py reads the TLS exporter: `openssl s_server` prints its own value of the same
# connection, and the two must be equal. Needs openssl and python3; takes about two seconds.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
server=
trap 'if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; fi; rm -rf "$work"' EXIT
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost \
    -addext "subjectAltName=DNS:localhost" -keyout "$work/key.pem" -out "$work/cert.pem" 2>/dev/null
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
mkfifo "$work/input"
openssl s_server -accept "127.0.0.1:$port" -tls1_3 -cert "$work/cert.pem" -key "$work/key.pem" \
    -alpn belfry/1 -keymatexport EXPORTER-belfry-1-auth -keymatexportlen 32 -naccept 1 \
    <"$work/input" >"$work/output" 2>&1 &
server=$!
exec 9>"$work/input"
ours=$(PYTHONDONTWRITEBYTECODE=1 python3 - "$here" "$work/cert.pem" "$port" <<'PYTHON'
import socket, ssl, sys, time
sys.path.insert(0, sys.argv[1])
import client
context = ssl.create_default_context(cafile=sys.argv[2])
context.set_alpn_protocols(["belfry/1"])
for attempt in range(100):
    try:
        plain = socket.create_connection(("127.0.0.1", int(sys.argv[3])))
        break
    except ConnectionRefusedError:
        time.sleep(0.05)
tls = context.wrap_socket(plain, server_hostname="localhost")
print(client.exporter(tls).hex().upper())
tls.unwrap()
PYTHON
)
exec 9>&-
wait "$server" || true
server=
theirs=$(sed -n 's/.*Keying material: //p' "$work/output")
echo "client.py  $ours"
echo "openssl    $theirs"
[ -n "$ours" ] && [ "$ours" = "$theirs" ]
