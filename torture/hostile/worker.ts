import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { finishedOf } from '../../test/helpers/finished.ts';
import { isolate } from '../../test/helpers/isolate.ts';
import { makeRepository } from '../../test/helpers/repository.ts';
import type { AttackResult, Site } from './attack.ts';
import { ATTACKS } from './attacks/index.ts';

// Plays one attack in the box that the harness made: `worker NAME BIN [box]`, with the mode of ralph's own box. Prints
// the result as one line of JSON.

/**
 * Milliseconds after which a ralph that hangs is ended: a slow machine doesn't take that long, so it is a broken
 * promise.
 */
const LIMIT_MS = 60_000;

const [name = '', bin = '', box = 'off'] = process.argv.slice(2);
const folder = isolate();
process.env.RALPH_TRUST = '1';
// Most attacks are on what ralph does itself, which they couldn't reach from ralph's own box.
process.env.RALPH_BOX_MODE = box;
const outside = join(folder, 'outside');
mkdirSync(outside);

const site: Site = {
  bin,
  outside,
  repository: (files) => {
    const made = makeRepository(files);
    process.env.TOP = made.root;
    return made;
  },
  ralph: (cwd, ...args) => {
    const child = spawn(process.execPath, [bin, ...args], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    return finishedOf(child);
  },
};

const attack = ATTACKS.find((one) => one.name === name);
if (attack === undefined) throw new Error(`there is no attack ${name}`);
const result: AttackResult = await attack.play(site);
process.stdout.write(`\nRESULT ${JSON.stringify(result)}\n`);
process.exit(0);
