import type { Change, Changes } from '../../change.ts';
import type { Signal } from '../../finding.ts';
import { type Sign, signalAt } from '../sign.ts';

const REMOVED: Sign = {
  category: 'gate_weakening',
  kind: 'strictness_removed',
  confidence: 0.8,
  reason: 'A check is run less strictly than before',
};
const LOWERED: Sign = {
  category: 'gate_weakening',
  kind: 'threshold_lowered',
  confidence: 0.85,
  reason: 'A threshold demands less than before',
};

/** What makes a command find more, or fail by more. */
const STRICT =
  /(?<![\w-])(?:-race|-Xfatal-warnings|-Xlint(?::\w+)?|-W[ =]error|-W(?:error|all|extra|pedantic|conversion|unused)(?::\w+)?|-D[ =]?warnings|--deny[ =-][\w-]+|--strict(?:-[\w-]+)?|--forbid-\w+|--max-warnings[ =]0|--fail-on-[\w-]+|--failOn\w+|--all-features|--all-targets|--workspace|--check-coverage|--error-on-[\w-]+|--warnings-as-errors|--disallow-[\w-]+|--verify-no-changes)(?![\w-])/g;
/** A line whose numbers say how much has to be covered. */
const COVERAGE = /cover|threshold|\bmin(?:imum)?\b/i;

/** Commands that check with fewer demands than before: a flag that is gone, a number behind a script that fell. */
export function strictnessSignals({ all }: Changes): readonly Signal[] {
  const files = all.filter(
    ({ role, path }) => role === 'config' || role === 'pipeline' || /\.(?:sh|bash)$/.test(path),
  );
  const now = files.flatMap(({ after: { side } }) => side.lines.map(({ text }) => text));
  return files.flatMap((change) => [...flags(change, now), ...numbers(change)]);
}

function flags(change: Change, now: readonly string[]): readonly Signal[] {
  const { side } = change.before;
  return side.lines.flatMap(({ changed, text }, line) => {
    if (!changed || /^\s*(?:#|\/\/)/.test(text)) return [];
    const lost = [...text.matchAll(STRICT)].filter(
      ([flag]) =>
        !now.some((one) => one.includes(flag)) &&
        !isOtherTool(text, now) &&
        !(/^-D|deny/.test(flag) && now.some((one) => /\bdeny\b/.test(one))),
    );
    return lost.length > 0 ? [signalAt(change, side, line, line, REMOVED)] : [];
  });
}

/** Another linter or runner has other flags. */
function isOtherTool(text: string, now: readonly string[]): boolean {
  const key = /^\s*("[\w:.-]+")\s*:/.exec(text)?.[1];
  const tool = /\b(?:eslint|biome|oxlint|tsc|jest|vitest|mocha|ruff|flake8|pylint|mypy|pyright)\b/;
  const next = key === undefined ? undefined : now.find((one) => one.trim().startsWith(`${key}:`));
  const [old, fresh] = [tool.exec(text)?.[0], tool.exec(next ?? '')?.[0]];
  return old !== undefined && fresh !== undefined && old !== fresh;
}

function numbers(change: Change): readonly Signal[] {
  if (change.role !== 'pipeline') return [];
  const { before, after } = change;
  const shape = (text: string) => text.replace(NUMBER, '#').trim();
  const old = before.side.lines.filter(({ changed, text }) => changed && COVERAGE.test(text));
  return after.side.lines.flatMap(({ changed, text }, line) => {
    const was = changed ? old.find((one) => shape(one.text) === shape(text)) : undefined;
    if (was === undefined) return [];
    const [numbersBefore, numbersNow] = [numbersIn(was.text), numbersIn(text)];
    const fell = numbersNow.some((one, index) => one < (numbersBefore[index] ?? one));
    return fell ? [{ ...signalAt(change, after.side, line, line, LOWERED), before: was.text.trim() }] : [];
  });
}

const NUMBER = /(?<![\w.])\d+(?:\.\d+)?(?![\w.])/g;

function numbersIn(text: string): readonly number[] {
  return (text.match(NUMBER) ?? []).map(Number);
}
