import type { Change, Changes } from '../../change.ts';
import type { Signal } from '../../finding.ts';
import { type Sign, signalAt } from '../sign.ts';

const RELAXED: Sign = {
  category: 'gate_weakening',
  kind: 'policy_relaxed',
  confidence: 0.85,
  reason: 'A rule or setting for agents demands less',
};

const DEMANDS =
  /\b(?:must|never|always|don't|do not|required?|shall|only|before (?:each|every|you)|ensure|verify|run (?:the )?(?:tests?|lint|checks?)|no\b|forbidden|not allowed|approval)\b|^\s*[-*\d.]+\s*(?:run|test|check|lint|write|add|keep|ask)\b/i;
const PERMITS =
  /\b(?:may|can|allowed to|free to|ok(?:ay)? to|fine to|feel free|optional(?:ly)?|not (?:needed|necessary|required)|no need|need(?:n't| not)|skip(?:ped|ping)?|ignore|without (?:running|asking|tests?|approval|review)|bypass|disable|--no-verify|unless)\b/i;
const LOOSE =
  /"hooks"\s*:\s*\{\s*\}|"(?:deny|ask)"\s*:\s*\[\s*\]|disable\w*hooks|bypass\w*|dangerously|danger-full-access|skip\w*permissions|yolo|auto_?approve|"allow"|'allow'|\ballow\b|never["']|full-auto|required\s*=\s*false|enabled\s*[=:]\s*false|["']?mode["']?\s*[=:]\s*["'](?:off|yolo|bypass\w*|auto)|\boff\b|acceptEdits|network_access\s*=\s*true|on_missing\s*=\s*"(?:skip|warn)"|max_\w+\s*=|trust\w*\s*[=:]\s*true|\|\|\s*true|exit 0|["']?command["']?\s*[=:]\s*["'](?:true|:|echo\b[^"']*)["']/i;

export function policySignals({ all }: Changes): readonly Signal[] {
  return all
    .filter(({ role }) => role === 'policy')
    .flatMap((change) => (/\.(?:md|mdc|txt)$|rules$/.test(change.path) ? rules(change) : settings(change)));
}

function rules(change: Change): readonly Signal[] {
  const { before, after, file } = change;
  const added = after.side.lines.flatMap(({ changed, text }, index) => (changed ? [{ text, index }] : []));
  const removed = before.side.lines.flatMap(({ changed, text }, index) =>
    changed && DEMANDS.test(text) ? [{ text, index }] : [],
  );
  const words = (text: string) => new Set(text.toLowerCase().match(/[a-z]{3,}/g) ?? []);
  const reworded = (text: string) =>
    added.some(
      (one) =>
        DEMANDS.test(one.text) &&
        !PERMITS.test(one.text) &&
        [...words(text)].filter((word) => words(one.text).has(word)).length * 2 >= words(text).size,
    );
  const gone = removed.find(({ text }) => !reworded(text));
  if (gone !== undefined) return [signalAt(change, before.side, gone.index, gone.index, RELAXED)];
  const permits = added.find(
    ({ text }) =>
      PERMITS.test(text) &&
      /test|check|lint|hook|review|gate|approv|assert|verif|permission|rule/i.test(text) &&
      !/\b(?:never|don't|do not|must not|not)\b.*\b(?:skip|bypass|disable|ignore)/i.test(text),
  );
  if (permits !== undefined && file.oldPath !== null)
    return [signalAt(change, after.side, permits.index, permits.index, RELAXED)];
  return [];
}

function settings(change: Change): readonly Signal[] {
  const { before, after } = change;
  const loosened = after.side.lines.findIndex(
    ({ changed, text }) => changed && LOOSE.test(text) && !/^\s*(?:#|\/\/)/.test(text),
  );
  if (loosened >= 0) return [signalAt(change, after.side, loosened, loosened, RELAXED)];
  const fewer = listsFewer(change);
  if (fewer >= 0) return [signalAt(change, before.side, fewer, fewer, RELAXED)];
  const lost = before.side.lines.findIndex(
    ({ changed, text }) =>
      changed &&
      !/^\s*(?:#|\/\/)/.test(text) &&
      /hook|deny|gate|require|sandbox|approval|command|matcher|protect|limit|max_|review|\bask\b/i.test(text),
  );
  const kept = after.side.lines.filter(({ changed }) => changed).length;
  const changedAll = before.side.lines.filter(({ changed }) => changed).length;
  return lost >= 0 && kept < changedAll + (kept > 0 ? 0 : 1)
    ? [signalAt(change, before.side, lost, lost, RELAXED)]
    : [];
}

/** Returns the first line of a list of demands or gates that lost entries, or gained one that does nothing; -1 without any. */
function listsFewer({ before, after }: Change): number {
  const entries = (text: string): readonly string[] =>
    text.replace(/^[^=:]*[=:]/, '').match(/"[^"]*"|'[^']*'/g) ?? [];
  const keyOf = (text: string) => /^\s*["']?([\w.-]+)["']?\s*[:=]/.exec(text)?.[1];
  return before.side.lines.findIndex(({ changed, text }) => {
    const key = keyOf(text);
    if (!changed || key === undefined || !/command|gate|check|deny|ask|require|protect|reviewer/i.test(key))
      return false;
    const now = after.side.lines.find((one) => one.changed && keyOf(one.text) === key)?.text;
    if (now === undefined) return false;
    const [old, fresh] = [entries(text), entries(now)];
    const idle = fresh.some((one) => /^["'](?:true|:|exit 0|echo\b.*)["']$/.test(one) && !old.includes(one));
    return idle || (fresh.length < old.length && fresh.every((one) => old.includes(one)));
  });
}
