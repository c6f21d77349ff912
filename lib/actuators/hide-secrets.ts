/**
 * An actuator whose outputs hold no secret of this function (I11): the other side may repeat the
 * token it was sent, and what comes back is stored and shown to the model. Such an output is
 * replaced whole.
 */
import { findConfiguredSecrets } from '../gates/rules/find-secrets.ts';
import type { Actuator } from '../signal/actuator.ts';

export const OUTPUT_HIDDEN = '[the answer is left out: it holds a configured secret]';

/** @param secrets values by name */
export const hideSecrets = (actuator: Actuator, secrets: ReadonlyMap<string, string>): Actuator => ({
  kind: actuator.kind,
  deliver: async (action, context) => {
    const result = await actuator.deliver(action, context);
    if (result.state !== 'done') return result;
    const said = { target: 'tool', text: result.output, explanation: '', author: 'model' } as const;
    return findConfiguredSecrets(said, secrets).length === 0 ? result : { ...result, output: OUTPUT_HIDDEN };
  },
});
