/**
 * What a person waits beside the model's own time when the functions are as small as the cloud's:
 * each in a process of its own, with the share of a processor that its memory buys, and a network
 * of 1 ms to the table and 3 ms to a queue. Messages come as Telegram's webhook; the wait ends when
 * the bot's answer is at Telegram. Everything before a scenario is fresh ("cold") or has run
 * ("warm"). With the template's memory each function then does its largest work. Skips with a note
 * where the kernel sets no quotas.
 */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { buildFunction } from '../../infra/build-function.ts';
import { ROOT } from '../../infra/bundling.ts';
import type { FunctionPlan } from '../../infra/local/wiring.ts';
import { FUNCTION_NAMES } from '../../lib/core/store/settings.ts';
import type { JobDefinition, Work } from '../../lib/features/jobs/job.ts';
import { findRunbook } from '../../lib/features/runbooks/find-runbook.ts';
import { makeJob, sampleJob } from '../features/jobs/sample-job.ts';
import { call, type ModelServerRequest, say, toolResultsOf, userTextOf } from '../support/model-server.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { EVENT_SECRET, postEvent, repeat, workMost } from './cloud-largest.ts';
import { buildCloudPlaces, type CloudPlaces, findQuotaProblem, type Initialisation, type Used } from './cloud-place.ts';
import { quantile } from './drive.ts';
import type { Measure } from './measure.ts';
import type { Row } from './report.ts';

const OWNER = { id: 77, name: 'Ada' };
const WEBHOOK_SECRET = 'whsec_c2VjcmV0LW9mLXRoZS1iZW5jaG1hcms=';
const EXPLANATION = 'You asked me to do it now.';
const SPACE = 'default';
const WARM_TURNS = 40;
const COLD_TURNS = 3;
/** Between an answer and the next message. */
const READING_MS = 2_000;
/** Between two looks at what Telegram has, and until a wait is given up. */
const LOOK_MS = 3;
const WAIT_MS_MAX = 120_000;
const YEAR_MINUTES = 525_600;
/** Dollars for a GB-second of arm64 in us-east-1, and for an invocation. */
const GB_SECOND_DOLLARS = 0.0000133334;
const INVOCATION_DOLLARS = 0.0000002;
const WARM_P50_MS_MAX = 250;
const WARM_P99_MS_MAX = 600;
const COLD_MS_MAX = 2_500;
const FRESH_TOOL_MS_MAX = 400;
/** Of its memory, at its largest scenario: the rest is for the unforeseen. */
const MEMORY_PERCENT_MAX = 75;
/** The parts of the measurement that `--only cloud:<part>` names. */
const PARTS = ['plain', 'night', 'tool', 'status', 'tap', 'event', 'job', 'memory'] as const;
type Part = (typeof PARTS)[number];
/** Memory of each function, over the template's own. */
const SIZES: readonly (number | undefined)[] = [undefined, 128, 256, 512, 1_769];

const script = (request: ModelServerRequest) => {
  const [, word = '', what = ''] = /(plain|note|ship) (\S+)$/m.exec(userTextOf(request)) ?? [];
  const isSecond = toolResultsOf(request).length > 0;
  if (word === 'note' && !isSecond) return call('remember', { text: `the word is ${what}`, explanation: EXPLANATION });
  if (word === 'ship' && !isSecond)
    return call('call-webhook', { webhook: 'ship', body: { ref: what }, explanation: EXPLANATION });
  return say(`${word} ${what}: ready`);
};

/** From the start of something until the owner's chat has a text of that form that is new. */
const timeUntil = async (stack: TestStack, start: () => Promise<unknown>, shown: RegExp): Promise<number> => {
  const before = stack.telegram.sent(OWNER.id).length;
  const begun = performance.now();
  const waited = () => performance.now() - begun;
  const started = start();
  while (!stack.telegram.sent(OWNER.id).some(({ text = '' }, n) => n >= before && shown.test(text))) {
    if (waited() > WAIT_MS_MAX)
      throw new Error(`nothing like ${shown} came: ${stack.telegram.sent(OWNER.id).at(-1)?.text}`);
    await sleep(LOOK_MS);
  }
  const ms = waited();
  await started;
  return ms;
};

const TO_OWNER: JobDefinition['to'] = [{ target: 'telegram', to: `${OWNER.id}` }];

/** A job that tells the owner of each event, without a model. */
const makeEventJob = async ({ table }: TestStack): Promise<void> => {
  const now = Date.now();
  const hash = (await findRunbook(table, SPACE, 'tell'))?.hash ?? '';
  const work = { kind: 'runbook', runbook: 'tell', hash, inputs: {} } as const;
  const when = { kind: 'event', source: 'bench' } as const;
  await makeJob(table, SPACE, sampleJob({ name: 'events', when, work, promises: 'nothing', to: TO_OWNER }), now);
};

