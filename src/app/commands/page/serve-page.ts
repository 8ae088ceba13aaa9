import { rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { isLoopbackAddress, type Site, type SitePlace, serveSite } from '../../../io/serve/serve-site.ts';
import { acquireRunLock, homesFolder, readJson, replaceFile } from '../../../io/store/index.ts';
import { type Failure, failure, success } from '../../result.ts';

export { isSameSecret } from '../../../io/same-secret.ts';
export type { Asked, Reply, Session, Site, SitePlace } from '../../../io/serve/serve-site.ts';
export { isLoopbackAddress };

/** Address and repositories of the page that is served; only its user can read the file. */
const Served = z.object({ url: z.string(), dirs: z.array(z.string()) });
type Served = z.infer<typeof Served>;

export type ServedPage = {
  readonly url: string;
  /** The page was served already, by another process. */
  readonly already: boolean;
};

/**
 * Serves the page until its place stops it, once for each user: a second call adds its folders to the page that is
 * served, and returns its address.
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
  // One that was killed left its own.
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

/** Serves a site, and returns why it couldn't. */
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

/** Folders that calls of `ralph page` named. */
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
