/**
 * What a person waits beside the model's own time when the functions are as small as the cloud's:
 * each in a process of its own, with the share of a processor that its memory buys, and a network
 * of 1 ms to the table and 3 ms to a queue. Messages come as Telegram's webhook; the wait ends when
 * the bot's answer is at Telegram. Everything before a scenario is fresh ("cold") or has run
 * ("warm"). Skips with a note where the kernel sets no quotas.
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
import { FUNCTION_NAMES } from '../../lib/store/settings.ts';
import { call, type ModelServerRequest, say, toolResultsOf, userTextOf } from '../support/model-server.ts';
import { startTestStack, type TestStack, until } from '../support/stack.ts';
import { buildCloudPlaces, type CloudPlaces, findQuotaProblem, type Initialisation, type Used } from './cloud-place.ts';
import { quantile } from './drive.ts';
import type { Measure } from './measure.ts';
import type { Row } from './report.ts';

const OWNER = { id: 77, name: 'Ada' };
const WEBHOOK_SECRET = 'whsec_c2VjcmV0LW9mLXRoZS1iZW5jaG1hcms=';
const EXPLANATION = 'You asked me to do it now.';
const WARM_TURNS = 20;
const COLD_TURNS = 3;
/** Between an answer and the next message. */
const READING_MS = 2_000;
/** Dollars for a GB-second of arm64 in us-east-1, and for an invocation. */
const GB_SECOND_DOLLARS = 0.0000133334;
const INVOCATION_DOLLARS = 0.0000002;
const WARM_P50_MS_MAX = 250;
const WARM_P99_MS_MAX = 600;
const COLD_MS_MAX = 2_500;
const FRESH_TOOL_MS_MAX = 400;
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

/** Telegram's side of one message: sent through the webhook, timed until the answer is there. */
const timeUntil = async (stack: TestStack, update: unknown, shown: RegExp): Promise<number> => {
  const begun = performance.now();
  await stack.postUpdate(update);
  await until(`${shown}`, () => stack.telegram.sent(OWNER.id).some(({ text = '' }) => shown.test(text)));
  return performance.now() - begun;
};

const buildScenarios = (stack: TestStack) => {
  let n = 0;
  const say = (text: string) => stack.telegram.sendText(OWNER.id, OWNER.id, text);
  const turn = (word: string) => {
    n += 1;
    return timeUntil(stack, say(`${word} w${n}x`), new RegExp(`${word} w${n}x: ready`));
  };
  return {
    plain: () => turn('plain'),
    tool: () => turn('note'),
    status: async () => {
      const before = stack.telegram.sent(OWNER.id).length;
      const begun = performance.now();
      await stack.postUpdate(say('/status'));
      await until('the status', () => stack.telegram.sent(OWNER.id).length > before);
      return performance.now() - begun;
    },
    /** From the tap to the words after it; the card comes before. */
    tap: async () => {
      n += 1;
      await timeUntil(stack, say(`ship w${n}x`), new RegExp(`"ref":"w${n}x"`));
      const card = stack.telegram.sent(OWNER.id).find(({ text = '' }) => text.includes(`"ref":"w${n}x"`));
      const button = card?.reply_markup?.inline_keyboard[0]?.[0];
      const data = button !== undefined && 'callback_data' in button ? button.callback_data : '';
      const tapped = stack.telegram.tap(card?.message_id ?? 0, data, OWNER.id);
      return timeUntil(stack, tapped, new RegExp(`ship w${n}x: ready`));
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

const repeat = async (times: number, run: () => Promise<number>): Promise<readonly number[]> => {
  const all: number[] = [];
  for (let n = 0; n < times; n += 1) all.push(await run());
  return all;
};

const afterNight = async (places: CloudPlaces, run: () => Promise<number>): Promise<number> => {
  const all = await repeat(COLD_TURNS, async () => {
    await places.chill();
    return run();
  });
  return quantile(all, 0.5);
};

const measureSize = async (
  size: number | undefined,
  initialisation: Initialisation,
  urls: ReadonlyMap<string, string>,
  progress: (line: string) => void,
): Promise<readonly Row[]> => {
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
    },
    overrides: { openPlace: places.open },
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
    progress(`cloud: ${title}, ${initialisation}: cold`);
    await scenarios.plain();
    const cold = await afterNight(places, scenarios.plain);
    const coldStatus = await afterNight(places, scenarios.status);
    // A person who has read the first answer asks for something that needs a tool.
    const freshTool = await afterNight(places, async () => {
      await scenarios.plain();
      await sleep(READING_MS);
      return scenarios.tool();
    });
    progress(`cloud: ${title}, ${initialisation}: warm`);
    await repeat(3, scenarios.plain);
    places.reset();
    const plain = await repeat(WARM_TURNS, scenarios.plain);
    const used = places.used();
    const cost = dollarsOfMillion(used, WARM_TURNS);
    const uses = [...used].map(([name, { cpuMs, peakMb }]) => {
      return `${name} ${(cpuMs / WARM_TURNS).toFixed(0)} ms, ${peakMb.toFixed(0)} MB`;
    });
    await scenarios.tool();
    const tool = quantile(await repeat(5, scenarios.tool), 0.5);
    await scenarios.tap();
    const tap = quantile(await repeat(3, scenarios.tap), 0.5);
    const status = quantile(await repeat(5, scenarios.status), 0.5);
    return [
      row('plain turn, warm, p50', quantile(plain, 0.5), WARM_P50_MS_MAX),
      row('plain turn, warm, p99', quantile(plain, 0.99), WARM_P99_MS_MAX),
      row('first message after a night', cold, COLD_MS_MAX),
      row('first /status after a night', coldStatus),
      row('/status, warm', status),
      row('tool turn, warm (two asks of the model)', tool),
      row('first tool turn of fresh functions, over a warm one', freshTool - tool, FRESH_TOOL_MS_MAX),
      row('from a tap on Approve to the words after it, warm', tap),
      { group, name: 'functions, for a million warm plain turns', value: cost, unit: '$', note: uses.join(' · ') },
    ];
  } finally {
    await stack.stop();
    await places.close();
    target.close();
  }
};

export const measureCloud: Measure = async ({ scratch, progress }) => {
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
  const rows: Row[] = [];
  for (const size of SIZES) rows.push(...(await measureSize(size, 'core', urls, progress)));
  rows.push(...(await measureSize(undefined, 'share', urls, progress)));
  return rows;
};
