import { accessSync, appendFileSync, constants, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainText, readFileBytes } from 'ralph-kit/files/plain-file';
import { tryOr } from 'ralph-kit/try-or';
import * as z from 'zod/mini';
import { NOTES_IN_BOX, REFUSED_FOLDER } from './mounts.ts';

const PLACE = 'place.json';
const REFUSED = 'refused.jsonl';
const MAX_BYTES = 64 * 1024;
/** Refusals recorded for one launch; an agent that causes more adds no new information. */
const MOST_REFUSED = 20;

const Place = z.object({ stateHome: z.string(), by: z.string() });
const Refused = z.object({ name: z.string(), line: z.string() });

export type BoxPlace = z.infer<typeof Place>;
export type RefusedCommand = z.infer<typeof Refused>;

/** Makes the folder that the box shows as `NOTES_IN_BOX`. @throws The Node error */
export function writeNotes(folder: string, place: BoxPlace): void {
  mkdirSync(join(folder, REFUSED_FOLDER), { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, PLACE), JSON.stringify(place));
}

/** Returns refused commands. Programs in the box can forge them, but only accuse themselves. */
export function readRefused(folder: string): RefusedCommand[] {
  return linesOf(join(folder, REFUSED_FOLDER, REFUSED))
    .slice(0, MOST_REFUSED)
    .flatMap((line) => {
      const parsed = Refused.safeParse(jsonOf(line));
      return parsed.success ? [parsed.data] : [];
    });
}

/** Returns the box that this process runs in; `null` outside a box. */
export function currentBox(): BoxPlace | null {
  known ??= find();
  return known?.place ?? null;
}

let known: ReturnType<typeof find> | undefined;

/** Mounts identify a box because nothing inside can remove one. */
function find(): { readonly folder: string; readonly place: BoxPlace } | null {
  for (const line of tryOr('', () => readFileBytes('/proc/self/mountinfo').toString('utf8')).split('\n')) {
    const path = line.split(' ')[4] ?? '';
    if (!path.endsWith(`/${NOTES_IN_BOX}`)) continue;
    const folder = path.replace(/\\(\d{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    );
    const parsed = Place.safeParse(jsonOf(linesOf(join(folder, PLACE))[0] ?? ''));
    if (parsed.success) return { folder, place: parsed.data };
  }
  return null;
}

/**
 * Whether this process is in a run's box and the folder belongs to that run: its contents can be shown but not
 * checked or changed, as the key and the processes outside aren't visible.
 */
export function isBoxedOff(folder: string): boolean {
  if (currentBox() === null) return false;
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}

/** Leaves a note for ralph outside, since state can't be written from inside. */
export function noteRefused(command: RefusedCommand): void {
  if (currentBox() === null || !known) return;
  try {
    appendFileSync(join(known.folder, REFUSED_FOLDER, REFUSED), `${JSON.stringify(command)}\n`);
  } catch {
    // A note that can't be written changes nothing: the command is refused anyway.
  }
}

function linesOf(path: string): string[] {
  return (plainText(path, MAX_BYTES) ?? '').split('\n').filter(Boolean);
}

function jsonOf(text: string): unknown {
  return tryOr(null, () => JSON.parse(text));
}
