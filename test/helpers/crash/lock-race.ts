import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Rounds in which that many processes reach for the lock of a dead one at the same moment. Returns the number of
 * winners of each round.
 */
export async function lockRace(script: string, processes: number, rounds: number): Promise<number[]> {
  const winners: number[] = [];
  for (let round = 0; round < rounds; round += 1) winners.push(await oneRace(script, processes));
  return winners;
}

async function oneRace(script: string, processes: number): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), 'ralph-race-'));
  const path = join(root, 'state.lock');
  // No process has this id: it is above what the system gives out.
  const dead = { pid: 2 ** 30, startTime: 'x:1', host: 'test-host', token: 'left', run: null };
  writeFileSync(path, `${JSON.stringify(dead)}\n`);
  const children = Array.from({ length: processes }, () =>
    spawn(process.execPath, [script, 'race', path], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  try {
    await Promise.all(children.map((child) => nextLine(child)));
    const answers = children.map((child) => nextLine(child));
    for (const child of children) child.stdin.write('go\n');
    const told = await Promise.all(answers);
    const ends = children.map((child) => once(child, 'close'));
    for (const child of children) child.stdin.end();
    await Promise.all(ends);
    return told.filter((line) => line.startsWith('won')).length;
  } finally {
    for (const child of children) child.kill('SIGKILL');
    rmSync(root, { recursive: true, force: true });
  }
}

async function nextLine(child: ChildProcess): Promise<string> {
  const [chunk] = (await once(child.stdout as NonNullable<typeof child.stdout>, 'data')) as [Buffer];
  return chunk.toString().trim();
}
