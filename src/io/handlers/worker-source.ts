/**
 * What runs in the thread of the user's module: text, because a bundle has no file of its own for it. It loads the
 * module with the first call and answers each call by its number. Errors go back as text: an error object may hold
 * what cannot be copied. What the module prints is thrown away here: it must not get into ralph's own output.
 */
export const WORKER_SOURCE = `
'use strict';
const { parentPort, workerData } = require('node:worker_threads');
for (const stream of [process.stdout, process.stderr]) stream._writev = (_chunks, done) => done();
let loaded;

function functionOf(module, name) {
  for (const place of [module, module.default]) {
    if (place !== null && typeof place === 'object' && typeof place[name] === 'function') {
      return place[name].bind(place);
    }
  }
  return null;
}

function described(error) {
  try {
    const text = error instanceof Error ? error.name + ': ' + error.message : String(error);
    const at = /^:(\\d+)(?::\\d+)?/.exec(String(error && error.stack).split(workerData)[1] || '');
    return { text, line: at === null ? null : Number(at[1]) };
  } catch {
    return { text: 'something that cannot be shown', line: null };
  }
}

parentPort.on('message', async ({ id, name, input }) => {
  let reply;
  try {
    loaded ??= import(workerData);
    const call = functionOf(await loaded, name);
    reply = { id, value: call === null ? undefined : await call(input) };
  } catch (error) {
    reply = { id, error: described(error) };
  }
  try {
    parentPort.postMessage(reply);
  } catch (error) {
    parentPort.postMessage({ id, error: described(error) });
  }
});
`;
