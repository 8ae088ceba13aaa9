import { isAtOrBelow } from 'ralph-kit/paths';
import type { PathEffect, Spot } from '../../../effects/index.ts';
import type { ReviewPlace } from '../../../forms/place.ts';
import { isScratch } from '../../judgement/scope.ts';
import { isMadeByAttempt } from '../../made.ts';
import { judgeEffects, type Remark } from '../../rule.ts';

const SYSTEM =
  /^\/$|^\/(?:etc|usr|bin|sbin|lib\w*|boot|dev|sys|proc|root|opt|System|Library|Applications|run|private\/etc|var(?!\/(?:tmp|folders)(?:\/|$)))(?:\/|$)/;
const DEVICES =
  /^\/dev\/(?:null|zero|full|tty|std(?:in|out|err)|fd(?:\/|$)|pts\/|shm\/|u?random)|^\/proc\/self\/fd/;
/** Files below the home folder that run, or are trusted, the next time you work. */
const STARTS =
  /^(?:\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|cshrc|tcshrc|inputrc|xinitrc|xprofile|xsession|gitconfig|gitignore_global|npmrc|yarnrc(?:\.yml)?|pypirc|netrc|curlrc|wgetrc|vimrc|emacs|tmux\.conf|screenrc|gdbinit|lldbinit|psqlrc|irbrc|pryrc|condarc|gemrc|hgrc|ackrc|editrc|pam_environment|huskyrc|git-credentials|docker\/config\.json)|\.(?:ssh|gnupg|aws|kube|azure|config\/(?:git|fish|systemd|autostart|pip|gh|gcloud|environment\.d|nvim|zsh)|cargo\/(?:config|credentials)|local\/share\/(?:systemd|keyrings)|vim|emacs\.d|git-templates|husky|pip)(?:\/|$)|Library\/(?:LaunchAgents|Keychains)|bin\/)/;
const FILLED =
  /^(?:\.cache|\.npm|\.cargo\/registry|\.rustup|\.gradle|\.m2\/repository|go\/pkg|\.pnpm-store|\.yarn|\.bun|\.local\/share\/pnpm|Library\/Caches)(?:\/|$)/;

export const writeOutside = judgeEffects(
  {
    name: 'write_outside_repository',
    essential: true,
    ruling: 'deny',
    finds:
      'Writes to files of the system or to what starts with your shell, overwrites files outside of the repository, or changes their rights. New files outside are noticed; temporary files and caches are not.',
    instead: 'Write inside the repository, or to a temporary folder.',
  },
  (effect, { place }) => {
    if (effect.kind !== 'writes' && effect.kind !== 'permissions') return null;
    const remarks = effect.spots().map((spot) => remarkOn(spot, effect, place));
    return (
      remarks.find((remark) => typeof remark === 'string') ??
      remarks.find((remark) => remark !== null) ??
      null
    );
  },
);

function remarkOn(spot: Spot, effect: PathEffect, place: ReviewPlace): Remark | null {
  if (spot.kind === 'anywhere')
    return /(?:^|\/)\.(?:bashrc|zshrc|profile|ssh\/)/.test(effect.shown) ? outside(effect) : null;
  const paths = spot.kind === 'path' ? pathsOf(spot, effect) : [spot.folder];
  const remarks = paths.map((path) => remarkAt(path, spot, effect, place));
  return (
    remarks.find((remark) => typeof remark === 'string') ?? remarks.find((remark) => remark !== null) ?? null
  );
}

function remarkAt(path: string, spot: Spot, effect: PathEffect, place: ReviewPlace): Remark | null {
  // Making a link doesn't change its target.
  if (effect.by === 'ln' && effect.keeps) return null;
  if (isAtOrBelow(path, place.root) || isMadeByAttempt(path, place) || DEVICES.test(path)) return null;
  const { home } = place;
  const below = home !== null && isAtOrBelow(path, home) ? path.slice(home.length + 1) : null;
  if (below !== null && STARTS.test(below)) {
    return effect.keeps ? { warn: liesOutside(effect) } : outside(effect);
  }
  if (below === null && SYSTEM.test(path) && !isScratch(path, place)) return outside(effect);
  if (effect.kind === 'permissions') return isScratch(path, place) ? null : outside(effect);
  if (isScratch(path, place) || (below !== null && FILLED.test(below))) return null;
  const overwrites =
    spot.kind === 'path' && !effect.keeps && place.existed(path) && place.entries(path).length === 0;
  return overwrites && effect.by !== 'code' ? outside(effect) : { warn: liesOutside(effect) };
}

/** A link is created at its own path, wherever it leads. */
function pathsOf(
  { path, writtenPath }: Extract<Spot, { kind: 'path' }>,
  { by }: PathEffect,
): readonly string[] {
  return by === 'ln' ? [writtenPath] : [...new Set([path, writtenPath])];
}

function outside(effect: PathEffect): string {
  return `${liesOutside(effect)} Write inside the repository, or to a temporary folder, and leave the rest to the user.`;
}

function liesOutside({ kind, shown }: PathEffect): string {
  return kind === 'permissions'
    ? `"${shown}" lies outside the repository, and gets other rights.`
    : `"${shown}" lies outside the repository.`;
}
