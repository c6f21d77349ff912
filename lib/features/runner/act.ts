/** The part of machines in Act: the powers over them, and the orders that they get. */

import { buildRunnerActuator } from '../../actuators/runner.ts';
import type { ActFeature, KeyContext } from '../../operations/act-feature.ts';
import { buildActSigner } from '../../runner/act-key.ts';
import { refuseWaiting } from '../../runner/refuse-waiting.ts';
import { buildRunnerPowers } from '../../runner/runner-powers.ts';

const signerOf =
  ({ space, loadSigningSecret }: KeyContext) =>
  async () =>
    buildActSigner(space, await loadSigningSecret());

export const actRunner: ActFeature = {
  buildKeyPowers: (context) => {
    const { table, space, publishPerceive } = context;
    const loadSigner = signerOf(context);
    return {
      runners: buildRunnerPowers(
        table,
        space,
        async () => (await loadSigner()).publicKey,
        (...given) => refuseWaiting(table, publishPerceive, space, ...given),
      ),
    };
  },
  buildHanding: (context, keepOutput) => buildRunnerActuator({ ...context, keepOutput, loadSigner: signerOf(context) }),
};
