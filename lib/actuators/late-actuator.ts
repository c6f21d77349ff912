/** An actuator whose code is loaded with its first call: what a plain reply does not need is not in the way of it. */
import type { Actuator } from '../signal/actuator.ts';

export const buildLateActuator = (kind: Actuator['kind'], load: () => Promise<Actuator>): Actuator => ({
  kind,
  deliver: async (action, context) => (await load()).deliver(action, context),
});
