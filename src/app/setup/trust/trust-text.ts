import { visible } from 'ralph-kit/text';
import type { TrustItem } from './trust-items.ts';

export const FORGED =
  "What you accepted is kept in trust.json, and entries in it aren't as ralph wrote them (edited, or their key is gone): they don't count.";

/** Characters of a hash on screen: `sha256:` and 12 digits. */
const HASH_SHOWN = 19;

/** Columns before an item's text. */
export const TRUST_INDENT = 12;

/** Returns a line for each item, without hiding or shortening anything. */
export function trustLines(items: readonly TrustItem[]): string[] {
  return items.map((item) => `  ${item.kind.padEnd(TRUST_INDENT - 4)}  ${lineOf(item)}`);
}

function lineOf({ kind, name, text }: TrustItem): string {
  return {
    gate: name === text ? visible(text) : `${visible(name)}: ${visible(text)}`,
    agent: `[${visible(name)}] ${visible(text)}`,
    box: `[${visible(name)}] ${visible(text)}`,
    human: `[${visible(name)}] ${visible(text)}`,
    notify: `[${visible(name)}] ${visible(text)}`,
    scenario: `${visible(name)} (${text.slice(0, HASH_SHOWN)})`,
    template: `${visible(name)} (${text.slice(0, HASH_SHOWN)})`,
    handler: `${visible(name)} (${text.slice(0, HASH_SHOWN)})`,
    notes: `${visible(name)} → ${visible(text)}`,
    tracker: `${visible(name)} → ${visible(text)}`,
    task: `${visible(name)}: ${visible(text)}`,
  }[kind];
}
