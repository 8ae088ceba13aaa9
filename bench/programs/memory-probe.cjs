// Loaded into ralph with --expose-gc --require: at SIGUSR2 it clears up and writes its memory to $MEMORY_FILE.
const { renameSync, writeFileSync } = require('node:fs');

process.on('SIGUSR2', () => {
  globalThis.gc();
  const { rss, heapUsed } = process.memoryUsage();
  writeFileSync(`${process.env.MEMORY_FILE}.new`, JSON.stringify({ rss, heapUsed }));
  renameSync(`${process.env.MEMORY_FILE}.new`, process.env.MEMORY_FILE);
});
