#include "COpenSSL.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// MARK: The shared BIO

static BIO_METHOD *wire_method;
static pthread_once_t wire_method_once = PTHREAD_ONCE_INIT;

uint8_t *belfry_wire_reserve(belfry_wire *wire, size_t count) {
    size_t needed = wire->output_end + count;
    if (needed > wire->output_capacity) {
        size_t capacity = wire->output_capacity;
        while (capacity < needed) capacity *= 2;
        uint8_t *grown = capacity > wire->output_limit ? NULL : realloc(wire->output, capacity);
        if (!grown) return NULL;
        wire->output = grown;
        wire->output_capacity = capacity;
    }
    return wire->output + wire->output_end;
}

static int wire_write(BIO *bio, const char *bytes, int count) {
    belfry_wire *wire = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    if (count <= 0) return 0;
    uint8_t *space = belfry_wire_reserve(wire, (size_t)count);
    if (!space) return -1;
    memcpy(space, bytes, (size_t)count);
    wire->output_end += (size_t)count;
    return count;
}

static int wire_read(BIO *bio, char *bytes, int capacity) {
    belfry_wire *wire = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    size_t held = wire->input_end - wire->input_start;
    if (held == 0 || capacity <= 0) {
        BIO_set_retry_read(bio);
        return -1;
    }
    size_t count = (size_t)capacity < held ? (size_t)capacity : held;
    memcpy(bytes, wire->input + wire->input_start, count);
    wire->input_start += count;
    return (int)count;
}

static long wire_control(BIO *bio, int command, long number, void *pointer) {
    (void)bio, (void)number, (void)pointer;
    return command == BIO_CTRL_FLUSH;
}

static void make_wire_method(void) {
    wire_method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "wire");
    if (!wire_method) return;
    BIO_meth_set_write(wire_method, wire_write);
    BIO_meth_set_read(wire_method, wire_read);
    BIO_meth_set_ctrl(wire_method, wire_control);
}

belfry_wire *belfry_wire_new(size_t input_capacity, size_t output_capacity, size_t output_limit) {
    pthread_once(&wire_method_once, make_wire_method);
    belfry_wire *wire = calloc(1, sizeof *wire);
    if (!wire) return NULL;
    wire->input = malloc(input_capacity);
    wire->input_capacity = input_capacity;
    wire->output = malloc(output_capacity);
    wire->output_capacity = output_capacity;
    wire->output_limit = output_limit;
    wire->bio = wire_method ? BIO_new(wire_method) : NULL;
    if (!wire->input || !wire->output || !wire->bio) {
        belfry_wire_free(wire);
        return NULL;
    }
    BIO_set_data(wire->bio, wire);
    BIO_set_init(wire->bio, 1);
    return wire;
}

void belfry_wire_free(belfry_wire *wire) {
    BIO_free(wire->bio);
    free(wire->input);
    free(wire->output);
    free(wire);
}

// MARK: Contexts

static const unsigned char protocols[] = "\x08" BELFRY_APPLICATION_PROTOCOL;
_Static_assert(sizeof BELFRY_APPLICATION_PROTOCOL - 1 == 8, "the length byte of the protocol list");

