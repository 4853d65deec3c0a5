// What relays to push services compute for each notification: codes in handles, and the encryption of
// Web Push. Most of it is called ten thousand times a second, so it asks OpenSSL's oldest functions,
// which look nothing up.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "COpenSSL.h"

#include <openssl/ec.h>
#include <openssl/sha.h>
#include <pthread.h>
#include <string.h>

enum { block_bytes = 64, hash_bytes = 32, private_bytes = 32, point_bytes = 65, tag_bytes = 16 };

// MARK: Codes

static void put_number(uint8_t *bytes, uint32_t number) {
    for (int at = 0; at < 4; at++) bytes[at] = (uint8_t)(number >> (24 - 8 * at));
}

void belfry_digest(const uint8_t *text, size_t count, uint8_t *digest) {
    SHA256_CTX context;
    SHA256_Init(&context);
    SHA256_Update(&context, text, count);
    SHA256_Final(digest, &context);
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

int belfry_agree(const uint8_t *key, const uint8_t *peer, uint8_t *own, uint8_t *shared) {
    pthread_once(&message_once, prepare);
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
    ERR_clear_error();
    return agreed;
}

int belfry_seal(
    const uint8_t *key, const uint8_t *nonce, const uint8_t *text, size_t count, uint8_t *sealed) {
    pthread_once(&message_once, prepare);
    EVP_CIPHER_CTX *context = cipher ? EVP_CIPHER_CTX_new() : NULL;
    int written = 0, rest = 0;
    int is_sealed = context && EVP_EncryptInit_ex(context, cipher, NULL, key, nonce) &&
        EVP_EncryptUpdate(context, sealed, &written, text, (int)count) &&
        EVP_EncryptFinal_ex(context, sealed + written, &rest) &&
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, tag_bytes, sealed + count);
    EVP_CIPHER_CTX_free(context);
    ERR_clear_error();
    return is_sealed;
}
