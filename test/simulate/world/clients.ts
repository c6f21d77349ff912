/**
 * Plays a story: people write and tap, systems send events, and each input is sent again until it
 * was taken, as its sender documents. Gives every input with all its tries. A sender that gets no
 * answer for an hour gives up.
 */
import type { Sent, ShownMessage, Step, WireAnswer, WireRequest } from '../types.ts';
import { buildRequests } from './client-requests.ts';
import {
  addSent,
  backoffMs,
  type ClientsOptions,
  type ClientsWorld,
  type Door,
  drawRepeatMs,
  GIVE_UP_MS,
  tryOnce,
} from './sending.ts';
import { startTelegramSender, type TelegramSender } from './telegram-sender.ts';

type MessageStep = Extract<Step, { kind: 'message' }>;

const SECOND_TAP_PROBABILITY = 0.15;
/** A person's second tap: impatient, or minutes later. */
const SECOND_TAP_WITHIN_MS = [1_500, 300_000] as const;

const isTaken = ({ status }: WireAnswer): boolean => status >= 200 && status < 300;
/** A refusal that a repeat would not change. */
const isFinal = (answer: WireAnswer): boolean => isTaken(answer) || (answer.status < 500 && answer.status !== 429);

interface Delivery {
  readonly one: Sent;
  readonly door: Door;
  /** The request of the next try: signatures carry the time. */
  readonly build: () => WireRequest;
  readonly isDone: (answer: WireAnswer) => boolean;
}

/** Repeats a request until its sender is content. @returns the last answer */
const deliver = async (
  world: ClientsWorld,
  { one, door, build, isDone }: Delivery,
): Promise<WireAnswer | undefined> => {
  const { now, after } = world;
  const begunAt = now();
  for (let n = 0; ; n += 1) {
    const answer = await tryOnce(world, one, door, build());
    if (answer !== undefined && isDone(answer)) return answer;
    if (now() - begunAt > GIVE_UP_MS) return answer;
    await new Promise<void>((resolve) => after(backoffMs(n), resolve));
  }
};

const sendEvent = async (world: ClientsWorld, step: Extract<Step, { kind: 'event' }>): Promise<void> => {
  const { signalId, build } = world.requests.event(step.source, step.marker);
  const one = addSent(world, step, signalId, false);
  const delivery: Delivery = { one, door: 'webhook', build, isDone: isTaken };
  await deliver(world, delivery);
  const repeatMs = drawRepeatMs(world);
  if (repeatMs !== undefined) world.after(repeatMs, () => void tryOnce(world, one, 'webhook', build()));
};

/** A request that names its signal only in its answer. */
const sendControl = async (
  world: ClientsWorld,
  step: Step,
  request: WireRequest,
  isCardAnswer: boolean,
): Promise<void> => {
  const one = addSent(world, step, undefined, isCardAnswer);
  const answer = await deliver(world, { one, door: 'control', build: () => request, isDone: isFinal });
  if (answer?.status === 202) one.signalId = (JSON.parse(answer.body) as { readonly id: string }).id;
};

const POLL_FIRST_MS = 4_000;
const POLLS_MAX = 8;

/** Looks for the approval of a message, ever more rarely. @returns its id */
const findApproval = async (world: ClientsWorld, marker: string): Promise<string | undefined> => {
  for (let n = 0; n < POLLS_MAX; n += 1) {
    await new Promise<void>((resolve) => world.after(POLL_FIRST_MS * 2 ** n, resolve));
    const answer = await world.send('console', world.requests.listApprovals());
    if (answer?.status !== 200) continue;
    const { approvals } = JSON.parse(answer.body) as { readonly approvals: readonly { readonly id: string }[] };
    const found = approvals.find((approval) => JSON.stringify(approval).includes(`The message ${marker} asks`));
    if (found !== undefined) return found.id;
  }
  return undefined;
};

