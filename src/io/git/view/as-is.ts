import { lastValue, type Setting } from './config-text.ts';

const TRUE = /^(?:true|yes|on|1)$/i;
const FALSE = /^(?:|false|no|off|0|umask)$/i;
/** Settings by which a file's name, mode or object is stored otherwise when they are on. */
const ON = ['core.sharedrepository', 'core.ignorecase', 'core.precomposeunicode', 'core.fsyncobjectfiles'];
/** The same when they are off: without one, git's default is on. */
const OFF = ['core.filemode', 'core.symlinks'];
const FORMATS =
  /^extensions\.(?!(?:objectformat|refstorage|worktreeconfig|preciousobjects|relativeworktrees)$)/i;

/** Whether git stores files as they are on the disk, and for everybody, as far as its settings say. */
export function storesAsIs(settings: readonly Setting[]): boolean {
  const has = (key: string) => settings.some((one) => one.key === key);
  const value = (key: string) => lastValue(settings, key) ?? 'true';
  return (
    ON.every((key) => !has(key) || FALSE.test(value(key))) &&
    OFF.every((key) => !has(key) || TRUE.test(value(key))) &&
    !has('core.fsync') &&
    !settings.some(({ key }) => FORMATS.test(key))
  );
}

/** Attributes by which git stores something else than a file has. Those of line ends change nothing without a CR. */
const CONVERTING = /\b(?:filter|ident|working-tree-encoding)\b/;

/** @param attributes Text of a file of attributes. */
export function isConverting(attributes: Buffer): boolean {
  return CONVERTING.test(attributes.toString('latin1'));
}
