/**
 * POST /api/messages {"text", "session"?, "idempotencyKey"?, "door"?} → 202 {"id"}, and
 * `acceptInput`, through which everything that is posted becomes a signal. A client may repeat a
 * request whose answer it lost; another request under its key gets a 409. A script gets a 403 at
 * once for a command it may not give.
 */
import * as z from 'zod/mini';
import { acceptedLanguage, otherLanguage } from '../../base/language.ts';
import {
  buildConsoleSignal,
  buildSaid,
  type ConsoleConfig,
  type ConsoleInput,
  parseConsoleMessage,
} from '../../channels/console/parse-message.ts';
import { HttpError, type HttpResponse, respondJson, respondTooMany } from '../../http/function-url.ts';
import { admitSignal } from '../../ledger/accept.ts';
import { changeOwnerSetting } from '../../ledger/change-owner-setting.ts';
import { COMMANDS, isCommandName } from '../../ledger/command-rights.ts';
import { setKillSwitch } from '../../ledger/kill-switch.ts';
import { languageField, loadOwnerSettings, settingOf } from '../../ledger/owner-settings.ts';
import { type Feature, operationsIn } from '../../operations/feature.ts';
import { findOperation } from '../../operations/read-words.ts';
import { mayDo } from '../../operations/rights.ts';
import type { Payload, Signal } from '../../signal/signal.ts';
import { latestDataWrite } from '../../store/data-version.ts';
import { type ControlDeps, parseBody, type RouteCall } from './router.ts';
import { type Caller, describeNeed, hasScope } from './tokens.ts';

export const configOf = ({ space, now, newId }: ControlDeps, caller: Caller): ConsoleConfig => ({
  space,
  now: now(),
  newId,
  speaker:
    caller.kind === 'approver'
      ? caller
      : { kind: 'script', name: caller.name, isOwner: hasScope(caller, 'speak-as-owner') },
});

/**
 * Stores and publishes a signal; sets the kill switch first if it is a stop. An untrusted script's
 * stop is for its own conversation, and Perceive sets that.
 * @returns 202 with the signal's id; 429 to a script over its quota. @throws UnavailableError
 */
const admit = async (deps: ControlDeps, caller: Caller, signal: Signal): Promise<HttpResponse> => {
  if (signal.payload.sensor === 'interrupt' && hasScope(caller, 'speak-as-owner'))
    await setKillSwitch(deps.table, deps.space, { isStopped: true, by: signal.sender.id, at: signal.receivedAt });
  const admitted = await admitSignal(deps, signal);
  if (typeof admitted === 'object') return respondTooMany(admitted.limit, admitted.resetsAt, signal.receivedAt);
  if (admitted === 'differs')
    throw new HttpError(409, 'conflict', 'this idempotencyKey was used for something else: use a new one');
  if (caller.kind === 'script') deps.noteScript('script-accepted', caller.name, signal.id);
  return respondJson(202, { id: signal.id });
};

export const acceptInput = (deps: ControlDeps, caller: Caller, input: ConsoleInput): Promise<HttpResponse> =>
  admit(deps, caller, buildConsoleSignal(configOf(deps, caller), input));

/** Why a script may not say this; undefined if it may. Perceive checks the same table. */
const describeRefusal = (caller: Caller, payload: Payload, features: readonly Feature[]): string | undefined => {
  if (payload.sensor === 'resume') return `/resume: ${describeNeed('approver')}`;
  if (payload.sensor !== 'command') return undefined;
  if (!hasScope(caller, 'speak-as-owner')) return `a command: ${describeNeed('speak-as-owner')}`;
  const { name, rest } = payload;
  const found = findOperation(operationsIn(features), name, rest)?.operation;
  if (found !== undefined) return mayDo('owner', found) ? undefined : `/${name}: ${describeNeed('approver')}`;
  return isCommandName(name) && COMMANDS[name] === 'approver' ? `/${name}: ${describeNeed('approver')}` : undefined;
};

/** The console speaks as its approver's browser or terminal, unless somebody chose otherwise. */
const setLanguage = async ({ table, space }: ControlDeps, signal: Signal, accepted?: string): Promise<void> => {
  const language = otherLanguage(acceptedLanguage(accepted));
  // A stop waits for nothing.
  if (language === undefined || signal.payload.sensor === 'interrupt') return;
  const field = languageField(signal.reply);
  if (settingOf(await loadOwnerSettings(table, space), field) !== '') return;
  await changeOwnerSetting(table, signal, field, language, [latestDataWrite(space)]);
};

type SpeakDeps = ControlDeps & { readonly features: readonly Feature[] };

/** The words of a caller, once its right is checked. @throws HttpError 403 */
export const accept = async (
  deps: SpeakDeps,
  { caller, request }: Pick<RouteCall, 'caller' | 'request'>,
  signal: Signal,
): Promise<HttpResponse> => {
  const refusal = caller.kind === 'script' ? describeRefusal(caller, signal.payload, deps.features) : undefined;
  if (caller.kind === 'script' && refusal !== undefined) {
    deps.noteScript('script-refused', caller.name, signal.payload.sensor);
    throw new HttpError(403, 'forbidden', refusal);
  }
  if (caller.kind === 'approver')
    await setLanguage(deps, signal, request.headers['accept-language']).catch(deps.report);
  return admit(deps, caller, signal);
};

export const postMessage = async (deps: SpeakDeps, call: RouteCall): Promise<HttpResponse> =>
  accept(deps, call, parseConsoleMessage(parseBody(call.request, z.unknown()), configOf(deps, call.caller)).signal);

/** An operation that changes something, as the command that a chat sends. */
export const postCommand = (
  deps: SpeakDeps,
  call: Pick<RouteCall, 'caller' | 'request'>,
  { noun, rest, ...said }: { noun: string; rest: string; conversation: string; idempotencyKey: string | undefined },
): Promise<HttpResponse> => {
  const payload: Payload = { sensor: 'command', name: noun, rest };
  return accept(deps, call, buildSaid(configOf(deps, call.caller), payload, { ...said, isCommandLine: true }));
};
