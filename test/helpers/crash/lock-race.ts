import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// A holder whose process doesn't exist: its id is above those that the system gives out.
const DEAD = { pid: 2 ** 30, startTime: 'x:1', host: 'test-host', token: 'left', run: null };

/**
 * Plays rounds in which some processes try to take the lock of a dead process at the same moment. Returns the number of
 * winners of each round.
 * @throws if a process ends instead of answering.
 */
export async function lockRace(
  script: string,
  processes: number,
  rounds: number,
  onRound: (round: number) => void = () => undefined,
): Promise<number[]> {
  const root = mkdtempSync(join(tmpdir(), 'ralph-race-'));
  const children = Array.from({ length: processes }, () =>
    spawn(process.execPath, [script, 'race'], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  const tellAll = (line: string) => {
    const answers = children.map(nextLine);
    for (const child of children) child.stdin.write(`${line}\n`);
    return Promise.all(answers);
  };
  const winners: number[] = [];
  try {
    await Promise.all(children.map(nextLine));
    for (let round = 0; round < rounds; round += 1) {
      const path = join(root, `${round}.lock`);
      writeFileSync(path, `${JSON.stringify(DEAD)}\n`);
      const answers = await tellAll(`go ${path}`);
      winners.push(answers.filter((line) => line.startsWith('won')).length);
      await tellAll('free');
      onRound(round + 1);
    }
    return winners;
  } finally {
    for (const child of children) child.kill('SIGKILL');
    rmSync(root, { recursive: true, force: true });
  }
}

/** Resolves with the next line that a process prints. */
function nextLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null, signal: string | null) =>
      reject(new Error(`a process in the race ended with ${signal ?? code} instead of answering`));
    child.once('close', ended);
    child.stdin?.removeAllListeners('error').on('error', () => undefined);
    child.stdout?.once('data', (chunk: Buffer) => {
      child.removeListener('close', ended);
      resolve(chunk.toString().trim());
    });
  });
}
