/** Counts an action for the policies that ask what was done before. */
import { defined } from '../../../base/defined.ts';
import type { Before } from '../../../judge/space-policy.ts';
import type { JudgedAction } from '../../../signal/decision.ts';
import type { LoadedTask } from '../act-context.ts';
import type { Look } from '../guard.ts';

/** A text to whoever asked is no deed that a policy counts. */
const countPast = (
  { signal, n, approvalId }: LoadedTask,
  before: Before,
  { action, facts }: JudgedAction,
  now: number,
) => {
  if (facts.at(-1)?.isPlainReply !== false) return [];
  const isApproved = approvalId === undefined ? undefined : true;
  const begun = { at: now, id: `${signal.id}#${n}`, to: action.to, ...defined({ isApproved } as const) };
  return before.reading?.count(begun) ?? [];
};

export const lookAtPast = (task: LoadedTask): Look => {
  const before: Before = { signalId: task.signal.id, n: task.n };
  return {
    // The judgement leaves here what it read of the past.
    facts: { before },
    atClaim: async ({ judged, now, settling }) =>
      settling?.isLater === true ? undefined : { writes: countPast(task, before, judged, now) },
  };
};
