/**
 * Where the processor's time of a plain turn goes: the three stages in this process with the real
 * clients, against a table server, with full history and a model that answers at once. A sample of
 * the profiler counts for the innermost frame that a rule names. And what a prompt is made of.
 */
import { Session } from 'node:inspector/promises';
import { HISTORY_TURNS_MAX } from '../../lib/core/base/limits.ts';
import type { Prompt } from '../../lib/core/prompt/build-prompt.ts';
import { startDynamo } from '../support/dynamo.ts';
import { buildSimulation, ownerMessage } from '../support/simulation.ts';
import type { Measure } from './measure.ts';
import type { Row } from './report.ts';

const SPACE = 'profile';
const TURNS = 300;
const SAMPLE_US = 200;
const LARGEST = 10;
const BYTES_PER_TOKEN = 4;

/** The first rule that matches a frame's file; undefined for what is no part of a turn. */
const PARTS: readonly (readonly [RegExp, string | undefined])[] = [
  [/lib\/core\/gates\//, 'gates'],
  [/lib\/core\/base\/canonical/, 'canonical bytes and hashes'],
  [/node_modules\/zod\//, 'parsing with schemas'],
  [/lib\/core\/prompt\//, 'prompt'],
  [/signature-v4|aws-crypto|httpAuthSchemes/, 'signing of requests'],
  [/node_modules\/@(smithy|aws-sdk|aws)\//, 'client of the table: serialising, parsing, middleware'],
  [/lib\/core\/(judge|text)\//, 'facts for the gates'],
  [/lib\/core\/store\//, 'our store: conditions, items'],
  [/lib\/core\/stages\//, 'stages'],
  [/lib\//, 'other code of ours'],
  [/test\/|infra\//, undefined],
  [/^node:/, 'sockets and HTTP of Node'],
];

interface Frame {
  readonly name: string;
  readonly file: string;
  readonly parent: number | undefined;
}

const partOf = (frames: ReadonlyMap<number, Frame>, id: number): string | undefined => {
  for (let at: number | undefined = id; at !== undefined; at = frames.get(at)?.parent) {
    const { name = '', file = '' } = frames.get(at) ?? {};
    if (name === '(garbage collector)') return 'garbage collector';
    // Node's own code counts for whoever called it.
    const rule = file.startsWith('node:') ? undefined : PARTS.find(([pattern]) => pattern.test(file));
    if (rule !== undefined) return rule[1];
  }
  return frames.get(id)?.file.startsWith('node:') === true ? 'sockets and HTTP of Node' : undefined;
};

/** Milliseconds by part, and of the functions alone. */
const profileOf = async (work: () => Promise<void>) => {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_US });
  await session.post('Profiler.start');
  await work();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const frames = new Map<number, Frame>();
  const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  for (const { id, callFrame } of profile.nodes)
    frames.set(id, { name: callFrame.functionName, file: callFrame.url, parent: parents.get(id) });
  const parts = new Map<string, number>();
  const functions = new Map<string, number>();
  for (const [index, id] of (profile.samples ?? []).entries()) {
    const part = partOf(frames, id);
    if (part === undefined) continue;
    const ms = (profile.timeDeltas?.[index] ?? 0) / 1_000;
    parts.set(part, (parts.get(part) ?? 0) + ms);
    const { name = '', file = '' } = frames.get(id) ?? {};
    const place = `${name || '(no name)'} of ${file.split('/').slice(-2).join('/') || 'V8'}`;
    functions.set(place, (functions.get(place) ?? 0) + ms);
  }
  const sorted = (all: ReadonlyMap<string, number>) => [...all].sort(([, a], [, b]) => b - a);
  return { parts: sorted(parts), functions: sorted(functions).slice(0, LARGEST) };
};

const tokensOf = (value: unknown): number => Math.ceil(Buffer.byteLength(JSON.stringify(value)) / BYTES_PER_TOKEN);

/** Of the last prompt. */
const promptRows = ({ system, messages, tools }: Prompt): readonly Row[] => {
  const group = 'the prompt of a plain turn with full history';
  const of = (name: string, value: unknown): Row => ({ group, name, value: tokensOf(value), unit: 'tokens' });
  return [
    of('forms of tools', tools),
    of('rules and identity', system),
    of('history', messages.slice(0, -1)),
    of('situation and question', messages.slice(-1)),
  ];
};

export const measureProfile: Measure = async (context) => {
  await using dynamo = await startDynamo();
  let prompt: Prompt | undefined;
  let n = 0;
  const simulation = buildSimulation({
    table: dynamo.table,
    space: SPACE,
    answer: (asked) => {
      prompt = asked;
      return { content: `Certainly: nothing has changed since (${n}).` };
    },
  });
  const say = async (turns: number): Promise<void> => {
    for (let turn = 0; turn < turns; turn += 1) {
      n += 1;
      simulation.advance(30_000);
      await simulation.accept(ownerMessage(SPACE, n, `What is next for the boiler? (${n})`, '7', simulation.now()));
      await simulation.drain();
    }
  };
  context.progress('profile: warming up');
  await say(3 * HISTORY_TURNS_MAX);
  context.progress(`profile: ${TURNS} turns`);
  const { parts, functions } = await profileOf(() => say(TURNS));
  const whole = parts.reduce((sum, [, ms]) => sum + ms, 0);
  // A busy machine makes everything longer alike.
  const row =
    (group: string) =>
    ([name, ms]: readonly [string, number]): Row => ({
      group,
      name,
      value: (100 * ms) / whole,
      unit: '%',
      note: `${(ms / TURNS).toFixed(2)} ms`,
    });
  return [
    ...parts.map(row('processor time of a plain turn, by part, summaries included')),
    ...functions.map(row('the ten functions that take most of it themselves')),
    ...(prompt === undefined ? [] : promptRows(prompt)),
  ];
};
