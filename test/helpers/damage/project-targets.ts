import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { logs } from '../../../src/app/commands/logs.ts';
import { prompt } from '../../../src/app/commands/prompt.ts';
import { replay } from '../../../src/app/commands/replay.ts';
import { loadConfigFiles } from '../../../src/app/setup/load-config.ts';
import { openTracker } from '../../../src/app/setup/tracker/index.ts';
import { StoreError } from '../../../src/domain/ports.ts';
import { makeLoopProject } from '../crash/loop-project.ts';
import { openTestStore } from '../crash/test-store.ts';
import { temporaryFolder } from '../repository.ts';
import type { Damage } from './damages.ts';
import type { DamageTarget } from './target.ts';

const TRACKERS: Readonly<Record<string, string>> = {
  'PRD.md':
    '# Plan\n\n## Tasks\n\n- [x] **A-1** First\n- [ ] **A-2** Second\n  - it works\n  - Depends on: A-1\n- [-] **A-3** Third\n- [ ] no id\n',
  'prd.json': `${JSON.stringify(
    {
      stories: [
        { id: 'A-1', title: 'First', status: 'done', acceptance: ['x'] },
        { id: 'A-2', title: 'Second', passes: false, priority: 2, dependsOn: ['A-1'] },
      ],
    },
    null,
    2,
  )}\n`,
  'tasks.yaml':
    'tasks:\n  - id: A-1\n    title: First\n    completed: true\n  - id: A-2\n    title: Second\n    depends_on: [A-1]\n    acceptance:\n      - it works\n',
};

const CONFIG = `[loop]
agent = "mine"
max_iterations = 7
[gates]
commands = ["true", { name = "unit", run = "npm test", timeout = 60 }]
[runners.mine]
argv = ["sh", "./agent.sh", "-"]
[git]
commit = "on_done"
`;

/** Whether a damage isn't readable as a file: ralph must not silently ignore settings of the user. */
const isUnreadable = (damage: Damage) =>
  damage.kind === 'folder' || damage.kind === 'loop' || damage.kind === 'dangling';

/** Returns task files and configuration, in a folder without git. */
export function fileTargets(): DamageTarget[] {
  const root = temporaryFolder();
  const home = join(root, 'home');
  const { store } = openTestStore(join(root, 'elsewhere', '.ralph'), home);
  const at = (name: string, text: string) => () => {
    rmSync(join(root, '.ralph'), { recursive: true, force: true });
    return { path: join(root, '.ralph', name), original: Buffer.from(text) };
  };
  const trackers = Object.entries(TRACKERS).map(
    ([name, text]): DamageTarget => ({
      file: name,
      fresh: at(name, text),
      read: async (damage) => {
        const tracker = openTracker({ root, store, config: { kind: 'auto', path: '' } as never });
        const path = join(root, '.ralph', name);
        const loaded = await expected(() => tracker.load());
        const wrong =
          damage.kind === 'bytes' && !readFileSync(path).equals(damage.bytes)
            ? ['reading wrote into it']
            : [];
        if (loaded === null || !loaded.ok) return wrong;
        if (isUnreadable(damage)) wrong.push('it was passed over in silence');
        const first =
          loaded.problems.length === 0 ? loaded.tasks.find(({ status }) => status === 'open') : undefined;
        if (first !== undefined) await expected(() => tracker.show(first.id, 'done'));
        return wrong;
      },
    }),
  );
  const config: DamageTarget = {
    file: 'ralph.toml',
    fresh: at('ralph.toml', CONFIG),
    read: async (damage) => {
      const loaded = await loadConfigFiles({ root, env: {}, flags: {} });
      const isReported = !loaded.ok || loaded.warnings.length > 0;
      return isUnreadable(damage) && !isReported ? ['it was passed over in silence'] : [];
    },
  };
  return [config, ...trackers];
}

/** Returns the files that commands read of a project in which the built program made a run. */
export function projectTargets(bin: string): DamageTarget[] {
  const { repository } = makeLoopProject('plain', 4);
  const { root, path, write } = repository;
  const run = spawnSync(process.execPath, [bin, 'run', '--quiet', '--max-iterations', '2'], {
    cwd: root,
    env: { ...process.env, RALPH_TRUST: '1' },
    encoding: 'utf8',
  });
  if (run.status !== 3)
    throw new Error(`the run for the damage trials ended with ${run.status}: ${run.stdout}${run.stderr}`);
  write(
    '.ralph/FEEDBACK.md',
    '# Feedback\n\n- Use the parser that is there.\n\n## T-2\n\n- Keep it small.\n',
  );
  write('.ralph/PROMPT_build.md', 'Do {{task}} in {{repository}}.\n\n{{feedback}}\n');
  const folder = readdirSync(path('.ralph/runs'))[0] ?? '';
  const record = `.ralph/runs/${folder}/iterations/0002/iteration.json`;
  const fresh = (name: string, text?: string) => {
    const original = text === undefined ? readFileSync(path(name)) : Buffer.from(text);
    return () => {
      rmSync(path(name), { recursive: true, force: true });
      writeFileSync(path(name), original);
      return { path: path(name), original };
    };
  };
  const promptOf = async (damage: Damage, isSetting: boolean) => {
    const result = await prompt({ cwd: root, task: null });
    return isSetting && isUnreadable(damage) && result.ok ? ['it was passed over in silence'] : [];
  };
  return [
    {
      file: 'iteration.json, read by logs',
      fresh: fresh(record),
      read: async () => {
        await logs({ cwd: root, which: '2', task: null, show: 'transcript' });
        return [];
      },
    },
    {
      file: 'iteration.json, read by replay',
      fresh: fresh(record),
      read: async () => {
        const result = await replay({ cwd: root, run: folder });
        // The journal has the hash of the record, so replay must notice a change.
        return result.ok && result.exitCode === 0 ? ['replay calls it the same'] : [];
      },
    },
    {
      file: 'PROMPT_build.md',
      fresh: fresh('.ralph/PROMPT_build.md'),
      read: (damage) => promptOf(damage, true),
    },
    { file: 'FEEDBACK.md', fresh: fresh('.ralph/FEEDBACK.md'), read: (damage) => promptOf(damage, true) },
  ];
}

/** Resolves with the value; `null`: it failed in an allowed way. */
async function expected<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  }
}
