import type { Effect } from '../effect.ts';
import type { WordRule, Words } from './call-words.ts';

const approves = ({ name, shown }: Words): Effect => ({ kind: 'approves', by: name, shown });
const installs =
  (instead: string) =>
  ({ name, shown }: Words): Effect => ({ kind: 'installs', by: name, shown, instead });

const READS =
  /^(?:--?\w+|status|logs?|report|explain|diff|doctor|metrics|prompt|replay|help|completion|demo|checkpoints|incidents(?: (?:list|show)\b.*)?|interventions|blocked|tasks(?: (?:list|show|check)\b.*)?|review (?:explain|log|rules)\b.*)?(?:\s|$)/;

const history =
  (does: 'discards' | 'overwrites_remote') =>
  ({ name, shown }: Words): Effect => ({ kind: 'history', by: name, shown, does, instead: null });

export const LOOP: readonly WordRule[] = [
  { programs: 'ralph ralph-gold', line: /./, unless: READS, does: approves },
  {
    programs: 'node bun deno',
    line: new RegExp(String.raw`/ralph-gold/bin/ralph\.js\s+(?!${READS.source.slice(1)})\S`),
    does: approves,
  },
  { programs: 'npm', line: /^(?:i|install)\b.*--no-package-lock\b/, does: installs('npm ci') },
  {
    programs: 'pnpm',
    line: /^(?:i|install)\b.*--(?:no-lockfile|no-frozen-lockfile|lockfile=false)\b/,
    does: installs('pnpm install --frozen-lockfile'),
  },
  {
    programs: 'yarn',
    line: /^(?:install\b)?.*--(?:no-lockfile|pure-lockfile|no-immutable)\b/,
    does: installs('yarn install --immutable'),
  },
  { programs: 'bun', line: /^(?:i|install)\b.*--no-save\b/, does: installs('bun install --frozen-lockfile') },
  { programs: 'bfg git-filter-repo', line: /./, unless: /--analyze/, does: history('overwrites_remote') },
  {
    programs: 'hg',
    line: /^(?:strip|purge|rollback|histedit|(?:update|up|checkout|co)\b.*\s(?:-C|--clean)|revert\b.*\s(?:--all|-a))/,
    does: history('discards'),
  },
  {
    programs: 'svn',
    line: /^revert\b.*\s(?:-R|--recursive)|^cleanup\b.*--remove/,
    does: history('discards'),
  },
  {
    programs: 'jj',
    verbs: /^(?:abandon|restore|op(?:eration)? (?:abandon|restore))/,
    does: history('discards'),
  },
];
