/** The part of machines in Act: the powers over them, and the orders that they get. */

import type { ActFeature, KeyContext } from '../../core/operations/act-feature.ts';
import { buildActSigner } from './act-key.ts';
import { buildRunnerActuator } from './hand-order.ts';
import { refuseWaiting } from './refuse-waiting.ts';
import { buildRunnerPowers } from './runner-powers.ts';

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
