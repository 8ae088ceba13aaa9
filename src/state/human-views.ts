import type { HumanState, Whitelisted } from '../domain/human/state.ts';
import { snakeKeys } from '../lib/snake-keys.ts';

type Document = { readonly path: string; readonly content: string };

/** Characters of a path in the name of its whitelist. */
const LONGEST_NAME = 150;

/** `.ralph/gates/` and `.ralph/whitelists/`: what waits for your decision, and what you decided. */
export function humanViews(human: HumanState): Document[] {
  return [...auditView(human), ...requestViews(human), ...whitelistViews(human)];
}

function auditView({ audit }: HumanState): Document[] {
  if (audit.head.n === 0) return [];
  const content = audit.lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  return [{ path: 'gates/decisions.log', content }];
}

function requestViews({ requests, decided }: HumanState): Document[] {
  const open = requests.map((request) => ({ request, decision: null }));
  return [...open, ...decided.map(({ request, ...decision }) => ({ request, decision }))].map(
    ({ request, decision }) => ({
      path: `gates/${request.id}.json`,
      content: json({ $schema: 'ralph.human_gate.v1', ...snakeKeys(request), decision: snakeKeys(decision) }),
    }),
  );
}

function whitelistViews({ whitelist, examples }: HumanState): Document[] {
  const files = new Map<string, Whitelisted[]>();
  for (const entry of whitelist) {
    const path = whitelistPath(entry.path);
    files.set(path, [...(files.get(path) ?? []), entry]);
  }
  const lists = [...files].map(([path, entries]) => ({
    path,
    content: json({ $schema: 'ralph.whitelist.v1', entries: snakeKeys(entries) }),
  }));
  const kept = examples.map((example) => ({
    path: `whitelists/examples/${example.request}.json`,
    content: json({ $schema: 'ralph.example.v1', ...snakeKeys(example) }),
  }));
  return [...lists, ...kept];
}

/** `whitelists/global.json`, or one file for each path. */
function whitelistPath(path: string | null): string {
  return path === null
    ? 'whitelists/global.json'
    : `whitelists/files/${encodeURIComponent(path).slice(-LONGEST_NAME)}.json`;
}

function json(document: Record<string, unknown>): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
