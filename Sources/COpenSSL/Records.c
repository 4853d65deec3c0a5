// What sealing records outside of a session needs: its secrets, and ciphers for any key.
#include "COpenSSL.h"

#include <openssl/core_names.h>
#include <openssl/params.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// MARK: Secrets

// What a session's handshake has told so far; a count is 0 until its secret is known.
typedef struct kept_secrets {
    size_t client_count;
    size_t server_count;
    uint8_t client[BELFRY_SECRET_BYTES];
    uint8_t server[BELFRY_SECRET_BYTES];
} kept_secrets;

static int secrets_index = -1;
static pthread_once_t secrets_once = PTHREAD_ONCE_INIT;

static void free_secrets(
    void *parent, void *secrets, CRYPTO_EX_DATA *data, int index, long number, void *pointer) {
    (void)parent, (void)data, (void)index, (void)number, (void)pointer;
    OPENSSL_clear_free(secrets, sizeof(kept_secrets));
}

static void make_secrets_index(void) {
    secrets_index = SSL_get_ex_new_index(0, NULL, NULL, NULL, free_secrets);
}

static int hex_digit(char digit) {
    if (digit >= '0' && digit <= '9') return digit - '0';
    if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
    if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
    return -1;
}

// The bytes of a text of hex digits, 0 when it is anything else or too long.
static size_t from_hex(const char *text, uint8_t *bytes, size_t capacity) {
    size_t length = strlen(text);
    if (length % 2 || length / 2 > capacity) return 0;
    for (size_t at = 0; at < length; at += 2) {
        int high = hex_digit(text[at]), low = hex_digit(text[at + 1]);
        if (high < 0 || low < 0) return 0;
        bytes[at / 2] = (uint8_t)(high << 4 | low);
    }
    return length / 2;
}

// OpenSSL hands out secrets as lines for a key log: label, the client's random number, the secret.
static void keep_secret(const SSL *session, const char *line) {
    static const char client[] = "CLIENT_TRAFFIC_SECRET_0 ";
    static const char server[] = "SERVER_TRAFFIC_SECRET_0 ";
    int is_client = !strncmp(line, client, sizeof client - 1);
    if (!is_client && strncmp(line, server, sizeof server - 1)) return;
    SSL_CTX_set_keylog_callback(SSL_get_SSL_CTX(session), NULL);
    const char *text = strrchr(line, ' ') + 1;
    kept_secrets *secrets = SSL_get_ex_data(session, secrets_index);
    if (!secrets) {
        secrets = OPENSSL_zalloc(sizeof *secrets);
        // The session is only read but for this slot of it, which is ours.
        if (!secrets || !SSL_set_ex_data((SSL *)session, secrets_index, secrets)) {
            OPENSSL_free(secrets);
            return;
        }
    }
    if (is_client) {
        secrets->client_count = from_hex(text, secrets->client, sizeof secrets->client);
    } else {
        secrets->server_count = from_hex(text, secrets->server, sizeof secrets->server);
    }
}

// Writing a line takes OpenSSL longer than deriving what it says, and of the five of a handshake two
// are wanted: each comes directly behind a Finished, and until then nobody asks for lines. Should
// one not come, the session keeps its records. A context is used by one thread.
static void await_secret(
    int sent, int version, int type, const void *message, size_t count, SSL *session,
    void *nothing) {
    (void)sent, (void)version, (void)nothing;
    if (type != SSL3_RT_HANDSHAKE || count == 0) return;
    if (*(const uint8_t *)message != SSL3_MT_FINISHED) return;
    SSL_CTX_set_keylog_callback(SSL_get_SSL_CTX(session), keep_secret);
}

int belfry_secrets_may_be_taken(void) {
    // What may follow a handshake is a list of what 3.0 has; one library name serves all 3.x.
    return OpenSSL_version_num() >> 20 == 0x300;
}

int belfry_context_keep_secrets(SSL_CTX *context) {
    if (!belfry_secrets_may_be_taken()) return 1;
    pthread_once(&secrets_once, make_secrets_index);
    if (secrets_index < 0) return 0;
    SSL_CTX_set_msg_callback(context, await_secret);
    return 1;
}

