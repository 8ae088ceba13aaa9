import type { Task } from '../../domain/task.ts';
import { parseDuration } from '../../lib/duration.ts';
import { readKind, readNames, readPriority, readReferences, shown } from '../values.ts';

/** What a line such as `Timeout: 30m` says of its task. */
export type Attribute =
  | { readonly kind: 'fields'; readonly fields: Partial<Task> }
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'acceptance'; readonly text: string }
  /** A label that stands over a list and says nothing itself. */
  | { readonly kind: 'label' }
  /** An attribute by its name, with a value that cannot be read. */
  | { readonly kind: 'invalid'; readonly message: string };

const LINE =
  /^(?:\*\*|__)?(depends[ -]on|dependencies|blocked by|priority|timeout|complexity|kind|files|expected paths|gates|owner|removal approved by|constraints|boundaries|goals|acceptance(?: criteria)?|description|notes?|id)(?:\*\*|__)?[ \t]*:(?:\*\*|__)?[ \t]*(.*)$/i;
/** As people write it in issues: "Depends on #3". */
const DEPENDS_ON_NUMBER = /^(?:depends on|blocked by)[ \t]+(#\d+(?:(?:[ \t]*,|[ \t]+and)[ \t]+#\d+)*)\.?$/i;

/** Reads an attribute line without its bullet; `null` when the line is ordinary text. */
export function readAttribute(line: string): Attribute | null {
  if (!line.includes(':') && !line.includes('#')) return null;
  const number = DEPENDS_ON_NUMBER.exec(line)?.[1];
  if (number !== undefined) return { kind: 'fields', fields: { dependsOn: readReferences(number) } };
  const match = LINE.exec(line);
  if (match === null) return null;
  const name = (match[1] ?? '').toLowerCase();
  const value = (match[2] ?? '').trim();
  if (value === '') return /^(?:files|expected paths)$/.test(name) ? null : { kind: 'label' };
  const plain = value.replace(/^`(.*)`$/, '$1');
  switch (name) {
    case 'depends on':
    case 'depends-on':
    case 'dependencies':
    case 'blocked by':
      return fields({ dependsOn: readReferences(value) });
    case 'priority': {
      const priority = readPriority(plain);
      return priority === null ? invalid(name, value, 'a number or high, medium, low') : fields({ priority });
    }
    case 'timeout': {
      const timeoutSeconds = parseDuration(plain);
      return timeoutSeconds === null
        ? invalid(name, value, 'seconds or a duration such as "90s", "30m", "2h"')
        : fields({ timeoutSeconds });
    }
    case 'complexity':
      return /^[\w-]+$/.test(plain) ? fields({ complexity: plain }) : invalid(name, value, 'one word');
    case 'kind': {
      const kind = readKind(plain);
      return kind === null ? invalid(name, value, 'build, verify or research') : fields({ kind });
    }
    case 'files':
    case 'expected paths': {
      const expectedPaths = readNames(value, /,/);
      const bad = expectedPaths.find((path) => /\s/.test(path) || !/[./*]/.test(path));
      return bad === undefined
        ? fields({ expectedPaths })
        : invalid(name, bad, 'paths or globs with commas between');
    }
    case 'gates':
      return fields({ gates: readNames(value, /,/) });
    case 'owner':
      return fields({ owner: value });
    case 'removal approved by':
      return fields({ removalApprovedBy: value });
    case 'constraints':
      return fields({ constraints: readNames(value, /;/) });
    case 'boundaries':
      return fields({ boundaries: readNames(value, /;/) });
    case 'goals':
      return fields({ goals: readNames(value, /;/) });
    case 'description':
      return fields({ description: value });
    case 'note':
    case 'notes':
      return fields({ notes: value });
    case 'id':
      return /^[\w.#-]+$/.test(plain) ? { kind: 'id', id: plain } : invalid(name, value, 'one word');
    default:
      return { kind: 'acceptance', text: value };
  }
}

function fields(values: Partial<Task>): Attribute {
  return { kind: 'fields', fields: values };
}

function invalid(name: string, value: string, expected: string): Attribute {
  return { kind: 'invalid', message: `${name}: expected ${expected}, found ${shown(value)}` };
}
