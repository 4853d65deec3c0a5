// The files of the console, taken in as they are; each pointer is good for ever.
#ifndef CCONSOLEASSETS_H
#define CCONSOLEASSETS_H

#include <stddef.h>

typedef struct belfry_asset {
    const unsigned char *bytes;
    size_t count;
} belfry_asset;

belfry_asset belfry_console_css(void);
belfry_asset belfry_console_js(void);
belfry_asset belfry_console_icons(void);

#endif
