/** Words about machines for people, in German; `texts.ts` has the names and values. */
import { machineWords } from '../../core/language/machine-texts-german.ts';
import type { MachineNotices, MachineTexts } from './texts.ts';

export const DE: MachineTexts = {
  machine: ({ name, state, calls, until }) => {
    const waits = calls === 1 ? `wartet 1 Aufruf, bis ${until}` : `warten ${calls} Aufrufe, der erste bis ${until}`;
    return `Rechner ${name}: ${machineWords(state)}${calls === 0 ? '' : `; auf ihn ${waits}`}.`;
  },
};

export const NOTICES: MachineNotices = {
  runnerAway: (runner, until, id) =>
    `Das wartet bis ${until} auf den Rechner ${runner}: dort starten mit "npx passepartout runner start ${runner}". Einzelheiten: /why ${id}`,
};
