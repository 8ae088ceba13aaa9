import { AGENT_SETTINGS } from '../domain/agents.ts';
import type { ReviewPlace } from '../domain/review.ts';
import { type Denial, deny } from './denial.ts';
import { type Field, MADE_NAME, shownField, UNKNOWN_MARK } from './field.ts';
import { below, fitsPattern, isAtOrBelow, isBelow, nameOf, placedPath } from './paths.ts';

/** Agents read the settings folders of a subfolder too. */
const AGENT_FOLDERS = AGENT_SETTINGS.folders.filter((name) => !name.includes('/'));
const AGENT_PAIRS = AGENT_SETTINGS.folders.filter((name) => name.includes('/'));
const TOP_FILES = AGENT_SETTINGS.files;
const HOME_FOLDERS = [...AGENT_FOLDERS, ...AGENT_SETTINGS.home];
const LOOP_FOLDER = '.ralph';
const TEMPORARY = /^(?:\/private)?\/(?:tmp|var\/tmp|var\/folders|dev\/shm)(?:\/|$)/;

/** What comes of deleting the path; `null`: nothing against it. */
export function judgeDeletion(
  target: Field,
  cwds: readonly (string | null)[],
  place: ReviewPlace,
): Denial | null {
  return judgeEach(target, cwds, place, 'delete');
}

/** What comes of writing to the path. Outside the repository anything but the agents' own settings may be written. */
export function judgeWrite(
  target: Field,
  cwds: readonly (string | null)[],
  place: ReviewPlace,
): Denial | null {
  return judgeEach(target, cwds, place, 'write');
}

type Deed = 'delete' | 'write';

/** A temporary file or folder that `mktemp` has made in the same command: the whole of it, as without it `$T/x` is `/x`. */
function isMadeHere(target: Field): boolean {
  return TEMPORARY.test(target.head) && target.kind === 'glob' && target.tail === MADE_NAME.tail;
}

function judgeEach(
  target: Field,
  cwds: readonly (string | null)[],
  place: ReviewPlace,
  deed: Deed,
): Denial | null {
  if (target.head === '' && target.kind === 'exact') return null;
  for (const cwd of cwds) {
    const denial = judgeIn(target, cwd, place, deed);
    if (denial !== null) return denial;
  }
  return null;
}

function judgeIn(target: Field, cwd: string | null, place: ReviewPlace, deed: Deed): Denial | null {
  const { head, tail, kind } = target;
  const absolute = head.startsWith('/');
  const leaves = /(?:^|\/)\.\.(?:\/|$)/.test(nameOf(head) + tail);
  const known = kind === 'exact' || (kind === 'glob' && !leaves);
  if (deed === 'delete' && isMadeHere(target)) return null;
  if (cwd === null && !absolute) return notKnown(target, deed);
  if (kind === 'exact') {
    const path = placedPath(head, cwd ?? '/', place.realPath, deed === 'write');
    // By the name that was used too: a protected folder may be a link to another one.
    const named = placedPath(head, cwd ?? '/', (same) => same, false);
    const shown = shownField(target);
    return (
      verdictOn(path, shown, place, deed) ?? (isProtected(named, place, deed) ? guarded(shown, deed) : null)
    );
  }
  const folder = placedPath(
    head.slice(0, head.lastIndexOf('/') + 1) || './',
    cwd ?? '/',
    place.realPath,
    true,
  );
  if (deed === 'delete' && !isAtOrBelow(folder, place.root))
    return outside(shownField(target), folder, place);
  if (!known) return notKnown(target, deed);
  return verdictOnPattern(folder, target, place, deed);
}

function verdictOn(path: string, shown: string, place: ReviewPlace, deed: Deed): Denial | null {
  if (deed === 'delete' && !isBelow(path, place.root)) return outside(shown, path, place);
  return isProtected(path, place, deed) ? guarded(shown, deed) : null;
}

