#include "CConsoleAssets.h"

// Known to the compiler in every mode, and part of C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char css[] = {
#embed "console.css"
};
static const unsigned char js[] = {
#embed "console.js"
};
static const unsigned char icons[] = {
#embed "icons.svg"
};

belfry_asset belfry_console_css(void) { return (belfry_asset){css, sizeof css}; }
belfry_asset belfry_console_js(void) { return (belfry_asset){js, sizeof js}; }
belfry_asset belfry_console_icons(void) { return (belfry_asset){icons, sizeof icons}; }
