import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWithPlaces } from '../../torture/bundle.mjs';
import { env, median, programs, ROOT, run, scratch } from '../tools.mjs';

const MIB = 1024 * 1024;
/** What execa reads with its defaults: beyond 100,000,000 characters it gives up. */
const COMPARED_MIB = 90;
const LARGE_MIB = 1024;
const ROUNDS = 5;
const PROBE = join(ROOT, 'test', 'helpers', 'output', 'memory-probe.cjs');

/** Lines of about 1 KiB as a coding agent streams them. */
function writeStream(path, mib) {
  const event = { type: 'user', message: { content: [{ type: 'tool_result', content: 'x'.repeat(930) }] } };
  const line = `${JSON.stringify(event)}\n`;
  const block = Buffer.from(
    line
      .repeat(Math.floor(MIB / line.length))
      .padEnd(MIB - 1)
      .concat('\n'),
  );
  const file = openSync(path, 'w');
  for (let count = 0; count < mib; count += 1) writeSync(file, block);
  closeSync(file);
}

function measure(argv) {
  const memory = join(scratch, 'memory');
  const { stdout } = run([process.execPath, '--require', PROBE, ...argv], {
    env: { ...env, MEMORY_FILE: memory },
  });
  return { ...(stdout === '' ? {} : JSON.parse(stdout)), mib: Number(readFileSync(memory, 'utf8')) / 1024 };
}

export const capture = {
  id: 'capture',
  run: async () => {
    const script = join(programs, 'capture.mjs');
    await bundleWithPlaces(join(ROOT, 'bench', 'programs', 'capture.ts'), script);
    const [small, large] = [join(scratch, 'small.ndjson'), join(scratch, 'large.ndjson')];
    writeStream(small, COMPARED_MIB);
    writeStream(large, LARGE_MIB);
    const execa = join(ROOT, 'bench', 'programs', 'read-with-execa.mjs');
    const [ours, theirs] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(COMPARED_MIB / (measure([script, small, 'claude-stream', scratch]).ms / 1000));
      theirs.push(COMPARED_MIB / (measure([execa, small]).ms / 1000));
    }
    const loud = measure([script, large, 'claude-stream', scratch]);
    const bare = measure(['-e', '0']);
    if (loud.bytes !== LARGE_MIB * MIB) throw new Error(`${loud.bytes} of ${LARGE_MIB} MiB were read`);
    rmSync(large);
    return [
      {
        what: `capture of ${COMPARED_MIB} MiB, throughput, to execa's default`,
        value: median(ours),
        baseline: median(theirs),
        unit: 'MiB/s',
        atLeast: 3,
        rounds: ROUNDS,
      },
      {
        what: `capture of ${LARGE_MIB} MiB (${(LARGE_MIB / (loud.ms / 1000)).toFixed(0)} MiB/s), memory, to bare node`,
        value: loud.mib,
        baseline: bare.mib,
        unit: 'MiB',
        atMost: 1.5,
        rounds: 1,
      },
    ];
  },
};
