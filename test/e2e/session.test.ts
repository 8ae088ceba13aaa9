/** @module-tag slow */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isWholeBox } from '../helpers/boxed.ts';
import { claim, makeProject } from '../helpers/cli.ts';
import { SESSION_PROJECT } from '../helpers/session-project.ts';

const LIST = join(import.meta.dirname, '../eval/review/session-run.txt');

/** Tools that each part needs. */
const TOOLS: Readonly<Record<string, readonly string[]>> = {
  node: ['node', 'npm', 'jq'],
  python: ['python3 -m pytest'],
  c: ['gcc', 'make', 'cmake'],
  go: ['go', 'jq'],
  rust: ['cargo', 'jq'],
  java: ['javac', 'mvn', 'sqlite3'],
};

/** Returns the commands of each part; `\n` in a here-document ends a line. */
function commands(): ReadonlyMap<string, readonly string[]> {
  const parts = new Map<string, string[]>();
  let part: string[] = [];
  for (const line of readFileSync(LIST, 'utf8').split('\n').filter(Boolean)) {
    if (line.startsWith('## ')) {
      part = [];
      parts.set(line.slice(3), part);
    } else part.push(line.includes('<<') ? line.replaceAll('\\n', '\n').replaceAll('\\t', '\t') : line);
  }
  return parts;
}

// Tests have a home of their own, but rustup's programs look for their tools in yours.
process.env.RUSTUP_HOME ??= join(userInfo().homedir, '.rustup');

/** A version manager's shim may exist and yet fail in another home. */
const isThere = (tool: string) => {
  const [program = tool, ...words] = tool.split(' ');
  const flag = tool === 'go' ? 'version' : '--version';
  return spawnSync(program, [...words, flag], { env: { ...process.env, HOME: '/nonexistent' } }).status === 0;
};

it('has at least 300 commands of six ecosystems', () => {
  const parts = commands();
  expect([...parts.keys()]).toEqual(Object.keys(TOOLS));
  expect([...parts.values()].flat().length).toBeGreaterThanOrEqual(300);
});

const here = [...commands()].filter(([part]) => TOOLS[part]?.every(isThere));

/**
 * Number of commands in one attempt. A file that a command writes is committed by a command of the same attempt, as the
 * next one begins with a commit.
 */
const PER_TASK = 14;

type Block = {
  readonly type: string;
  readonly id?: string;
  readonly input?: { readonly command?: string };
  readonly tool_use_id?: string;
  readonly is_error?: boolean;
  readonly content?: string;
};

/** Returns the commands that ended in an error, with their output. */
function failedCommands(stream: readonly string[]): string[] {
  const blocks = stream
    .filter((line) => line.startsWith('{'))
    .flatMap((line) => (JSON.parse(line).message?.content ?? []) as readonly Block[]);
  const calls = new Map(blocks.map(({ id, input }) => [id, input?.command]));
  return blocks
    .filter((block) => block.is_error === true)
    .map(({ tool_use_id: id, content }) => `${calls.get(id)}: ${content}`);
}

type Review = {
  readonly decision: string;
  readonly action: unknown;
  readonly reason: string;
  readonly adjustments: readonly string[];
};

it.runIf(isWholeBox).each(here)('%s: ordinary work in the box is not stopped, and works', (_part, list) => {
  const tasks = Array.from({ length: Math.ceil(list.length / PER_TASK) }, (_, index) => ({
    id: `T-${index + 1}`,
    commands: list.slice(index * PER_TASK, (index + 1) * PER_TASK),
  }));
  const one = makeProject({
    ...SESSION_PROJECT,
    '.ralph/PRD.md': `# Plan\n\n## Tasks\n\n${tasks.map(({ id }) => `- [ ] **${id}** Work on the sums\n`).join('')}`,
    '.ralph/ralph.toml': '[loop]\nagent = "scripted"\nmax_iterations = 1\n',
    '.ralph/scenario.json': JSON.stringify({
      output: 'claude-stream',
      steps: tasks.map(({ id, commands }) => ({
        when: { task: id },
        do: [
          ...commands.map((command) => ({ action: 'shell', command })),
          { action: 'write', path: `${id}.txt`, content: 'done\n' },
          claim(`${id}.txt:1 done`),
        ],
      })),
    }),
  });
  one.git('commit', '-q', '--allow-empty', '-m', 'A second commit');
  const reviews: Review[] = [];
  const failed: string[] = [];
  for (const [index] of tasks.entries()) {
    one.json('run', '--trust');
    const number = index + 1;
    const { facts } = one.iteration(number);
    const folder = `.ralph/runs/${facts.run}/iterations/${String(number).padStart(4, '0')}`;
    const lines = (name: string) => one.read(`${folder}/${name}`).trim().split('\n');
    reviews.push(...lines('reviews.jsonl').map((line) => JSON.parse(line)));
    failed.push(...failedCommands(lines('output.log')));
  }
  const reviewsWith = (decision: string) =>
    reviews.filter((review) => review.decision === decision).map(({ action, reason }) => [action, reason]);
  expect({ block: reviewsWith('block'), modify: reviewsWith('modify'), failed }).toEqual({
    block: [],
    modify: [],
    failed: [],
  });
  expect(reviews.length).toBeGreaterThanOrEqual(list.length);
  // An action counts as a warning, too, if it was only rated higher because it was new.
  const isNew = ({ adjustments }: Review) => adjustments.includes('first_time');
  const warned = reviews.filter((review) => review.decision === 'warn' || isNew(review));
  expect(warned.length / list.length).toBeLessThanOrEqual(0.03);
});
