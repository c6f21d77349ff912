/**
 * Runs a handler of a skill on its event, without a model. Its proposal becomes one decision,
 * judged as if a model had made it. Its origin is the worse of the skill's and the event's. A
 * handler that fails ends its signal with one fixed sentence, and nothing else.
 */
import { Json, type JsonObject } from '../../core/base/json.ts';
import { buildCalls, buildTexts, type Routes } from '../../core/judge/build-actions.ts';
import { decideByCode, routesOf } from '../../core/judge/judge.ts';
import { parseRecord } from '../../core/ledger/ledger.ts';
import { ownerSettingsKey, readOwnerSettings } from '../../core/ledger/owner-settings.ts';
import {
  type CodeAnswer,
  type CodeContext,
  commandOrigin,
  type PayloadOf,
} from '../../core/operations/code-context.ts';
import { payloadOf } from '../../core/operations/hooks.ts';
import { loadSandbox } from '../../core/sandbox/sandbox.ts';
import type { Action } from '../../core/signal/action.ts';
import { type Asker, askerOf } from '../../core/signal/asker.ts';
import { joinOrigins, type Origin, type Payload, type Signal } from '../../core/signal/signal.ts';
import { loadFacts } from '../../core/stages/perceive/load-facts.ts';
import { signalKeys, skillKeys } from '../../core/store/keys.ts';
import { loadNamed } from '../../core/store/load-named.ts';
import type { Item } from '../../core/store/table.ts';
import { type HandlerAnswer, type HandlerStep, listenersOf, runHandler } from './handler-code.ts';
import type { Listener } from './listener.ts';
import { loadSkillFile } from './skill-store.ts';

type SkillEvent = PayloadOf<'skill-event'>;

/** The author of the words of a signal. */
export const originsOf = (signal: Signal): readonly Origin[] => {
  const { payload } = signal;
  if (payload.sensor === 'command') return [commandOrigin(signal)];
  if (payload.sensor === 'webhook') return ['outside'];
  if ('results' in payload) return payload.results.map(({ origin }) => origin);
  if ('text' in payload) return payload.text.map(({ origin }) => origin);
  return ['agent'];
};

const plain = (value: Payload | JsonObject): Json => Json.parse(JSON.parse(JSON.stringify(value)));

/** The event as the handler sees it. The words of its signal are there as it begins, and fails. */
export const buildEvent = (
  { on, report = {} }: Pick<SkillEvent, 'on' | 'report'>,
  parent: Signal | undefined,
): JsonObject => {
  const isStart = on === 'before-turn' || on.startsWith('sensor:') || on.startsWith('error:');
  return {
    ...report,
    ...(parent === undefined ? {} : { signal: parent.id, session: parent.session, sensor: parent.payload.sensor }),
    ...(parent !== undefined && isStart ? { payload: plain(parent.payload) } : {}),
  };
};

const signalOf = (id: string, item: Item | undefined): Signal | undefined =>
  item === undefined ? undefined : parseRecord(id, item).signal;

interface FoundListener {
  readonly listener: Listener;
  /** Undefined for a tick. */
  readonly parent: Signal | undefined;
  readonly asker: Asker;
}

/** @returns a sentence if the handler is not to run */
const find = async ({ table, signal }: CodeContext, event: SkillEvent): Promise<FoundListener | string> => {
  const { space, parent: parentId, root } = signal;
  const items = await loadNamed(table, {
    skills: skillKeys.active(space),
    owner: ownerSettingsKey(space),
    parent: parentId === undefined ? undefined : signalKeys.record(space, parentId),
    root: root === signal.id || root === parentId ? undefined : signalKeys.record(space, root),
  });
  const { skill, handler, on } = event;
  const listener = listenersOf(items.skills, readOwnerSettings(items.owner), [on]).find(
    (one) => one.skill === skill && one.handler === handler,
  );
  if (listener === undefined) return `the handler ${handler} of the skill ${skill} is not in force`;
  const parent = signalOf(parentId ?? '', items.parent);
  if (parentId !== undefined && parent === undefined) return 'the signal of the event is gone';
  const began = signalOf(root, items.root) ?? parent;
  return {
    listener,
    parent,
    // An approver let the skill in, so a tick of its own speaks as far as it is trusted.
    asker: began !== undefined ? askerOf(began) : listener.trust === 'owner' ? 'owner' : 'system',
  };
};

const buildStep = (step: HandlerStep, { skill, handler }: Listener, routes: Routes): readonly Action[] => {
  const explanation = `proposed by the handler ${handler} of the skill ${skill}`;
  if ('say' in step) return buildTexts(step.say, routes);
  return buildCalls({ tool: step.tool, args: step.args, explanation }, routes);
};

const stepsOf = ({ do: steps, choose }: HandlerAnswer): readonly HandlerStep[] =>
  typeof choose === 'object' && 'text' in choose ? [...steps, { say: choose.text }] : steps;

export const answerSkillEvent = async (context: CodeContext): Promise<CodeAnswer> => {
  const event = payloadOf(context, 'skill-event');
  const found = await find(context, event);
  if (typeof found === 'string') return { ending: found };
  const { listener, parent } = found;
  const { skill, handler } = listener;
  const code = await loadSkillFile(context.table, context.signal.space, listener.code);
  if (code === undefined) return { ending: `the code of the handler ${handler} of the skill ${skill} cannot be read` };
  const answer = runHandler(await loadSandbox(), listener, code, buildEvent(event, parent));
  if (typeof answer === 'string') return { ending: answer };
  const { id: signalId, reply, session, receivedAt } = context.signal;
  const own = {
    reply,
    session,
    origin: joinOrigins([listener.trust, ...(parent === undefined ? [] : originsOf(parent))]),
    sensor: 'skill-event',
    turn: { askedBy: found.asker },
  } as const;
  const sources = await loadFacts(context, own, receivedAt);
  const actions = stepsOf(answer).flatMap((step) => buildStep(step, listener, routesOf(sources)));
  if (actions.length === 0) return { ending: `the handler ${handler} of the skill ${skill} had nothing to do` };
  const decided = { signalId, outcome: 'act', reason: '' } as const;
  return { decision: await decideByCode(context.gateSet, decided, actions, sources) };
};
