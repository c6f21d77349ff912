/** Counts what skills were used for in a step. A turn does not end because this fails. */
import { PassepartoutError } from '../../core/base/errors.ts';
import type { Attempt, Decision } from '../../core/signal/decision.ts';
import type { TurnContext } from '../../core/stages/reason/reason-deps.ts';
import { countSkillUse, type SkillUse } from './skill-use.ts';
import type { TurnSkills } from './turn-skills.ts';

type UseStep = Pick<TurnContext, 'deps' | 'turn' | 'rejected'>;

const chargesIn = ({ rejected }: UseStep, { attempt }: Decision): readonly Attempt[] =>
  attempt === undefined ? rejected : [...rejected.filter(({ n }) => n !== attempt.n), attempt];

/** The triggered skill pays for all of it; of the others only their faults count. */
const usesOf = (
  skills: TurnSkills,
  context: UseStep,
  decision: Decision,
  startedAt: number,
): ReadonlyMap<string, SkillUse> => {
  const { deps, turn } = context;
  const { signal } = turn.record;
  const { ran = [], failed = [] } = skills.texts ?? {};
  const runs = signal.id === signal.root ? 1 : 0;
  const uses = new Map(
    ran.map((name) => [name, { runs, failures: failed.includes(name) ? 1 : 0, ms: 0, tokens: 0, usd: 0 }]),
  );
  const shown = skills.shown?.skill.name;
  if (shown === undefined) return uses;
  const results = 'results' in signal.payload ? signal.payload.results : [];
  const hasFailed =
    failed.includes(shown) ||
    decision.outcome !== 'act' ||
    results.some(({ state }) => state === 'failed' || state === 'refused');
  const costs = chargesIn(context, decision).flatMap(({ cost }) => cost ?? []);
  return uses.set(shown, {
    runs,
    failures: hasFailed ? 1 : 0,
    ms: deps.now() - startedAt,
    tokens: costs.reduce((sum, { tokens }) => sum + tokens, 0),
    usd: costs.reduce((sum, { usd }) => sum + usd, 0),
  });
};

export const countUse = async (
  skills: TurnSkills,
  context: UseStep,
  decision: Decision,
  startedAt: number,
): Promise<void> => {
  const { deps, turn } = context;
  for (const [name, use] of usesOf(skills, context, decision, startedAt)) {
    if (Object.values(use).every((count) => count === 0)) continue;
    try {
      await countSkillUse(deps.table, turn.record.signal.space, name, use);
    } catch (error) {
      if (!(error instanceof PassepartoutError)) throw error;
    }
  }
};
