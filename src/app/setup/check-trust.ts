import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readFileBytes } from 'ralph-kit/files/plain-file';
import { sha256 } from 'ralph-kit/files/sha256';
import { redact, secretsFromEnv } from 'ralph-kit/redact';
import { stripControl, visible } from 'ralph-kit/text';
import { isService } from 'ralph-task-lists';
import { promptFiles } from '../../decide/index.ts';
import type { Config } from '../../domain/config.ts';
import { exitCodeOf } from '../../domain/exit.ts';

import { systemClock } from '../../io/clock.ts';
import type { Modules } from '../../io/modules/index.ts';
import { type Failure, failure } from '../result.ts';
import { boxStatusOf, limitsNetwork } from './box.ts';
import { DEFAULT_SCENARIO } from './choose-agent.ts';
import { modulesNamed, modulesOf } from './modules.ts';
import { candidatesIn } from './tracker/candidates.ts';
import { isBelow, leadsOutside } from './trust/leads-outside.ts';
import { addAccepted, readAccepted, trustedByEnvironment } from './trust/trust-file.ts';
import {
  type ConfigEntry,
  canonicalItems,
  commandItems,
  type TrustFile,
  type TrustItem,
} from './trust/trust-items.ts';
import { FORGED, trustLines } from './trust/trust-text.ts';

export type TrustCheck = {
  readonly kind: 'nothing_runs' | 'trusted' | 'untrusted';
  readonly items: readonly TrustItem[];
  readonly sha256: string;
  /** The items aren't approved, although `trust.json` has an entry for them: ralph didn't write that entry. */
  readonly isForged: boolean;
};

export type TrustSubject = {
  readonly root: string;
  readonly stateHome: string;
  readonly config: Config;
  readonly entries: readonly ConfigEntry[];
  /** Modules that were already read for a run; absent: they are read now. */
  readonly modules?: Modules;
};

/** Compares the files with your approvals. Never throws. */
export function checkTrust(subject: TrustSubject): TrustCheck {
  const { root, stateHome, config, entries, modules = modulesOf(subject) } = subject;
  const items = [
    ...commandItems(entries, config),
    ...fileItems(root, config, entries, modules),
    ...outsideItems(root, config, entries),
    ...noBoxItems(root, config),
  ];
  const digest = sha256(canonicalItems(items));
  if (items.length === 0) return { kind: 'nothing_runs', items, sha256: digest, isForged: false };
  const { accepted, foreign } = readAccepted(stateHome);
  const isThis = (one: { readonly sha256: string }) => one.sha256 === digest;
  const kind = accepted.some(isThis) ? 'trusted' : 'untrusted';
  return { kind, items, sha256: digest, isForged: kind === 'untrusted' && foreign.length > 0 };
}

/** Records your approval. @throws The Node error if it can't be written. */
export function acceptTrust(stateHome: string, check: TrustCheck): void {
  const items = check.items.map(({ kind, name }) => visible(`${kind} ${name}`));
  addAccepted(stateHome, { sha256: check.sha256, at: systemClock().now(), items });
}

export type TrustMode =
  /** ralph has just made the repository, so nothing needs approval. */
  | { readonly kind: 'own' }
  /** `--trust`: the items are approved and remembered. */
  | { readonly kind: 'accept' }
  /** `ask` asks you; `null`: there is no terminal. */
  | { readonly kind: 'check'; readonly ask: ((question: TrustQuestion) => Promise<TrustAnswer>) | null };

/** Your answer to the question of trust; `stopped`: you pressed Ctrl-C. */
export type TrustAnswer = 'yes' | 'no' | 'stopped';

export type TrustQuestion = { readonly lines: readonly string[] };

/** Returns a failure if a run would start something unapproved; `null`: the run may start. */
export async function requireTrust(subject: TrustSubject, mode: TrustMode): Promise<Failure | null> {
  if (mode.kind === 'own' || trustedByEnvironment()) return null;
  const check = checkTrust(subject);
  if (check.kind !== 'untrusted') return null;
  if (mode.kind === 'check') {
    if (mode.ask === null) return refusal(check);
    const answer = await mode.ask({ lines: trustLines(check.items) });
    if (answer !== 'yes') return notApproved(answer);
  }
  // Files may have changed while you were asked, but your approval is for what you saw.
  if (checkTrust(subject).sha256 !== check.sha256) return refusal(checkTrust(subject));
  try {
    acceptTrust(subject.stateHome, check);
  } catch (error) {
    return notWritten(error);
  }
  return null;
}

/** Returns a failure for unapproved commands, and for modules that can't be loaded; `null`: all may run. */
export async function requireRunnable(
  subject: TrustSubject & { readonly modules: Modules },
  mode: TrustMode,
): Promise<Failure | null> {
  const untrusted = await requireTrust(subject, mode);
  if (untrusted !== null) return untrusted;
  const { modules } = subject;
  return modules.problems.length > 0 ? failure(modules.problems.join('\n'), 'ralph doctor') : null;
}

export function notApproved(answer: 'no' | 'stopped'): Failure {
  return answer === 'stopped'
    ? failure('Nothing was run.', null, exitCodeOf('SIGINT'))
    : failure('Not approved, so nothing was run.', 'ralph trust');
}

