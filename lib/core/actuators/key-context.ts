/** The parts of Act's keys, queues and channels that features get, loaded with the first call. */
import { ConfigError, ProtocolError } from '../base/errors.ts';
import type { SayAloud, Senders } from '../channels/channel.ts';
import type { KeyContext } from '../operations/act-feature.ts';
import { NO_READER } from '../operations/document-messages.ts';
import type { Actuator, HandingActuator } from '../signal/actuator.ts';
import { buildContents } from '../store/contents.ts';
import { loadSecretString } from '../store/secrets.ts';
import type { Unreadable } from '../tools/document-facts.ts';
import type { OutputStore } from '../tools/long-output.ts';
import type { ToolPowers } from '../tools/tool.ts';
import type { ActuatorParts } from './actuators.ts';

/** Cached for the life of the process: nobody changes it. */
let generatedKey: string | undefined;
const loadGeneratedKey = async (secretId: string | undefined): Promise<string | undefined> => {
  generatedKey ??= secretId === undefined ? undefined : await loadSecretString(secretId);
  return generatedKey;
};

const contextOf = (parts: ActuatorParts, senders: Senders): KeyContext => {
  const { table, env, secrets, world, publishPerceive, sendOrder, newId } = parts;
  return {
    table,
    space: env.SPACE,
    env,
    secrets,
    ways: world?.ways ?? {},
    publishPerceive,
    sendOrder,
    newNonce: newId,
    fetchFile: async (session, file, bytesMax) => {
      const sender = await senders.get(session.split(':')[0] ?? '')?.();
      if (sender?.fetchFile === undefined) throw new ProtocolError('its channel gives no files');
      return sender.fetchFile(file, bytesMax);
    },
    loadSigningSecret: async () => secrets.get('RUNNER_SIGNING_KEY') ?? loadGeneratedKey(env.RUNNER_KEY_ID),
  };
};

export const sayAloud = async (
  parts: ActuatorParts,
  senders: Senders,
  ...text: Parameters<SayAloud>
): ReturnType<SayAloud> => {
  const [say] = (await parts.loadToolSet()).features.flatMap((feature) => feature.sayAloud ?? []);
  if (say === undefined) throw new ProtocolError('no model that speaks is set; SPEECH_MODEL names one');
  return say(contextOf(parts, senders), ...text);
};

/** Calls other servers or webhooks; without a feature that does, every call fails. */
export const buildCaller = async (
  of: 'buildRemote' | 'buildWebhook',
  parts: ActuatorParts,
  senders: Senders,
  keepOutput: OutputStore['keep'],
): Promise<Actuator> => {
  const [build] = (await parts.loadToolSet()).features.flatMap((feature) => feature[of] ?? []);
  return build === undefined
    ? { kind: 'once', deliver: async () => ({ state: 'failed', reason: 'there is no such tool' }) }
    : build(contextOf(parts, senders), keepOutput);
};

/** @throws ConfigError if no feature hands calls over */
export const buildHanding = async (
  parts: ActuatorParts,
  senders: Senders,
  keepOutput: OutputStore['keep'],
): Promise<HandingActuator> => {
  const [build] = (await parts.loadToolSet()).features.flatMap((one) => one.buildHanding ?? []);
  if (build === undefined) throw new ConfigError(['no machines']);
  return build(contextOf(parts, senders), keepOutput);
};

/** The powers of features that need a secret, a queue or a channel. */
export const keyPowers = async (parts: ActuatorParts, senders: Senders): Promise<ToolPowers> => {
  const { features } = await parts.loadToolSet();
  const context = contextOf(parts, senders);
  let powers: ToolPowers = {};
  for (const { buildKeyPowers } of features) powers = { ...powers, ...buildKeyPowers?.(context) };
  return powers;
};

/**
 * Gives the text of a stored document for the gates. It is read again if it is not kept: after a
 * restore, or if an earlier release kept the bytes.
 * @returns undefined if its bytes are gone, or are not what its name says; in `why` the reason if
 *   it cannot be read: then it is not sent
 * @throws UnavailableError if the store does not answer
 */
export const loadDocumentText = async (
  parts: ActuatorParts,
  senders: Senders,
  hash: string,
): Promise<string | Unreadable | undefined> => {
  const { contents = buildContents(parts.env) } = parts.world?.ways ?? {};
  const kept = await contents?.loadText(hash);
  if (kept !== undefined || contents === undefined) return kept;
  const [read] = (await parts.loadToolSet()).features.flatMap(({ readStored }) => readStored ?? []);
  return read === undefined ? { why: NO_READER } : read(contextOf(parts, senders), hash);
};
