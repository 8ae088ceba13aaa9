import { escapeUnseen, onOneLine, stripControl } from 'ralph-kit/text';
import type { VerifyResult } from '../../../app/commands/verify.ts';
import { VERSION } from '../../../app/version.ts';
import { REMARK_RULES, type Remark, VERDICT_WORDS } from '../../../domain/verification.ts';
import { subjectText } from './text.ts';

const RULES = Object.entries(REMARK_RULES);

/** Returns the answer as SARIF 2.1.0. Its results need a place, so a remark without a file becomes a notification. */
export function verifySarif(result: VerifyResult): string {
  const { verdict, remarks, head, base } = result;
  const isPlaced = ({ path }: Remark) => path !== null;
  const text = `${VERDICT_WORDS[verdict]}: ${subjectText(result)}`;
  const document = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'ralph',
            version: VERSION,
            rules: RULES.map(([id, short]) => ({ id, shortDescription: { text: `${short}.` } })),
          },
        },
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: [
              { level: verdict === 'not_verified' ? 'error' : 'note', message: { text } },
              ...remarks.filter((remark) => !isPlaced(remark)).map(notification),
            ],
          },
        ],
        results: remarks.filter(isPlaced).map(placed),
        ...(head === null ? {} : { properties: { base, head } }),
      },
    ],
  };
  return escapeUnseen(JSON.stringify(document, null, 2));
}

function message({ text, excerpt }: Remark) {
  return { text: stripControl([onOneLine(text), ...excerpt].join('\n')) };
}

function notification(remark: Remark) {
  return { level: remark.level, message: message(remark), associatedRule: { id: remark.rule } };
}

function placed(remark: Remark) {
  const { rule, level, path, line } = remark;
  const uri = (path ?? '').split('/').map(encodeURIComponent).join('/');
  const region = line === null || line < 1 ? {} : { region: { startLine: line } };
  return {
    ruleId: rule,
    ruleIndex: RULES.findIndex(([id]) => id === rule),
    level,
    message: message(remark),
    locations: [{ physicalLocation: { artifactLocation: { uri, uriBaseId: '%SRCROOT%' }, ...region } }],
  };
}
