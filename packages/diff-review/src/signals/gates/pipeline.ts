import { EQUIVALENT_CHECKERS, REWRITES_SNAPSHOTS } from 'ralph-ecosystems';
import type { Change, Changes, Version } from '../../change.ts';
import type { Signal } from '../../finding.ts';
import { remembered } from '../../remember.ts';
import { type Sign, signalAt } from '../sign.ts';
import { CHECK, isOfNewStep, REMOVED, wasUnconditional } from './steps.ts';

const sign = (kind: string, reason: string): Sign => ({
  category: 'gate_weakening',
  kind,
  confidence: 0.9,
  reason,
});
const IGNORED = sign('failure_ignored', 'A failing check no longer fails the run');
const STRICTNESS = sign('strictness_removed', 'A check is run less strictly than before');
const DISABLED = sign('step_disabled', 'A step of the checks is turned off');

/** Recipes that clean up or load something may continue after a failure. */
const TIDIES =
  /^\t@?-@?\s*(?:\$\(RM\)|rm|rmdir|mkdir|kill|pkill|killall|docker|podman|find|mv|cp|git|umount|include)\b/;
const IGNORES =
  /\|\|\s*[({]?\s*(?:true|:|exit\s+0|echo\b|\/bin\/true|return\s+0)|;\s*(?:true|exit\s+0|:)\s*(?:["']|$)|\s&\s*(?:["']|$)|\|\|\s*\(\s*exit\s+0\s*\)|--exit-zero\b|--no-error-on-unmatched|\bset\s+\+e\b|\|\s*(?:cat|tee\b[^|]*)\s*$/;
const rewrites = (command: string) => REWRITES_SNAPSHOTS.some((pattern) => pattern.test(command));
const TOLERATES =
  /^\s*-?\s*["']?(?:continue-on-error|allow_failure|allow-failure|continueOnError|soft_fail|ignore-failure|failure_allowed|allow_failures|fail_ci_if_error)["']?\s*[:=]\s*(?!false\b)(?:true|\{|.*\$\{\{|1)|fail_ci_if_error:\s*false|fail-fast:\s*never|^\s*allow_failure:\s*$|^\s*only:\s*\[?\s*never/;
const NEVER =
  /^\s*-?\s*if:\s*(?:['"]?\$\{\{\s*)?(?:false|'false'|"false"|0|never\(\))|^\s*-?\s*when:\s*(?:manual|never)\b|^\s*-?\s*(?:skip|disabled):\s*true|^\s*-?\s*enabled:\s*false|\brules:\s*\[\s*\{\s*when:\s*never/;
const SELDOM =
  /^\s*-?\s*(?:if|condition)\s*:.*(?:\bgithub\.(?:ref\w*|event\w*|actor|head_ref|base_ref|repository\w*)|\b(?:inputs|vars|secrets)\.|Build\.(?:SourceBranch|Reason)|\bCI_(?:COMMIT|PIPELINE)_\w+|\b(?:failure|failed|cancelled|canceled)\s*\(\s*\))|^\s*-?\s*when\s*:\s*["']?on_fail(?:ure)?\b/;
const NOTHING = /^\s*(?:exit\s+0|true|:|return\s+0)\s*;?\s*(?:#.*)?$/;

export function pipelineSignals({ all }: Changes): readonly Signal[] {
  return all.flatMap((change) => {
    const { role, path } = change;
    const scripts = /(?:^|\/)(?:package|composer|deno)\.jsonc?$/.test(path);
    const script = /\.(?:sh|bash)$/.test(path);
    if (
      role !== 'pipeline' &&
      !scripts &&
      !script &&
      !/(?:^|\/)(?:tox\.ini|pyproject\.toml|build\.gradle(?:\.kts)?)$/.test(path)
    )
      return [];
    const lost = [...lostFlags(change, all), ...ignored(change)];
    return script
      ? lost
      : [...lost, ...disabled(change), ...lostChecks(change, all), ...lostParts(change, all)];
  });
}

function added({ before, after }: Change): readonly { readonly text: string; readonly line: number }[] {
  const gone = new Set(before.side.lines.filter(({ changed }) => changed).map(({ text }) => text.trim()));
  return after.side.lines.flatMap(({ changed, text }, line) =>
    changed && !gone.has(text.trim()) && !/^\s*(?:#(?!!)|\/\/)/.test(text) ? [{ text, line }] : [],
  );
}

/** Returns a command without what follows its failure. */
function unconditional(command: string): string {
  return command.replace(/(?:\|\||;).*$/, '').trim();
}

function ignored(change: Change): readonly Signal[] {
  const { side } = change.after;
  const isMake = /[Mm]akefile$|\.mk$/.test(change.path);
  const old = change.before.side.lines
    .filter(({ changed }) => changed)
    .map(({ text }) => text)
    .join('\n');
  const ignoredBefore = old.split('\n').some((one) => IGNORES.test(one));
  const waiting = /^\s*wait\b/m.test(side.text);
  const isOfTests = /^test/.test(change.role);
  // In a test, each command that was there is a check; new ones may tidy up.
  const wanted = new Set(isOfTests ? old.split('\n').map(unconditional) : []);
  return added(change).flatMap(({ text, line }): Signal[] => {
    const command = text.replace(/#.*$/, '');
    const checks =
      wanted.has(unconditional(command)) ||
      (!isOfTests && CHECK.test(command)) ||
      (/\bset\s+\+e\b/.test(command) && change.role === 'pipeline');
    const waits = /\s&\s*$/.test(command) && waiting;
    const drops = IGNORES.test(command) && checks && !ignoredBefore && !waits;
    const dashed = isMake && /^\t@?-/.test(text) && CHECK.test(text) && !TIDIES.test(text);
    const tox = /tox\.ini$/.test(change.path) && /^\s*(?:commands\s*=\s*)?-\s*\w/.test(text) && checks;
    const make = isMake && /^\.IGNORE\b|^MAKEFLAGS\s*\+?=\s*.*-[ik]/.test(text);
    // A separate script next to the checking one may rewrite snapshots.
    const script = /^\s*("[\w:.-]+"\s*:)/.exec(text)?.[1];
    const isRewritten = rewrites(command) && !rewrites(old) && old.includes(script ?? '');
    const compiled = COMPILES.test(text) && /-DNDEBUG\b/.test(text) && !/-DNDEBUG\b/.test(old);
    return isRewritten ||
      compiled ||
      drops ||
      dashed ||
      tox ||
      make ||
      (TOLERATES.test(command) && !isOfNewStep(change, line))
      ? [signalAt(change, side, line, line, IGNORED)]
      : [];
  });
}

function disabled(change: Change): readonly Signal[] {
  const { side } = change.after;
  const isHook = /(?:^|\/)(?:\.husky|\.githooks|hooks)\//.test(change.path);
  return added(change).flatMap(({ text, line }): Signal[] => {
    const rest = side.lines
      .slice(line + 1)
      .some((one) => one.hunk === side.lines[line]?.hunk && one.text.trim() !== '');
    const ends =
      NOTHING.test(text) && isHook && (rest || change.before.side.lines.some(({ changed }) => changed));
    const gives =
      isHook && /(?:&&|\bthen\b)\s*exit\s+0\s*;?\s*(?:fi)?\s*$/.test(text) && !/\bCI\b/.test(text);
    const off =
      NEVER.test(text) || (gives && rest) || ends || (SELDOM.test(text) && wasUnconditional(change, line));
    return off ? [signalAt(change, side, line, line, DISABLED)] : [];
  });
}

function changedText({ side }: Version): string {
  return side.lines
    .filter(({ changed }) => changed)
    .map(({ text }) => text)
    .join('\n');
}

const CHECKS = new RegExp(CHECK.source, 'g');

function checksIn(text: string): readonly string[] {
  return [...text.replace(/\bruff format\b/g, 'ruff-format').matchAll(CHECKS)].map(([word]) => word);
}

function isReplaced(word: string, called: ReadonlySet<string>, before: string): boolean {
  return EQUIVALENT_CHECKERS.some(
    (kind) => kind.has(word) && [...kind].some((one) => called.has(one) && !before.includes(one)),
  );
}

type Called = { readonly called: ReadonlySet<string>; readonly checking: ReadonlySet<string> };

/** Returns the tools that the new versions call. The name of a package script isn't a call. */
function callsOf(all: readonly Change[], scripts: boolean): Called {
  const now = all
    .flatMap(({ after, role }) => (role === 'source' ? [] : after.side.lines))
    .map(({ text }) =>
      text
        .replace(/(?:^|\s)#.*$/, '')
        .replace(/\becho\b[^&|;]*/g, '')
        // The name of a job, step or target isn't a call.
        .replace(/^\s*-?\s*(?:name\s*:.*|[\w.-]+\s*:\s*)$/, ''),
    );
  const bare = now.map((one) => [one, checksIn(one.replace(/"[^"]+"\s*:/g, ''))] as const);
  return {
    called: new Set(scripts ? bare.flatMap(([, checks]) => checks) : now.flatMap(checksIn)),
    checking: new Set(
      bare.flatMap(([one, checks]) => (checks.length > 0 ? (one.match(/"[^"]*"/g) ?? []) : [])),
    ),
  };
}

const calledByScripts = remembered((all: readonly Change[]) => callsOf(all, true));
const calledBySteps = remembered((all: readonly Change[]) => callsOf(all, false));

const STRICT =
  /(?<![\w-])(?:-race|-Xfatal-warnings|-W[ =]?error|-D[ =]?warnings|--strict(?:-[\w-]+)?|--max-warnings[ =]0|--fail-on-[\w-]+|--all-features|--all-targets|--workspace|--warnings-as-errors|--disallow-[\w-]+)(?![\w-])/g;

/** A variable with the options of a compiler. */
const COMPILES = /^\s*(?:export\s+)?\w*FLAGS\s*[:+?]?=|\bset\s*\(\s*CMAKE_\w*FLAGS\b/;

function lostFlags(change: Change, all: readonly Change[]): readonly Signal[] {
  const { side } = change.before;
  const now = all.flatMap(({ role, after }) => (role === 'source' ? [] : after.side.lines));
  return side.lines.flatMap(({ changed, text }, line) => {
    if (!changed || /^\s*(?:#|\/\/)/.test(text)) return [];
    const checks = checksIn(text);
    const isCalled =
      COMPILES.test(text) ||
      now.some((one) => one.changed && checksIn(one.text).some((word) => checks.includes(word)));
    const lost = (text.match(STRICT) ?? []).some((flag) => !now.some((one) => one.text.includes(flag)));
    return lost && isCalled ? [signalAt(change, side, line, line, STRICTNESS)] : [];
  });
}

/** Returns signals for package scripts that run fewer commands than before, without one of their checks. */
function lostParts(change: Change, all: readonly Change[]): readonly Signal[] {
  const { before, after } = change;
  const scriptIn = (text: string) => {
    const [, name, command] = /^\s*"([^"]+)"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text) ?? [];
    return { name, parts: command?.split(/&&|;/).map((part) => part.trim()) ?? [] };
  };
  const now = after.side.lines.flatMap(({ changed, text }) => (changed ? [scriptIn(text)] : []));
  const added = all.flatMap(({ role, after: { side } }) =>
    role === 'other' ? [] : side.lines.flatMap(({ changed, text }) => (changed ? [text] : [])),
  );
  return before.side.lines.flatMap(({ changed, text }, line) => {
    const { name, parts } = scriptIn(text);
    const kept = now.find((one) => one.name === name && name !== undefined)?.parts ?? [];
    if (!changed || kept.length === 0 || !kept.every((part) => parts.includes(part))) return [];
    const isLost = parts.some(
      (part) => !kept.includes(part) && CHECK.test(part) && !added.some((one) => one.includes(part)),
    );
    return isLost ? [signalAt(change, before.side, line, line, REMOVED)] : [];
  });
}

/** Returns whether all that a text calls to check something is called by the new versions. */
function isElsewhere(text: string, called: ReadonlySet<string>): boolean {
  const tools = checksIn(text).filter((word) => !RUNS_OTHERS.has(word));
  return tools.length > 0 && tools.every((word) => called.has(word));
}

const RUNS_OTHERS: ReadonlySet<string> = new Set(['tox', 'nox', 'make', 'just']);

function lostChecks(change: Change, all: readonly Change[]): readonly Signal[] {
  const { before, file, path } = change;
  const isScripts = /\.jsonc?$/.test(path);
  const { called, checking } = isScripts ? calledByScripts(all) : calledBySteps(all);
  const lost = before.side.lines.flatMap(({ changed, text }, line) => {
    if (!changed || /^\s*(?:#|\/\/|echo\b|for\b)/.test(text)) return [];
    const isStep = isScripts
      ? /"[^"]+"\s*:\s*"[^"]*[a-z]/.test(text) &&
        /test|lint|type|check|verify|cov|pre(?:commit|push)/i.test(text)
      : !/^\s*-?\s*(?:name|on|runs-on|uses|[\w-]+\s*:\s*$)/.test(text) ||
        /uses:.*(?:codecov|golangci|super-linter|codeql|test)/.test(text);
    const words = checksIn(text);
    if (!isStep || words.length === 0) return [];
    const kept = words.some((word) => called.has(word) || isReplaced(word, called, before.side.text));
    const name = /"([^"]+)"\s*:\s*"[^"]*"/.exec(text)?.[1];
    const replaced = isScripts && name !== undefined && checking.has(`"${name}"`);
    return kept || replaced ? [] : [line];
  });
  const triggers = ['pull_request', 'push', 'merge_request_event', 'merge_group'].filter((word) =>
    new RegExp(`\\b${word}\\b`).test(changedText(before)),
  );
  const untriggered = triggers.filter(
    (word) => !change.after.side.lines.some(({ text }) => new RegExp(`\\b${word}\\b`).test(text)),
  );
  if (file.newPath !== null && untriggered.length > 0 && /ya?ml$/.test(path)) {
    const line = before.side.lines.findIndex(
      ({ changed, text }) => changed && text.includes(untriggered[0] ?? ''),
    );
    return [signalAt(change, before.side, line, line, REMOVED)];
  }
  const deleted =
    file.newPath === null &&
    (CHECK.test(before.side.text) || /hooks?\//.test(path)) &&
    !isElsewhere(before.side.text, called) &&
    !all.some((one) => one.file.newPath !== null && one.role === change.role);
  if (deleted) return [signalAt(change, before.side, 0, Math.min(before.side.lines.length, 4), REMOVED)];
  return file.newPath === null
    ? []
    : lost.slice(0, 1).map((line) => signalAt(change, before.side, line, line, REMOVED));
}
