import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { type Case, Gate } from './case.ts';
import { must } from './command.ts';

/** The commits of one public repository that are played, by their kind. */
const History = z.strictObject({
  /** `OWNER/NAME`; its git directory is `OWNER+NAME/repo` below `--from`. */
  repository: z.string(),
  needs: z._default(z.string(), 'true'),
  /** Installs what the gates need in a checkout of the parent, in `sh`; `$PROOF_CACHE` is a folder that lasts. */
  prepare: z.optional(z.string()),
  gates: z.array(Gate),
  commits: z.record(z.string(), z.array(z.string())),
});
type History = z.infer<typeof History>;

/** Each commit as one attempt: the base is its parent, the agent makes its diff. */
export async function historyCases(from: string): Promise<Case[]> {
  const folder = join(import.meta.dirname, 'history');
  const histories = readdirSync(folder)
    .toSorted()
    .map((name) => z.parse(History, parse(readFileSync(join(folder, name), 'utf8'))));
  const all = await Promise.all(histories.map((history) => casesOf(history, from)));
  return all.flat();
}

async function casesOf(history: History, from: string): Promise<Case[]> {
  const place = join(from, history.repository.replace('/', '+'), 'repo');
  const gitDir = existsSync(join(place, '.git')) ? join(place, '.git') : place;
  if (!existsSync(gitDir)) return [];
  const named = Object.entries(history.commits).flatMap(([kind, ids]) => ids.map((id) => ({ kind, id })));
  return Promise.all(named.map(({ kind, id }) => caseOf(history, gitDir, kind, id)));
}

/** `prepare` has installed what there is. */
const NO_SETUP = { gates: { setup: 'off' } };

async function caseOf(history: History, gitDir: string, kind: string, id: string): Promise<Case> {
  const git = (...args: string[]) => must('git', [`--git-dir=${gitDir}`, ...args], '/');
  const subject = (await git('log', '-1', '--format=%s', id)).trim();
  return {
    ...{ name: `${history.repository}/${id}`, kind, expected: 'done', possible: false },
    ...{ needs: history.needs, packages: [], ignored: {}, settings: NO_SETUP, truth: null, files: {} },
    task: subject,
    gates: history.gates,
    prepare: history.prepare ?? null,
    populate: (root) =>
      must('sh', ['-c', `git --git-dir="${gitDir}" archive ${id}^ | tar x -C "${root}"`], '/'),
    patch: await git('diff', '--binary', '--no-renames', `${id}^`, id),
    agent: [{ action: 'run', argv: ['git', 'apply', '--whitespace=nowarn', PATCH] }],
  };
}

/** Where a case's patch lies. */
export const PATCH = '.ralph/work.patch';
