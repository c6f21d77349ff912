/**
 * Draws a small random story: what people and systems do in one run. Most have one or two messages;
 * some have ten at once. It is data alone, so that a shrinker may drop any step. Pure.
 */
import { CHATS, SOURCES } from '../outside/config.ts';
import type { CardAnswer, FilesStep, NewsStep, Random, StoryStep, Verb } from '../types.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

type Weighted<T> = readonly (readonly [weight: number, value: T])[];

const draw = <T>(random: Random, rows: Weighted<T>): T => {
  let left = random.below(rows.reduce((sum, [weight]) => sum + weight, 0));
  for (const [weight, value] of rows) {
    if (left < weight) return value;
    left -= weight;
  }
  throw new Error('no row has a weight');
};

const VERBS: Weighted<Verb> = [
  [4, 'say'],
  [3, 'note'],
  [4, 'hook'],
  [1, 'both'],
  [1, 'call'],
  [2, 'long'],
  [1, 'bad'],
  [1, 'mute'],
];
const CARD_ANSWERS: Weighted<CardAnswer> = [
  [6, 'approve'],
  [2, 'deny'],
  [1, 'ignore'],
];
const ROUND_ANSWERS: Weighted<CardAnswer> = [
  [4, 'similar'],
  [2, 'approve'],
  [1, 'deny'],
];
/** How long a person looks at a card: at once, for minutes, or around the hour it is valid. */
const CARD_WAITS_MS: Weighted<readonly [number, number]> = [
  [6, [200, 5 * SECOND_MS]],
  [2, [5 * SECOND_MS, 10 * MINUTE_MS]],
  [1, [58 * MINUTE_MS, 64 * MINUTE_MS]],
];
const COUNTS: Weighted<number> = [
  [20, 1],
  [12, 2],
  [4, 3],
  [2, 4],
  [1, 10],
];
/** The longest pause between two inputs of a story: all at once, close together, minutes apart. */
const PAUSES_MS: Weighted<number> = [
  [2, 1],
  [2, 300],
  [3, 10 * SECOND_MS],
  [2, 6 * MINUTE_MS],
];
const CONSOLE_SESSIONS = ['main', 'desk'] as const;
/** Everybody asks for the same at the same moment, in any conversation: so writers meet. */
const RUSH_PROBABILITY = 0.06;
const RUSH_PAUSE_MS = 4;
const RUSH_COUNT = [3, 6] as const;
/** The same call again and again in one chat, which a person may allow for some more times. */
const ROUND_PROBABILITY = 0.1;
const ROUND_COUNT = [6, 10] as const;
const ROUND_PAUSE_MS = 40 * SECOND_MS;
/** Another call, or another chat, in between: neither was allowed. */
const ROUND_OTHERS_PROBABILITY = 0.15;
/** Many conversations of one person: the day's counter then gives up entries of the others. */
const WIDE_PROBABILITY = 0.04;
const WIDE_SESSIONS = 8;
const WIDE_COUNT = [9, 14] as const;
const WIDE_PAUSE_MS = 8 * SECOND_MS;
const STOP_PROBABILITY = 0.25;
const RESUME_PROBABILITY = 0.85;

const between = (random: Random, [least, most]: readonly [number, number]): number =>
  least + random.below(most - least);

interface Place {
  readonly via: 'telegram' | 'console';
  readonly conversation: string;
}

const drawPlace = (random: Random): Place =>
  random.chance(0.75)
    ? { via: 'telegram', conversation: random.pick(CHATS) }
    : { via: 'console', conversation: random.pick(CONSOLE_SESSIONS) };

const drawMessage = (random: Random, verb: Verb, place: Place, marker: string, afterMs: number): StoryStep => {
  const message = { kind: 'message', afterMs, ...place, verb, marker } as const;
  if (verb !== 'hook' && verb !== 'both' && verb !== 'call') return message;
  const isRound = verb === 'call' && place.via === 'telegram';
  const answer = draw(random, isRound ? ROUND_ANSWERS : CARD_ANSWERS);
  return { ...message, card: { answer, afterMs: between(random, draw(random, CARD_WAITS_MS)) } };
};

/** A stop, mostly while one of the messages is worked on, and mostly a resume after it. */
const drawStop = (
  random: Random,
  place: Place,
  markers: () => string,
  steps: readonly StoryStep[],
): readonly StoryStep[] => {
  const command = (name: 'stop' | 'resume', afterMs: number): StoryStep => {
    const via = place.via === 'telegram' && random.chance(0.6) ? 'telegram' : 'control';
    return { kind: 'command', afterMs, via, conversation: place.conversation, command: name, marker: markers() };
  };
  const times = steps.map(({ afterMs }) => afterMs);
  const workMs = times[random.below(times.length)] ?? 0;
  const stopMs = random.chance(0.7)
    ? workMs + random.below(5 * SECOND_MS)
    : random.below(Math.max(...times) + 8 * SECOND_MS);
  const stop = command('stop', stopMs);
  if (!random.chance(RESUME_PROBABILITY)) return [stop];
  return [stop, command('resume', stopMs + between(random, [SECOND_MS, 10 * MINUTE_MS]))];
};

