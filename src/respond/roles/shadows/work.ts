import { isLock, isTestFile, startsTests } from 'ralph-ecosystems';
import { counted } from 'ralph-kit/counted';
import type { Planner } from '../../../domain/workflow/roles.ts';
import { planOf } from '../plan.ts';
import { THRESHOLDS } from '../thresholds.ts';
import { found, type RoleObservation, type SignDetectors, wordsIn } from './observation.ts';

const { explorer, creator, maker } = THRESHOLDS;

const RECOMMENDS =
  /\brecommend(?:ation|ations|ed|s)?\b|\bI(?:'d| would) (?:suggest|propose|do|use|change)\b|\bproposal\b|\bthe next step is\b/i;
const SYNTHESIS =
  /\b(?:recommend\w*|summar\w+|conclusions?|conclude|synthesis|in short|overall|therefore|findings?|takeaways?|proposal|to sum up)\b/i;
const TANGENT =
  /\b(?:tangents?|by the way|as an aside|side note|on another note|unrelated(?:ly)?|incidentally|while I was (?:there|at it|looking)|interestingly|not (?:directly )?related)\b/i;
const PATTERN =
  /\b(?:patterns?|conventions?|in common|the same way|all (?:of (?:them|these)|follow)|each of (?:them|these)|structure[ds]?|layers?|architecture|consistently)\b/i;

const EXPLORER: SignDetectors = {
  long_without_recommendation: ({ text }) => {
    const words = wordsIn(text);
    if (words <= explorer.wordsOver) return null;
    const seen = `${words} words (over ${explorer.wordsOver})`;
    return RECOMMENDS.test(text)
      ? found(seen, 'it ends in a recommendation')
      : found(`${seen} without a recommendation`);
  },
  tangents: ({ text, task }) => {
    const tangents = text.split(/\n+|(?<=[.!?])\s+/).filter((part) => TANGENT.test(part));
    if (tangents.length <= explorer.tangentsOver) return null;
    const loose = tangents.filter((part) => !task.expectedPaths.some((path) => part.includes(path)));
    const isBound = loose.length <= explorer.tangentsOver;
    return found(counted(tangents.length, 'tangent'), isBound && 'they lead back to files of the task');
  },
  files_without_pattern: ({ text, reads }) => {
    if (reads.length <= explorer.filesOver) return null;
    const named = reads.filter((path) => text.includes(path));
    const seen = `${reads.length} files read (over ${explorer.filesOver})`;
    if (PATTERN.test(text)) return found(seen, 'it names what they have in common');
    return named.length >= reads.length * explorer.relevantShare
      ? found(seen, `${named.length} of ${reads.length} are named in the report, so they were relevant`)
      : found(`${seen}, and no pattern named`);
  },
  no_synthesis_at_the_end: ({ text }) => {
    const words = text.split(/\s+/).filter((word) => word !== '');
    if (words.length < explorer.synthesisFromWords) return null;
    const end = words.slice(Math.floor(words.length * (1 - explorer.synthesisShare))).join(' ');
    if (SYNTHESIS.test(end)) return null;
    const start = words.slice(0, Math.floor(words.length * explorer.synthesisShare)).join(' ');
    return found(
      'no synthesis in the last quarter',
      RECOMMENDS.test(start) && 'the recommendation stands at the beginning',
    );
  },
};

const FUTURE =
  /\bfuture[- ]?proof\w*|\bin case (?:we|you|it|they) (?:later|ever|one day)\b|\b(?:might|may|could) (?:need|want) (?:it |this |that |to )?(?:later|one day|in (?:the )?future)\b|\bfor (?:possible |potential )?future (?:use|needs|requirements|extensions?|extensibility|providers?|backends?)\b|\bYAGNI be damned\b/i;
const NEGATED = /\b(?:no|not|without|avoid\w*|rather than|instead of|never|don't|isn't|drop\w*|unneeded)\b/i;

const CREATOR: SignDetectors = {
  new_abstractions: ({ text, task }) => {
    const { abstractions } = planOf(text);
    if (abstractions.length <= creator.abstractionsOver) return null;
    const own = abstractions.filter((name) => !asksFor(task, name));
    return found(
      `${counted(abstractions.length, 'new abstraction')}: ${abstractions.join(', ')}`,
      own.length <= creator.abstractionsOver && 'the task asks for them by name',
    );
  },
  future_proof: ({ text, task }) => {
    const reasons = text.split(/\n+|(?<=[.!?;])\s+/).filter((part) => FUTURE.test(part));
    const [reason] = reasons;
    if (reason === undefined) return null;
    const seen = `"${FUTURE.exec(reason)?.[0] ?? ''}" as a reason`;
    if (FUTURE.test(task.text)) return found(seen, 'the task asks for it');
    return found(seen, reasons.every((part) => NEGATED.test(part)) && 'it says so as a reason against');
  },
  scope: ({ text, task }) => {
    const { files } = planOf(text);
    const expected = task.expectedPaths.length;
    if (expected === 0 || files.length <= expected * creator.scopeOver) return null;
    const work = files.filter((path) => !isTestFile(path));
    return found(
      `${files.length} files planned where the task expects ${expected}`,
      work.length <= expected * creator.scopeOver && 'the rest are tests',
    );
  },
  new_packages: ({ text, task }) => {
    const { packages } = planOf(text);
    if (packages.length <= creator.packagesOver) return null;
    const own = packages.filter((name) => !asksFor(task, name));
    return found(
      `${counted(packages.length, 'new package')}: ${packages.join(', ')}`,
      own.length <= creator.packagesOver && 'the task asks for them by name',
    );
  },
};

function asksFor({ text }: RoleObservation['task'], name: string): boolean {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}_@/.-]+/u)
    .some((word) => word.replace(/[.]+$/, '') === name.toLowerCase());
}

