import { closeSync, fstatSync, readSync, rmSync } from 'node:fs';
import { replaceFile } from './atomic-file.ts';
import { openLog } from './open-log.ts';
import { isSystemError, PlaceError } from './store-error.ts';

/**
 * Hides secrets in bytes, one character each; `at` maps an offset in the input to the output. `reach`: number of bytes
 * around a place that decide whether it is hidden.
 */
export type HideBytes = ((text: string) => {
  readonly text: string;
  readonly at: (offset: number) => number;
}) & { readonly reach: number };

/** Suffix of the mark for a log that still has its secrets: a program writes it, or ralph was killed. */
const MARK = '.open';

/** Opens a program's raw log. After a kill, a mark makes the next start hide its secrets. @throws Like `openLog`. */
export function openRawLog(path: string): number {
  closeSync(openLog(`${path}${MARK}`));
  return openLog(path);
}

/** Number of bytes in which secrets are searched at once, so that a long log takes no more memory than a short one. */
const PIECE_BYTES = 256 * 1024;

/**
 * Rewrites a finished log without its secrets, in one step. When it can't be written it stays private and the next
 * start tries again.
 * @param log Descriptor, left open.
 * @returns A map from old offsets to new ones.
 */
export function endLog(
  path: string,
  log: number,
  hide: HideBytes,
  pieceBytes = PIECE_BYTES,
): (offset: number) => number {
  try {
    const moves: Move[] = [];
    const pieces = hiddenPieces(log, hide, pieceBytes, moves);
    for (const piece of pieces)
      if (!piece.isSame)
        replaceFile(path, changedLog(log, piece, pieces), { mode: 0o600, durability: 'none' });
    rmSync(`${path}${MARK}`, { force: true });
    return (offset) => moves.findLast(({ from }) => from <= offset)?.at(offset) ?? offset;
  } catch (error) {
    if (!isSystemError(error) && !(error instanceof PlaceError)) throw error;
    return (offset) => offset;
  }
}

/** A part of a log that begins at an offset; nothing that is hidden reaches over its ends. */
type Piece = { readonly from: number; readonly text: string; readonly isSame: boolean };

/** Maps offsets in a log, from one on, to the new one. */
type Move = { readonly from: number; readonly at: (offset: number) => number };

/** Yields a log's bytes up to its first change, and behind them the changed pieces. */
function* changedLog(log: number, first: Piece, rest: Iterable<Piece>): Generator<Buffer> {
  const part = Buffer.alloc(PIECE_BYTES);
  for (let at = 0; at < first.from; at += part.length)
    yield part.subarray(0, readSync(log, part, 0, Math.min(part.length, first.from - at), at));
  yield Buffer.from(first.text, 'latin1');
  for (const { text } of rest) yield Buffer.from(text, 'latin1');
}

/** Yields a log piece by piece without its secrets; how offsets move is added to `moves`. */
function* hiddenPieces(log: number, hide: HideBytes, pieceBytes: number, moves: Move[]): Generator<Piece> {
  const { size } = fstatSync(log);
  let buffer = Buffer.alloc(Math.min(size, pieceBytes + 2 * hide.reach));
  let written = 0;
  for (let from = 0; from < size; ) {
    const start = Math.max(0, from - hide.reach);
    let [end, before, hidden] = [from, '', hide('')];
    for (let length = pieceBytes; end === from; length *= 2) {
      const to = Math.min(size, from + length);
      const wanted = Math.min(size, to + hide.reach) - start;
      if (wanted > buffer.length) buffer = Buffer.alloc(wanted);
      before = buffer.toString('latin1', 0, readSync(log, buffer, 0, wanted, start));
      hidden = hide(before);
      end = to === size ? size : beginOfHidden(hidden.at, from - start, to - start) + start;
    }
    const first = hidden.at(from - start);
    const text = hidden.text.slice(first, end === size ? undefined : hidden.at(end - start));
    moves.push(moveOf(from, start, written - first, hidden.at));
    yield { from, text, isSame: text === before.slice(from - start, end - start) };
    written += text.length;
    from = end;
  }
}

/** A function of its own, so that a move doesn't keep the texts of its piece in memory. */
function moveOf(from: number, start: number, by: number, at: Move['at']): Move {
  return { from, at: (offset) => by + at(offset - start) };
}

/** Returns the beginning of the hidden text around an offset, not before `from`; the offset itself when it isn't hidden. */
function beginOfHidden(at: (offset: number) => number, from: number, offset: number): number {
  // Offsets within one hidden text have the same place.
  let [low, high] = [from, offset];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (at(middle) === at(offset)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the log that a mark belongs to; `null` when the path isn't a mark. */
export function logOfMark(path: string): string | null {
  return path.endsWith(MARK) ? path.slice(0, -MARK.length) : null;
}
