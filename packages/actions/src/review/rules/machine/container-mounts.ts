import { isAtOrBelow } from 'ralph-kit/paths';
import { credentialsAt } from '../../../effects/index.ts';
import { judgeEffects } from '../../rule.ts';

const SYSTEM =
  /^\/(?:etc|usr|bin|sbin|lib\w*|boot|dev|sys|proc|root|var|run|System|Library)(?:\/|$)|docker\.sock$|podman\.sock$/;

export const preventContainerMounts = judgeEffects(
  {
    name: 'prevent_container_mounts',
    essential: true,
    ruling: 'deny',
    finds:
      'Gives a container your home folder, a folder of the system, its devices or its rights. Other folders outside of the repository are noticed.',
    instead: 'Mount the repository or a folder in it.',
  },
  (effect, { place }) => {
    if (effect.kind !== 'mounts') return null;
    const { path, shown } = effect;
    const holds =
      path === null ||
      isAtOrBelow(place.root, path) ||
      (place.home !== null && isAtOrBelow(place.home, path));
    if (
      holds ||
      SYSTEM.test(path) ||
      credentialsAt(path, place) === 'user' ||
      /^\/(?:home|Users)(?:\/[^/]+)?$/.test(path)
    ) {
      return `"${shown}" gives a container more of this machine than the repository. Mount the repository or a folder in it.`;
    }
    return { warn: `"${path}" lies outside the repository, and the container can change it.` };
  },
);