static int select_protocol(
    SSL *session, const unsigned char **chosen, unsigned char *length,
    const unsigned char *offered, unsigned offered_length, void *context) {
    (void)session, (void)context;
    for (unsigned at = 0; at + 1 < offered_length; at += 1 + offered[at]) {
        if (offered[at] != protocols[0] || at + 1 + offered[at] > offered_length) continue;
        if (memcmp(offered + at + 1, protocols + 1, protocols[0])) continue;
        *chosen = offered + at + 1;
        *length = protocols[0];
        return SSL_TLSEXT_ERR_OK;
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL;
}

// OpenSSL asks the function above only when the client sent a list; one without is refused here,
// before any key is computed.
static int check_client_hello(SSL *session, int *alert, void *context) {
    const unsigned char *list;
    size_t length;
    (void)context;
    if (SSL_client_hello_get0_ext(
            session, TLSEXT_TYPE_application_layer_protocol_negotiation, &list, &length))
        return SSL_CLIENT_HELLO_SUCCESS;
    // A client of an older version is told so by the version check that follows.
    if (!SSL_client_hello_get0_ext(session, TLSEXT_TYPE_supported_versions, &list, &length))
        return SSL_CLIENT_HELLO_SUCCESS;
    *alert = SSL_AD_NO_APPLICATION_PROTOCOL;
    return SSL_CLIENT_HELLO_ERROR;
}

SSL_CTX *belfry_context_new(int server) {
    SSL_CTX *context = SSL_CTX_new(server ? TLS_server_method() : TLS_client_method());
    if (!context) return NULL;
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_options(
        context, SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_NO_TICKET);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_NO_AUTO_CHAIN);
    int settled =
        SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) &&
        SSL_CTX_set_ciphersuites(
            context,
            "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256") &&
        SSL_CTX_set1_groups_list(context, "X25519:P-256") &&
        SSL_CTX_set_num_tickets(context, 0) && SSL_CTX_set_max_early_data(context, 0) &&
        SSL_CTX_set_recv_max_early_data(context, 0);
    if (server) {
        SSL_CTX_set_alpn_select_cb(context, select_protocol, NULL);
        SSL_CTX_set_client_hello_cb(context, check_client_hello, NULL);
    } else {
        settled = settled && !SSL_CTX_set_alpn_protos(context, protocols, sizeof protocols - 1);
    }
    if (settled) return context;
    SSL_CTX_free(context);
    return NULL;
}

int belfry_context_trust(SSL_CTX *context, const uint8_t *pem, size_t count) {
    BIO *source = BIO_new_mem_buf(pem, (int)count);
    if (!source) return -1;
    int added = 0;
    X509 *certificate;
    while ((certificate = PEM_read_bio_X509(source, NULL, NULL, NULL))) {
        int stored = X509_STORE_add_cert(SSL_CTX_get_cert_store(context), certificate);
        X509_free(certificate);
        if (!stored) {
            added = -1;
            break;
        }
        added++;
    }
    BIO_free(source);
    // The end of the text is reported as an error too.
    ERR_clear_error();
    return added;
}

// The handshake goes on, and the result is asked for behind it: a client of TLS 1.3 would hear of an
// alert only after its own handshake, as a lost connection.
static int note_result(int verified, X509_STORE_CTX *store) {
    (void)verified, (void)store;
    return 1;
}

int belfry_context_request_client_certificate(SSL_CTX *context, const uint8_t *pem, size_t count) {
    static const unsigned char name[] = "belfry";
    if (belfry_context_trust(context, pem, count) <= 0) return 0;
    BIO *source = BIO_new_mem_buf(pem, (int)count);
    if (!source) return 0;
    X509 *certificate;
    int named = 1;
    while (named && (certificate = PEM_read_bio_X509(source, NULL, NULL, NULL))) {
        named = SSL_CTX_add_client_CA(context, certificate);
        X509_free(certificate);
    }
    BIO_free(source);
    ERR_clear_error();
    if (!named || !SSL_CTX_set_session_id_context(context, name, sizeof name - 1)) return 0;
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, note_result);
    return 1;
}

void belfry_context_require_trusted_peer(SSL_CTX *context) {
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
}

// Without a callback OpenSSL would ask for the pass phrase on the terminal.
static int no_pass_phrase(char *text, int capacity, int writing, void *asked) {
    (void)text, (void)capacity, (void)writing;
    *(int *)asked = 1;
    return -1;
}

