/**
 * Texts to nobody in particular (replies where no person asked and there is no home chat): kept as the stored effect,
 * where `why` and the console show them. Nothing is sent, so nothing can fail or be seen twice.
 */
import type { Actuator } from './actuator.ts';

export const systemActuator: Actuator = {
  kind: 'idempotent',
  deliver: () => Promise.resolve({ state: 'done', output: '', origin: 'agent' }),
};
