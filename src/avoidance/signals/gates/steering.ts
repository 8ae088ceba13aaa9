import type { Changes } from '../../change.ts';
import type { Signal } from '../../finding.ts';
import { addedMatches, type Sign, signalAt } from '../sign.ts';

const STEERED: Sign = {
  category: 'gate_weakening',
  kind: 'runner_steered',
  confidence: 0.8,
  reason: 'A setting has the runner of the checks run something else, or less',
};

/** Files by which a runner is steered, and what in them takes checks away, or puts something in their place. */
const STEERING: readonly (readonly [files: RegExp, text: RegExp])[] = [
  [
    /(?:^|\/)\.p?npmrc$/,
    /^\s*(?:script-shell\s*=(?!\s*["']?(?:\S*\/)?(?:ba|z|da)?sh\b)|node-options\s*=.*(?:--(?:require|import|loader)|\s-r\s)).*/gm,
  ],
  [
    /(?:^|\/)\.cargo\/config(?:\.toml)?$/,
    /^\s*(?:runner|rustc(?:-workspace)?-wrapper)\s*=(?!\s*\[?\s*["'](?:\S*\/)?(?:s?ccache|qemu|wine|wasm|probe-rs)).*/gm,
  ],
  [
    /(?:^|\/)\.rspec$/,
    /--(?:dry-run|failure-exit-code|tag|example|(?:exclude-)?pattern)\b|(?:^|\s)-[etP]\s/gm,
  ],
  [/(?:^|\/)\.mocharc\.\w+$/, /["']?\bdry-?[rR]un["']?\s*:\s*true|["']?\b(?:f?grep|invert)["']?\s*:/g],
  [/(?:^|\/)bunfig\.toml$/, /^\s*preload\s*=.*/gm],
  [
    /(?:^|\/)\.bazelrc$/,
    /--(?:test_filter|test_tag_filters|test_size_filters|nobuild|build_tests_only|flaky_test_attempts)\b/g,
  ],
  [/(?:^|\/)(?:GNU)?[Mm]akefile$|\.mk$/, /^\s*(?:export\s+)?SHELL\s*[:?!]?=(?!.*sh\b).*/gm],
  [/(?:^|\/)noxfile\.py$/, /\bsuccess_codes\s*=/g],
  [/(?:^|\/)Cargo\.toml$/, /^\[\[test\]\][^[]*?^\s*harness\s*=\s*false/gm],
  [/(?:^|\/)CMakeLists\.txt$/, /\b(?:WILL_FAIL|DISABLED)\s+(?:TRUE|ON|YES|1)\b/g],
  [/(?:^|\/)CTestCustom\.cmake$/, /\bCTEST_CUSTOM_(?:TESTS_IGNORE|MAXIMUM_\w+)\b/g],
  [/(?:^|\/)gradle\.properties$/, /\bignoreFailures\s*=\s*true/g],
];

/** Settings of runners that run less than before, or another program. */
export function steeringSignals({ all }: Changes): readonly Signal[] {
  return all.flatMap((change) =>
    STEERING.filter(([files]) => files.test(change.path)).flatMap(([, text]) =>
      addedMatches(change, text).map(({ line, lastLine }) =>
        signalAt(change, change.after.side, line, lastLine, STEERED),
      ),
    ),
  );
}