static belfry_identity install_chain(SSL_CTX *context, const uint8_t *pem, size_t count) {
    BIO *source = BIO_new_mem_buf(pem, (int)count);
    X509 *leaf = source ? PEM_read_bio_X509(source, NULL, NULL, NULL) : NULL;
    belfry_identity result = belfry_identity_accepted;
    if (!leaf) {
        result = belfry_identity_no_certificate;
    } else if (X509_cmp_current_time(X509_get0_notAfter(leaf)) <= 0) {
        result = belfry_identity_expired;
    } else if (X509_cmp_current_time(X509_get0_notBefore(leaf)) > 0) {
        result = belfry_identity_not_yet_valid;
    } else if (!SSL_CTX_use_certificate(context, leaf)) {
        result = belfry_identity_refused;
    }
    X509 *next;
    while (result == belfry_identity_accepted &&
           (next = PEM_read_bio_X509(source, NULL, NULL, NULL))) {
        if (SSL_CTX_add0_chain_cert(context, next)) continue;
        X509_free(next);
        result = belfry_identity_refused;
    }
    X509_free(leaf);
    BIO_free(source);
    ERR_clear_error();
    return result;
}

belfry_identity belfry_context_use_identity(
    SSL_CTX *context, const uint8_t *chain, size_t chain_count,
    const uint8_t *key, size_t key_count) {
    belfry_identity result = install_chain(context, chain, chain_count);
    if (result != belfry_identity_accepted) return result;
    int asked = 0;
    BIO *source = BIO_new_mem_buf(key, (int)key_count);
    EVP_PKEY *secret = source ? PEM_read_bio_PrivateKey(source, NULL, no_pass_phrase, &asked) : NULL;
    BIO_free(source);
    if (!secret) {
        result = asked ? belfry_identity_encrypted_key : belfry_identity_no_key;
    } else if (!X509_check_private_key(SSL_CTX_get0_certificate(context), secret)) {
        result = belfry_identity_mismatch;
    } else if (!SSL_CTX_use_PrivateKey(context, secret)) {
        result = belfry_identity_refused;
    }
    EVP_PKEY_free(secret);
    ERR_clear_error();
    return result;
}

// MARK: Sessions

SSL *belfry_session_new(SSL_CTX *context, belfry_wire *wire, int server) {
    SSL *session = SSL_new(context);
    if (!session) return NULL;
    BIO_up_ref(wire->bio);
    SSL_set_bio(session, wire->bio, wire->bio);
    if (server) SSL_set_accept_state(session);
    else SSL_set_connect_state(session);
    return session;
}

int belfry_session_expect_name(SSL *session, const char *name, int is_address) {
    if (is_address) return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), name);
    SSL_set_hostflags(session, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    return SSL_set1_host(session, name) && SSL_set_tlsext_host_name(session, name);
}

int belfry_session_has_protocol(const SSL *session) {
    const unsigned char *chosen = NULL;
    unsigned length = 0;
    SSL_get0_alpn_selected(session, &chosen, &length);
    return length == protocols[0] && !memcmp(chosen, protocols + 1, length);
}

int belfry_session_exporter(SSL *session, uint8_t *exporter) {
    return SSL_export_keying_material(
               session, exporter, BELFRY_EXPORTER_BYTES, BELFRY_EXPORTER_LABEL,
               sizeof BELFRY_EXPORTER_LABEL - 1, NULL, 0, 0) == 1;
}

int belfry_session_peer_key_hash(const SSL *session, uint8_t *hash) {
    X509 *certificate = SSL_get0_peer_certificate(session);
    if (!certificate) return 0;
    if (SSL_get_verify_result(session) != X509_V_OK) return -1;
    unsigned char *der = NULL;
    int length = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &der);
    if (length <= 0) return -1;
    int hashed = EVP_Digest(der, (size_t)length, hash, NULL, EVP_sha256(), NULL);
    OPENSSL_free(der);
    return hashed ? 1 : -1;
}

int belfry_drain_errors(void) {
    int first = 0;
    unsigned long code;
    while ((code = ERR_get_error())) {
        if (!first && ERR_GET_LIB(code) == ERR_LIB_SSL) first = ERR_GET_REASON(code);
    }
    return first;
}
