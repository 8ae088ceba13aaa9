import { resolve } from 'node:path';
import { takeSignals } from 'ralph-kit/take-signals';
import { recentWorkTrees } from '../../app/commands/page/repositories.ts';
import {
  isLoopbackAddress,
  namedFolders,
  type ServedPage,
  type SitePlace,
  serveAt,
  servePage,
} from '../../app/commands/page/serve-page.ts';
import { report as reportOf } from '../../app/commands/report.ts';
import { isSetUp } from '../../app/commands/watch.ts';
import { failure } from '../../app/result.ts';
import { workTreeAt } from '../../app/setup/work-tree.ts';
import { askToListen, inClearText } from '../ask-to-listen.ts';
import type { Call } from '../call.ts';
import { atTerminal } from '../loop-input.ts';
import { readyText } from '../ready-text.ts';
import { pageSite, type ReportChoice } from './site.ts';

export type PageOptions = { readonly port: number; readonly listen?: string; readonly origin?: string };

const LOOPBACK = '127.0.0.1';

/** Serves the page until Ctrl-C. If another process serves it already, prints that page's address. */
export async function servePages(call: Call, given: readonly string[], options: PageOptions): Promise<void> {
  const { port, listen = LOOPBACK, origin = null } = options;
  const named: string[] = [];
  for (const dir of given.length === 0 ? ['.'] : given) {
    const found = await workTreeAt(resolve(call.cwd, dir));
    // If no folder is named, the page is about all repositories with recent runs, wherever the command is started.
    if (!found.ok && given.length > 0) return call.print(found, () => '');
    if (found.ok && (given.length > 0 || (await isSetUp(found.top)))) named.push(found.top);
  }
  if (!isLoopbackAddress(listen)) {
    const ask = atTerminal(call)(askToListen);
    if (ask === null)
      return call.print(
        failure(`${inClearText(listen)} It needs your yes at a terminal.`, 'ralph page'),
        () => '',
      );
    if (!(await ask(listen))) return call.print(failure('Nothing is served.', 'ralph page', 1), () => '');
  }
  const folders = () => [...named, ...namedFolders(), ...recentWorkTrees(new Date())];
  const site = pageSite({ folders, report: null });
  const place = placeOf(call, { port, listen, origin }, 'decide for you');
  const served = await servePage(site, place, named);
  if (!served.ok || served.data.already) await call.print(served, alreadyText);
}

function alreadyText({ url }: ServedPage): string {
  return `${url}\nThe page is served already; this is its address.`;
}

/** Serves a report, read-only, until Ctrl-C. */
export async function serveReport(call: Call, report: ReportChoice, port: number): Promise<void> {
  const found = await workTreeAt(call.cwd);
  if (!found.ok) return call.print(found, () => '');
  // An unknown run is reported at once, before a page is served.
  const made = await reportOf({ ...call, ...report, read: false });
  if (!made.ok) return call.print(made, () => '');
  const site = pageSite({ folders: () => [found.top], report });
  const place = placeOf(call, { port, listen: LOOPBACK, origin: null }, 'read the report');
  const failed = await serveAt(site, place, 'ralph report --serve');
  if (failed !== null) await call.print(failed, () => '');
}

function placeOf(call: Call, at: Pick<SitePlace, 'port' | 'listen' | 'origin'>, what: string): SitePlace {
  const stop = new AbortController();
  takeSignals(['SIGINT', 'SIGTERM', 'SIGHUP'], () => stop.abort());
  return { ...at, stop: stop.signal, onReady: (url) => process.stdout.write(readyText(call, url, what)) };
}
