// OpenSSL 3 and the few functions that its macros, its callbacks and our shared BIO need.
#ifndef COPENSSL_H
#define COPENSSL_H

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <stddef.h>
#include <stdint.h>

// The application protocol every connection must agree on. Source: Protocol, TLS.
#define BELFRY_APPLICATION_PROTOCOL "belfry/1"
// The label of the exporter value that proofs are bound to. Source: rules G.
#define BELFRY_EXPORTER_LABEL "EXPORTER-belfry-1-auth"
#define BELFRY_EXPORTER_BYTES 32

// The bytes between all sessions of a reactor and their sockets: sessions read ciphertext from
// `input` and append ciphertext to `output`. One BIO serves every session of the reactor.
typedef struct belfry_wire {
    uint8_t *input;
    size_t input_capacity;
    size_t input_start;
    size_t input_end;
    uint8_t *output;
    size_t output_capacity;
    size_t output_end;
    size_t output_limit;
    BIO *bio;
} belfry_wire;

// NULL when memory is short. `output_limit` bounds what unsent output may grow to.
belfry_wire *belfry_wire_new(size_t input_capacity, size_t output_capacity, size_t output_limit);
void belfry_wire_free(belfry_wire *wire);
// Where `count` more bytes of output may be written, valid until the next call; the caller then
// moves `output_end`. NULL beyond the limit.
uint8_t *belfry_wire_reserve(belfry_wire *wire, size_t count);

// A TLS 1.3 context with the project's settings; NULL with the error queue filled.
SSL_CTX *belfry_context_new(int server);
// Adds every certificate of the PEM text to the trust store; the count, or -1.
int belfry_context_trust(SSL_CTX *context, const uint8_t *pem, size_t count);
// Asks clients for a certificate and names the trusted authorities to them; 1 on success.
// One that is not trusted does not end the handshake.
int belfry_context_request_client_certificate(SSL_CTX *context, const uint8_t *pem, size_t count);
void belfry_context_require_trusted_peer(SSL_CTX *context);

// What was wrong with a certificate chain and key.
typedef enum belfry_identity {
    belfry_identity_accepted = 0,
    belfry_identity_no_certificate,
    belfry_identity_no_key,
    belfry_identity_encrypted_key,
    belfry_identity_mismatch,
    belfry_identity_not_yet_valid,
    belfry_identity_expired,
    belfry_identity_refused,
} belfry_identity;

// Installs a leaf first chain and its key, both PEM.
belfry_identity belfry_context_use_identity(
    SSL_CTX *context, const uint8_t *chain, size_t chain_count,
    const uint8_t *key, size_t key_count);

// A session on the shared wire; NULL when memory is short.
SSL *belfry_session_new(SSL_CTX *context, belfry_wire *wire, int server);
// Sets what the server's certificate must name, and SNI when it is not an address; 1 on success.
int belfry_session_expect_name(SSL *session, const char *name, int is_address);
// 1 when the peer agreed on the application protocol.
int belfry_session_has_protocol(const SSL *session);
// 1 when `exporter` (BELFRY_EXPORTER_BYTES) was filled.
int belfry_session_exporter(SSL *session, uint8_t *exporter);
// SHA-256 of the peer's SubjectPublicKeyInfo (DER); 1 for a trusted certificate, 0 without one,
// -1 for one that is not trusted.
int belfry_session_peer_key_hash(const SSL *session, uint8_t *hash);

// The first application traffic secrets of a connection. Source: RFC 8446 §7.1.
#define BELFRY_SECRET_BYTES 48
typedef struct belfry_secrets {
    // The cipher suite's number in the handshake.
    uint16_t suite;
    size_t count;
    uint8_t client[BELFRY_SECRET_BYTES];
    uint8_t server[BELFRY_SECRET_BYTES];
} belfry_secrets;

