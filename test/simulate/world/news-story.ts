/**
 * Draws a busy hour: a source sends more events than a chat gets one by one, while the chat is
 * muted, blocks the bot, moves or is removed. It is data alone, as any story. Pure.
 */
import { HOME_CHAT, PAIRED_CHAT, SOURCES } from '../outside/config.ts';
import type { Random, Step } from '../types.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** Of a source: some more than its share, or more than a digest names. */
const COUNT = [12, 22] as const;
const MANY_COUNT = [68, 78] as const;
const MANY_PROBABILITY = 0.1;
const OTHER_SOURCE_PROBABILITY = 0.15;
/** The longest pause between two events: all at once, or so that each edits the digest. */
const PAUSES_MS = [2 * SECOND_MS, 40 * SECOND_MS, 3 * MINUTE_MS] as const;
const STRAGGLERS = 3;
const STRAGGLER_MS = 4 * MINUTE_MS;
const MUTE_PROBABILITY = 0.4;
/** A run begins at half past nine (UTC). */
const MUTED = ['09:20-10:10', '09:40-10:20'] as const;

type Fate = 'stays' | 'blocks' | 'moves' | 'is removed';
const FATES: readonly [Fate, ...Fate[]] = ['stays', 'stays', 'blocks', 'moves', 'is removed'];

const between = (random: Random, [least, most]: readonly [number, number]): number =>
  least + random.below(most - least);

/** @returns the steps in the order of their times */
export const buildNewsStory = (random: Random): readonly Step[] => {
  let count = 0;
  const marker = (): string => {
    count += 1;
    return `m${count}`;
  };
  const fate = random.pick(FATES);
  const home = fate === 'is removed' ? PAIRED_CHAT : HOME_CHAT;
  const order = (afterMs: number, text: string): Step => ({
    kind: 'order',
    ...{ afterMs, via: 'telegram', conversation: HOME_CHAT, text, marker: marker() },
  });
  const steps: Step[] = [];
  if (fate === 'is removed') steps.push(order(0, `/config set HOME_CHAT ${PAIRED_CHAT}`));
  if (random.chance(MUTE_PROBABILITY)) steps.push(order(1, `/chats mute ${home} ${random.pick(MUTED)}`));
  const source = random.pick(SOURCES);
  const isMany = random.chance(MANY_PROBABILITY);
  // Within the hour, and no more at once than a conversation takes.
  const pauseMs = isMany ? PAUSES_MS[1] : random.pick(PAUSES_MS);
  const events = between(random, isMany ? MANY_COUNT : COUNT);
  // A changed setting is in force after some seconds.
  let atMs = steps.length === 0 ? 0 : 30 * SECOND_MS;
  const beginMs = atMs;
  for (let left = events; left > 0; left -= 1) {
    const from = !isMany && random.chance(OTHER_SOURCE_PROBABILITY) ? random.pick(SOURCES) : source;
    steps.push({ kind: 'event', afterMs: atMs, source: from, marker: marker() });
    atMs += random.below(pauseMs);
  }
  // By then it is known what became of the digest's first message.
  for (let left = STRAGGLERS; left > 0; left -= 1)
    steps.push({ kind: 'event', afterMs: atMs + left * STRAGGLER_MS, source, marker: marker() });
  // Later than half of the events: the digest has begun.
  const halfMs = Math.ceil((atMs - beginMs) / 2);
  const someMs = beginMs + halfMs + random.below(halfMs + MINUTE_MS);
  if (fate === 'moves') steps.push({ kind: 'place', afterMs: someMs, chat: home, befalls: 'move', marker: marker() });
  if (fate === 'is removed') steps.push(order(someMs, `/chats remove ${home}`));
  if (fate === 'blocks') {
    steps.push({ kind: 'place', afterMs: someMs, chat: home, befalls: 'block', marker: marker() });
    const againMs = someMs + random.below(10 * MINUTE_MS);
    if (random.chance(0.7))
      steps.push({ kind: 'place', afterMs: againMs, chat: home, befalls: 'unblock', marker: marker() });
  }
  return steps.toSorted((a, b) => a.afterMs - b.afterMs);
};
