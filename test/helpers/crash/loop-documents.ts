import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { IterationRecord } from '../../../src/domain/records/iteration.ts';
import {
  EventsDocument,
  LessonsDocument,
  MetricsDocument,
  ProfileDocument,
  StateDocument,
} from '../../../src/state/documents.ts';

type Schema = { readonly safeParse: (value: unknown) => { readonly success: boolean } };

const DOCUMENTS: Readonly<Record<string, Schema>> = {
  'state.json': StateDocument,
  'metrics.json': MetricsDocument,
  'lessons.json': LessonsDocument,
  'interventions/events.json': EventsDocument,
  'interventions/profile.json': ProfileDocument,
};

/**
 * Returns documents below `.ralph` that can't be parsed or have another form; of the iterations only the newest few.
 */
export function tornDocuments(root: string): string[] {
  const dir = join(root, '.ralph');
  const views = Object.entries(DOCUMENTS).map(([name, schema]) => tornAs(join(dir, name), schema));
  const records = newestIterations(dir).map((folder) =>
    tornAs(join(folder, 'iteration.json'), IterationRecord),
  );
  return [...views, ...records].filter((problem) => problem !== null);
}

/** Returns the copies that ralph made because it found a changed or damaged file: after a crash there must be none. */
export function setAsideFiles(root: string): string[] {
  const dir = join(root, '.ralph');
  return ['', 'interventions'].flatMap((folder) => {
    const path = join(dir, folder);
    return existsSync(path) ? readdirSync(path).filter((name) => /\.(edited|damaged|found)-/.test(name)) : [];
  });
}

function tornAs(path: string, schema: Schema): string | null {
  if (!existsSync(path)) return null;
  try {
    return schema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).success
      ? null
      : `${basename(path)} has another form`;
  } catch {
    return `${basename(path)} is torn`;
  }
}

const NEWEST = 3;

function newestIterations(dir: string): string[] {
  const runs = join(dir, 'runs');
  if (!existsSync(runs)) return [];
  const folders = readdirSync(runs).flatMap((run) => {
    const iterations = join(runs, run, 'iterations');
    return existsSync(iterations) ? readdirSync(iterations).map((name) => join(iterations, name)) : [];
  });
  return folders.toSorted((a, b) => basename(a).localeCompare(basename(b))).slice(-NEWEST);
}
