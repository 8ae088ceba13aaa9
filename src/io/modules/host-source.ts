/** A module that uses more memory is ended. */
const MAX_HEAP_MB = 256;
/** Length limit of an answer as JSON, in characters. */
const LONGEST_ANSWER = 1_000_000;
/** Interval of checks on the processor time of a call, in milliseconds. */
const CHECK_MS = 10;

/**
 * Runs in a module's thread: loads the module at the first call and answers calls by number, as JSON lines. `current`
 * is the position of the rule that is judging, for the case that it never returns. The module's output is discarded.
 */
const THREAD = `
'use strict';
const { readlinkSync } = require('node:fs');
const { parentPort, workerData: { module: url, current, files } } = require('node:worker_threads');
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

/** Each rule gets an input of its own, so that it can't change what the next one judges. */
async function judged(rules, indexes, input) {
  const answers = [];
  for (const index of indexes) {
    current[0] = answers.length;
    try {
      const value = await rules[index].judge(parse(input));
      answers.push({ value: value == null ? null : parse(stringify(copy(value))) });
    } catch (error) {
      answers.push(failed(error));
    }
  }
  current[0] = -1;
  return answers;
}

/** What is called: a function by its name, the list of rules of the default export, or some of them by their index. */
async function answerOf({ call, input }) {
  const module = await (loaded ??= import(url));
  if (call.kind === 'function') return functionOf(module, call.name)(parse(input));
  const rules = module.default;
  if (call.kind === 'judge') return judged(rules, call.indexes, input);
  return Array.isArray(rules) ? parse(stringify(rules.map(asData))) : null;
}

function failed(error) {
  try {
    const text = error instanceof Error ? error.name + ': ' + error.message : String(error);
    const at = /^:(\\d+)(?::\\d+)?/.exec(String(error && error.stack).split(url)[1] || '');
    return { why: 'failed with ' + text.replaceAll(files, ''), line: at === null ? null : Number(at[1]) };
  } catch {
    return { why: 'failed with something that cannot be shown', line: null };
  }
}

function lineOf(id, value) {
  try {
    const line = stringify({ id, value });
    if (line.length <= ${LONGEST_ANSWER}) return line;
  } catch {}
  return stringify({ id, why: 'gave what JSON cannot hold, or more than 1 MB' });
}

let thread = 'unknown';
try {
  thread = readlinkSync('/proc/thread-self').split('/').pop();
} catch {}
parentPort.postMessage({ thread });
parentPort.on('message', async (asked) => {
  const { id } = asked;
  let line;
  try {
    line = lineOf(id, copy(await answerOf(asked)));
  } catch (error) {
    line = stringify({ id, ...failed(error) });
  }
  parentPort.postMessage({ id, line });
});
`;

/**
 * Program that runs modules; as text, no file of it can be changed. Each module has a thread, kept between calls and
 * dropped when it ends or is ended for taking too long. JSON lines arrive at descriptor 8 and leave at 9, which a
 * module's own output never reaches. Processor time is the thread's own where the system reports it.
 */
export const HOST_SOURCE = `
'use strict';
const { readFileSync } = require('node:fs');
const { Socket } = require('node:net');
const { Worker } = require('node:worker_threads');
const input = new Socket({ fd: 8, readable: true, writable: false });
const output = new Socket({ fd: 9, readable: false, writable: true });
/** The folder with copies of your modules, which isn't shown: your own paths replace those in it. */
const files = process.argv[1];
const threads = new Map();
const print = (answer) => output.write(JSON.stringify(answer) + '\\n');

function processorMs(thread) {
  try {
    return Number(readFileSync('/proc/self/task/' + thread + '/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

function startThread(module) {
  const waiting = new Map();
  const current = new Int32Array(new SharedArrayBuffer(4)).fill(-1);
  const worker = new Worker(${JSON.stringify(THREAD)}, {
    eval: true,
    workerData: { module, current, files },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: ${MAX_HEAP_MB} },
  });
  let id = null;
  let checks = null;
  /** Processor time at the first check since the last answer. */
  let from = null;

  const gone = (why) => {
    if (threads.get(module) === ask) threads.delete(module);
    for (const [id, { timer }] of waiting) {
      clearTimeout(timer);
      print({ id, why: why.replaceAll(files, ''), at: current[0] });
    }
    waiting.clear();
    // Not waited for: a thread that sits in a system call ends when that does.
    void worker.terminate();
  };
  const check = () => {
    const limits = [...waiting.values()].map(({ processorMs }) => processorMs ?? Infinity);
    if (limits.length === 0) {
      clearInterval(checks);
      checks = null;
      return;
    }
    // Before the thread runs, only the time of the whole process is known.
    if (id === null) return;
    const used = processorMs(id);
    from ??= used;
    const most = Math.max(...limits);
    if (used - from > most) gone('computed for more than ' + most + ' ms without an answer and was ended');
  };
  const ask = ({ wallMs, processorMs, name, ...asked }) => {
    const late = () => gone('gave no answer to ' + name + '() within ' + wallMs / 1000 + ' s and was ended');
    waiting.set(asked.id, { processorMs, timer: setTimeout(late, wallMs) });
    worker.postMessage(asked);
    from = null;
    checks ??= setInterval(check, ${CHECK_MS});
  };
  worker.on('message', ({ thread, id: answered, line }) => {
    if (thread !== undefined) id = thread;
    const asked = waiting.get(answered);
    if (asked === undefined) return;
    clearTimeout(asked.timer);
    waiting.delete(answered);
    from = null;
    output.write(line + '\\n');
  });
  worker.on('error', (error) => {
    gone('ended with ' + (error instanceof Error ? error.name + ': ' + error.message : String(error)));
  });
  worker.on('exit', (code) => gone('ended its own thread (process.exit, code ' + code + ')'));
  threads.set(module, ask);
  return ask;
}

let rest = '';
input.setEncoding('utf8');
input.on('data', (text) => {
  const lines = (rest + text).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const { module, ...asked } = JSON.parse(line);
    (threads.get(module) ?? startThread(module))(asked);
  }
});
input.on('end', () => process.exit());
`;
