import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { boxLine, currentBox, probeBox, type Tried } from 'ralph-box';
import type { BoxStatus } from 'ralph-box/protocol';
import { realPathOf } from 'ralph-kit/files/real-path';
import { firstFew } from 'ralph-kit/text';
import { gateSpecs } from '../../../config/index.ts';
import {
  boxIn,
  boxStatusOf,
  instructionPaths,
  layersProblemIn,
  leftOutText,
  networkText,
  networkUnkept,
  protectedPlaces,
  type Site,
} from '../../setup/box.ts';
import { withHeldOutPlaces } from '../../setup/held-out.ts';
import { check, type DoctorFinding, error, info, ok, warning } from '../check.ts';
import type { Scene } from '../scene.ts';

type BoxFacts = {
  readonly platform: string;
  /** Whether the doctor itself runs inside a run's box. */
  readonly isInside: boolean;
  readonly mode: 'auto' | 'require' | 'off';
  readonly status: BoxStatus;
  /** Attempts to escape from a box, made from inside; `null`: no box could be made. */
  readonly tried: readonly Tried[] | null;
  /** Words for the `[box]` network setting; `unkept`: why it can't be enforced, `null`: it can. */
  readonly network: string;
  readonly unkept: string | null;
  /** Settings of yours that programs in a box don't get, as words; '': none. */
  readonly leftOut: string;
  /**
   * Why copies of the work tree can't share the checkout's ignored files as a read-only file system layer; `null`: they
   * can.
   */
  readonly layers: string | null;
};

export const boxCheck = check({
  gather: (scene): BoxFacts => {
    const { mode } = scene.config.box;
    const status = boxStatusOf(scene);
    const isInside = currentBox() !== null;
    const network = { network: networkText(scene.config.box), unkept: networkUnkept(scene, status) };
    const leftOut = leftOutText(status);
    const facts = { platform: process.platform, mode, status, isInside, layers: null, leftOut, ...network };
    const site = siteOf(scene);
    if (isInside || mode === 'off' || status.kind === 'off' || site === null)
      return { ...facts, tried: null };
    const folder = mkdtempSync(join(tmpdir(), 'ralph-doctor-'));
    try {
      return {
        ...facts,
        tried: probeBox(boxIn(site, status, { folder, makesFolders: false }), placesOf(site)),
        layers: layersProblemIn(site.root, folder),
      };
    } catch {
      return { ...facts, tried: null };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  judge: (facts) => [...statusFindings(facts), ...networkFindings(facts), ...settingsFindings(facts)],
});

function settingsFindings({ mode, isInside, leftOut }: BoxFacts): DoctorFinding[] {
  if (mode === 'off' || isInside || leftOut === '') return [];
  const fix = 'Correct the file, or name it in [box] readable: programs in the box read all of it then.';
  return [warning('box.settings', 'tool settings', `boxes are ${leftOut}`, fix)];
}

function statusFindings({ platform, mode, status, tried, isInside, layers }: BoxFacts): DoctorFinding[] {
  const id = 'box.state';
  if (isInside) return [ok(id, 'box: on', 'this command runs inside of it')];
  if (mode === 'off') {
    const fix = 'Remove mode = "off" from [box], unless agents run in a container of their own.';
    return [info(id, 'box: off', 'set by [box] mode', fix)];
  }
  if (status.kind === 'off') {
    const level = mode === 'require' ? error : platform === 'linux' ? warning : info;
    return [level(id, 'box: off', status.reason, status.fix)];
  }
  const possible = (tried ?? [])
    .filter((one) => one.possible && (status.level === 'full' || !one.needsWhole))
    .map(({ what }) => what);
  const from =
    tried === null
      ? 'nothing was tried: no repository'
      : `${tried.length} of ${tried.length} escape attempts blocked`;
  if (possible.length > 0) {
    const detail = `from inside it was possible to ${firstFew(possible, 5)}`;
    return [
      error('box.holds', boxLine(status), detail, 'Report this, and run agents in a container until then.'),
    ];
  }
  if (status.level === 'full') return [ok(id, boxLine(status), from), copiesFinding(layers)];
  const fix = 'In a container: start it with --security-opt systempaths=unconfined. See docs/BOX.md.';
  return [warning(id, boxLine(status), status.reason, fix)];
}

/** Returns findings on network limits; none if the network is unrestricted anyway. */
function networkFindings({ mode, isInside, network, unkept }: BoxFacts): DoctorFinding[] {
  if (mode === 'off' || isInside || network === '') return [];
  const id = 'box.network';
  if (unkept === null) return [ok(id, 'network of the box', network)];
  const fix =
    'Agents and gates reach every host: run ralph where a box with a network of its own can be made.';
  return [warning(id, "[box] network isn't in force", unkept, fix)];
}

/**
 * Returns a finding on how copies of the work tree get ignored files, such as dependencies and `.env`. With `problem`,
 * they have to be copied.
 */
function copiesFinding(problem: string | null) {
  const id = 'box.copies';
  const title = 'copies of the work tree';
  if (problem === null) return ok(id, title, 'what git ignores is a layer below them');
  const detail = `what git ignores is copied into them, as there is no overlay here: ${problem}`;
  return info(id, title, detail, 'Nothing has to be done; large dependencies take longer.');
}

function siteOf({ located, root, records, stateHome, config, state }: Scene): Site | null {
  if (!located.ok || stateHome === null) return null;
  const { gitDir, commonDir } = located.tree;
  const store = { state, commit: () => state };
  const gates = withHeldOutPlaces(gateSpecs(config), root);
  return {
    root,
    gitDir,
    commonDir,
    stateHome,
    folder: records,
    config,
    gates,
    store,
    workplace: { worker: 1 },
  };
}

function placesOf(site: Site) {
  const { root, commonDir, stateHome } = site;
  const home = realPathOf(homedir());
  return {
    root,
    readOnly: [...protectedPlaces(site), ...instructionPaths(site), stateHome, '/etc'].filter((path) =>
      existsSync(path),
    ),
    fixed: [
      ...new Set([commonDir, join(root, '.ralph'), ...instructionPaths(site).map((path) => dirname(path))]),
    ].filter((path) => existsSync(path) && path !== root),
    hidden: [
      join(stateHome, 'key'),
      ...['.ssh', '.gnupg', '.netrc', '.aws', '.config/gh'].map((name) => join(home, name)),
    ].filter((path) => existsSync(path)),
  };
}
