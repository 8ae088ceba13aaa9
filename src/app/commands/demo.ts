import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runShort } from 'ralph-kit/programs/start/start-program';
import type { Entry } from '../../domain/entry.ts';
import { type Failure, failure, success } from '../result.ts';
import { DEMO_FILES } from '../setup/demo-files.ts';
import { FIRST_NIGHT_FILES } from '../setup/first-night-files.ts';
import { stateHomeOf } from '../setup/state-home.ts';
import { type LoopInput, run, UNATTENDED } from './run.ts';

export type DemoInput = Pick<LoopInput, 'onEntry' | 'onStop' | 'hide'> & {
  readonly keep: boolean;
  readonly onFolder: (folder: string) => void;
};

/** Runs the real loop on a scratch repository, with a scripted agent that lies first. */
export async function demo({ keep, onEntry, onStop, hide, onFolder }: DemoInput) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-demo-')));
  try {
    const failed = await makeScratch(root, DEMO_FILES);
    if (failed !== null) return failed;
    onFolder(root);
    const result = await run({
      cwd: root,
      flags: { 'loop.agent': 'scripted' },
      ...UNATTENDED,
      onEntry: (entry: Entry) => onEntry?.(keep ? entry : forScratch(entry)),
      onStop,
      hide,
    });
    return result.ok ? { ...result, data: { ...result.data, folder: keep ? root : null } } : result;
  } finally {
    if (!keep) {
      const home = existsSync(join(root, '.git')) ? [stateHomeOf(join(root, '.git'))] : [];
      for (const folder of [root, ...home]) rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** Writes the repository of docs/FIRST_NIGHT.md into a new or empty folder; nothing is run. */
export async function makeFirstNight(folder: string) {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    return failure(`${folder} isn't empty. Nothing was written.`, 'Name a new folder.');
  mkdirSync(folder, { recursive: true });
  const failed = await makeScratch(folder, FIRST_NIGHT_FILES);
  return failed ?? success({ folder });
}

async function makeScratch(root: string, files: Readonly<Record<string, string>>): Promise<Failure | null> {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  for (const args of [
    ['init', '--quiet'],
    ['config', 'user.name', 'ralph demo'],
    ['config', 'user.email', 'demo@localhost'],
    ['config', 'commit.gpgsign', 'false'],
    ['add', '--all'],
    ['commit', '--quiet', '--message', 'Start'],
  ]) {
    const done = await runShort('git', args, {
      cwd: root,
      reject: false,
      stdin: 'ignore',
    });
    const reason = done.stderr || done.shortMessage;
    if (done.failed)
      return failure(`The scratch repository could not be made: ${reason}`, 'git --version', 1);
  }
  return null;
}

/** The scratch repository is removed at the end, so next steps are for your own repository. */
function forScratch(entry: Entry): Entry {
  if (entry.type !== 'run_reported') return entry;
  return { ...entry, report: { ...entry.report, next: ['ralph init', 'ralph run'] } };
}
