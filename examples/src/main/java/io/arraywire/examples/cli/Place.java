package io.arraywire.examples.cli;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where an array of a store goes.
 *
 * @param asked the file that it is to become
 * @param near a file of that name in the nearest directory that is there, for its hidden file
 * @param name its name, if its sender has chosen it
 * @param kept where what has come of it may be kept, the nearest first; none for an array whose
 *     file has no name before it is whole
 */
record Place(Path asked, Path near, @Nullable TravelName name, List<Path> kept) {}
