import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestStore } from './test-store.ts';

export type KillTrial = {
  readonly acknowledged: number;
  /** Acknowledged records that are missing in the journal afterwards. */
  readonly lost: readonly string[];
  /** Records that the journal has more than once. */
  readonly doubled: readonly string[];
  /** JSON documents that can't be parsed. */
  readonly torn: readonly string[];
  readonly notices: readonly string[];
};

/**
 * Plays one trial: a program commits records and writes documents, is killed after some milliseconds, and the store is
 * opened again. Segments are small, so that kills also happen while one is sealed.
 */
export async function killTrial(script: string, afterMs: number): Promise<KillTrial> {
  const root = mkdtempSync(join(tmpdir(), 'ralph-kill-'));
  const dir = join(root, '.ralph');
  const home = join(root, 'home');
  mkdirSync(dir);
  try {
    const child = spawn(process.execPath, [script, 'append', dir, home, 'n', '100000', '3000', 'views'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = await linesUntilKilled(child, afterMs);
    const acknowledged = lines.filter((line) => line !== 'open');
    const torn = documents(dir).filter((path) => !isJson(path));
    const { store, notices } = openTestStore(dir, home);
    const texts = store.state.feedback.map((entry) => entry.text);
    const counted = Number(/-(\d+)$/.exec(texts.at(-1) ?? '')?.[1] ?? 0);
    const lost = acknowledged.slice(-400).filter((text) => !texts.includes(text));
    if (counted < acknowledged.length) lost.push(`${acknowledged.length} were told, ${counted} are there`);
    const doubled = texts.filter((text, index) => texts.indexOf(text) !== index);
    store.commit(() => []);
    return { acknowledged: acknowledged.length, lost, doubled, torn, notices };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/**
 * Resolves with the complete lines that a program wrote before it was killed, `afterMs` milliseconds after its first
 * one.
 */
function linesUntilKilled(child: ChildProcess, afterMs: number): Promise<string[]> {
  return new Promise((resolve) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      if (text === '') setTimeout(() => child.kill('SIGKILL'), afterMs);
      text += chunk.toString();
    });
    child.once('close', () => resolve(text.split('\n').slice(0, -1)));
  });
}

function documents(dir: string): string[] {
  return ['', 'interventions'].flatMap((folder) => {
    try {
      const names = readdirSync(join(dir, folder)).filter((name) => name.endsWith('.json'));
      return names.map((name) => join(dir, folder, name));
    } catch {
      return [];
    }
  });
}

function isJson(path: string): boolean {
  try {
    JSON.parse(readFileSync(path, 'utf8'));
    return true;
  } catch {
    return false;
  }
}
