import { homedir, release } from 'node:os';
import { boxLine } from 'ralph-box';
import { agentsCheck } from '../doctor/checks/agents.ts';
import { gitCheck } from '../doctor/checks/git.ts';
import { type DataOf, success } from '../result.ts';
import { boxStatusOf } from '../setup/box.ts';
import { VERSION } from '../version.ts';
import { type DoctorInput, inScene, settingsOf } from './doctor.ts';

export type InfoResult = DataOf<typeof info>;

/** Returns versions, agents and settings that you changed, without secrets, for a bug report. */
export function info(input: DoctorInput) {
  return inScene(input, async (scene) => {
    const [{ builtIn, chosen }, git] = await Promise.all([agentsCheck.gather(scene), gitCheck.gather(scene)]);
    const { mode } = scene.config.box;
    return success({
      ralph: VERSION,
      node: process.version,
      system: `${process.platform} ${release()} ${process.arch}`,
      git: git.version?.replace('git version ', '') ?? null,
      box: mode === 'off' ? 'off ([box] mode = "off")' : boxLine(boxStatusOf(scene)).replace('box: ', ''),
      agents: builtIn
        .filter(({ path }) => path !== null)
        .map(({ name, version }) => ({ name, version: version === null ? null : withoutHome(version) })),
      agent: chosen,
      settings: settingsOf(scene)
        .filter(({ layer }) => layer !== 'built-in')
        .map(({ key, value }) => ({ key, value: JSON.parse(withoutHome(JSON.stringify(value))) })),
    });
  });
}

/** A home folder's path contains your name. */
function withoutHome(text: string): string {
  const home = homedir();
  return home === '/' ? text : text.replaceAll(home, '~');
}
