/** The step that writes a first policy, to be changed. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fine, type Step } from '../../cli/setup/step.ts';
import { buildDefaultPolicy } from './default-policy.ts';

const POLICY_FILE = 'policy.cedar';

export const policyStep: Step = {
  name: 'policy',
  title: 'Your own rules',
  ask: async (questions, _variables, { folder }) => {
    const file = join(folder, POLICY_FILE);
    if (existsSync(file) || !(await questions.confirm(`Write the default rules into ${POLICY_FILE}, to change them?`)))
      return undefined;
    writeFileSync(file, buildDefaultPolicy(), { flag: 'wx' });
    return undefined;
  },
  check: (_variables, { folder }) =>
    fine(
      existsSync(join(folder, POLICY_FILE))
        ? `${POLICY_FILE} is there. It holds once you put it in force: npx passepartout policy set ${POLICY_FILE}`
        : 'The default rules hold: what leaves, destroys or costs asks you.',
    ),
};
