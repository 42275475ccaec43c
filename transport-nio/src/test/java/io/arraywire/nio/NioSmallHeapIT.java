package io.arraywire.nio;

import org.junit.jupiter.api.Tag;

/** From the packaged jar: on JDK 22 and newer arrays go without staging memory there. */
@Tag("variant")
class NioSmallHeapIT extends NioSmallHeapTest {}