static size_t secret_bytes(uint16_t suite) {
    switch (suite) {
    case 0x1301:
    case 0x1303: return 32;
    case 0x1302: return 48;
    default: return 0;
    }
}

int belfry_session_take_secrets(SSL *session, belfry_secrets *taken) {
    kept_secrets *secrets = SSL_get_ex_data(session, secrets_index);
    const SSL_CIPHER *cipher = SSL_get_current_cipher(session);
    if (!secrets || !cipher) return 0;
    uint16_t suite = SSL_CIPHER_get_protocol_id(cipher);
    size_t count = secret_bytes(suite);
    const SSL_SESSION *agreed = SSL_get0_session(session);
    int may_go =
        SSL_is_init_finished(session) && SSL_version(session) == TLS1_3_VERSION &&
        SSL_get_shutdown(session) == 0 &&
        // No ticket was sealed, no early data opened: both directions stand at record 0.
        SSL_get_num_tickets(session) == 0 && SSL_session_reused(session) == 0 &&
        SSL_get_early_data_status(session) == SSL_EARLY_DATA_NOT_SENT &&
        SSL_get_key_update_type(session) == SSL_KEY_UPDATE_NONE &&
        // All that was received is still on the wire, beginning with a whole record.
        !SSL_has_pending(session) && agreed &&
        SSL_SESSION_get_max_fragment_length(agreed) == 0 &&
        count != 0 && secrets->client_count == count && secrets->server_count == count;
    if (may_go) {
        taken->suite = suite;
        taken->count = count;
        memcpy(taken->client, secrets->client, sizeof taken->client);
        memcpy(taken->server, secrets->server, sizeof taken->server);
    }
    OPENSSL_cleanse(secrets, sizeof *secrets);
    return may_go;
}

// MARK: Ciphers

enum { suite_count = 3, tag_bytes = 16 };

struct belfry_cipher {
    // By the suite's number: AES-128-GCM, AES-256-GCM, ChaCha20-Poly1305.
    EVP_CIPHER_CTX *sealing[suite_count];
    EVP_CIPHER_CTX *opening[suite_count];
    // HMAC with SHA-256 and SHA-384. Asking OpenSSL for it anew takes longer than its use.
    EVP_MAC_CTX *codes[2];
};

static int make_codes(belfry_cipher *cipher) {
    static char *const hashes[2] = {SN_sha256, SN_sha384};
    EVP_MAC *kind = EVP_MAC_fetch(NULL, OSSL_MAC_NAME_HMAC, NULL);
    int made = kind != NULL;
    for (int at = 0; made && at < 2; at++) {
        OSSL_PARAM parameters[] = {
            OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, hashes[at], 0),
            OSSL_PARAM_construct_end()};
        cipher->codes[at] = EVP_MAC_CTX_new(kind);
        made = cipher->codes[at] && EVP_MAC_CTX_set_params(cipher->codes[at], parameters);
    }
    EVP_MAC_free(kind);
    return made;
}

belfry_cipher *belfry_cipher_new(void) {
    const EVP_CIPHER *kinds[suite_count] = {
        EVP_aes_128_gcm(), EVP_aes_256_gcm(), EVP_chacha20_poly1305()};
    belfry_cipher *cipher = calloc(1, sizeof *cipher);
    if (!cipher) return NULL;
    for (int at = 0; at < suite_count; at++) {
        cipher->sealing[at] = EVP_CIPHER_CTX_new();
        cipher->opening[at] = EVP_CIPHER_CTX_new();
        if (!cipher->sealing[at] || !cipher->opening[at] ||
            !EVP_EncryptInit_ex(cipher->sealing[at], kinds[at], NULL, NULL, NULL) ||
            !EVP_DecryptInit_ex(cipher->opening[at], kinds[at], NULL, NULL, NULL)) {
            // A library without this cipher does not agree on it either.
            EVP_CIPHER_CTX_free(cipher->sealing[at]);
            EVP_CIPHER_CTX_free(cipher->opening[at]);
            cipher->sealing[at] = cipher->opening[at] = NULL;
            ERR_clear_error();
        }
    }
    if (make_codes(cipher)) return cipher;
    belfry_cipher_free(cipher);
    ERR_clear_error();
    return NULL;
}

