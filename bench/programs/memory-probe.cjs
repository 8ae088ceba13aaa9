// Loaded into ralph with --expose-gc --require. When a file "measure" appears in the work tree, ralph collects garbage,
// writes its memory and the file's text to $MEMORY_FILE, and removes the file: an agent in a box can reach ralph in no
// other way.
const { readFileSync, rmSync, writeFileSync } = require('node:fs');

const LOOK_EVERY_MS = 50;

function look() {
  let name = '';
  try {
    name = readFileSync('measure', 'utf8').trim();
  } catch {}
  if (name === '') return;
  globalThis.gc();
  const { rss, heapUsed } = process.memoryUsage();
  writeFileSync(`${process.env.MEMORY_FILE}.${name}`, JSON.stringify({ rss, heapUsed }));
  rmSync('measure');
}

setInterval(look, LOOK_EVERY_MS).unref();
