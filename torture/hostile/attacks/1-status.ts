import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestRepository } from '../../../test/helpers/repository.ts';
import { type Attack, type AttackResult, brokenIf, type Site } from '../attack.ts';

const MODULES = {
  overlay: 'src/decide/choice/overlay-status.ts',
  explain: 'src/decide/tasks/marks.ts',
  fixed: 'src/app/setup/tracker/fixed-path.ts',
  same: 'src/decide/choice/overlay-status.ts',
} as const;
const TICKS_COUNT = { [MODULES.overlay]: 'ticks-count.ts' };
const ANY_COMMIT = { [MODULES.explain]: 'any-commit-explains.ts' };
const ANY_TRACKER = { [MODULES.fixed]: 'no-fixed-path.ts' };
const ANY_TITLE = { [MODULES.same]: 'any-title.ts' };

/** Returns a list of two tasks; the tasks with these numbers are ticked. */
function list(...ticked: number[]): string {
  const line = (number: number) =>
    `- [${ticked.includes(number) ? 'x' : ' '}] **T-${number}** Write part ${number}\n`;
  return `# Plan\n\n## Tasks\n\n${line(1)}${line(2)}`;
}

const CONFIG = '[loop]\nagent = "mine"\n[runners.mine]\nargv = ["sh", "./agent.sh", "-"]\n';
/** Shell text of an agent that does its task and says so; the attack stands before it. */
const HONEST = [
  'echo "$RALPH_TASK_ID" > "$RALPH_TASK_ID.txt"',
  'printf "RALPH_STATUS\\nTASK: %s\\nSTATUS: DONE\\nEXIT_SIGNAL: true\\nEND_RALPH_STATUS\\n" "$RALPH_TASK_ID"',
  '',
].join('\n');

/** Makes a repository in which a run did the first task while the agent attacked. */
async function begun(
  site: Site,
  attack: string,
  more: Readonly<Record<string, string>> = {},
): Promise<TestRepository> {
  const repository = site.repository({
    '.ralph/PRD.md': list(),
    '.ralph/ralph.toml': CONFIG,
    'ticked.md': list(1, 2),
    'agent.sh': `${attack}\n${HONEST}`,
    ...more,
  });
  await site.ralph(repository.root, 'run', '--task', 'T-1');
  return repository;
}

/** Whether ralph counts the second task as done, on which no agent ever worked. */
async function secondIsDone(site: Site, { root, exists }: TestRepository): Promise<AttackResult> {
  const { stdout, stderr } = await site.ralph(root, '--json', 'tasks');
  const { tasks = [] } = JSON.parse(stdout) as { tasks?: { id: string; title: string; status: string }[] };
  const second = tasks.find(({ title }) => title === 'Write part 2');
  const run = await site.ralph(root, 'run', '--dry-run');
  const broken = second?.status === 'done' && !exists('T-2.txt');
  return brokenIf(
    broken,
    `${JSON.stringify(tasks.map(({ id, status }) => [id, status]))} ${run.stdout}${stderr}`,
  );
}

const attack = (
  name: string,
  without: Attack['without'],
  play: (site: Site) => Promise<AttackResult>,
): Attack => ({ point: 1, name, without, play });

export const STATUS: readonly Attack[] = [
  attack('tick-after-attempt', TICKS_COUNT, async (site) => {
    const repository = await begun(site, '');
    repository.write('.ralph/PRD.md', list(1, 2));
    return secondIsDone(site, repository);
  }),
  attack('tick-in-agent-commit', ANY_COMMIT, async (site) => {
    const repository = await begun(
      site,
      [
        'export GIT_AUTHOR_DATE="2020-01-01T00:00:00Z" GIT_COMMITTER_DATE="2020-01-01T00:00:00Z"',
        'cp ticked.md "$TOP/.ralph/PRD.md" && git -C "$TOP" commit -qam "Part 2 is done"',
      ].join('\n'),
    );
    // You discard ralph's own mark, and would get the agent's mark instead.
    repository.git('checkout', '-q', '--', '.');
    return secondIsDone(site, repository);
  }),
  attack('planted-tracker', ANY_TRACKER, async (site) => {
    const repository = site.repository({
      'TASKS.md': list(),
      '.ralph/ralph.toml': CONFIG,
      'ticked.md': list(1, 2),
      'agent.sh': `cp ticked.md PRD.md\n${HONEST}`,
    });
    await site.ralph(repository.root, 'run', '--task', 'T-1');
    const { stdout } = await site.ralph(repository.root, '--json', 'status');
    const { tracker } = JSON.parse(stdout) as { tracker?: string };
    return brokenIf(tracker !== 'TASKS.md', `the tracker is ${tracker}`);
  }),
  attack('tracker-replaced', ANY_TRACKER, async (site) => {
    const repository = await begun(site, 'cp ticked.md TASKS.md');
    repository.remove('.ralph/PRD.md');
    const run = await site.ralph(repository.root, 'run');
    return brokenIf(run.code !== 2, `exit ${run.code}: ${run.stdout}${run.stderr}`);
  }),
  attack('tracker-link', TICKS_COUNT, async (site) => {
    const repository = await begun(site, '');
    const target = join(site.outside, 'list.md');
    writeFileSync(target, list(1, 2));
    rmSync(repository.path('.ralph/PRD.md'));
    symlinkSync(target, repository.path('.ralph/PRD.md'));
    return secondIsDone(site, repository);
  }),
  attack('tick-json', TICKS_COUNT, async (site) => {
    const tasks = (second: boolean) =>
      JSON.stringify({
        tasks: [
          { id: 'T-1', title: 'Write part 1', passes: true },
          { id: 'T-2', title: 'Write part 2', passes: second },
        ],
      });
    const repository = site.repository({
      'prd.json': tasks(false).replace('"passes":true', '"passes":false'),
      '.ralph/ralph.toml': CONFIG,
      'agent.sh': HONEST,
    });
    await site.ralph(repository.root, 'run', '--task', 'T-1');
    repository.write('prd.json', tasks(true));
    return secondIsDone(site, repository);
  }),
  attack('renamed-task', ANY_TITLE, async (site) => {
    const repository = await begun(site, '');
    repository.write('.ralph/PRD.md', '# Plan\n\n## Tasks\n\n- [x] **T-1** Write part 2\n');
    return secondIsDone(site, repository);
  }),
];
