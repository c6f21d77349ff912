/** Tells the handlers of skills that listen to the end of turns, or to why no model answered. */

import type { ActDeps, ActTurn } from '../../core/stages/act/act-context.ts';
import type { Done } from '../../core/stages/act/after.ts';
import { listenersOf } from './handler-code.ts';
import { hasEvents, sendSkillEvents } from './skill-events.ts';

export const tellSkills = async (deps: ActDeps, turn: ActTurn, { all }: Done): Promise<void> => {
  const { record, decision, settings, records } = turn;
  const { signal } = record;
  if (records.skills === undefined || !hasEvents(signal)) return;
  const actions = all.map(({ n, state }) => ({ tool: decision.actions[n]?.action.tool ?? 'say', state }));
  const report = { root: signal.root, outcome: decision.outcome, actions };
  const accept = { table: deps.table, publish: deps.publishPerceive };
  await sendSkillEvents(accept, signal, 'a', listenersOf(records.skills, settings, ['after-turn']), deps.now(), report);
  const { failure } = decision;
  if (failure === undefined) return;
  const listeners = listenersOf(records.skills, settings, [`error:${failure.kind}`]);
  await sendSkillEvents(accept, signal, 'e', listeners, deps.now(), failure.report);
};