const buildScenarios = (stack: TestStack) => {
  let n = 0;
  const write = (text: string) => () => stack.postUpdate(stack.telegram.sendText(OWNER.id, OWNER.id, text));
  const turn = (word: string) => {
    n += 1;
    return timeUntil(stack, write(`${word} w${n}x`), new RegExp(`${word} w${n}x: ready`));
  };
  return {
    plain: () => turn('plain'),
    tool: () => turn('note'),
    status: () => timeUntil(stack, write('/status'), /./),
    /** The run before must have ended: one that is busy skips an event. */
    event: async () => {
      n += 1;
      await sleep(READING_MS);
      return timeUntil(stack, () => postEvent(stack, `e${n}x`), new RegExp(`e${n}x`));
    },
    /** From the tick that finds it due. */
    job: async () => {
      n += 1;
      const now = Date.now();
      const when = { kind: 'every', minutes: YEAR_MINUTES, from: now } as const;
      const work: Work = { kind: 'steps', steps: [{ say: `due w${n}x` }] };
      await makeJob(stack.table, SPACE, sampleJob({ name: `due-${n}`, when, work, to: TO_OWNER }), now - READING_MS);
      return timeUntil(stack, stack.tick, new RegExp(`due w${n}x`));
    },
    /** From the tap to the words after it; the card comes before. */
    tap: async () => {
      n += 1;
      await timeUntil(stack, write(`ship w${n}x`), new RegExp(`"ref":"w${n}x"`));
      const card = stack.telegram.sent(OWNER.id).find(({ text = '' }) => text.includes(`"ref":"w${n}x"`));
      const button = card?.reply_markup?.inline_keyboard[0]?.[0];
      const data = button !== undefined && 'callback_data' in button ? button.callback_data : '';
      const tapped = stack.telegram.tap(card?.message_id ?? 0, data, OWNER.id);
      return timeUntil(stack, () => stack.postUpdate(tapped), new RegExp(`ship w${n}x: ready`));
    },
  };
};

const dollarsOfMillion = (used: ReadonlyMap<string, Used>, turns: number): number =>
  ([...used.values()].reduce(
    (sum, { billedMs, memoryMb, invocations }) =>
      sum + (billedMs / 1_000) * (memoryMb / 1_024) * GB_SECOND_DOLLARS + invocations * INVOCATION_DOLLARS,
    0,
  ) /
    turns) *
  1e6;

/** The share of its memory that each function took, from the one that came closest to all of it. */
const peaksOf = (used: ReadonlyMap<string, Used>) =>
  [...used]
    .map(([name, { peakMb, memoryMb }]) => {
      return { percent: (100 * peakMb) / memoryMb, text: `${name} ${peakMb.toFixed(0)}/${memoryMb} MB` };
    })
    .toSorted((left, right) => right.percent - left.percent);

const afterNight = async (places: CloudPlaces, run: () => Promise<number>): Promise<number> => {
  const all = await repeat(COLD_TURNS, async () => {
    await places.chill();
    return run();
  });
  return quantile(all, 0.5);
};

interface Cloud {
  readonly size: number | undefined;
  readonly initialisation: Initialisation;
  /** Of the functions' bundles. */
  readonly urls: ReadonlyMap<string, string>;
  readonly wants: (part: Part) => boolean;
  readonly progress: (line: string) => void;
}

