/** @module-tag rest */

import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Line, ResultStatus } from '../../../../src/domain/ports.ts';
import { lineOf, verified } from '../../../helpers/line/results.ts';
import {
  makeRepository,
  repositoryAt,
  type TestRepository,
  temporaryFolder,
} from '../../../helpers/repository.ts';

afterEach(() => vi.unstubAllEnvs());

const TASKS = 20;

async function landed(tasks: number): Promise<{ readonly repo: TestRepository; readonly line: Line }> {
  const repo = makeRepository({ 'a.txt': 'a\n' });
  const line = await lineOf(repo.root);
  for (let at = 1; at <= tasks; at += 1) {
    await verified(repo.root, line, `T-${at}`, { [`${at}.txt`]: `${at}\n` });
    await line.land(async () => true);
  }
  return { repo, line };
}

async function statusesOf(line: Line): Promise<Record<string, ResultStatus['kind']>> {
  const now = await line.current();
  return Object.fromEntries((now?.results ?? []).map(({ taskId, status }) => [taskId, status.kind]));
}

const allLanded = Object.fromEntries(Array.from({ length: TASKS }, (_, at) => [`T-${at + 1}`, 'landed']));

describe.each(['process', 'git'])('what landed and is in the history (asked of %s)', (door) => {
  it('takes few refs however much it is, and stays known and withdrawable', async () => {
    vi.stubEnv('RALPH_GIT_OBJECTS', door);
    const { repo, line } = await landed(TASKS);
    expect(await statusesOf(line)).toEqual(allLanded);
    expect(repo.git('for-each-ref', 'refs/ralph/results').split('\n').length).toBeLessThan(9);
    repo.git('reflog', 'expire', '--expire=now', '--all');
    repo.git('gc', '-q', '--prune=now');
    expect(repo.git('fsck', '--no-dangling')).toBe('');

    // A copy of the repository, of which this process has read nothing yet.
    const copy = repositoryAt(join(temporaryFolder(), 'copy'));
    cpSync(repo.root, copy.root, { recursive: true });
    const other = await lineOf(copy.root);
    expect(await statusesOf(other)).toEqual(allLanded);

    const third = repo.git('log', '--format=%H', '--grep=^Do T-3$', '-1');
    repo.git('revert', '--no-edit', third);
    expect(await statusesOf(line)).toEqual({ ...allLanded, 'T-3': 'withdrawn' });
    repo.git('revert', '--no-edit', 'HEAD');
    expect(await statusesOf(line)).toEqual(allLanded);
  });

  it('can be worked at again', async () => {
    vi.stubEnv('RALPH_GIT_OBJECTS', door);
    const { repo, line } = await landed(9);
    expect(await statusesOf(line)).toHaveProperty('T-1', 'landed');
    expect(repo.git('for-each-ref', 'refs/ralph/results/T-1')).toBe('');
    const first = repo.git('log', '--format=%H', '--grep=^Do T-1$', '-1');
    repo.git('revert', '--no-edit', first);
    expect(await statusesOf(line)).toHaveProperty('T-1', 'withdrawn');
    expect(await line.reopen('T-1')).toBe(true);
    expect(await statusesOf(line)).toHaveProperty('T-1', 'open');
    expect((await line.land(async () => true)).landed).toMatchObject([{ taskId: 'T-1' }]);
    expect(repo.read('1.txt')).toBe('1\n');
  });
});

it('starts no more of git the more verified results are in files only', async () => {
  const folder = temporaryFolder();
  const calls = join(folder, 'calls');
  const counting = `#!/bin/sh\necho x >> '${calls}'\nPATH='${process.env.PATH}' exec git "$@"\n`;
  writeFileSync(join(folder, 'git'), counting, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
  const repo = makeRepository({ 'list.txt': '1\n' });
  const line = await lineOf(repo.root, false);
  const costs: number[] = [];
  let text = '1\n';
  for (let at = 1; at <= 8; at += 1) {
    text += `${at}\n`;
    await verified(repo.root, line, `T-${at}`, { [`${at}.txt`]: `${at}\n`, 'list.txt': text });
    await line.land(async () => true);
    writeFileSync(calls, '');
    await line.current();
    costs.push(readFileSync(calls, 'utf8').length);
  }
  expect(new Set(costs.slice(1))).toEqual(new Set([costs[1]]));
});
