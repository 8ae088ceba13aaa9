import { GitError } from '../../domain/ports.ts';
import type { GitCall } from '../call/environment.ts';
import type { GitObject, ObjectKind } from '../call/git.ts';
import { type Answer, openLongLived, ProgramEnded } from './long-lived.ts';

export type ObjectInfo = {
  readonly id: string;
  readonly kind: ObjectKind;
  readonly size: number;
};

/** Reads objects through one long-running `git cat-file`. */
export type CatFile = {
  /** Returns an object's id, kind and size; `null` when no object has this name. @throws GitError */
  readonly info: (name: string) => Promise<ObjectInfo | null>;
  /** Returns an object with its content; `null` when no object has this name. @throws GitError */
  readonly contents: (name: string) => Promise<GitObject | null>;
  /** Ends git; the next question starts a new one, which sees newer packs. */
  readonly end: () => void;
};

const HEADER = /^([0-9a-f]{40}|[0-9a-f]{64}) (blob|tree|commit|tag) (\d+)$/;
/** Git prints this after the requested name. */
const NO_OBJECT = / (missing|ambiguous)$/;

export function openCatFile(call: () => GitCall): CatFile {
  const git = openLongLived(call, ['cat-file', '--batch-command']);
  const ask = async <T>(command: string, name: string, answer: () => Answer<T>): Promise<T> => {
    if (/[\n\0]/.test(name)) throw new GitError('the name of an object has a line end in it');
    const question = Buffer.from(`${command} ${name}\n`, 'utf8');
    try {
      return await git.ask(question, answer);
    } catch (error) {
      // Reading changes nothing, so it can be repeated.
      if (error instanceof ProgramEnded) return git.ask(question, answer);
      throw error;
    }
  };
  return {
    info: (name) => ask('info', name, readInfo),
    contents: (name) => ask('contents', name, readContents),
    end: git.end,
  };
}

function* readInfo(): Answer<ObjectInfo | null> {
  const line = (yield 'line').toString('utf8');
  const [, id, kind, size] = HEADER.exec(line) ?? [];
  if (id !== undefined) return { id, kind: kind as ObjectKind, size: Number(size) };
  if (NO_OBJECT.test(line)) return null;
  throw new GitError(`git cat-file answered ${JSON.stringify(line.slice(0, 200))}`);
}

function* readContents(): Answer<GitObject | null> {
  const info = yield* readInfo();
  if (info === null) return null;
  // A line end after the content isn't part of it.
  const content = yield info.size + 1;
  // A copy doesn't keep the larger buffer in memory.
  return { id: info.id, kind: info.kind, content: Buffer.from(content.subarray(0, info.size)) };
}