/** A pattern names entries of the folder that its fixed beginning lies in. */
function verdictOnPattern(folder: string, target: Field, place: ReviewPlace, deed: Deed): Denial | null {
  if (isProtected(below(folder, 'x'), place, deed)) return guarded(shownField(target), deed);
  const [first = '', ...more] = (nameOf(target.head) + target.tail).split('/');
  const atTop = folder === place.root ? [LOOP_FOLDER, ...(more.length === 0 ? TOP_FILES : [])] : [];
  const names = [...AGENT_FOLDERS, ...atTop];
  const hit = names.find((name) => fitsPattern(name, first) && isProtected(below(folder, name), place, deed));
  if (hit !== undefined) return included(shownField(target), hit, deed);
  // In `*/.claude` the pattern stands for the folders in between.
  return more.some((part) => AGENT_FOLDERS.includes(part.toLowerCase()))
    ? guarded(shownField(target), deed)
    : null;
}

function notKnown(target: Field, deed: Deed): Denial | null {
  const parts = shownField(target).toLowerCase().split('/');
  const named = parts.some(
    (part, index) =>
      part === LOOP_FOLDER ||
      AGENT_FOLDERS.includes(part) ||
      AGENT_PAIRS.includes(`${part}/${parts[index + 1] ?? ''}`),
  );
  if (named) return guarded(shownField(target), deed);
  if (deed === 'write') return null;
  const seen = target.head + target.tail === UNKNOWN_MARK ? '' : ` in "${shownField(target)}"`;
  return deny(
    'unknown_target',
    `What would be deleted${seen} is not known before the command runs. Write the path out, inside the repository.`,
  );
}

/** In lower case: on some systems `.Claude` is the same folder. A NUL ends a path. */
function isProtected(named: string, place: ReviewPlace, deed: Deed): boolean {
  const path = named.replace(/\0.*$/s, '').toLowerCase();
  const holds = (folder: string) =>
    isAtOrBelow(path, folder.toLowerCase()) || (deed === 'delete' && isBelow(folder.toLowerCase(), path));
  if (place.protectedFolders.some(holds)) return true;
  const root = place.root.toLowerCase();
  if (isAtOrBelow(path, root)) return protectedInRepository(path.slice(root === '/' ? 1 : root.length + 1));
  const { home } = place;
  return home !== null && HOME_FOLDERS.some((name) => isAtOrBelow(path, `${home.toLowerCase()}/${name}`));
}

function protectedInRepository(path: string): boolean {
  const parts = path.split('/');
  if (parts[0] === LOOP_FOLDER || TOP_FILES.includes(path)) return true;
  if (parts.some((part) => AGENT_FOLDERS.includes(part))) return true;
  return parts.some((part, index) => AGENT_PAIRS.includes(`${part}/${parts[index + 1] ?? ''}`));
}

function outside(shown: string, path: string, place: ReviewPlace): Denial {
  if (isAtOrBelow(place.root, path)) {
    return deny(
      'deletion_outside',
      `Deleting "${shown}" would take the repository's own top folder. Name the files inside it that have to go.`,
    );
  }
  const advice = TEMPORARY.test(path)
    ? 'Leave temporary files where they are: the system clears them.'
    : 'Leave it where it is, and delete inside the repository only.';
  return deny(
    'deletion_outside',
    `"${shown}" lies outside the repository, where nothing is deleted. ${advice}`,
  );
}

function included(shown: string, name: string, deed: Deed): Denial {
  const verb = deed === 'delete' ? 'deleted' : 'changed';
  return deny(
    'protected_write',
    `"${shown}" also stands for "${name}", settings that are not ${verb} during a run. Name the files one by one, or by a narrower pattern.`,
  );
}

function guarded(shown: string, deed: Deed): Denial {
  const verb = deed === 'delete' ? 'deleted' : 'changed';
  return deny(
    'protected_write',
    `"${shown}" belongs to the settings of ralph or of an agent, which are not ${verb} during a run. Leave it as it is.`,
  );
}
