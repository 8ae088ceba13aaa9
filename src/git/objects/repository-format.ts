import type { ObjectFormat } from './loose-objects.ts';

/** Settings that decide how objects and refs are stored. */
export type RepositoryFormat = {
  readonly objects: ObjectFormat;
  readonly refsInFiles: boolean;
  /** Whether this process may write objects: false when git would do more. */
  readonly writes: boolean;
  /** Whether git syncs loose objects to disk when writing them. */
  readonly syncsObjects: boolean;
  readonly logsAllRefs: boolean;
};

/** Extensions that don't affect loose objects or that this module supports. */
const KNOWN_EXTENSIONS = new Set([
  'noop',
  'noop-v1',
  'partialclone',
  'preciousobjects',
  'worktreeconfig',
  'relativeworktrees',
  'objectformat',
  'refstorage',
]);

export function repositoryFormat(settings: ReadonlyMap<string, string>): RepositoryFormat {
  const extensions = [...settings.keys()].flatMap((key) =>
    key.startsWith('extensions.') ? [key.slice('extensions.'.length)] : [],
  );
  const known = extensions.every((extension) => KNOWN_EXTENSIONS.has(extension));
  const format = settings.get('extensions.objectformat') ?? 'sha1';
  const shared = settings.get('core.sharedrepository') ?? 'umask';
  return {
    objects: format === 'sha256' ? 'sha256' : 'sha1',
    refsInFiles: known && (settings.get('extensions.refstorage') ?? 'files') === 'files',
    // Git computes permissions of files in a shared repository.
    writes: known && ['umask', 'false', 'no', 'off', '0', ''].includes(shared.toLowerCase()),
    syncsObjects: syncsLooseObjects(settings),
    logsAllRefs: settings.get('core.logallrefupdates')?.toLowerCase() === 'always',
  };
}

/** Values of `core.fsync` that include loose objects. */
const WITH_LOOSE_OBJECTS = new Set(['loose-object', 'objects', 'committed', 'added', 'all']);

/** Git 2.39 syncs when any part says so, regardless of exclusions after it. @see git-config(1), `core.fsync` */
function syncsLooseObjects(settings: ReadonlyMap<string, string>): boolean {
  const parts = (settings.get('core.fsync') ?? '').split(/[,\s]+/);
  return (
    parts.some((part) => WITH_LOOSE_OBJECTS.has(part)) || isTrue(settings.get('core.fsyncobjectfiles') ?? '')
  );
}

/** A setting without a value is passed as `true`. */
function isTrue(value: string): boolean {
  return ['true', 'yes', 'on'].includes(value.toLowerCase()) || Number(value) > 0;
}
