/** A simulated space in which a person decides for days, and `learning` looks at it. */
import type { Approval } from '../../../lib/core/approvals/approval.ts';
import { parseApproval } from '../../../lib/core/approvals/approval.ts';
import { importCedar } from '../../../lib/core/judge/code/cedar-engine.ts';
import { indexPartitions } from '../../../lib/core/store/keys.ts';
import type { Table } from '../../../lib/core/store/table.ts';
import { buildLearning } from '../../../lib/features/learning/learning-powers.ts';
import type { Offer } from '../../../lib/features/learning/offer.ts';
import { buildAddedSkills } from '../../../lib/features/skills/added-skills.ts';
import { BUILT_IN_FILES } from '../../../lib/features/skills/built-in-files.ts';
import { sha256Of } from '../../../lib/features/skills/skill-files.ts';
import { buildApprovalWorld } from '../../flow/approval-world.ts';
import { ownerMessage, type SimulationOptions, signalWith } from '../../support/simulation.ts';
import { makeJob, sampleJob } from '../jobs/sample-job.ts';

export const DAY = 86_400_000;

export const buildLearningWorld = (table: Table, changes: Partial<SimulationOptions> = {}) => {
  let isUp = true;
  let ids = 1_000;
  const world = buildApprovalWorld(table, {
    ...changes,
    outside: ({ target }) =>
      target === 'webhook' && !isUp
        ? { state: 'failed', reason: 'the receiver answered 503' }
        : {
            state: 'done',
            output: '{"status":200,"messageIds":[5]}',
            origin: target === 'webhook' ? 'outside' : 'agent',
          },
  });
  const { simulation, space } = world;
  const learning = buildLearning({
    table,
    space,
    skills: buildAddedSkills(table, space),
    privacyTags: [],
    loadCedar: importCedar,
  });
  const decide = async (id: string, decision: 'approve' | 'deny'): Promise<string> => {
    await world.send(world.tapOf(await world.approvalOf(id), decision));
    return id;
  };
  const say = async (text: string): Promise<string> => {
    ids += 1;
    const signal = ownerMessage(space, ids, text, '7', simulation.now());
    await world.send(signal);
    return signal.id;
  };
  const sayAs = async (text: string, label: string | undefined, changes = {}): Promise<string> => {
    ids += 1;
    const origin = label === undefined ? 'owner' : 'outside';
    const pieces = [{ text, origin, ...(label === undefined ? {} : { label }) } as const];
    const signal = signalWith(space, `tg-1-${ids}`, { sensor: 'chat-message', text: pieces }, '7', simulation.now());
    await world.send({ ...signal, ...changes });
    return signal.id;
  };
  return {
    ...world,
    learning,
    decide,
    say,
    sayAs,
    setUp: (is: boolean) => {
      isUp = is;
    },
    /** So many days, with what happens on each. */
    days: async (count: number, happens: (day: number) => Promise<unknown>) => {
      for (let day = 1; day <= count; day += 1) {
        await happens(day);
        simulation.advance(DAY);
      }
    },
    look: async (): Promise<Offer | string> => learning.look(await say('hello'), simulation.now()),
    /** The built-in runbook as a daily job, first due after so long. */
    makeJob: (afterMs: number) => {
      const text = BUILT_IN_FILES.learning?.find(({ path }) => path === 'runbook.yaml')?.text ?? '';
      const work = { kind: 'runbook', runbook: 'learning', hash: sha256Of(text), inputs: {} } as const;
      const when = { kind: 'every', minutes: 24 * 60, from: simulation.now() + afterMs } as const;
      return makeJob(table, space, sampleJob({ name: 'learning', when, work, promises: 'nothing' }), simulation.now());
    },
    /** Offers that wait for a person. */
    offers: async (): Promise<readonly Approval[]> => {
      const partition = indexPartitions.pendingApprovals(space);
      const { items } = await table.queryIndex({ index: 'unfinished', partition, limit: 20 });
      const found = await table.load(items.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) })));
      const approvals = found.flatMap((item) => (item === undefined ? [] : [parseApproval(String(item.id), item)]));
      return approvals.filter(({ state, action }) => state === 'pending' && action.tool === 'accept-offer');
    },
  };
};
export type LearningWorld = ReturnType<typeof buildLearningWorld>;
