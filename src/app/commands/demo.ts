import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import type { LoopEvent } from '../../domain/loop-event.ts';
import { type CommandResult, failure } from '../result.ts';
import { DEMO_FILES } from './demo-files.ts';
import { run } from './run.ts';

export type DemoInput = {
  /** Keep the scratch repository to look around in. */
  readonly keep: boolean;
  readonly emit: (event: LoopEvent) => void;
  readonly onStop: (which: 'polite' | 'forced') => void;
  readonly onFolder: (folder: string) => void;
};

/** The scratch repository is gone afterwards: what comes next is a person's own. */
function forScratch(event: LoopEvent): LoopEvent {
  if (event.kind !== 'run_finished') return event;
  return { kind: 'run_finished', result: { ...event.result, next: ['ralph init', 'ralph run'] } };
}

/** `ralph demo`: the real loop on a scratch repository, with the scripted agent telling a lie first. */
export async function demo(input: DemoInput): Promise<CommandResult> {
  const { execa } = await import('execa');
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-demo-')));
  try {
    for (const [path, content] of Object.entries(DEMO_FILES)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
    const identity = [
      '-c',
      'user.name=ralph demo',
      '-c',
      'user.email=demo@localhost',
      '-c',
      'commit.gpgsign=false',
    ];
    for (const args of [
      ['init', '--quiet'],
      ['add', '--all'],
      [...identity, 'commit', '--quiet', '--message', 'Start'],
    ]) {
      const done = await execa('git', args, { cwd: root, reject: false, stdin: 'ignore' });
      if (done.failed)
        return failure(
          `The scratch repository could not be made: ${done.stderr || done.shortMessage}`,
          null,
          1,
        );
    }
    input.onFolder(root);
    const result = await run({
      cwd: root,
      flags: { 'loop.agent': 'scripted' },
      task: null,
      maxIterations: null,
      dryRun: false,
      trust: { kind: 'own' },
      emit: (event) => input.emit(input.keep ? event : forScratch(event)),
      onStop: input.onStop,
    });
    return result.ok ? { ...result, data: { ...result.data, folder: input.keep ? root : null } } : result;
  } finally {
    if (!input.keep) rmSync(root, { recursive: true, force: true });
  }
}
