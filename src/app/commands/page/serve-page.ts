import { rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { replaceFile } from 'ralph-kit/files/atomic-file';
import { homesFolder } from 'ralph-kit/files/homes-folder';
import { readJson } from 'ralph-kit/files/plain-file';
import * as z from 'zod/mini';
import { isLoopbackAddress, type Site, type SitePlace, serveSite } from '../../../io/serve/serve-site.ts';
import { acquireRunLock } from '../../../store/index.ts';
import { type Failure, failure, success } from '../../result.ts';

export { isSameSecret } from '../../../io/same-secret.ts';
export type { Asked, Reply, Session, Site, SitePlace } from '../../../io/serve/serve-site.ts';
export { isLoopbackAddress };

/** Address and repositories of the served page, in a file that only its user can read. */
const Served = z.object({ url: z.string(), dirs: z.array(z.string()) });
type Served = z.infer<typeof Served>;

export type ServedPage = {
  readonly url: string;
  /** Whether another process already serves the page. */
  readonly already: boolean;
};

/**
 * Serves the page until its place stops it. Each user has one page: a second call adds its folders to the served page
 * and returns its address.
 */
export async function servePage(site: Site, place: SitePlace, dirs: readonly string[]) {
  const folder = homesFolder();
  const lock = acquireRunLock(join(folder, 'page.lock'), { run: 'page', host: hostname() });
  if (!lock.ok) {
    const served = servedPage();
    const pid = lock.holder?.pid ?? 'another process';
    if (served === null) return failure(`Process ${pid} is starting the page.`, 'ralph page', 1);
    keep({ ...served, dirs: [...new Set([...served.dirs, ...dirs])] });
    return success<ServedPage>({ url: served.url, already: true });
  }
  // A killed process may have left its record, which is removed.
  rmSync(recordPath(), { force: true });
  let url = '';
  const onReady = (at: string) => {
    url = at;
    keep({ url, dirs: [...dirs] });
    place.onReady(url);
  };
  try {
    const failed = await serveAt(site, { ...place, onReady }, 'ralph page');
    return failed ?? success<ServedPage>({ url, already: false });
  } finally {
    rmSync(recordPath(), { force: true });
    lock.release();
  }
}

/** Serves a site. Returns why that failed; `null`: it was served until its end. */
export async function serveAt(site: Site, place: SitePlace, next: string): Promise<Failure | null> {
  try {
    await serveSite(site, place);
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === undefined ? undefined : REFUSED[code];
    if (why === undefined) throw error;
    return failure(`${place.listen}:${place.port} ${why}.`, next);
  }
}

const REFUSED: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use',
  EACCES: "isn't for you",
  EADDRNOTAVAIL: "isn't an address of this machine",
  ENOTFOUND: "isn't an address of this machine",
};

/** Returns the folders that earlier calls of `ralph page` named. */
export function namedFolders(): readonly string[] {
  return servedPage()?.dirs ?? [];
}

function servedPage(): Served | null {
  return readJson(recordPath(), Served);
}

function keep(served: Served): void {
  replaceFile(recordPath(), `${JSON.stringify(served)}\n`, { mode: 0o600, durability: 'none' });
}

function recordPath(): string {
  return join(homesFolder(), 'page.json');
}
