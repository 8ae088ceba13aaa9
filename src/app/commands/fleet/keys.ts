import { enrol, isFleetKey, openSeal, readEnrolled } from '../../../store/index.ts';
import { failure, success } from '../../result.ts';
import { inWorkspace, type ProjectInput } from '../../setup/workspace.ts';

export function fleetKey(input: ProjectInput) {
  return inWorkspace(input, ({ stateHome, prepareHome }) => {
    prepareHome();
    return success({ key: openSeal(stateHome).key, enrolled: [...readEnrolled(stateHome)] });
  });
}

type EnrolInput = ProjectInput & {
  readonly key: string;
  readonly name: string | null;
  readonly off: boolean;
};

export function fleetEnrol({ key, name, off, ...input }: EnrolInput) {
  return inWorkspace(input, ({ stateHome, prepareHome }) => {
    if (!isFleetKey(key))
      return failure(`"${key}" isn't the key of a machine.`, 'Run there: ralph fleet key');
    prepareHome();
    enrol(stateHome, key, off ? null : (name ?? 'unnamed'));
    return success({ key, enrolled: [...readEnrolled(stateHome)] });
  });
}
