import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/domain/entry.ts';
import { guidance, openTestStore } from '../../helpers/crash/test-store.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

let dir: string;
let home: string;

beforeEach(() => {
  const root = temporaryFolder();
  dir = join(root, '.ralph');
  home = join(root, 'home');
});

const WARNED: Entry = { type: 'warned', message: 'one' };

/** A store, and what its follower got: the type of each entry, and the worker. */
function followed() {
  const { store } = openTestStore(dir, home);
  const got: [type: string, worker: number | null][] = [];
  const end = store.follow(({ type }, worker) => got.push([type, worker]));
  return { store, got, end };
}

describe('who follows a store', () => {
  it('gets each entry in its order, with the worker that committed it', () => {
    const { store, got, end } = followed();
    store.commit([WARNED, guidance('one'), { ...WARNED, message: 'two' }], 2);
    store.commit(() => [guidance('two')]);
    end();
    store.commit([WARNED]);
    expect(got).toEqual([
      ['warned', 2],
      ['feedback_added', 2],
      ['warned', 2],
      ['feedback_added', null],
    ]);
  });

  it('gets entries that pass, and neither the journal nor the state does', () => {
    const { store, got } = followed();
    store.commit([WARNED]);
    expect(got).toEqual([['warned', null]]);
    expect(existsSync(dir)).toBe(false);
    const before = store.commit(() => [guidance('one'), WARNED]);
    expect(readFileSync(join(dir, 'journal.jsonl'), 'utf8')).not.toContain('warned');
    expect(store.commit([WARNED])).toBe(before);
  });

  it('gets a kept entry once it is in the journal, and the state has it', () => {
    const { store } = openTestStore(dir, home);
    const seen: [inFile: boolean, inState: number][] = [];
    store.follow(() => {
      const text = readFileSync(join(dir, 'journal.jsonl'), 'utf8');
      seen.push([text.includes('feedback_added'), store.state.feedback.length]);
    });
    store.commit(() => [guidance('one')]);
    expect(seen).toEqual([[true, 1]]);
  });

  it('gets nothing of what could not be committed', () => {
    const { store, got } = followed();
    const failing = () => {
      throw new Error('changed its mind');
    };
    expect(() => store.commit(failing)).toThrow('changed its mind');
    expect(got).toEqual([]);
  });
});
