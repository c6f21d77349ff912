/** The parts of features in Act that need its keys and queues, loaded with the first call. */
import { ConfigError } from '../base/errors.ts';
import { ACT_FEATURES } from '../features/act.ts';
import type { KeyContext } from '../operations/act-feature.ts';
import type { HandingActuator } from '../signal/actuator.ts';
import { loadSecretString } from '../store/secrets.ts';
import type { OutputStore } from '../tools/long-output.ts';
import type { ToolPowers } from '../tools/tool.ts';
import type { ActuatorParts } from './actuators.ts';

/** Cached for the life of the process: nobody changes it. */
let generatedKey: string | undefined;
const loadGeneratedKey = async (secretId: string | undefined): Promise<string | undefined> => {
  generatedKey ??= secretId === undefined ? undefined : await loadSecretString(secretId);
  return generatedKey;
};

const contextOf = ({ env, secrets, newId, ...parts }: ActuatorParts): KeyContext => ({
  ...parts,
  space: env.SPACE,
  newNonce: newId,
  loadSigningSecret: async () => secrets.get('RUNNER_SIGNING_KEY') ?? loadGeneratedKey(env.RUNNER_KEY_ID),
});

/** Adds the powers that need a key. */
export const withKeyPowers = (powers: ToolPowers, parts: ActuatorParts): ToolPowers => {
  const context = contextOf(parts);
  let all = powers;
  for (const { buildKeyPowers } of ACT_FEATURES) all = { ...all, ...buildKeyPowers?.(context) };
  return all;
};

/** @throws ConfigError if no feature hands calls over */
export const buildHanding = (parts: ActuatorParts, keepOutput: OutputStore['keep']): HandingActuator => {
  const [build] = ACT_FEATURES.flatMap((one) => one.buildHanding ?? []);
  if (build === undefined) throw new ConfigError(['no machines']);
  return build(contextOf(parts), keepOutput);
};
