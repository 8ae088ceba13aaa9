import type { Terminal } from '../../io/ui/index.ts';

/** `ralph trust` for people: what runs, and where it stands now. */
export function trustText(data: Record<string, unknown>, { style }: Terminal): string {
  const accepted = data.accepted as readonly { readonly at: string; readonly sha256: string }[];
  const lines = [...(data.lines as readonly string[])];
  if (lines.length > 0) lines.unshift('This repository runs:');
  if (data.action === 'revoke') {
    lines.push('', 'Nothing is accepted any more; the next run asks.');
  } else if (data.state === 'nothing_runs') {
    lines.push('This repository names no command and no prompt template: there is nothing to accept.');
  } else if (data.state === 'untrusted') {
    lines.push('', `${style.yellow('Not accepted.')} ralph trust accepts exactly this.`);
  } else {
    const fresh = data.was === 'untrusted';
    lines.push('', style.green(fresh ? 'Accepted. ralph run' : 'Accepted already.'));
  }
  if (data.action === 'list' && accepted.length > 0) {
    lines.push('', 'Accepted so far:');
    for (const { at, sha256 } of accepted) {
      lines.push(
        `  ${at.slice(0, 19)}Z  ${sha256.slice(0, 12)}${sha256 === data.sha256 ? '  (as it is now)' : ''}`,
      );
    }
  }
  return lines.join('\n');
}
