/**
 * Texts to the console: the stored effect is the performing, because the console reads replies from there. Nothing is
 * sent, so nothing can fail or be seen twice.
 */
import type { Actuator } from './actuator.ts';

export const consoleActuator: Actuator = {
  kind: 'idempotent',
  deliver: () => Promise.resolve({ state: 'done', output: '', origin: 'agent' }),
};