const buildWide = (random: Random, markers: () => string): readonly StoryStep[] => {
  let atMs = 0;
  return Array.from({ length: between(random, WIDE_COUNT) }, (_, n) => {
    atMs += random.below(WIDE_PAUSE_MS);
    const place = {
      via: 'console',
      conversation: `desk-${n < WIDE_SESSIONS ? n : random.below(WIDE_SESSIONS)}`,
    } as const;
    return drawMessage(random, 'say', place, markers(), atMs);
  });
};

/** @returns the steps in the order of their times */
export const buildStory = (random: Random): readonly StoryStep[] => {
  let count = 0;
  const markers = (): string => {
    count += 1;
    return `m${count}`;
  };
  if (random.chance(WIDE_PROBABILITY)) return buildWide(random, markers);
  const isRush = random.chance(RUSH_PROBABILITY);
  const isRound = !isRush && random.chance(ROUND_PROBABILITY);
  const pauseMs = isRush ? RUSH_PAUSE_MS : isRound ? ROUND_PAUSE_MS : draw(random, PAUSES_MS);
  const isOnePlace = isRound || (!isRush && random.chance(0.5));
  const place = isRound ? ({ via: 'telegram', conversation: random.pick(CHATS) } as const) : drawPlace(random);
  const common = isRush ? draw(random, VERBS) : undefined;
  const isOther = (): boolean => isRound && random.chance(ROUND_OTHERS_PROBABILITY);
  const drawVerb = (): Verb => (isRound ? (isOther() ? 'hook' : 'call') : (common ?? draw(random, VERBS)));
  const messages = isRound ? between(random, ROUND_COUNT) : isRush ? between(random, RUSH_COUNT) : draw(random, COUNTS);
  const steps: StoryStep[] = [];
  let atMs = 0;
  for (let left = messages; left > 0; left -= 1) {
    const step: StoryStep = random.chance(0.15)
      ? { kind: 'event', afterMs: atMs, source: random.pick(SOURCES), marker: markers() }
      : drawMessage(random, drawVerb(), isOnePlace && !isOther() ? place : drawPlace(random), markers(), atMs);
    steps.push(step);
    atMs += random.below(pauseMs);
  }
  if (random.chance(STOP_PROBABILITY)) steps.push(...drawStop(random, place, markers, steps));
  return steps.toSorted((a, b) => a.afterMs - b.afterMs);
};

/** What an owner looks at and changes beside a story. No rule reads the answers. */
const ORDERS = [
  '/remember the bike is blue',
  '/undo',
  '/config set BUDGET_DAY_USD 900',
  '/config reset BUDGET_DAY_USD',
  '/config',
  '/jobs add water every 5m: say drink water',
  '/jobs',
  '/grants',
  '/approvals',
  '/signals',
  '/news',
  '/tasks',
  '/cost',
] as const;
const ORDERS_PROBABILITY = 0.15;
const ORDERS_MOST = 4;
/** Markers of a story are smaller, and those at its end larger. */
const FIRST_MARKER = 800;

/** Orders for a story, in any of its chats. Mostly none. */
export const buildOrders = (random: Random): readonly NewsStep[] => {
  if (!random.chance(ORDERS_PROBABILITY)) return [];
  const withinMs = draw(random, PAUSES_MS);
  return Array.from({ length: 1 + random.below(ORDERS_MOST) }, (_, n) => ({
    kind: 'order',
    afterMs: random.below(withinMs),
    via: 'telegram',
    conversation: random.pick(CHATS),
    text: random.pick(ORDERS),
    marker: `m${FIRST_MARKER + n}`,
  }));
};

const FILES_PROBABILITY = 0.1;
const FILES_MOST = 3;
/** Of some albums most files are gone: they fail alike. */
const GONE_PROBABILITIES = [0.2, 0.2, 0.2, 0.9] as const;
/** The markers of orders are larger. */
const FILES_MARKER = 700;

const VOICE_PROBABILITY = 0.06;
const VOICE_MARKER = 'm750';

const PICTURES_PROBABILITY = 0.08;
const PICTURES_MARKER = 'm760';

/** A voice message for a story, in any of its chats. Mostly none. */
export const buildVoice = (random: Random): readonly FilesStep[] => {
  if (!random.chance(VOICE_PROBABILITY)) return [];
  const afterMs = random.below(draw(random, PAUSES_MS));
  const files = [`voice-${VOICE_MARKER}`];
  return [{ kind: 'files', afterMs, via: 'telegram', conversation: random.pick(CHATS), files, marker: VOICE_MARKER }];
};

const drawFiles = (random: Random, marker: string, present: string, gone: string): readonly FilesStep[] => {
  const goneProbability = random.pick(GONE_PROBABILITIES);
  const files = Array.from(
    { length: 1 + random.below(FILES_MOST) },
    (_, n) => `${random.chance(goneProbability) ? gone : present}-${marker}-${n}`,
  );
  const afterMs = random.below(draw(random, PAUSES_MS));
  return [{ kind: 'files', afterMs, via: 'telegram', conversation: random.pick(CHATS), files, marker }];
};

/** Files for a story, in any of its chats. Mostly none. */
export const buildFiles = (random: Random): readonly FilesStep[] =>
  random.chance(FILES_PROBABILITY) ? drawFiles(random, `m${FILES_MARKER}`, 'file', 'gone') : [];

/** Pictures with a caption for a story, in any of its chats. Mostly none. */
export const buildPictures = (random: Random): readonly FilesStep[] =>
  random.chance(PICTURES_PROBABILITY) ? drawFiles(random, PICTURES_MARKER, 'photo', 'gone-photo') : [];
