import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { BoxRole } from '../../src/domain/box/box.ts';
import type { Config } from '../../src/domain/config.ts';
import { detectBox, openBox } from '../../src/io/box/index.ts';
import { realPathOf } from '../../src/io/real-path.ts';
import { runTestGit, temporaryFolder } from './repository.ts';

/** How far programs are isolated here. */
export const boxState = detectBox(false);
export const isWholeBox = boxState.kind === 'on' && boxState.level === 'full';

const CLOSED: Config['box'] = {
  mode: 'auto',
  writable: [],
  hide: [],
  sockets: [],
  network: true,
  docker: false,
};

type Given = {
  readonly settings: Partial<Config['box']>;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
};

/** What a shell said in the box of a role, and how it ended. */
export type Said = { readonly code: number | null; readonly output: string };

/** The boxes of a repository, as a run makes them, for shell commands. */
export function boxesOf(
  root: string,
  { settings = {}, home = homedir(), env = process.env }: Partial<Given> = {},
) {
  if (boxState.kind === 'off') throw new Error(boxState.reason);
  const stateHome = temporaryFolder();
  const absolute = (what: string) => runTestGit(root, ['rev-parse', '--path-format=absolute', what]);
  const box = openBox({
    ...{ state: boxState, isForeign: false, settings: { ...CLOSED, ...settings }, root, stateHome },
    ...{ gitDir: absolute('--git-dir'), commonDir: absolute('--git-common-dir') },
    home: realPathOf(home),
    by: () => 'a test',
    trackers: () => [],
    ...{ folder: join(stateHome, 'box'), makesCaches: true, agents: [], onRefused: () => undefined },
  });
  return (role: BoxRole, command: string): Said => {
    const launch = { role, program: '/bin/sh', cwd: root, env, visible: [], home: null, agent: 'test' };
    const opened = box.open(launch);
    try {
      const run = spawnSync(opened.program, [...opened.args, '--', '/bin/sh', '-c', command], {
        ...{ cwd: root, env: opened.env, encoding: 'utf8', timeout: 120_000 },
      });
      return { code: run.status, output: `${run.stdout}${run.stderr}` };
    } finally {
      opened.close();
    }
  };
}
