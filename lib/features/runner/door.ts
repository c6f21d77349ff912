/** The door of machines; its code is loaded by the function alone that answers there. */
import type { MachineDoor } from '../../core/operations/machine-door.ts';
import { carriesSignature } from './requests.ts';

export const runnerDoor: MachineDoor = {
  carriesProof: ({ authorization = '' }) => carriesSignature(authorization),
  load: async () => (await import('./edge/runner-http.ts')).answerRunner,
};
