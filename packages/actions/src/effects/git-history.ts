import { exactField, fieldText, hasFlag, splitArguments } from '../shell/index.ts';
import type { Effect, HistoryEffect } from './effect.ts';
import { expandOptions, type GitCall } from './git.ts';

type Does = Pick<HistoryEffect, 'does' | 'instead'>;
const discards = (instead: string | null = null): Does => ({ does: 'discards', instead });
const DELETES: Does = { does: 'deletes', instead: null };
const REWRITES: Does = { does: 'rewrites', instead: null };
const ADDS: Does = { does: 'adds', instead: null };

export function historyEffects(call: GitCall): readonly Effect[] {
  const { verb } = call;
  const shown = `git ${[verb, ...call.args.map(fieldText)].join(' ')}`
    .replaceAll(/[\uE000-\uE005]+/g, '…')
    .slice(0, 120);
  const does = doneBy(call);
  return does === null ? [] : [{ kind: 'history', by: `git ${verb}`, shown, ...does }];
}

function doneBy({ verb, args, settings }: GitCall): Does | null {
  const { flags: given, operands } = splitArguments(args, VALUED[verb] ?? []);
  const flags = expandOptions(given);
  const words = operands.map(fieldText);
  const [first = ''] = words;
  if (hasFlag(flags, '--help') || (verb !== 'grep' && flags.includes('-h'))) return null;
  const has = (...names: string[]) => hasFlag(flags, ...names);
  switch (verb) {
    case 'push':
    case 'send-pack':
    case 'http-push':
      return pushed(flags, words);
    case 'reset':
      return reset(flags, words);
    case 'checkout':
      return checkedOut(flags, args.map(fieldText), words);
    case 'restore':
      return (has('--staged') || has('-S')) && !has('--worktree', '-W')
        ? null
        : discards('git stash push -- PATH');
    case 'switch':
      if (has('-f', '--force', '--discard-changes')) return discards('git switch without it');
      return has('-C', '--force-create') ? REWRITES : null;
    case 'clean':
      return has('-n', '--dry-run') ? null : discards('git clean -n, then remove the files by name');
    case 'stash':
      return stashed(flags, args.map(fieldText), first);
    case 'reflog':
      return /^(?:expire|delete|drop)$/.test(first) ? DELETES : null;
    case 'gc':
      if (settings.some(({ head }) => /^gc\.(?:prune|reflog)\w*=(?:now|all|0)/i.test(head))) return DELETES;
      return flags.some((flag) => /^--prune=(?:now|all|today|\d)|^--prune$/.test(flag)) ? DELETES : null;
    case 'prune':
      return has('-n', '--dry-run') ? null : DELETES;
    case 'branch':
      return branched(flags);
    case 'tag':
      return has('-d', '--delete') ? DELETES : has('-f', '--force') ? REWRITES : null;
    default:
      return otherVerb(verb, flags, words);
  }
}

/** `instead` stashes all changes but those in `.ralph`. */
function stashed(flags: readonly string[], words: readonly string[], first: string): Does {
  if (first === 'drop' || first === 'clear') return DELETES;
  const isPushed = first === 'push' || first === 'save' || !/^[a-z]/.test(words[0] ?? '');
  const named = words.includes('--') || flags.some((flag) => /^--pathspec/.test(flag));
  const paths = first === 'push' && splitArguments(words.map(exactField), STASH_VALUED).operands.length > 1;
  if (!isPushed || named || paths || hasFlag(flags, '-p', '--patch', '-S', '--staged')) return ADDS;
  return { does: 'adds', instead: "git stash push -- ':/' ':(exclude,top).ralph'" };
}

const STASH_VALUED = ['-m', '--message'];
const VALUED: Readonly<Record<string, readonly string[]>> = {
  push: ['-o', '--push-option', '--receive-pack', '--exec'],
  stash: STASH_VALUED,
  restore: ['-s', '--source', '--pathspec-from-file'],
  commit: ['-m', '-F', '-C', '-c', '--message', '--file', '--author', '--date', '--fixup', '--squash', '-t'],
  tag: ['-m', '-F', '-u'],
  clean: ['-e', '--exclude'],
  checkout: ['-b', '-B', '--orphan', '--pathspec-from-file', '--conflict'],
  switch: ['-c', '-C', '--orphan', '--conflict'],
  rebase: ['-x', '--exec', '-s', '-X', '--onto'],
};

