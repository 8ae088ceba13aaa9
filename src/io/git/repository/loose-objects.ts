import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { lstatOrNull, readPlainFile } from '../../files/plain-file.ts';
import type { WorkTree } from '../call/work-tree.ts';

/** Bytes up to which a folder's object is read. */
const MAX_TREE = 8 * 1024 * 1024;
/** Bytes up to which an object is read to see whether it is what its name says. Of a larger one no diff is shown. */
const MAX_PROVEN = 32 * 1024 * 1024;

/** The content of a folder's object that lies in a file of its own and is what its id says; `null`: git has to read it. */
export function readTreeObject(tree: WorkTree, id: string): Buffer | null {
  try {
    const found = readPlainFile(placeOf(tree, id).file, MAX_TREE);
    if (found.kind !== 'file') return null;
    const bytes = inflated(found.bytes, MAX_TREE);
    const content = bytes.subarray(bytes.indexOf(0) + 1);
    return isTree(content, id) ? content : null;
  } catch {
    return null;
  }
}

/**
 * Whether a file of one object holds what its name says. Git takes that on trust: an agent that plants another content
 * under the name of what it changed would hide the change from every diff. One that is too large to be read is believed.
 */
export function isGenuine(file: string, id: string): boolean {
  try {
    const found = readPlainFile(file, MAX_PROVEN);
    if (found.kind !== 'file') return found.kind === 'other' && lstatOrNull(file)?.isFile() === true;
    return isObject(found.bytes, id);
  } catch {
    return false;
  }
}

/** The same for what such a file holds, of up to `MAX_PROVEN` bytes. */
export function isObject(bytes: Buffer, id: string): boolean {
  try {
    return idOf(inflated(bytes, 4 * MAX_PROVEN), id) === id;
  } catch (error) {
    // More than that is as large as what isn't read.
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
  }
}

/** @throws where that is more than `max` bytes, and for what is no compressed content, or not that alone. */
function inflated(bytes: Buffer, max: number): Buffer {
  const { buffer, engine } = inflateSync(bytes, { maxOutputLength: max, info: true }) as unknown as {
    readonly buffer: Buffer;
    readonly engine: { readonly bytesWritten: number };
  };
  if (engine.bytesWritten !== bytes.length) throw new Error('There is something behind the content.');
  return buffer;
}

/** Whether this is the content of the folder with this id: an agent could have put another in its place. */
function isTree(content: Buffer, id: string): boolean {
  return idOf(Buffer.concat([Buffer.from(`tree ${content.length}\0`), content]), id) === id;
}

/** Whether an object lies in a file of its own, as those that were written last do. */
export function isLoose(tree: WorkTree, id: string): boolean {
  return looseFile(tree, id) !== null;
}

/** The file of an object that has one of its own; `null`: it is in a pack, or not there. */
export function looseFile(tree: WorkTree, id: string): string | null {
  const { file } = placeOf(tree, id);
  return existsSync(file) ? file : null;
}

function idOf(bytes: Buffer, like: string): string {
  return createHash(like.length === 40 ? 'sha1' : 'sha256')
    .update(bytes)
    .digest('hex');
}

function placeOf({ commonDir }: WorkTree, id: string) {
  const folder = join(commonDir, 'objects', id.slice(0, 2));
  return { folder, file: join(folder, id.slice(2)) };
}