export function notWritten(error: unknown): Failure {
  const reason = error instanceof Error ? error.message : String(error);
  return failure(
    `What was accepted cannot be remembered: ${reason}`,
    'Make that folder writable, or set RALPH_TRUST=1 for this run alone.',
    1,
  );
}

function refusal(check: TrustCheck): Failure {
  const forged = check.isForged ? `${FORGED}\n` : '';
  return failure(
    `${forged}This repository runs commands you haven't approved. Nothing was run.\n${trustLines(check.items).join('\n')}`,
    'ralph trust',
  );
}

/** Returns the text without terminal control codes and secrets, with line ends as `\n`. */
export function clean(text: string): string {
  return redact(stripControl(text).replaceAll('\n', '\\n'), secretsFromEnv(process.env));
}

/**
 * Returns an item for running without a box, where agents can write wherever you can. You approve that once; there is
 * none if you turned boxes off yourself.
 */
function noBoxItems(root: string, { box }: Config): TrustItem[] {
  if (box.mode !== 'auto' || boxStatusOf({ root }).kind === 'on') return [];
  const network = limitsNetwork(box) ? ' and reach every host, whatever [box] network says' : '';
  return [{ kind: 'box', name: 'none', text: `agents can write wherever you can${network}` }];
}

function fileItems(
  root: string,
  config: Config,
  entries: readonly ConfigEntry[],
  modules: Modules,
): TrustItem[] {
  const items = trustFiles(root, config, entries).flatMap(({ kind, path }): TrustItem[] => {
    const [own, ...imported] = kind === 'handler' ? modules.partsOf(path) : [];
    const imports = imported.map(
      (part): TrustItem => ({ kind, name: part.name, text: `sha256:${part.sha256}` }),
    );
    const absolute = resolve(root, path);
    if (own === undefined && (!existsSync(absolute) || !statSync(absolute).isFile())) return [];
    try {
      const real = leadsOutside(root, path);
      const name = real === null ? path : `${path} → ${real}`;
      const digest = own?.sha256 ?? sha256(readFileBytes(absolute));
      return [{ kind, name, text: `sha256:${digest}` }, ...imports];
    } catch {
      return [{ kind, name: path, text: 'cannot be read' }];
    }
  });
  return items.filter((item, at) => items.findIndex((one) => isDeepStrictEqual(one, item)) === at);
}

/** Returns files of the repository that act as instructions: prompts, the scripted agent's scenario, and modules. */
function trustFiles(root: string, config: Config, entries: readonly ConfigEntry[]): TrustFile[] {
  const scenarios = entries.filter(({ key, value }) => /^runners\..*\.scenario$/.test(key) && value !== '');
  const texts = config.interventions.custom_prompts_path;
  const rules = config.review.rules.custom_rules_path;
  const handlers = [...modulesNamed(config), ...(rules === '' ? [] : [rules])];
  const files: TrustFile[] = [
    ...promptFiles(config).map((path): TrustFile => ({ kind: 'template', path })),
    ...(texts === '' ? [] : [{ kind: 'template' as const, path: texts }]),
    ...handlers.map((path): TrustFile => ({ kind: 'handler', path })),
    { kind: 'scenario', path: DEFAULT_SCENARIO },
    ...scenarios.map(({ value }): TrustFile => ({ kind: 'scenario', path: String(value) })),
  ];
  const named = new Set([
    ...entries
      .filter(({ key, layer }) => layer === 'project' && OWN_FILES.test(key))
      .map(({ value }) => String(value)),
    ...scenarios.filter(({ layer }) => layer === 'project').map(({ value }) => String(value)),
  ]);
  const counts = ({ path }: TrustFile) => named.has(path) || isBelow(root, path);
  return files.filter((file, index) => counts(file) && files.findIndex(same(file)) === index);
}

/** Settings that name a file. If the project names it, the file needs approval wherever it is. */
const OWN_FILES =
  /^files\.prompt$|^workflow\.roles\.\w+\.template$|^interventions\.(?:handlers\.|strategy\.module$|custom_prompts_path$)|^review\.rules\.custom_rules_path$/;

function same(file: TrustFile): (other: TrustFile) => boolean {
  return (other) => other.kind === file.kind && other.path === file.path;
}

/**
 * Returns items for files outside of the repository that ralph sends to agents or writes. Paths in your own settings
 * need no approval.
 */
function outsideItems(root: string, config: Config, entries: readonly ConfigEntry[]): TrustItem[] {
  const { files, tracker } = config;
  const isSetByUser = (key: string) => entries.some((one) => one.key === key && one.layer !== 'project');
  const { kind: form, path } = tracker;
  const lists = isService(form) ? [] : path === '' ? Object.values(candidatesIn(root, form)).flat() : [path];
  const named: [TrustItem['kind'], string, readonly string[]][] = [
    ['notes', 'files.notes', files.notes],
    ['notes', 'files.feedback', [files.feedback]],
    ['tracker', 'tracker.path', lists],
  ];
  return named.flatMap(([kind, key, paths]) =>
    paths.flatMap((name): TrustItem[] => {
      const real = leadsOutside(root, name);
      return real === null || (isSetByUser(key) && !isBelow(root, name)) ? [] : [{ kind, name, text: real }];
    }),
  );
}
