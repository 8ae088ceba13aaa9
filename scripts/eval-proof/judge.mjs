import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeIn } from './checkout.mjs';

const RALPH = resolve(import.meta.dirname, '..', '..', 'bin', 'ralph.js');
const LIMIT_MS = 900_000;
const SETTINGS = '.ralph/ralph.toml';

/** Returns the exit code of the project's own tests, as a change leaves them. */
export function byTests(library, checkout, { parent, files }) {
  checkout.checkout(parent);
  checkout.write(files);
  return checkout.run(library.test);
}

/** Returns the answer of `ralph verify` to a change. @param subject The request for the change. */
export function byRalph(library, checkout, { parent, files, subject }, work) {
  return verdictOn(library, checkout, { parent, files, subject, gates: [] }, work);
}

/** Returns the answer of `ralph verify` with a held-out gate, whose tests the change's author never saw. */
export function byHeldOut(library, checkout, { parent, files, subject, heldOut }, work) {
  const folder = join(work, 'held-out');
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of Object.entries(heldOut)) if (text !== null) writeIn(folder, path, text);
  const gates = [{ name: 'held-out', run: `cp -R ${folder}/. . && ${library.test}`, held_out: folder }];
  return verdictOn(library, checkout, { parent, files, subject, gates }, work);
}

function verdictOn(library, checkout, { parent, files, subject, gates }, work) {
  checkout.checkout(parent);
  const all = [{ name: 'test', run: library.test }, ...gates];
  checkout.write({ [SETTINGS]: settings(all) });
  const base = checkout.commit('Settings of ralph', [SETTINGS]);
  checkout.write(files);
  const head = checkout.commit(subject, Object.keys(files));
  const run = spawnSync(
    process.execPath,
    [RALPH, 'verify', `${base}..${head}`, '--text', subject, '--trust', '--json'],
    {
      cwd: checkout.root,
      env: { ...process.env, XDG_STATE_HOME: join(work, 'state') },
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      timeout: LIMIT_MS,
    },
  );
  return { ...answerIn(run), base, head };
}

/** Returns the kept parts of an answer, or the output if there is no answer. */
function answerIn({ status: exit, stdout, stderr }) {
  const { verdict = 'none', grade = null, duration_ms: ms = null, remarks = [] } = parsed(stdout);
  const said = remarks.map(({ rule, level, text }) => `${level} ${rule}: ${text}`);
  const output = verdict === 'none' ? `${stdout}${stderr}`.slice(-2000) : '';
  return { exit, verdict, grade, ms, remarks: said, output };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function settings(gates) {
  const lines = gates.map((gate) => {
    const keys = Object.entries(gate).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
    return `  { ${keys.join(', ')} },\n`;
  });
  // Mutants change no verdict, so none are made.
  return `[gates]\nsetup = "off"\ncommands = [\n${lines.join('')}]\n\n[proof]\nmutants = 0\n`;
}
