/**
 * SIGUSR1 makes Node open a debugger, by which any program of the same user runs what it likes in this process: a
 * listener takes its place.
 */
process.on('SIGUSR1', () => undefined);