const measureSize = async ({ size, initialisation, urls, wants, progress }: Cloud): Promise<readonly Row[]> => {
  const memoryMbOf = ({ memoryMb }: FunctionPlan) => size ?? memoryMb;
  const places = buildCloudPlaces((name) => urls.get(name) ?? '', memoryMbOf, initialisation);
  const target = createServer((_, response) => void response.writeHead(200).end('{}')).listen(0, '127.0.0.1');
  await once(target, 'listening');
  const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
  const stack = await startTestStack({
    script,
    isPolling: false,
    allowedChats: [OWNER.id],
    approvers: [OWNER.id],
    environment: {
      WEBHOOK_TARGETS: JSON.stringify({ ship: { url, secret: WEBHOOK_SECRET } }),
      WEBHOOK_URLS: JSON.stringify({ ship: url }),
      ALLOW_LOOPBACK_WEBHOOKS: '1',
      WEBHOOK_SECRETS: JSON.stringify({ bench: EVENT_SECRET }),
    },
    overrides: { places },
  });
  try {
    const scenarios = buildScenarios(stack);
    const title = size === undefined ? 'memory of the template' : `${size} MB each`;
    const group = `cloud: milliseconds a person waits beside the model (${title}; code loads on ${initialisation === 'core' ? 'a whole processor' : 'the same share'})`;
    const row = (name: string, value: number, goal?: number, note?: string): Row => ({
      group,
      name,
      value,
      unit: 'ms',
      ...(goal === undefined ? {} : { goal: { is: '≤', value: goal } as const }),
      ...(note === undefined ? {} : { note }),
    });
    const rows: Row[] = [];
    const median = async (times: number, run: () => Promise<number>): Promise<number> => {
      await run();
      return quantile(await repeat(times, run), 0.5);
    };
    progress(`cloud: ${title}, ${initialisation}: cold`);
    if (wants('event')) await makeEventJob(stack);
    await scenarios.plain();
    if (wants('night')) {
      rows.push(row('first message after a night', await afterNight(places, scenarios.plain), COLD_MS_MAX));
      rows.push(row('first /status after a night', await afterNight(places, scenarios.status)));
    }
    // A person who has read the first answer asks for something that needs a tool.
    const askForTool = async () => {
      await scenarios.plain();
      await sleep(READING_MS);
      return scenarios.tool();
    };
    const freshTool = wants('tool') ? await afterNight(places, askForTool) : 0;
    progress(`cloud: ${title}, ${initialisation}: warm`);
    await repeat(3, scenarios.plain);
    if (wants('plain')) {
      places.reset();
      const plain = await repeat(WARM_TURNS, scenarios.plain);
      const used = places.used();
      const uses = [...used].map(([name, { cpuMs, peakMb }]) => {
        return `${name} ${(cpuMs / WARM_TURNS).toFixed(0)} ms, ${peakMb.toFixed(0)} MB`;
      });
      const name = 'functions, for a million warm plain turns';
      rows.push(
        row('plain turn, warm, p50', quantile(plain, 0.5), WARM_P50_MS_MAX),
        row('plain turn, warm, p99', quantile(plain, 0.99), WARM_P99_MS_MAX),
        { group, name, value: dollarsOfMillion(used, WARM_TURNS), unit: '$', note: uses.join(' · ') },
      );
    }
    if (wants('tool')) {
      const tool = await median(5, scenarios.tool);
      rows.push(
        row('tool turn, warm (two asks of the model)', tool),
        row('first tool turn of fresh functions, over a warm one', freshTool - tool, FRESH_TOOL_MS_MAX),
      );
    }
    if (wants('tap'))
      rows.push(row('from a tap on Approve to the words after it, warm', await median(3, scenarios.tap)));
    if (wants('status')) rows.push(row('/status, warm', await median(5, scenarios.status)));
    if (wants('event'))
      rows.push(row('from an event of a service to its words, told by a job, warm', await median(3, scenarios.event)));
    if (wants('job'))
      rows.push(row('from the tick that finds a job due to its words, warm', await median(3, scenarios.job)));
    if (!wants('memory')) return rows;
    if (size === undefined && initialisation === 'core') await workMost(places, progress);
    const peaks = peaksOf(places.used());
    rows.push({
      group,
      name: 'memory of the fullest function at its largest scenario, of its own',
      value: peaks[0]?.percent ?? 0,
      unit: '%',
      goal: { is: '≤', value: MEMORY_PERCENT_MAX },
      note: peaks.map(({ text }) => text).join(' · '),
    });
    return rows;
  } finally {
    await stack.stop();
    await places.close();
    target.close();
  }
};

export const measureCloud: Measure = async ({ scratch, progress, keep, parts, memoryMb }) => {
  const unknown = parts.filter((part) => !PARTS.some((one) => one === part));
  if (unknown.length > 0) throw new Error(`cloud has no part ${unknown.join(', ')}; it has ${PARTS.join(', ')}`);
  const problem = findQuotaProblem();
  if (problem !== undefined) {
    progress(`cloud: skipped, because this machine sets no processor quotas (${problem})`);
    return [];
  }
  const folder = mkdtempSync(join(scratch, 'cloud-'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const urls = new Map<string, string>();
  for (const name of FUNCTION_NAMES) {
    progress(`cloud: building ${name}`);
    mkdirSync(join(folder, name));
    buildFunction(name, join(folder, name));
    urls.set(name, pathToFileURL(join(folder, name, 'index.mjs')).href);
  }
  const wants = (part: Part): boolean => parts.length === 0 || parts.includes(part);
  const common = { urls, wants, progress };
  for (const size of memoryMb === undefined ? SIZES : [memoryMb])
    keep(await measureSize({ ...common, size, initialisation: 'core' }));
  if (memoryMb === undefined) keep(await measureSize({ ...common, size: undefined, initialisation: 'share' }));
  return [];
};
