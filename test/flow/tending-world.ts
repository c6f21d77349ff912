/**
 * A simulated space with the built-in runbooks that tend memory as jobs, and a model server over
 * HTTP. Conversations and runs go through the real stages.
 */
import { createHash } from 'node:crypto';
import { parseApproval } from '../../lib/core/approvals/approval.ts';
import { askCascade } from '../../lib/core/llm/cascade.ts';
import { buildOpenAiAsk } from '../../lib/core/llm/openai-client.ts';
import { buildCascade } from '../../lib/core/llm/providers.ts';
import { buildMemory } from '../../lib/core/memory/memory.ts';
import type { LiveObject } from '../../lib/core/memory/object.ts';
import type { Payload, TextPiece } from '../../lib/core/signal/signal.ts';
import { approvalKey, indexPartitions } from '../../lib/core/store/keys.ts';
import type { Variables } from '../../lib/core/store/settings.ts';
import type { JobDefinition } from '../../lib/features/jobs/job.ts';
import { loadHistory, loadJob } from '../../lib/features/jobs/read-jobs.ts';
import { BUILT_IN_FILES } from '../../lib/features/skills/built-in-files.ts';
import { makeJob, sampleJob } from '../features/jobs/sample-job.ts';
import type { TestDynamo } from '../support/dynamo.ts';
import type { ModelServer, ModelServerRequest } from '../support/model-server.ts';
import { findWords } from '../support/scan.ts';
import { buildSimulation, signalWith } from '../support/simulation.ts';
import { newSpace } from './adversity-world.ts';

const MINUTE = 60_000;

/** The jobs of the skills. */
const JOBS = { gardener: 'gardener-daily', scribe: 'scribe-hourly', reflection: 'reflection-regular' } as const;
type TendingSkill = keyof typeof JOBS;

/** All words of a prompt. */
export const textOf = ({ messages }: ModelServerRequest): string =>
  messages.map(({ content }) => content ?? '').join('\n');

/** A step of a runbook asks. */
export const isAsked = ({ tools }: ModelServerRequest): boolean =>
  tools.some((tool) => tool.function.name === 'give-answer');

const ask = buildOpenAiAsk();

const runbookOf = (name: string): string =>
  BUILT_IN_FILES[name]?.find(({ path }) => path === 'runbook.yaml')?.text ?? '';

export const buildTendingWorld = (
  dynamo: TestDynamo,
  model: Pick<ModelServer, 'baseUrl'>,
  variables: Variables = {},
) => {
  const space = newSpace();
  const simulation = buildSimulation({
    table: dynamo.table,
    space,
    answer: () => ({ content: 'over HTTP' }),
    webhookUrls: { hook: 'https://hook.example/in' },
    variables,
    outside: () => ({ state: 'done', output: JSON.stringify({ messageIds: [5] }), origin: 'agent' }),
    ask: (request) => {
      const providers = buildCascade({ OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: 'rule' }, new Map());
      return askCascade({ providers, request, ask, remainingMs: () => 60_000, log: () => undefined });
    },
  });
  const memory = buildMemory(dynamo.table, space);
  const tagged = async (tag: string): Promise<readonly LiveObject[]> =>
    [...(await memory.view()).objects.values()].filter(
      (object): object is LiveObject => object.state === 'live' && object.attributes.tags.includes(tag),
    );
  let said = 0;
  const send = async (payload: Payload) => {
    said += 1;
    simulation.advance(1_000);
    const id = `tg-1-${said}`;
    await simulation.accept(signalWith(space, id, payload, '7', simulation.now()));
    await simulation.drain();
    return id;
  };
  const command = (name: string, rest: string) => send({ sensor: 'command', name, rest });
  return {
    space,
    simulation,
    memory,
    command,
    say: (...text: TextPiece[]) => send({ sensor: 'chat-message', text }),
    own: (text: string) => send({ sensor: 'chat-message', text: [{ text, origin: 'owner' }] }),
    /** The skill's own job, with a rhythm that starts now. The skill finds it when switched on. */
    make: async (name: TendingSkill, minutes: number, changes: Partial<JobDefinition> = {}) => {
      const hash = createHash('sha256').update(runbookOf(name)).digest('hex');
      const when = { kind: 'every', minutes, from: simulation.now() + minutes * MINUTE } as const;
      const work = { kind: 'runbook', runbook: name, hash, inputs: {} } as const;
      const job = sampleJob({ name: JOBS[name], when, work, promises: 'nothing', ...changes });
      await makeJob(dynamo.table, space, job, simulation.now());
      await command('skill', `on ${name}`);
    },
    /** Time passes, with a tick at its end and three after it, a minute apart. */
    pass: async (ms: number) => {
      simulation.advance(ms - 3 * MINUTE);
      for (let tick = 0; tick < 4; tick += 1) {
        await simulation.tickJobs();
        await simulation.sweep();
        await simulation.drain();
        if (tick < 3) simulation.advance(MINUTE);
      }
    },
    texts: () => simulation.sent.map(({ text }) => text),
    tagged,
    scribed: () => tagged('scribe'),
    history: async (name: TendingSkill) =>
      (await loadHistory(dynamo.table, space, JOBS[name], 100)).map(({ occurrence: { state, why } }) =>
        `${state} ${why ?? ''}`.trim(),
      ),
    /** Actions that wait for a person. */
    cards: async () => {
      const partition = indexPartitions.pendingApprovals(space);
      const { items } = await dynamo.table.queryIndex({ index: 'unfinished', partition, limit: 50 });
      const ids = items.map(({ pk }) => String(pk).slice(`approval#${space}#`.length)).sort();
      const found = await dynamo.table.load(ids.map((id) => approvalKey(space, id)));
      return found.flatMap((item, n) => {
        if (item === undefined) return [];
        const { action, signalId } = parseApproval(ids[n] ?? '', item);
        return [{ id: ids[n] ?? '', signalId, tool: action.tool }];
      });
    },
    decide: (approvalId: string, decision: 'approve' | 'deny') =>
      send({ sensor: 'approval-decision', approvalId, decision, card: { chat: '7', message: 5 } }),
    job: (name: TendingSkill) => loadJob(dynamo.table, space, JOBS[name]),
    holding: (words: string) => findWords(dynamo, space, words),
  };
};

export type TendingWorld = ReturnType<typeof buildTendingWorld>;