function pushed(flags: readonly string[], words: readonly string[]): Does | null {
  if (hasFlag(flags, '-n', '--dry-run')) return null;
  const lost: Does = { does: 'overwrites_remote', instead: null };
  if (hasFlag(flags, '-d', '--delete', '--mirror', '--prune')) return lost;
  if (words.slice(1).some((word) => /^\+?:./.test(word))) return lost;
  const forced = hasFlag(flags, '-f', '--force') || words.some((word) => /^\+/.test(word));
  if (forced) return { does: 'overwrites_remote', instead: 'git push --force-with-lease' };
  return hasFlag(flags, '--force-with-lease') ? { does: 'rewrites', instead: null } : null;
}

function reset(flags: readonly string[], words: readonly string[]): Does | null {
  if (hasFlag(flags, '--hard')) return discards('git stash, then git reset --keep');
  if (hasFlag(flags, '--merge')) return discards('git reset --keep');
  const moves = words.some((word) => /^(?:HEAD[~^@]|[0-9a-f]{7,40}$|origin\/|@\{)/.test(word));
  return moves ? REWRITES : null;
}

function checkedOut(flags: readonly string[], all: readonly string[], words: readonly string[]): Does | null {
  if (hasFlag(flags, '-f', '--force')) return discards('git checkout without -f');
  if (flags.some((flag) => /^-(?:b|B|t|-orphan|-track|-detach)/.test(flag))) {
    return flags.some((flag) => flag.startsWith('-B')) ? ADDS : null;
  }
  const files = hasFlag(flags, '--ours', '--theirs', '-p', '--patch', '--pathspec-from-file');
  const marked = all.includes('--') && all.indexOf('--') < all.length - 1;
  const paths = words.some((word) => /^(?:\.{1,2}(?:\/.*)?|:\/.*|\*.*)$/.test(word));
  return files || marked || paths || words.length > 1 ? discards('git stash push -- PATH') : null;
}

function branched(flags: readonly string[]): Does | null {
  const forced = hasFlag(flags, '-f', '--force');
  if (hasFlag(flags, '-D') || (hasFlag(flags, '-d', '--delete') && forced)) {
    return { does: 'deletes', instead: 'git branch -d, which keeps what is not merged' };
  }
  if (forced) return DELETES;
  if (hasFlag(flags, '-M', '-C')) return REWRITES;
  return null;
}

function otherVerb(verb: string, flags: readonly string[], words: readonly string[]): Does | null {
  const [first = ''] = words;
  const has = (...names: string[]) => hasFlag(flags, ...names);
  switch (verb) {
    case 'rm':
      return has('-f', '--force') && !has('--cached', '-n', '--dry-run')
        ? discards('git rm without it')
        : null;
    case 'commit':
      return has('--amend') ? REWRITES : null;
    case 'rebase':
      if (has('--root')) return { does: 'overwrites_remote', instead: null };
      return has('--abort', '--continue', '--skip', '--quit', '--edit-todo', '--show-current-patch')
        ? ADDS
        : REWRITES;
    case 'filter-branch':
    case 'filter-repo':
      if (has('--analyze', '--dry-run')) return null;
      return { does: 'overwrites_remote', instead: null };
    case 'update-ref':
      return has('-d', '--stdin') || words.length === 0 ? DELETES : { does: 'deletes', instead: null };
    case 'symbolic-ref':
      return words.length > 1 || has('-d', '--delete') ? DELETES : null;
    case 'replace':
      return has('-d', '--delete', '-f') ? DELETES : ADDS;
    case 'read-tree':
      return has('--reset', '-u') ? discards() : null;
    case 'checkout-index':
      return has('-f', '--force', '-a') && !flags.some((flag) => flag.startsWith('--prefix'))
        ? discards()
        : null;
    case 'submodule':
      return /^(?:deinit|update)$/.test(first) && has('-f', '--force') ? discards() : null;
    case 'worktree':
      return first === 'remove' && has('-f', '--force') ? discards('git worktree remove without it') : null;
    case 'lfs':
      if (first === 'migrate' && words[1] !== 'info') return { does: 'overwrites_remote', instead: null };
      return first === 'prune' && has('-f', '--force') ? DELETES : null;
    case 'fetch':
    case 'pull':
      return words.some((word) => /^\+[^:]+:(?!refs\/remotes)/.test(word)) ? DELETES : null;
    case 'notes':
      return first === 'remove' || first === 'prune' ? DELETES : null;
    case 'fast-import':
      return has('--force') ? DELETES : null;
    default:
      return null;
  }
}

/** Settings with which git runs programs or skips its checks. */
const OPENS =
  /^(?:core\.(?:hookspath|editor|pager|sshcommand|fsmonitor|askpass|gitproxy|attributesfile|worktree)|sequence\.editor|alias\.|pager\.|credential\.(?:.*\.)?helper|diff\.(?:.*\.)?(?:external|textconv|command)|merge\..*\.driver|filter\.|protocol\.|url\.|http\.(?:.*\.)?sslverify|gpg\.(?:.*\.)?program|include(?:if)?\.|init\.templatedir|uploadpack\.|receive\.|remote\..*\.(?:uploadpack|receivepack|proxy|vcs)|ssh\.variant|interactive\.difffilter|commit\.gpgsign|safe\.directory)/i;
const HARMLESS_PROGRAM =
  /^(?:cat|less|more|true|:|vim?|nano|code --wait|delta|store|cache|osxkeychain|manager|simple|false|)$/;

export function disabledByGit({ verb, args, settings }: GitCall): readonly Effect[] {
  const words = args.map(fieldText);
  const shown = `git ${[verb, ...words].join(' ')}`.slice(0, 120);
  const around = (what: 'hooks' | 'protection'): Effect => ({
    kind: 'disables',
    by: `git ${verb}`,
    shown,
    what,
  });
  const flags = expandOptions(splitArguments(args, VALUED[verb] ?? []).flags);
  if (/^(?:commit|push|merge|rebase|am|pull|cherry-pick|revert)$/.test(verb) && skipsHooks(verb, flags))
    return [around('hooks')];
  const own = verb === 'clone' ? (splitArguments(args, ['-c', '--config']).values.get('-c') ?? []) : [];
  const template =
    verb === 'clone' || verb === 'init' ? splitArguments(args, ['--template']).values : new Map();
  const templates = [...template.values()].flat().filter((each) => fieldText(each) !== '');
  if (templates.length > 0) return [around('hooks')];
  const opened = [...settings, ...own].map(fieldText).find((each) => opensBySetting(each));
  if (opened !== undefined) return [/hookspath/i.test(opened) ? around('hooks') : around('protection')];
  if (verb !== 'config') return [];
  const { operands, flags: given } = splitArguments(args, ['-f', '--file', '--blob', '--type', '--default']);
  const [name = '', value] = operands.map(fieldText).filter((word) => word !== 'set' && word !== 'unset');
  const unsets = hasFlag(given, '--unset', '--unset-all', '--remove-section') || words[0] === 'unset';
  if (hasFlag(given, '--get', '--get-all', '-l', '--list', '--get-regexp') || words[0] === 'get') return [];
  if (unsets ? !/hookspath/i.test(name) : value === undefined || !opensBySetting(`${name}=${value}`))
    return [];
  return [/hookspath/i.test(name) ? around('hooks') : around('protection')];
}

function skipsHooks(verb: string, flags: readonly string[]): boolean {
  if (hasFlag(flags, '--no-verify')) return true;
  // In other git commands `-n` means no summary, a dry run or no commit.
  return verb === 'commit' && hasFlag(flags, '-n');
}

function opensBySetting(setting: string): boolean {
  const at = setting.indexOf('=');
  const name = at < 0 ? setting : setting.slice(0, at);
  const value = at < 0 ? '' : setting.slice(at + 1).trim();
  if (!OPENS.test(name)) return false;
  if (/^(?:url\.|include|alias\.)/i.test(name)) return /^alias\./i.test(name) ? value.startsWith('!') : true;
  if (/^commit\.gpgsign/i.test(name)) return false;
  if (/^safe\.directory/i.test(name)) return value === '*';
  if (/sslverify/i.test(name)) return /^(?:false|0|no)$/i.test(value);
  if (/fsmonitor/i.test(name)) return !/^(?:true|false|)$/i.test(value);
  if (/^filter\..*(?:required|clean|smudge|process)/i.test(name)) return !/^git-lfs|^true$/.test(value);
  if (/hookspath/i.test(name))
    return !/^(?:\.husky(?:\/_)?|\.githooks|githooks|hooks|scripts\/hooks|\.hooks)\/?$/.test(value);
  return !HARMLESS_PROGRAM.test(value);
}
