import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { bundleWithPlaces } from '../../torture/bundle.mjs';
import { env, median, programs, ROOT, run, scratch } from '../tools.mjs';

const MIB = 1024 * 1024;
/** Size of the output that execa reads with its defaults, in MiB: beyond 100,000,000 characters it gives up. */
const EXECA_MIB = 90;
const MIB_OF_LINES = 1024;
const MIB_OF_LINE = 200;
const ROUNDS = 3;
const AT_LEAST = 3;
const PROBE = join(ROOT, 'test', 'helpers', 'output', 'memory-probe.cjs');
const EXECA = join(ROOT, 'bench', 'programs', 'read-with-execa.mjs');

/** An event of about 1 KiB as Claude Code streams it, one per line. */
const saying = { type: 'assistant', message: { content: [{ type: 'text', text: 'x'.repeat(930) }] } };

/** Returns a folder in memory where there is room: a disk is slower than the programs that are compared. */
function fastPlace() {
  const shared = '/dev/shm';
  if (!existsSync(shared)) return { place: scratch, remove: () => undefined };
  const { bavail, bsize } = statfsSync(shared);
  if (bavail * bsize < 4 * MIB_OF_LINES * MIB) return { place: scratch, remove: () => undefined };
  const place = mkdtempSync(join(shared, 'ralph-bench-'));
  return { place, remove: () => rmSync(place, { recursive: true, force: true }) };
}

function writeBlocks(path, block, mib) {
  const file = openSync(path, 'w');
  for (let count = 0; count < mib; count += 1) writeSync(file, block);
  closeSync(file);
  return path;
}

const linesOf = (path, event, mib) => {
  const line = `${JSON.stringify(event)}\n`;
  const lines = line.repeat(Math.floor(MIB / line.length));
  return writeBlocks(path, Buffer.from(`${lines.slice(0, -1).padEnd(MIB - 1)}\n`), mib);
};

function measure(argv, mib) {
  const memory = join(scratch, 'memory');
  const { stdout } = run([process.execPath, '--require', PROBE, ...argv], {
    env: { ...env, MEMORY_FILE: memory },
  });
  const { bytes, ms } = stdout === '' ? { bytes: mib * MIB, ms: 0 } : JSON.parse(stdout);
  if (bytes !== mib * MIB) throw new Error(`${bytes} bytes of ${mib} MiB were read`);
  return { speed: mib / (ms / 1000), memory: Number(readFileSync(memory, 'utf8')) / 1024 };
}

const bare = () => measure(['-e', '0'], 0).memory;
const memoryFigure = (what, memories) => ({
  what: `${what}, memory, to bare node`,
  value: Math.max(...memories),
  baseline: bare(),
  unit: 'MiB',
  atMost: 1.5,
  rounds: memories.length,
});

/** Compares ralph's speed at 1 GiB with execa's at the size that execa can read. */
function row(script, place, { what, output, comparedWith, also }) {
  const large = linesOf(join(place, 'large'), saying, MIB_OF_LINES);
  const small = linesOf(join(place, 'small'), saying, EXECA_MIB);
  const [ralph, execa] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    ralph.push(measure([script, large, output, place], MIB_OF_LINES));
    execa.push(measure([EXECA, small, ...also], EXECA_MIB));
  }
  rmSync(large);
  return [
    {
      what: `capture of ${MIB_OF_LINES} MiB (${what}), throughput, to ${comparedWith}`,
      value: median(ralph.map(({ speed }) => speed)),
      baseline: median(execa.map(({ speed }) => speed)),
      unit: 'MiB/s',
      atLeast: AT_LEAST,
      rounds: ROUNDS,
    },
    memoryFigure(
      `the same`,
      ralph.map(({ memory }) => memory),
    ),
  ];
}

export const capture = {
  id: 'capture',
  run: async () => {
    const script = join(programs, 'capture.mjs');
    await bundleWithPlaces(join(ROOT, 'bench', 'programs', 'capture.ts'), script);
    const { place, remove } = fastPlace();
    try {
      const figures = [
        {
          ...{ what: 'a plain-text agent', output: 'text', also: [] },
          comparedWith: `execa's default (${EXECA_MIB} MiB, more it refuses)`,
        },
        {
          ...{ what: 'claude, every line parsed', output: 'claude-stream', also: ['parse'] },
          comparedWith: `execa's default and JSON.parse of each line (${EXECA_MIB} MiB)`,
        },
      ].flatMap((one) => row(script, place, one));
      const line = writeBlocks(join(place, 'line'), Buffer.alloc(MIB, 'a'), MIB_OF_LINE);
      const { memory } = measure([script, line, 'claude-stream', place], MIB_OF_LINE);
      return [...figures, memoryFigure(`capture of a line of ${MIB_OF_LINE} MiB`, [memory])];
    } finally {
      remove();
    }
  },
};
