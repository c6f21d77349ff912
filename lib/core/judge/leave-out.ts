/**
 * Leaves secrets out of a proposal before it is hashed, judged or stored, so that no attempt,
 * decision, fact or reason quotes one (I11). A text that holds a secret is replaced whole by words
 * that name the secret; the gates block these words as they would block the secret.
 */
import type { Json, JsonObject } from '../base/json.ts';
import { findConfiguredSecrets, findSecret } from '../gates/rules/find-secrets.ts';
import { findSecretFormat } from '../gates/rules/secret-formats.ts';
import type { Action } from '../signal/action.ts';
import type { Proposal, ProposedCall } from '../signal/decision.ts';
import { markConfigured, markForm } from '../text/left-out.ts';

type Secrets = ReadonlyMap<string, string>;

/** Stands for a name of a tool that holds a secret; no tool is called so. */
const TOOL_LEFT_OUT = 'a-secret-was-left-out';

export const leaveOutOfText = (text: string, secrets: Secrets): string => {
  const found = findSecret(text, secrets);
  if (found === undefined) return text;
  return found.isConfigured ? markConfigured(found.name) : markForm(found.name);
};

const leaveOutOfJson = (value: Json, secrets: Secrets): Json => {
  if (typeof value === 'string') return leaveOutOfText(value, secrets);
  if (typeof value === 'number') return findSecret(String(value), secrets) === undefined ? value : null;
  if (value === null || typeof value !== 'object') return value;
  return Array.isArray(value) ? value.map((item) => leaveOutOfJson(item, secrets)) : leaveOutOfObject(value, secrets);
};

const leaveOutOfObject = (object: object, secrets: Secrets): JsonObject =>
  Object.fromEntries(
    Object.entries(object).map(([key, value]) => [leaveOutOfText(key, secrets), leaveOutOfJson(value, secrets)]),
  );

/** The words for a secret in a call, also for one that lies across several arguments. */
const markOf = ({ args, explanation }: Pick<ProposedCall, 'args' | 'explanation'>, secrets: Secrets) => {
  const action: Action = { author: 'owner', target: 'tool', args, explanation };
  const [configured] = findConfiguredSecrets(action, secrets);
  if (configured !== undefined) return markConfigured(configured.name);
  const form = findSecretFormat(action);
  return form === undefined ? undefined : markForm(form.name);
};

const leaveOutOfCall = ({ callId, tool, args, explanation }: ProposedCall, n: number, secrets: Secrets) => {
  const call = {
    callId: findSecret(callId, secrets) === undefined ? callId : `call-${n}`,
    tool: findSecret(tool, secrets) === undefined ? tool : TOOL_LEFT_OUT,
    args,
    explanation,
  };
  // Nearly every call holds no secret, so it is looked at as a whole first.
  if (markOf(call, secrets) === undefined) return call;
  const left = {
    ...call,
    args: leaveOutOfObject(args, secrets),
    explanation: leaveOutOfText(explanation, secrets),
  };
  const across = markOf(left, secrets);
  return across === undefined ? left : { ...left, args: { words: across } };
};

export const leaveOutOfProposal = ({ text, calls, thoughts }: Proposal, secrets: Secrets): Proposal => ({
  ...(thoughts === undefined ? {} : { thoughts: leaveOutOfText(thoughts, secrets) }),
  ...(text === undefined ? {} : { text: leaveOutOfText(text, secrets) }),
  calls: calls.map((call, index) => leaveOutOfCall(call, index + 1, secrets)),
});
