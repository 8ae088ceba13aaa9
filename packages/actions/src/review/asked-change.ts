import { type Action, workingFolder } from 'ralph-kit/actions/action';
import { below, isBelow, placedPath } from 'ralph-kit/paths';
import { effectsOfAction } from '../effects/index.ts';
import { LONGEST_SCRIPT, type RunPlace } from '../forms/place.ts';
import { newBudget } from '../shell/index.ts';

/** A file of the work tree before and after an action; `null` while it doesn't exist. */
export type AskedChange = {
  /** Path relative to the root of the work tree. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
};

/**
 * Returns the changes of files that an action's parameters describe: whole texts, replaced texts, patches in codex's format, deletions.
 * Files too long to read are left out.
 */
export function askedChange(action: Action, place: RunPlace): AskedChange[] {
  const top = place.realPath(place.root);
  const real = (path: string) => placedPath(path, workingFolder(action, place.root), place.realPath, true);
  const textOf = (path: string) => place.textSince(path, 0);
  const gone = deletedFiles(action, place).map((path) => [path, null] as const);
  const texts = [...written(action), ...edited(action)].map(
    ([path, edit]) => [real(path), edit(textOf(real(path)) ?? '')] as const,
  );
  return [...new Map([...texts, ...gone])].flatMap(([path, after]) => {
    const before = textOf(path);
    if (!isBelow(path, top) || (before?.length ?? 0) > LONGEST_SCRIPT) return [];
    return before === after ? [] : [{ path: path.slice(top.length + 1), before, after }];
  });
}

type Edit = (text: string) => string;

function written({ kind, paths, content }: Action): (readonly [string, Edit])[] {
  const [path, ...others] = paths;
  const [text] = content;
  const isWhole = kind === 'file_write' || kind === 'file_create';
  if (!isWhole || path === undefined || others.length > 0 || text === undefined) return [];
  return [[path.path, () => text]];
}

/** Returns the changes of a tool that replaces texts, by the parameter names of the agents' tools. */
function edited({ kind, paths, input }: Action): (readonly [string, Edit])[] {
  const patches = Object.values(input).filter((value) => typeof value === 'string' && BEGIN.test(value));
  if (patches.length > 0) return patches.flatMap((text) => patched(String(text)));
  const [path] = paths;
  if (kind !== 'file_modify' || path === undefined) return [];
  const pairs = [input, ...Object.values(input).flatMap((value) => (Array.isArray(value) ? value : []))];
  const edits = pairs.flatMap((one) => editOf(one) ?? []);
  return edits.length === 0 ? [] : [[path.path, inTurn(edits)]];
}

const OLD = /^old_?(?:str|string|text)$/i;
const NEW = /^new_?(?:str|string|text)$/i;

function editOf(value: unknown): Edit | null {
  if (typeof value !== 'object' || value === null) return null;
  const members = Object.entries(value);
  const named = (pattern: RegExp) => members.find(([key]) => pattern.test(key))?.[1];
  const [old, now] = [named(OLD), named(NEW)];
  if (typeof old !== 'string' || typeof now !== 'string' || old === '') return null;
  const all = members.some(([key, one]) => /^replace_?all$/i.test(key) && one === true);
  return (text) => (all ? text.replaceAll(old, () => now) : text.replace(old, () => now));
}

function inTurn(edits: readonly Edit[]): Edit {
  return (text) => edits.reduce((made, edit) => edit(made), text);
}

const BEGIN = /^\*\*\* Begin Patch/m;

function patched(patch: string): (readonly [string, Edit])[] {
  const files = patch.split(/^\*\*\* (?=(?:Add|Update) File: )/m).slice(1);
  return files.map((file) => {
    const [head = '', ...lines] = file.split('\n');
    const body = lines.filter((line) => !line.startsWith('*** '));
    const path = head.replace(/^\w+ File: /, '').trim();
    if (head.startsWith('Add')) return [path, () => `${body.map((line) => line.slice(1)).join('\n')}\n`];
    const hunks = body.join('\n').split(/^@@.*\n?/m);
    return [path, inTurn(hunks.map(hunkEdit))];
  });
}

function hunkEdit(hunk: string): Edit {
  const lines = hunk.split('\n').filter((line) => line !== '');
  const side = (sign: string) =>
    lines.filter((line) => line.startsWith(sign) || line.startsWith(' ')).map((line) => line.slice(1));
  const [old, now] = [side('-').join('\n'), side('+').join('\n')];
  return (text) => (old === '' ? text : text.replace(old, () => now));
}

/** `MOST_FILES` of a deleted folder are followed, to a depth of `DEEPEST`. */
const MOST_FILES = 200;
const DEEPEST = 6;
/** Programs that only delete. `MOVES` bring files elsewhere, or back. */
const DELETES = /\b(?:rm|unlink|rimraf|shred|del|trash)\b/;
const MOVES = /\b(?:mv|cp|rsync|restore|checkout|stash|reset)\b/;

/** Returns real paths of the files that an action will certainly delete. Never throws. */
function deletedFiles(action: Action, place: RunPlace): string[] {
  const { command } = action;
  if (command !== null && (!DELETES.test(command) || MOVES.test(command))) return [];
  try {
    const effects = effectsOfAction(action, { ...place, writtenText: () => null }, newBudget());
    const spots = effects.flatMap((effect) => (effect.kind === 'deletes' ? effect.spots() : []));
    const found = spots.flatMap((spot) => (spot.kind === 'path' ? filesAt(spot.path, place, DEEPEST) : []));
    return found.slice(0, MOST_FILES);
  } catch {
    return [];
  }
}

function filesAt(path: string, place: RunPlace, depth: number): string[] {
  if (place.textSince(path, 0) !== null) return [path];
  if (depth === 0) return [];
  return place
    .entries(path)
    .slice(0, MOST_FILES)
    .flatMap((name) => filesAt(below(path, name), place, depth - 1));
}
