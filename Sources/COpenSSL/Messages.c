// What relays to push services compute for each notification: codes in handles, and the encryption of
// Web Push. Most of it is called ten thousand times a second, so it asks OpenSSL's oldest functions,
// which look nothing up.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "COpenSSL.h"

#include <openssl/ec.h>
#include <openssl/sha.h>
#include <pthread.h>
#include <string.h>

enum { block_bytes = 64, hash_bytes = 32 };
// Of Web Push: keys, points, tags, salts, and the size that a message names of its records.
enum { private_bytes = 32, point_bytes = 65, tag_bytes = 16, salt_bytes = 16, record_bytes = 4096 };

// MARK: Codes

static void put_number(uint8_t *bytes, uint32_t number) {
    for (int at = 0; at < 4; at++) bytes[at] = (uint8_t)(number >> (24 - 8 * at));
}

static uint64_t get_number(const uint8_t *bytes) {
    uint64_t number = 0;
    for (int at = 0; at < 8; at++) number = number << 8 | bytes[at];
    return number;
}

belfry_half_digest belfry_digest(const uint8_t *text, size_t count) {
    SHA256_CTX context;
    uint8_t digest[hash_bytes];
    SHA256_Init(&context);
    SHA256_Update(&context, text, count);
    SHA256_Final(digest, &context);
    return (belfry_half_digest){get_number(digest), get_number(digest + 8)};
}

// The state behind one block: the key, each byte changed by the same bits.
static void take_key(uint32_t *state, const uint8_t *key, size_t count, uint8_t change) {
    uint8_t block[block_bytes] = {0};
    SHA256_CTX context;
    memcpy(block, key, count);
    for (int at = 0; at < block_bytes; at++) block[at] ^= change;
    SHA256_Init(&context);
    SHA256_Transform(&context, block);
    memcpy(state, context.h, sizeof context.h);
    OPENSSL_cleanse(block, sizeof block);
    OPENSSL_cleanse(&context, sizeof context);
}

int belfry_code_begin(belfry_code *code, const uint8_t *key, size_t count) {
    if (count > block_bytes) return 0;
    take_key(code->inner, key, count, 0x36);
    take_key(code->outer, key, count, 0x5c);
    return 1;
}

static void go_on(SHA256_CTX *context, const uint32_t *state) {
    SHA256_Init(context);
    memcpy(context->h, state, sizeof context->h);
    context->Nl = block_bytes * 8;
}

void belfry_code_end(const belfry_code *code, const uint8_t *text, size_t count, uint8_t *end) {
    SHA256_CTX context;
    uint8_t inner[hash_bytes];
    go_on(&context, code->inner);
    SHA256_Update(&context, text, count);
    SHA256_Final(inner, &context);
    go_on(&context, code->outer);
    SHA256_Update(&context, inner, sizeof inner);
    SHA256_Final(end, &context);
    OPENSSL_cleanse(inner, sizeof inner);
    OPENSSL_cleanse(&context, sizeof context);
}

// Ends a text of `count` bytes as SHA-256 wants it, behind a block that was taken in before.
static void pad(uint8_t *text, size_t count, size_t whole) {
    text[count] = 0x80;
    memset(text + count + 1, 0, whole - count - 1);
    put_number(text + whole - 4, (uint32_t)((block_bytes + count) * 8));
}

int belfry_code_made(
    const belfry_code *code, const uint8_t *prefix, size_t prefix_count, const uint8_t *handle,
    uint32_t first, uint32_t last) {
    uint8_t inner[3 * block_bytes], outer[block_bytes], made[16];
    size_t count = prefix_count + 16 + 4;
    size_t whole = (count + 9 + block_bytes - 1) / block_bytes * block_bytes;
    if (whole > sizeof inner) return -1;
    memcpy(inner, prefix, prefix_count);
    memcpy(inner + prefix_count, handle, 16);
    pad(inner, count, whole);
    pad(outer, hash_bytes, sizeof outer);
    // Only `h` of it is used.
    SHA256_CTX context;
    int is_made = 0;
    for (uint32_t generation = first;; generation++) {
        put_number(inner + count - 4, generation);
        memcpy(context.h, code->inner, sizeof context.h);
        for (size_t at = 0; at < whole; at += block_bytes) SHA256_Transform(&context, inner + at);
        for (int at = 0; at < 8; at++) put_number(outer + 4 * at, context.h[at]);
        memcpy(context.h, code->outer, sizeof context.h);
        SHA256_Transform(&context, outer);
        for (int at = 0; at < 4; at++) put_number(made + 4 * at, context.h[at]);
        is_made = !CRYPTO_memcmp(made, handle + 16, sizeof made);
        if (is_made || generation == last) break;
    }
    OPENSSL_cleanse(made, sizeof made);
    OPENSSL_cleanse(outer, sizeof outer);
    OPENSSL_cleanse(&context, sizeof context);
    return is_made;
}

// MARK: Web Push

static EC_GROUP *curve;
static EVP_CIPHER *cipher;
static pthread_once_t message_once = PTHREAD_ONCE_INIT;

static void prepare(void) {
    curve = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    cipher = EVP_CIPHER_fetch(NULL, "AES-128-GCM", NULL);
}