const sendConsoleMessage = async (world: ClientsWorld, step: MessageStep): Promise<void> => {
  const { signalId, request } = world.requests.message(step.conversation, `${step.verb} ${step.marker}`, step.marker);
  const one = addSent(world, step, signalId, false);
  await deliver(world, { one, door: 'console', build: () => request, isDone: isFinal });
  if (step.card === undefined || step.card.answer === 'ignore') return;
  const { answer, afterMs } = step.card;
  const approvalId = await findApproval(world, step.marker);
  if (approvalId === undefined) return;
  // The console knows no bounds.
  const decision = answer === 'deny' ? 'deny' : 'approve';
  world.after(afterMs, () => void sendControl(world, step, world.requests.decide(approvalId, decision), true));
};

const playStep = (world: ClientsWorld, sender: TelegramSender, step: Step): void => {
  if (step.kind === 'event') void sendEvent(world, step);
  else if (step.kind === 'place') world.outside.telegram.befall(step.chat, step.befalls);
  else if (step.kind === 'order') sender.add(step, world.outside.telegram.write(step.conversation, step.text), false);
  else if (step.kind === 'files')
    for (const update of world.outside.telegram.sendFiles(step.conversation, `say ${step.marker}`, step.files))
      sender.add(step, update, false);
  else if (step.via === 'control') void sendControl(world, step, world.requests[step.command](), false);
  else if (step.via === 'console') void sendConsoleMessage(world, step);
  else {
    const text = step.kind === 'command' ? `/${step.command}` : `${step.verb} ${step.marker}`;
    sender.add(step, world.outside.telegram.write(step.conversation, text), false);
  }
};

const BUTTONS = { approve: 'Approve', deny: 'Deny', similar: 'Allow similar…' } as const;
/** A person reads the bounds before the second tap. */
const READ_BOUNDS_MS = 2_000;

/** Answers the first card of each message as its step says. */
const answerCards = (world: ClientsWorld, sender: TelegramSender): void => {
  const { story, outside, after, random } = world;
  const waiting = new Map(
    story.flatMap((step) =>
      step.kind === 'message' && step.via === 'telegram' && step.card !== undefined
        ? [[step.marker, step] as const]
        : [],
    ),
  );
  /** Steps whose first tap asked for the bounds, by chat and message. */
  const asking = new Map<string, Step>();
  const answerBounds = (card: ShownMessage): void => {
    const step = asking.get(`${card.chat} ${card.messageId}`);
    const [fewest] = card.buttons.filter(({ data }) => data.startsWith('s:'));
    if (step === undefined || fewest === undefined) return;
    asking.delete(`${card.chat} ${card.messageId}`);
    after(READ_BOUNDS_MS, () => sender.add(step, outside.telegram.tap(card, fewest.data), true));
  };
  const answer = (card: ShownMessage): void => {
    answerBounds(card);
    const marker = /The message (m\d+) asks/.exec(card.text)?.[1] ?? '';
    const step = waiting.get(marker);
    if (step?.card === undefined) return;
    const word = step.card.answer === 'ignore' ? 'Deny' : BUTTONS[step.card.answer];
    const button = card.buttons.find(({ text }) => text === word);
    if (button === undefined) return;
    waiting.delete(marker);
    if (step.card.answer === 'ignore') return;
    if (step.card.answer === 'similar') asking.set(`${card.chat} ${card.messageId}`, step);
    const tap = (): void => sender.add(step, outside.telegram.tap(card, button.data), true);
    after(step.card.afterMs, () => {
      tap();
      if (random.chance(SECOND_TAP_PROBABILITY)) after(random.below(random.pick(SECOND_TAP_WITHIN_MS)), tap);
    });
  };
  outside.onMessage(answer);
};

export interface Clients {
  readonly sent: readonly Sent[];
  /** Plays one more step, at once. */
  readonly play: (step: Step) => void;
}

/** Plays the whole story. Nothing is left to do when the scheduler has nothing left to run. */
export const startClients = (options: ClientsOptions): Clients => {
  const world: ClientsWorld = { ...options, sent: [], requests: buildRequests(options.config, options.now) };
  const sender = startTelegramSender(world);
  answerCards(world, sender);
  for (const step of options.story) options.after(step.afterMs, () => playStep(world, sender, step));
  return { sent: world.sent, play: (step) => playStep(world, sender, step) };
};
