// Loaded into ralph with --expose-gc --require: asked by a file "measure" in the work tree, it clears up, writes its memory
// to $MEMORY_FILE and what is in that file, and takes the file away. An agent in a box reaches ralph in no other way.
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