const NO_CODE =
  /\.(?:md|mdx|rst|txt|adoc|json|ya?ml|toml|ini|cfg|lock|csv|svg|png|jpe?g|gif|ico|css|scss|html?)$|(?:^|\/)(?:LICENSE|CHANGELOG|README|\.[\w.-]+)$/i;

const MAKER: SignDetectors = {
  no_test_file: ({ changed }) => {
    if (changed.length < maker.filesAtLeast || changed.some(({ path }) => isTestFile(path))) return null;
    return found(
      `${changed.length} files changed, none of them a test`,
      changed.every(({ path }) => NO_CODE.test(path)) && 'none of them is code',
    );
  },
  one_monolithic_commit: ({ commits, changed }) => {
    if (commits !== 1 || changed.length < maker.monolithicAtLeast) return null;
    const folders = new Set(changed.map(({ path }) => path.split('/').slice(0, -1).join('/')));
    return found(
      `one commit with ${changed.length} files`,
      folders.size === 1 && 'all of them lie in one folder',
    );
  },
  outside_proposal: ({ proposal, outside }) => {
    if (proposal === null || outside.length < maker.outsideAtLeast) return null;
    const work = outside.filter((path) => !isTestFile(path) && !isLock(path));
    return found(
      `${counted(outside.length, 'file')} outside the proposal: ${outside.slice(0, 3).join(', ')}`,
      work.length === 0 && 'they are tests of the change, or generated',
    );
  },
  no_test_run: ({ changed, commands, gatesPassed }) => {
    if (changed.every(({ path }) => NO_CODE.test(path))) return null;
    if (commands === null) return found('no test run seen', "the agent's commands can't be seen");
    if (commands.some(startsTests)) return null;
    return found('no test run seen', gatesPassed && 'the gates ran after it and passed');
  },
};

export const WORK_SIGNS: Readonly<Record<Planner | 'maker', SignDetectors>> = {
  explorer: EXPLORER,
  creator: CREATOR,
  maker: MAKER,
};
