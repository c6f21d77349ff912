/** The step of the set-up that makes a first backup. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fine, type Step } from '../../cli/setup/step.ts';
import { backup } from './command.ts';
import { findWeakness } from './passphrase.ts';

const BACKUP_FILE = 'passepartout.backup';

export const backupStep: Step = {
  name: 'backup',
  title: 'A backup: one encrypted file',
  ask: async (questions, _variables, context) => {
    if (existsSync(join(context.folder, BACKUP_FILE))) return undefined;
    if (!(await questions.confirm(`Make one now, ${BACKUP_FILE}?`))) return undefined;
    for (;;) {
      const passphrase = await questions.askSecret(
        'A passphrase, such as four words (not shown). Nobody can restore without it',
      );
      if (passphrase === '') return undefined;
      const weakness = findWeakness(passphrase);
      if (weakness !== undefined) questions.tell(`${weakness}.`);
      else if ((await questions.askSecret('The same again')) !== passphrase) questions.tell('The two differ.');
      else {
        const env = { ...context.env, BACKUP_PASSPHRASE: passphrase };
        await backup.run({ ...context, env, args: [BACKUP_FILE], text: () => undefined });
        return undefined;
      }
    }
  },
  check: (_variables, { folder }) =>
    fine(
      existsSync(join(folder, BACKUP_FILE))
        ? `${BACKUP_FILE} is there. Keep a copy elsewhere, and make a new one now and then.`
        : `None yet: npx passepartout backup ${BACKUP_FILE}`,
    ),
};
