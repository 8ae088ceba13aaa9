import { judgeEffects } from '../../rule.ts';

/** What lies in services, clusters, containers and on disks isn't destroyed. */
export const preventDestroyingServices = judgeEffects(
  {
    name: 'prevent_destroying_services',
    essential: true,
    ruling: 'deny',
    finds:
      'Destroys what no checkpoint brings back: resources at a provider or in a cluster, volumes of containers, disks.',
    instead: 'List it, or plan it with a dry run, and leave destroying to the user.',
  },
  (effect) => {
    if (effect.kind !== 'destroys' || effect.what === 'database') return null;
    const what = {
      remote: 'what lies in a service',
      local: 'containers, images or volumes',
      disk: 'what lies on a disk',
    };
    return `"${effect.shown}" destroys ${what[effect.what]}, and no checkpoint brings it back. List it or use a dry run, and leave destroying to the user.`;
  },
);
