import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWithPlaces } from '../../torture/bundle.mjs';
import { median, programs, ROOT, run, scratch } from '../tools.mjs';

const ROUNDS = 101;

const NAMES = {
  hook: 'a program that is started for each action (codex, copilot, droid, gemini, qwen)',
  'plug-in': "in the agent's own process (opencode, pi)",
  channel: "the agent's own output and input (claude)",
};

/** Measures the whole way of one action: from the agent to its ruling and back, the log included. */
export const transports = {
  id: 'transports',
  run: async () => {
    const script = join(programs, 'transports.mjs');
    await bundleWithPlaces(join(ROOT, 'bench', 'programs', 'transports.ts'), script);
    // The working folder is the repository, because deletions outside of a repository are denied.
    const folder = mkdtempSync(join(scratch, 'transports-'));
    const { stdout } = run([process.execPath, script, folder, String(ROUNDS)], { cwd: folder });
    const { bare, transports: found } = JSON.parse(stdout);
    return Object.entries(found).flatMap(([name, { reviewed, floor }]) => {
      const about = { value: median(reviewed), unit: 'ms', rounds: ROUNDS };
      const atOnce = {
        what: `round trip, ${NAMES[name]}, beside one that answers at once`,
        baseline: median(floor),
        atMost: 1.2,
      };
      const toNode = { what: 'the same beside node -e 0', baseline: median(bare), atMost: 0.2 };
      return [
        { ...about, ...atOnce },
        { ...about, ...toNode },
      ];
    });
  },
};
