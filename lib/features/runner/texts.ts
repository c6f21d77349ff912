/** Words about machines for people, in English, the typed source. */
import { textTable } from '../../core/base/language.ts';
import { buildNotices } from '../../core/judge/notices.ts';
import { machineWords } from '../../core/language/machine-texts.ts';
import { countWords } from '../../core/text/quoted.ts';
import type { MachineStatus } from './runner-status.ts';

const EN = {
  machine: ({ name, state, calls, until }: MachineStatus): string => {
    const waits = `; for it ${countWords(calls, 'call')} ${calls === 1 ? 'waits' : 'wait'}, the first until ${until}`;
    return `Machine ${name}: ${machineWords(state)}${calls === 0 ? '' : waits}.`;
  },
};
export type MachineTexts = typeof EN;

export const machineTexts = textTable(EN, { de: async () => (await import('./texts-german.ts')).DE });

const NOTICES = {
  /** @param until in words */
  runnerAway: (runner: string, until: string, id: string) =>
    `This waits for your machine ${runner} until ${until}: start it there with "npx passepartout runner start ${runner}". Details: /why ${id}`,
};
export type MachineNotices = typeof NOTICES;

export const machineNotices = buildNotices(
  textTable(NOTICES, { de: async () => (await import('./texts-german.ts')).NOTICES }),
);
