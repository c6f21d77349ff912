/**
 * The guards and afters that features add to Act, in the order in which they are asked. A row says
 * when it is needed, from what Act has read anyway; its code is loaded only then.
 */

import { chatSettingOf } from '../../lib/core/ledger/owner-settings.ts';
import { effectCost } from '../../lib/core/money/effect-cost.ts';
import { nextSignal, tellEnded } from '../../lib/core/operations/hooks.ts';
import { isText } from '../../lib/core/signal/action.ts';
import { READ_ATTACHMENT } from '../../lib/core/signal/attachment.ts';
import { chatOf, isUnasked } from '../../lib/core/signal/channels.ts';
import { carriesNews } from '../../lib/core/signal/signal.ts';
import type { ActDeps, ActTurn } from '../../lib/core/stages/act/act-context.ts';
import { type AfterEffect, type EffectNotice, ofEachEffect } from '../../lib/core/stages/act/after.ts';
import type { ClaimGuard } from '../../lib/core/stages/act/guard.ts';
import type { EffectBudget } from '../../lib/core/stages/act/guards/money.ts';
import { remember } from '../../lib/core/tools/remember.ts';
import type { ServiceEnv } from '../../lib/core/tools/tool.ts';
import { loginEnded } from '../../lib/features/consent/after.ts';
import { ENDING_HOOKS } from '../../lib/features/ending.ts';
import { machineOfferChanged } from '../../lib/features/mcp/after.ts';
import { planGuard } from '../../lib/features/plans/guard.ts';
import { runbookGuard } from '../../lib/features/runbooks/guard.ts';
import { machineAway, machineDone } from '../../lib/features/runner/afters.ts';
import { skillEvents } from '../../lib/features/skills/after.ts';
import { tellsSubscribers } from '../../lib/features/subscriptions/after.ts';
import { saysAloud } from '../../lib/features/voice/after.ts';
import { searchCosts } from '../../lib/features/web/search-price.ts';

export const loadLazy = () => import('./lazy.ts');

const money = (budget: EffectBudget): ClaimGuard => ({
  name: 'money',
  // An earlier claim has paid for it.
  takes: (_, { judged, effect }) =>
    (effect === undefined || effect.state === 'suspended') && effectCost(judged.action, budget.webhookCosts) !== 0,
  look: async (...task) => (await loadLazy()).lookAtMoney(budget, ...task),
});

/** A note made from outside text counts with its first try. */
const notes: ClaimGuard = {
  name: 'notes',
  takes: (_, { judged: { action, facts }, effect }) =>
    effect === undefined &&
    action.target === 'tool' &&
    action.tool === remember.name &&
    facts.at(-1)?.origin === 'outside',
  look: async (deps, _, { signal }) => ({
    atClaim: async ({ now }) => (await loadLazy()).countNote(deps, signal, now),
  }),
};

/** A text that nobody asked for may be over its source's share of the hour. */
const share: ClaimGuard = {
  name: 'share',
  takes: (_, { signal, judged }) => isUnasked(signal.session) && isText(judged.action),
  look: async (...task) => ({
    atClaim: async (claiming) => (await loadLazy()).digestOverShare(...task, claiming),
  }),
};

const mute: ClaimGuard = {
  name: 'mute',
  takes: ({ settings }, { judged }) => chatSettingOf(settings, 'mute', chatOf(judged.action)) !== '',
  look: async (...task) => ({
    atClaim: async (claiming) => (await loadLazy()).keepBack(...task, claiming),
  }),
};

const past: ClaimGuard = {
  name: 'past',
  takes: ({ policy }) => policy.readPast !== undefined,
  look: async (_deps, _turn, task) => (await loadLazy()).lookAtPast(task),
};

type ToolCosts = (env: ServiceEnv) => readonly (readonly [string, number])[];
const COSTS: readonly ToolCosts[] = [searchCosts];
/** Prices of calls of features' tools, beside those of webhooks. */
export const toolCosts: ToolCosts = (env) => COSTS.flatMap((costs) => costs(env));

export const buildGuards = (budget: EffectBudget): readonly ClaimGuard[] => [
  money(budget),
  notes,
  share,
  mute,
  runbookGuard,
  planGuard,
  past,
];

const refused: EffectNotice = {
  name: 'refused',
  takes: (_, { effect, action }) => effect.state === 'refused' && action.author === 'model' && isText(action),
  build: async (...acted) => (await loadLazy()).refusedNotice(...acted),
};

const result: EffectNotice = {
  name: 'result',
  takes: ({ record, decision }, { action }) =>
    action.tool !== READ_ATTACHMENT &&
    (action.author === 'owner' || (!isText(action) && (action.author === 'code' || decision.attemptCount === 0))) &&
    !carriesNews(record.signal),
  build: async (...acted) => (await loadLazy()).resultNotice(...acted),
};

const fileRead: EffectNotice = {
  name: 'file',
  takes: (_, { action }) => action.tool === READ_ATTACHMENT,
  build: async (...acted) => (await loadLazy()).fileNotice(...acted),
};

const doubt: EffectNotice = {
  name: 'doubt',
  takes: (_, { effect }) => effect.state === 'unknown' || effect.state === 'failed',
  build: async (...acted) => (await loadLazy()).doubtNotice(...acted),
};

const channelBack: EffectNotice = {
  name: 'channel back',
  takes: (_, { effect }) => effect.state === 'done' && effect.waitingSince !== undefined,
  build: async (...acted) => (await loadLazy()).returnNotice(...acted),
};

/** Most cards are not answered before their chat has said which message they are. */
const cardAnswered: AfterEffect = {
  name: 'card answered',
  at: 'notices',
  takes: ({ decision }, { effects }) =>
    effects.some(({ n, state }) => {
      const { card, edits } = decision.actions[n]?.action ?? {};
      return state === 'done' && card !== undefined && edits === undefined;
    }),
  after: async (...turn) => (await loadLazy()).changeAnswered(...turn),
};

const endedDeps = ({ table, now, publishPerceive }: ActDeps, { record: { signal } }: ActTurn) => ({
  table,
  space: signal.space,
  now,
  publishPerceive,
});

const following: AfterEffect = {
  name: 'next signal',
  at: 'next',
  takes: () => true,
  after: async (deps, turn, { all: effects }) => {
    const { record, decision, stepRun: run } = turn;
    const next = await nextSignal(ENDING_HOOKS, endedDeps(deps, turn), {
      signal: record.signal,
      decision,
      effects,
      run,
    });
    return next === undefined ? [] : [next];
  },
};

/** It may have been the last signal of a job's turn. */
const ended: AfterEffect = {
  name: 'ended',
  at: 'end',
  takes: (_, { state }) => state !== 'suspended',
  after: async (deps, turn) => {
    await tellEnded(ENDING_HOOKS, endedDeps(deps, turn), turn.record.signal);
    return [];
  },
};

export const AFTERS: readonly AfterEffect[] = [
  ofEachEffect([refused]),
  ofEachEffect([result, fileRead]),
  ofEachEffect([saysAloud(loadLazy), doubt, channelBack, machineAway(loadLazy), loginEnded(loadLazy)]),
  cardAnswered,
  tellsSubscribers(loadLazy),
  skillEvents(loadLazy),
  following,
  machineDone(loadLazy),
  machineOfferChanged(loadLazy),
  ended,
];
