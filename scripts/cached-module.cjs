'use strict';
// Copied into dist/: loads a bundle together with the code that V8 compiled of it at build time (NAME.cache). The name
// holds a hash of the bundle, so the two always fit. V8 itself turns down what another version of it, or other flags,
// made; then, as without a cache, the bundle is compiled as usual.
const { readFileSync } = require('node:fs');
const { dirname } = require('node:path');
const { Script } = require('node:vm');

module.exports = (module, filename) => {
  // Bundles are ASCII: read so, the text takes one byte for each character.
  const source = readFileSync(filename, 'latin1');
  const cachedData = readOrUndefined(`${filename}.cache`);
  const wrapped = `(function(exports,require,module,__filename,__dirname){${source}\n})`;
  const script = new Script(wrapped, { filename, cachedData });
  const load = (id) => module.require(id);
  script.runInThisContext().call(module.exports, module.exports, load, module, filename, dirname(filename));
};

function readOrUndefined(path) {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