int belfry_cipher_has(const belfry_cipher *cipher, uint16_t suite) {
    return cipher->sealing[suite - 0x1301] != NULL;
}

void belfry_cipher_free(belfry_cipher *cipher) {
    for (int at = 0; at < suite_count; at++) {
        EVP_CIPHER_CTX_free(cipher->sealing[at]);
        EVP_CIPHER_CTX_free(cipher->opening[at]);
    }
    for (int at = 0; at < 2; at++) EVP_MAC_CTX_free(cipher->codes[at]);
    free(cipher);
}

int belfry_cipher_seal(
    belfry_cipher *cipher, uint16_t suite, const uint8_t *key, const uint8_t *nonce,
    const uint8_t *header, size_t header_count, const uint8_t *text, size_t count, uint8_t type,
    uint8_t *output) {
    EVP_CIPHER_CTX *context = cipher->sealing[suite - 0x1301];
    int written = 0, last = 0;
    int sealed =
        EVP_EncryptInit_ex(context, NULL, NULL, key, nonce) &&
        EVP_EncryptUpdate(context, NULL, &written, header, (int)header_count) &&
        (count == 0 || EVP_EncryptUpdate(context, output, &written, text, (int)count)) &&
        EVP_EncryptUpdate(context, output + count, &last, &type, 1) &&
        EVP_EncryptFinal_ex(context, output + count + 1, &last) &&
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, tag_bytes, output + count + 1);
    if (!sealed) ERR_clear_error();
    return sealed;
}

int belfry_cipher_open(
    belfry_cipher *cipher, uint16_t suite, const uint8_t *key, const uint8_t *nonce,
    const uint8_t *header, size_t header_count, const uint8_t *sealed, size_t count,
    uint8_t *output) {
    EVP_CIPHER_CTX *context = cipher->opening[suite - 0x1301];
    uint8_t tag[tag_bytes];
    int written = 0, last = 0;
    if (count <= tag_bytes) return 0;
    count -= tag_bytes;
    memcpy(tag, sealed + count, tag_bytes);
    int opened =
        EVP_DecryptInit_ex(context, NULL, NULL, key, nonce) &&
        EVP_DecryptUpdate(context, NULL, &written, header, (int)header_count) &&
        EVP_DecryptUpdate(context, output, &written, sealed, (int)count) &&
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, tag_bytes, tag) &&
        EVP_DecryptFinal_ex(context, output + count, &last) > 0;
    if (opened) return 1;
    // What was decrypted without being proven is for nobody.
    OPENSSL_cleanse(output, count);
    ERR_clear_error();
    return 0;
}

void belfry_cipher_forget(belfry_cipher *cipher) {
    static const uint8_t nothing[32];
    for (int at = 0; at < suite_count; at++) {
        if (!cipher->sealing[at]) continue;
        EVP_EncryptInit_ex(cipher->sealing[at], NULL, NULL, nothing, nothing);
        EVP_DecryptInit_ex(cipher->opening[at], NULL, NULL, nothing, nothing);
    }
    for (int at = 0; at < 2; at++)
        EVP_MAC_init(cipher->codes[at], nothing, sizeof nothing, NULL);
}

int belfry_cipher_authenticate(
    belfry_cipher *cipher, int long_hash, const uint8_t *key, size_t key_count,
    const uint8_t *message, size_t message_count, uint8_t *code, size_t code_count) {
    EVP_MAC_CTX *context = cipher->codes[long_hash != 0];
    uint8_t whole[EVP_MAX_MD_SIZE];
    size_t length = 0;
    int made =
        EVP_MAC_init(context, key, key_count, NULL) &&
        EVP_MAC_update(context, message, message_count) &&
        EVP_MAC_final(context, whole, &length, sizeof whole) && length >= code_count;
    if (made) memcpy(code, whole, code_count);
    else ERR_clear_error();
    OPENSSL_cleanse(whole, sizeof whole);
    return made;
}
