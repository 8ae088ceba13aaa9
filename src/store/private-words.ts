import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from 'ralph-kit/files/atomic-file';
import { readJson } from 'ralph-kit/files/plain-file';
import { orStoreError } from 'ralph-kit/files/store-error';
import * as z from 'zod/mini';
import { type FeedbackEntry, feedbackKey } from '../domain/feedback.ts';

const PRIVATE = { mode: 0o600, folderMode: 0o700 };

/** Your unredacted words by entry (`feedbackKey`). */
const Words = z.record(z.string(), z.string());

/**
 * Keeps your words with secrets for agents, which records redact, in private files outside the repository. Words that
 * no prompt needs any more are removed when others are added.
 * @param home Absolute folder of the work tree in the state home.
 */
export function openPrivateWords(home: string) {
  const file = join(home, 'words.json');
  const promptOf = (worker: number) => join(home, `prompt-${worker}.md`);
  const read = () => readJson(file, Words) ?? {};
  return {
    /**
     * Keeps your words whole, outside of the repository, whose copy of them is redacted. @throws StoreError if they
     * can't be written.
     */
    keepWords: (entry: FeedbackEntry, whole: string, carried: readonly FeedbackEntry[]) => {
      const known = read();
      const kept = carried.map(feedbackKey).filter((key) => known[key] !== undefined);
      const words = Object.fromEntries([
        ...kept.map((key) => [key, known[key]]),
        [feedbackKey(entry), whole],
      ]);
      orStoreError('Your words cannot be kept outside of the repository', () =>
        replaceFile(file, `${JSON.stringify(words)}\n`, PRIVATE),
      );
    },
    wholeWords: (entries: readonly FeedbackEntry[]): readonly FeedbackEntry[] => {
      const known = read();
      if (!entries.some((entry) => known[feedbackKey(entry)] !== undefined)) return entries;
      return entries.map((entry) => ({ ...entry, text: known[feedbackKey(entry)] ?? entry.text }));
    },
    /** Writes a prompt with your whole words, and returns its path. @throws StoreError if it can't be written. */
    keepPrompt: (worker: number, prompt: string): string => {
      const path = promptOf(worker);
      orStoreError(`${path} cannot be written`, () => replaceFile(path, prompt, PRIVATE));
      return path;
    },
    forgetPrompt: (worker: number) => rmSync(promptOf(worker), { force: true }),
  };
}