int belfry_is_point(const uint8_t *bytes) {
    pthread_once(&message_once, prepare);
    EC_POINT *point = curve ? EC_POINT_new(curve) : NULL;
    // Also that it lies on the curve.
    int is_point = point && bytes[0] == POINT_CONVERSION_UNCOMPRESSED &&
        EC_POINT_oct2point(curve, point, bytes, point_bytes, NULL);
    EC_POINT_free(point);
    ERR_clear_error();
    return is_point;
}

// The public point of a private key, and what it shares with another point.
static int agree(const uint8_t *key, const uint8_t *peer, uint8_t *own, uint8_t *shared) {
    if (!curve) return 0;
    BN_CTX *context = BN_CTX_new();
    BIGNUM *number = BN_bin2bn(key, private_bytes, NULL), *x = BN_new();
    EC_POINT *point = EC_POINT_new(curve), *theirs = EC_POINT_new(curve);
    int agreed = 0;
    if (context && number && x && point && theirs && !BN_is_zero(number) &&
        BN_cmp(number, EC_GROUP_get0_order(curve)) < 0) {
        BN_set_flags(number, BN_FLG_CONSTTIME);
        agreed = EC_POINT_mul(curve, point, number, NULL, NULL, context) &&
            EC_POINT_point2oct(
                curve, point, POINT_CONVERSION_UNCOMPRESSED, own, point_bytes, context) ==
                point_bytes &&
            EC_POINT_oct2point(curve, theirs, peer, point_bytes, context) &&
            EC_POINT_mul(curve, point, NULL, theirs, number, context) &&
            EC_POINT_get_affine_coordinates(curve, point, x, NULL, context) &&
            BN_bn2binpad(x, shared, private_bytes) == private_bytes;
    }
    EC_POINT_free(theirs);
    EC_POINT_clear_free(point);
    BN_clear_free(x);
    BN_clear_free(number);
    BN_CTX_free(context);
    return agreed;
}

// Text and mark under AES-128-GCM, and the tag.
static int seal(
    const uint8_t *key, const uint8_t *nonce, const uint8_t *text, size_t count, uint8_t *sealed) {
    static const uint8_t mark = 2;
    EVP_CIPHER_CTX *context = cipher ? EVP_CIPHER_CTX_new() : NULL;
    int written = 0, rest = 0, last = 0;
    int is_sealed = context && EVP_EncryptInit_ex(context, cipher, NULL, key, nonce) &&
        EVP_EncryptUpdate(context, sealed, &written, text, (int)count) &&
        EVP_EncryptUpdate(context, sealed + written, &rest, &mark, 1) &&
        EVP_EncryptFinal_ex(context, sealed + written + rest, &last) &&
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, tag_bytes, sealed + count + 1);
    EVP_CIPHER_CTX_free(context);
    return is_sealed;
}

static void code_under(
    const uint8_t *key, size_t key_count, const uint8_t *text, size_t count, uint8_t *end) {
    belfry_code code;
    belfry_code_begin(&code, key, key_count);
    belfry_code_end(&code, text, count, end);
    OPENSSL_cleanse(&code, sizeof code);
}

int belfry_message(
    const uint8_t *key, const uint8_t *salt, const uint8_t *peer, const uint8_t *secret,
    const uint8_t *text, size_t count, uint8_t *message) {
    static const char label[] = "WebPush: info", of_key[] = "Content-Encoding: aes128gcm",
                      of_nonce[] = "Content-Encoding: nonce";
    // A label with its zero, the context, and the number of the block: sizes count the zero.
    uint8_t info[sizeof label + 2 * point_bytes + 1], short_info[sizeof of_key + 1];
    // What both sides share, and what follows from it; all of it goes.
    struct { uint8_t shared[private_bytes], first[hash_bytes], input[hash_bytes], root[hash_bytes],
        key[hash_bytes], nonce[hash_bytes]; } found;
    uint8_t *own = message + 21;
    pthread_once(&message_once, prepare);
    int is_sealed = agree(key, peer, own, found.shared);
    if (is_sealed) {
        memcpy(info, label, sizeof label);
        memcpy(info + sizeof label, peer, point_bytes);
        memcpy(info + sizeof label + point_bytes, own, point_bytes);
        info[sizeof info - 1] = 1;
        code_under(secret, salt_bytes, found.shared, sizeof found.shared, found.first);
        code_under(found.first, sizeof found.first, info, sizeof info, found.input);
        code_under(salt, salt_bytes, found.input, sizeof found.input, found.root);
        memcpy(short_info, of_key, sizeof of_key);
        short_info[sizeof of_key] = 1;
        code_under(found.root, sizeof found.root, short_info, sizeof of_key + 1, found.key);
        memcpy(short_info, of_nonce, sizeof of_nonce);
        short_info[sizeof of_nonce] = 1;
        code_under(found.root, sizeof found.root, short_info, sizeof of_nonce + 1, found.nonce);
        memcpy(message, salt, salt_bytes);
        put_number(message + salt_bytes, record_bytes);
        message[20] = point_bytes;
        is_sealed = seal(found.key, found.nonce, text, count, own + point_bytes);
    }
    OPENSSL_cleanse(&found, sizeof found);
    ERR_clear_error();
    return is_sealed;
}