// Whether this is a version of OpenSSL whose sessions may be gone on without: 3.0, in which what may
// follow a handshake is known.
int belfry_secrets_may_be_taken(void);
// Whether all memory is wiped when OpenSSL frees it.
int belfry_wipes_memory(void);
// Has the sessions made of this context remember their secrets, if they may be taken; 1 on success.
int belfry_context_keep_secrets(SSL_CTX *context);
// Takes the secrets of a session whose handshake has just ended, when records may go on without
// it: TLS 1.3 with a suite whose records are known here, nothing sealed, received or pending since
// the keys changed, and no agreement about records that only the session knows. Otherwise 0, and
// the session goes on as it is. The session forgets its copy; the caller wipes `secrets`.
int belfry_session_take_secrets(SSL *session, belfry_secrets *secrets);

// Contexts to seal and open records with any key, one of each for all connections of a thread.
typedef struct belfry_cipher belfry_cipher;

// NULL when memory is short; a suite that OpenSSL lacks is left out.
belfry_cipher *belfry_cipher_new(void);
// Whether a suite's cipher is there; only then may it be used.
int belfry_cipher_has(const belfry_cipher *cipher, uint16_t suite);
void belfry_cipher_free(belfry_cipher *cipher);
// Writes `count` + 17 bytes: text and type, encrypted, and the tag. 1 on success.
int belfry_cipher_seal(
    belfry_cipher *cipher, uint16_t suite, const uint8_t *key, const uint8_t *nonce,
    const uint8_t *header, size_t header_count, const uint8_t *text, size_t count, uint8_t type,
    uint8_t *output);
// Writes `count` - 16 bytes, which count only when the result is 1: the tag fits.
int belfry_cipher_open(
    belfry_cipher *cipher, uint16_t suite, const uint8_t *key, const uint8_t *nonce,
    const uint8_t *header, size_t header_count, const uint8_t *sealed, size_t count,
    uint8_t *output);
// Replaces whatever key and secret the contexts used last.
void belfry_cipher_forget(belfry_cipher *cipher);
// The first `code_count` bytes of HMAC with SHA-256 or, with `long_hash`, SHA-384. 1 on success.
int belfry_cipher_authenticate(
    belfry_cipher *cipher, int long_hash, const uint8_t *key, size_t key_count,
    const uint8_t *message, size_t message_count, uint8_t *code, size_t code_count);

// The first half of a SHA-256 digest, as two numbers.
typedef struct belfry_half_digest {
    uint64_t high;
    uint64_t low;
} belfry_half_digest;

// SHA-256 of a text.
belfry_half_digest belfry_digest(const uint8_t *text, size_t count);

// HMAC-SHA256 that has taken its key in: the states of both hashes.
typedef struct belfry_code {
    uint32_t inner[8];
    uint32_t outer[8];
} belfry_code;

// Takes a key of at most 64 bytes; 1 on success.
int belfry_code_begin(belfry_code *code, const uint8_t *key, size_t count);
// The code of a text, 32 bytes.
void belfry_code_end(const belfry_code *code, const uint8_t *text, size_t count, uint8_t *end);
// Whether the last 16 of a handle's 32 bytes begin the code of `prefix`, its first 16 bytes, and a
// number from `first` to `last`: 1 or 0; -1 for a prefix of more than 163 bytes. Each code is
// compared in constant time.
int belfry_code_made(
    const belfry_code *code, const uint8_t *prefix, size_t prefix_count, const uint8_t *handle,
    uint32_t first, uint32_t last);

// Whether 65 bytes are a point of P-256.
int belfry_is_point(const uint8_t *bytes);
// Encrypts a text for a browser's subscription (RFC 8291): its public point (65 bytes), its secret (16),
// a private key of this message (32) and a salt (16). Writes 86 + `count` + 17 bytes:
//
//     | salt: 16 | record size: u32 | 65 | public point: 65 | text and 0x02, encrypted | tag: 16 |
//
// What was derived is wiped. 1 on success; 0 for a key or a point that is none.
int belfry_message(
    const uint8_t *key, const uint8_t *salt, const uint8_t *peer, const uint8_t *secret,
    const uint8_t *text, size_t count, uint8_t *message);

// Empties the calling thread's error queue; the reason of the first TLS error, 0 if none.
int belfry_drain_errors(void);

#endif
