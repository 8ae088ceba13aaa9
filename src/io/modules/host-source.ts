/** A module that uses more memory is ended. */
const MAX_HEAP_MB = 256;
/** Length limit of an answer as JSON, in characters. */
const LONGEST_ANSWER = 1_000_000;

/**
 * Runs in a module's thread: loads the module at the first call and answers calls by number, as JSON lines. Errors
 * are sent as text, since an error object may not be copyable. The module's output is discarded.
 */
const THREAD = `
'use strict';
const { parentPort, workerData } = require('node:worker_threads');
// A module may put others in their place.
const { parse, stringify } = JSON;
const copy = structuredClone;
for (const stream of [process.stdout, process.stderr]) stream._writev = (_chunks, done) => done();
let loaded;

function functionOf(module, name) {
  for (const place of [module, module.default]) {
    if (place !== null && typeof place === 'object' && typeof place[name] === 'function') {
      return place[name].bind(place);
    }
  }
  return () => undefined;
}

const isRule = (rule) => typeof rule === 'object' && rule !== null;
const asData = (rule) => (isRule(rule) ? { ...rule, judge: typeof rule.judge === 'function' } : rule);

/** What is called: a function by its name, the rules of the default export, or one of them by its number. */
async function answerOf({ call, input }) {
  const module = await (loaded ??= import(workerData));
  if (call.kind === 'function') return functionOf(module, call.name)(input);
  const rules = module.default;
  if (call.kind === 'judge') return rules[call.index].judge(input);
  return Array.isArray(rules) ? parse(stringify(rules.map(asData))) : null;
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

function lineOf(id, value) {
  try {
    const line = stringify({ id, value });
    return line.length > ${LONGEST_ANSWER} ? stringify({ id, unfit: true }) : line;
  } catch {
    return stringify({ id, unfit: true });
  }
}

parentPort.on('message', async (asked) => {
  const { id } = asked;
  let line;
  try {
    line = lineOf(id, copy(await answerOf(asked)));
  } catch (error) {
    line = stringify({ id, error: described(error) });
  }
  parentPort.postMessage({ id, line });
});
`;

/**
 * Program that runs modules; as text, no file of it can be changed. Each module has a thread, kept between calls and
 * dropped when it dies or ralph ends it. JSON lines arrive at descriptor 8 and leave at 9, which a module's own
 * output never reaches.
 */
export const HOST_SOURCE = `
'use strict';
const { Socket } = require('node:net');
const { Worker } = require('node:worker_threads');
const input = new Socket({ fd: 8, readable: true, writable: false });
const output = new Socket({ fd: 9, readable: false, writable: true });
const threads = new Map();

function startThread(module) {
  const waiting = new Set();
  const worker = new Worker(${JSON.stringify(THREAD)}, {
    eval: true,
    workerData: module,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: ${MAX_HEAP_MB} },
  });
  const thread = {
    ask: (asked) => {
      waiting.add(asked.id);
      worker.postMessage(asked);
    },
    end: () => {
      waiting.clear();
      threads.delete(module);
      // Not waited for: a thread that sits in a system call ends when that does.
      void worker.terminate();
    },
  };
  const gone = (why) => {
    if (threads.get(module) === thread) threads.delete(module);
    for (const id of waiting) output.write(JSON.stringify({ id, gone: why }) + '\\n');
    waiting.clear();
  };
  worker.on('message', ({ id, line }) => {
    if (waiting.delete(id)) output.write(line + '\\n');
  });
  worker.on('error', (error) => {
    gone('ended with ' + (error instanceof Error ? error.name + ': ' + error.message : String(error)));
  });
  worker.on('exit', (code) => gone('ended its own thread (process.exit, code ' + code + ')'));
  threads.set(module, thread);
  return thread;
}

function hear(line) {
  const { end, module, ...asked } = JSON.parse(line);
  if (end !== undefined) threads.get(end)?.end();
  else (threads.get(module) ?? startThread(module)).ask(asked);
}

let rest = '';
input.setEncoding('utf8');
input.on('data', (text) => {
  const lines = (rest + text).split('\\n');
  rest = lines.pop();
  lines.forEach(hear);
});
input.on('end', () => process.exit());
`;
