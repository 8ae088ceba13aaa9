import type { ObjectFormat } from './loose-objects.ts';

/** What decides how a repository's objects and refs are written. */
export type RepositoryFormat = {
  readonly objects: ObjectFormat;
  /** Refs lie in files that this process reads. */
  readonly refsInFiles: boolean;
  /** Objects may be written by this process: it does all that git would do. */
  readonly writes: boolean;
  /** Loose objects are synced to the disk as they are written. */
  readonly syncsObjects: boolean;
  /** Each ref has a reflog, also those that only ralph uses. */
  readonly logsAllRefs: boolean;
};

/** Extensions that change nothing about loose objects, or are read here. */
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

/**
 * @param settings Git's settings with keys in lower case, the last value of each.
 */
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
    // A shared repository gives its files rights that git works out.
    writes: known && ['umask', 'false', 'no', 'off', '0', ''].includes(shared.toLowerCase()),
    syncsObjects: syncsLooseObjects(settings),
    logsAllRefs: settings.get('core.logallrefupdates')?.toLowerCase() === 'always',
  };
}

/** Parts of a repository that hold loose objects, as `core.fsync` names them. */
const WITH_LOOSE_OBJECTS = new Set(['loose-object', 'objects', 'committed', 'added', 'all']);

/** Git 2.39 syncs as soon as one of the names says so, whatever is taken away behind it. @see git-config(1), `core.fsync` */
function syncsLooseObjects(settings: ReadonlyMap<string, string>): boolean {
  const parts = (settings.get('core.fsync') ?? '').split(/[,\s]+/);
  return (
    parts.some((part) => WITH_LOOSE_OBJECTS.has(part)) || isTrue(settings.get('core.fsyncobjectfiles') ?? '')
  );
}

/** A setting that is written without a value comes as `true`. */
function isTrue(value: string): boolean {
  return ['true', 'yes', 'on'].includes(value.toLowerCase()) || Number(value) > 0;
}
