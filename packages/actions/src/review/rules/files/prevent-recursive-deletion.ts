import { isAtOrBelow } from 'ralph-kit/paths';
import type { PathEffect, Spot } from '../../../effects/index.ts';
import type { ReviewPlace } from '../../../forms/place.ts';
import { isScratch } from '../../judgement/scope.ts';
import { isMadeByAttempt } from '../../made.ts';
import { judgeEffects, type Remark } from '../../rule.ts';

const MADE_AGAIN =
  /^(?:node_modules|bower_components|dist|build|builds|_build|out|output|target|bin|obj|lib-cov|coverage|htmlcov|\.?coverage|\.nyc_output|\.next|\.nuxt|\.output|\.svelte-kit|\.turbo|\.parcel-cache|\.vite|\.angular|\.astro|\.docusaurus|\.cache|cache|caches|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.hypothesis|\.tox|\.nox|\.?venv|env|\.eggs|.*\.egg-info|site|tmp|temp|\.tmp|\.temp|logs?|\.gradle|\.terraform|\.serverless|vendor|deps|Debug|Release|cmake-build-.*|CMakeFiles|DerivedData|Pods|\.dart_tool|\.bundle|\.stack-work|dist-newstyle|zig-(?:cache|out)|\.zig-cache|_site|public|storybook-static|test-results|playwright-report|\.bazel.*|bazel-.*|\.ipynb_checkpoints|\.eslintcache|\.husky\/_|.*[-_.](?:out|cache|build|tmp|bak|old)|scratch|sandbox|demo)$/i;

const EVERYTHING = /^[*?]+\/*$/;

export const preventRecursiveDeletion = judgeEffects(
  {
    name: 'prevent_recursive_deletion',
    essential: true,
    ruling: 'deny',
    finds:
      'Deletes a folder with all that is in it, outside of the repository, or all that lies in the repository. Inside, a folder is noticed, other than those of builds, caches and temporary files.',
    instead: 'Name the files that have to go, or remove them with git rm.',
  },
  (effect, { place }) => {
    if (effect.kind !== 'deletes' || !effect.recursive || /^(?:mv|git)$/.test(effect.by)) return null;
    const remarks = effect.spots().map((spot) => remarkOn(spot, effect, place));
    return (
      remarks.find((remark) => typeof remark === 'string') ??
      remarks.find((remark) => remark !== null) ??
      null
    );
  },
);

function remarkOn(spot: Spot, { shown }: PathEffect, place: ReviewPlace): Remark | null {
  if (spot.kind === 'anywhere') return null;
  const path = spot.kind === 'path' ? spot.path : spot.folder;
  if (isMadeByAttempt(path, place) || isScratch(path, place)) return null;
  if (!isAtOrBelow(path, place.root) || (spot.kind === 'path' && path === place.root)) {
    return `"${shown}" is deleted with all that is in it, and lies outside the repository. Delete inside the repository only.`;
  }
  if (spot.kind === 'entries' && path === place.root && EVERYTHING.test(spot.pattern))
    return `"${shown}" deletes all that lies in the repository. Name what has to go.`;
  const inside = path.slice(place.root.length + 1);
  const parts = (spot.kind === 'path' ? inside : `${inside}/${spot.pattern}`).split('/');
  const harmless = parts.some((part) => MADE_AGAIN.test(part)) || isFile(parts.at(-1) ?? '');
  return harmless
    ? null
    : { warn: `"${shown}" is deleted with all that is in it. Look with git status that nothing else goes.` };
}

function isFile(name: string): boolean {
  return /\.\w{1,5}$/.test(name) && !name.startsWith('.');
}
