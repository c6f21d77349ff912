/**
 * A simulated space with runs of runbooks: steps, cards, minutes that pass, a process that dies.
 */
import { type Approval, parseApproval } from '../../../lib/core/approvals/approval.ts';
import { perceiveMessage } from '../../../lib/core/ledger/accept.ts';
import { loadRun } from '../../../lib/core/ledger/load-run.ts';
import type { Run } from '../../../lib/core/ledger/run.ts';
import { approvalKey, indexPartitions } from '../../../lib/core/store/keys.ts';
import { loadItem } from '../../../lib/core/store/load-named.ts';
import type { Table } from '../../../lib/core/store/table.ts';
import { beginRun, type NewRun } from '../../../lib/features/runbooks/begin-run.ts';
import { parseRunbook } from '../../../lib/features/runbooks/parse-runbook.ts';
import type { Runbook } from '../../../lib/features/runbooks/runbook.ts';
import { stepAt } from '../../../lib/features/runbooks/walk.ts';
import { newSpace } from '../../flow/adversity-world.ts';
import { buildSimulation, Crash, type SimulationOptions, signalWith } from '../../support/simulation.ts';

const MINUTE = 60_000;

export const runbookOf = (text: string): Runbook => {
  const parsed = parseRunbook('test', text);
  if (parsed.kind === 'problems') throw new Error(JSON.stringify(parsed.problems));
  return parsed.runbook;
};

/** A runbook of these steps, which may use every tool that the tests use. */
export const withSteps = (...steps: readonly string[]): string =>
  [
    'name: test',
    'description: A runbook of a test.',
    'inputs: { service: { meaning: Name of the service, default: shop } }',
    'tools: [call-webhook, recall, remember, calculate]',
    'steps:',
    ...steps.map((step) => `  - ${step}`),
  ].join('\n');

export const RUN = 'run-0123456789ab';

export const buildRunbookWorld = (table: Table, changes: Partial<SimulationOptions> = {}) => {
  const space = newSpace();
  const simulation = buildSimulation({
    table,
    space,
    answer: () => ({ content: 'Nothing' }),
    webhookUrls: { deployer: 'https://deploy.example/hook' },
    outside: (action) =>
      action.target === 'webhook'
        ? { state: 'done', output: '{"status":200,"body":"{\\"status\\":\\"ok\\"}"}', origin: 'outside' }
        : { state: 'done', output: JSON.stringify({ messageIds: [5] }), origin: 'agent' },
    ...changes,
  });
  let taps = 0;
  const survive = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      simulation.crashAt(Number.POSITIVE_INFINITY);
    }
  };
  const load = async (id = RUN): Promise<Run> => {
    const run = await loadRun(table, space, id);
    if (run === undefined) throw new Error(`there is no run ${id}`);
    return run;
  };
  const pending = async (): Promise<readonly string[]> => {
    const partition = indexPartitions.pendingApprovals(space);
    const { items } = await table.queryIndex({ index: 'unfinished', partition, limit: 50 });
    const ids = items.map(({ pk }) => String(pk).slice(`approval#${space}#`.length));
    const found = await table.load(ids.map((id) => approvalKey(space, id)));
    return found.flatMap((item, n) =>
      item === undefined || parseApproval(ids[n] ?? '', item).state !== 'pending' ? [] : [ids[n] ?? ''],
    );
  };
  /** The approval that waits. */
  const card = async (): Promise<Approval | undefined> => {
    const [id = ''] = await pending();
    const item = await loadItem(table, approvalKey(space, id));
    return item === undefined ? undefined : parseApproval(id, item);
  };
  /** Begins the run, as its tool does. Nothing dies here. */
  const begin = async (text: string, more: Partial<NewRun> = {}): Promise<void> => {
    const given: NewRun = {
      id: RUN,
      runbook: runbookOf(text),
      text,
      inputs: { service: 'shop' },
      origin: 'owner',
      session: `run:${RUN.slice(4)}`,
      reply: { target: 'telegram', to: '7' },
      by: 'telegram:7',
      askedBy: 'owner',
      ...more,
    };
    const run = await beginRun(table, space, given, { isFirst: true }, simulation.now());
    simulation.queue.push(perceiveMessage({ space, session: run.session, id: run.id }));
  };
  return {
    space,
    simulation,
    load,
    pending,
    card,
    begin,
    /** A start of the stack after its queues were lost. */
    recover: () => survive(() => simulation.sweep(true)),
    /** Begins the run, and delivers everything. */
    start: async (text: string, more: Partial<NewRun> = {}): Promise<void> => {
      await begin(text, more);
      await simulation.drain();
    },
    /** Minutes pass, with a tick at the end of each. */
    minutes: async (count: number, drains = true): Promise<void> => {
      for (let minute = 0; minute < count; minute += 1) {
        simulation.advance(MINUTE);
        await survive(() => simulation.tickJobs());
        await survive(() => simulation.sweep());
        if (drains) await simulation.drain();
      }
    },
    /** @param onCard the card in the chat is tapped, not the console's list */
    tap: async (decision: 'approve' | 'deny', onCard = true, drains = true): Promise<void> => {
      const [approvalId = ''] = await pending();
      taps += 1;
      const card = onCard ? { card: { chat: '7', message: 5 } } : {};
      const payload = { sensor: 'approval-decision', approvalId, decision, ...card } as const;
      await simulation.accept(signalWith(space, `tg-1-${1_000 + taps}`, payload, '7', simulation.now()));
      if (drains) await simulation.drain();
    },
    /** `<place> <state>` of each ended step. */
    steps: async (text: string): Promise<readonly string[]> => {
      const runbook = runbookOf(text);
      return (await load()).ended.map(({ at, state }) => `${stepAt(runbook, at)?.place} ${state}`);
    },
    texts: () => simulation.sent.filter(({ target }) => target === 'telegram').map(({ text }) => text),
    calls: () => simulation.sent.filter(({ target }) => target === 'webhook'),
  };
};

export type RunbookWorld = ReturnType<typeof buildRunbookWorld>;
