import { THRESHOLDS } from '../thresholds.ts';
import { count, found, type SignDetector, share, wordsIn } from './look.ts';

const LIMITS = THRESHOLDS.explorer;

const RECOMMENDS =
  /\brecommend(?:ation|ations|ed|s)?\b|\bI(?:'d| would) (?:suggest|propose|do|use|change)\b|\bproposal\b|\bthe next step is\b/i;
const SYNTHESIS =
  /\b(?:recommend\w*|summar\w+|conclusions?|conclude|synthesis|in short|overall|therefore|findings?|takeaways?|proposal|to sum up)\b/i;
const TANGENT =
  /\b(?:tangents?|by the way|as an aside|side note|on another note|unrelated(?:ly)?|incidentally|while I was (?:there|at it|looking)|interestingly|not (?:directly )?related)\b/i;
const PATTERN =
  /\b(?:patterns?|conventions?|in common|the same way|all (?:of (?:them|these)|follow)|each of (?:them|these)|structure[ds]?|layers?|architecture|consistently)\b/i;

/** Explorer → rabbit hole. */
export const RABBIT_HOLE: readonly SignDetector[] = [
  {
    sign: 'long_without_recommendation',
    find: ({ text }) => {
      const words = wordsIn(text);
      if (words <= LIMITS.wordsOver) return null;
      const seen = `${words} words (over ${LIMITS.wordsOver})`;
      return RECOMMENDS.test(text)
        ? found(seen, 'it ends in a recommendation')
        : found(`${seen} without a recommendation`);
    },
  },
  {
    sign: 'tangents',
    find: ({ text, task }) => {
      const tangents = text.split(/\n+|(?<=[.!?])\s+/).filter((part) => TANGENT.test(part));
      if (tangents.length <= LIMITS.tangentsOver) return null;
      const loose = tangents.filter((part) => !task.expectedPaths.some((path) => part.includes(path)));
      const isBound = loose.length <= LIMITS.tangentsOver;
      return found(count(tangents.length, 'tangent'), isBound && 'they lead back to files of the task');
    },
  },
  {
    sign: 'files_without_pattern',
    find: ({ text, reads }) => {
      if (reads.length <= LIMITS.filesOver) return null;
      const named = reads.filter((path) => text.includes(path));
      const seen = `${reads.length} files read (over ${LIMITS.filesOver})`;
      if (PATTERN.test(text)) return found(seen, 'it names what they have in common');
      return named.length >= reads.length * LIMITS.relevantShare
        ? found(seen, `${share(named.length, reads.length)} are named in the report, so they were relevant`)
        : found(`${seen}, and no pattern named`);
    },
  },
  {
    sign: 'no_synthesis_at_the_end',
    find: ({ text }) => {
      const words = text.split(/\s+/).filter((word) => word !== '');
      if (words.length < LIMITS.synthesisFromWords) return null;
      const end = words.slice(Math.floor(words.length * (1 - LIMITS.synthesisShare))).join(' ');
      if (SYNTHESIS.test(end)) return null;
      const start = words.slice(0, Math.floor(words.length * LIMITS.synthesisShare)).join(' ');
      return found(
        'no synthesis in the last quarter',
        RECOMMENDS.test(start) && 'the recommendation stands at the beginning',
      );
    },
  },
];
