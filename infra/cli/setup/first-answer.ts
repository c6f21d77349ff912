/**
 * The end of the set-up: starts the stack, asks it one question, and stops it. If a bot is set, a
 * chat may be paired, and one action approved there.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod/mini';
import { JsonObject, parseJson, readJson } from '../../../lib/core/base/json.ts';
import { MINUTE_MS } from '../../../lib/core/base/limits.ts';
import { signals } from '../../../lib/core/edge/console/console-verbs.ts';
import { approvals } from '../../../lib/core/verbs/approvals/operations.ts';
import { channelsIn } from '../../features.ts';
import { createPairingCode, loadSignal, performLook, postMessage, type StackAccess } from '../client.ts';
import type { CommandContext } from '../command.ts';
import { findLocalStack, findStackIfRunning, type Variables } from '../stack.ts';
import { printable } from '../terminal.ts';
import { waitForTurn } from '../turn.ts';
import type { Questions } from './questions.ts';
import { fine, type StepCheck, wrong } from './step.ts';

const ROOT = resolve(import.meta.dirname, '..', '..', '..');
const Package = z.object({ scripts: z.object({ start: z.string() }) });
/** The words of `npm start` behind `node`. */
const startWords = (): readonly string[] => {
  const text = readFileSync(resolve(ROOT, 'package.json'), 'utf8');
  return parseJson('package.json', text, Package).scripts.start.split(' ').slice(1);
};
/** The first start builds the functions. */
const START_MS_MAX = 3 * MINUTE_MS;
/** A slow model thinks for a minute. */
const ANSWER_MS_MAX = 2 * MINUTE_MS;
/** A person takes up a phone, and types. */
const PERSON_MS_MAX = 5 * MINUTE_MS;
/** Between two looks whether the person did it: asked of this machine. */
const LOOK_MS = 250;

const QUESTION = 'Hello! Who are you? Answer in one sentence.';

interface Started {
  /** @returns what the start said, if it fails; empty once the stack is running */
  readonly findProblem: (report: (line: string) => void) => Promise<string>;
  readonly stop: () => Promise<void>;
}

const linesIn = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(printable);

const startStack = ({ folder, env }: CommandContext): Started => {
  const args = startWords().map((word) => (word.includes('/') ? resolve(ROOT, word) : word));
  // Its lines are read here, and said in the language of the terminal by whoever shows them.
  const english = { ...env, LC_ALL: 'C' };
  const child = spawn(process.execPath, args, { cwd: folder, env: english, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  const findProblem: Started['findProblem'] = async (report) => {
    let said = '';
    const isRunning = await new Promise<boolean>((done) => {
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          said += text;
          if (said.includes('Passepartout is running')) done(true);
          else for (const line of linesIn(text)) report(line);
        });
      child.once('error', () => done(false));
      child.once('close', () => done(false));
      setTimeout(() => done(false), START_MS_MAX).unref();
    });
    return isRunning ? '' : `it does not start: ${linesIn(said.slice(-500)).join('\n') || 'it said nothing'}`;
  };
  return { findProblem, stop };
};

const ask = async (access: StackAccess, { now, sleep }: CommandContext): Promise<StepCheck> => {
  const { id } = await postMessage(access, QUESTION, 'setup');
  const { view, isTimedOut } = await waitForTurn({ access, now, sleep }, id, ANSWER_MS_MAX);
  const words = view.replies.map(printable).join(' ');
  if (isTimedOut) return wrong(`No answer came within ${ANSWER_MS_MAX / MINUTE_MS} minutes.`);
  return view.outcome === 'done' && words !== ''
    ? fine(`It answers: ${words}`)
    : wrong(`It did not answer${words === '' ? '' : `: ${words}`}`);
};

/** Looks again and again until there is something. @returns undefined after too long */
const waitFor = async <T>(
  { now, sleep }: CommandContext,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> => {
  for (const until = now() + PERSON_MS_MAX; now() < until; await sleep(LOOK_MS)) {
    const found = await look();
    if (found !== undefined) return found;
  }
  return undefined;
};

/** @returns whether a chat came */
const pairChat = async (
  access: StackAccess,
  context: CommandContext,
  questions: Questions,
  channel: string,
): Promise<boolean> => {
  const { code } = await createPairingCode(access);
  const since = context.now();
  questions.tell(`Send this line to your bot:\n/pair ${printable(code.slice(0, 4))}-${printable(code.slice(4))}`);
  const found = await questions.during('Waiting for the chat', () =>
    waitFor(context, async () =>
      (await performLook(access, signals, {})).signals.find(
        (one) => one.session.startsWith(`${channel}:`) && one.receivedAt >= since,
      ),
    ),
  );
  questions.tell(
    found === undefined
      ? 'No chat came. Try again with: npx passepartout pair'
      : `The chat ${printable(found.session.split(':')[1] ?? '')} is paired.`,
  );
  return found !== undefined;
};

const approveOne = async (
  access: StackAccess,
  context: CommandContext,
  questions: Questions,
  { WEBHOOK_TARGETS: targets }: Variables,
): Promise<string> => {
  const [name] = Object.keys(JsonObject.safeParse(readJson(targets ?? '')).data ?? {});
  const since = context.now();
  const words = name === undefined ? 'every 10 minutes say drink water' : `call the webhook ${name}`;
  questions.tell(`Write this to your bot, and tap Approve on the card that comes:\n${words}`);
  const end = await questions.during('Waiting for your yes', () =>
    waitFor(context, async () => {
      const found = (await performLook(access, approvals, { state: 'all' })).approvals.find(
        ({ decidedAt = 0 }) => decidedAt >= since,
      );
      if (found === undefined || found.stage === 'DENIED') return found && { found };
      const { effects } = await loadSignal(access, found.signalId);
      const effect = effects.find(({ n }) => n === found.n);
      return effect === undefined || ['suspended', 'claimed'].includes(effect.state) ? undefined : { found, effect };
    }),
  );
  if (end === undefined) return 'No approval came; nothing was done.';
  const { found, effect } = end;
  const became = effect === undefined ? 'You denied it; nothing was done.' : `It ended: ${effect.state}.`;
  const rest =
    name === undefined ? '\nIt is a job: npx passepartout jobs list shows it, once the stack runs again.' : '';
  return `${printable(found.sentence)}\n${became} npx passepartout why ${found.signalId}${rest}`;
};

export const firstAnswer = async (
  variables: Variables,
  context: CommandContext,
  questions?: Questions,
): Promise<StepCheck> => {
  const { env, folder } = context;
  if (findStackIfRunning(env, folder) !== undefined)
    return wrong(
      'A stack runs already, with the settings it started with.',
      'Stop it, then: npx passepartout setup --only answer',
    );
  const { findProblem, stop } = startStack(context);
  try {
    const problem = await (questions?.during('Starting it', findProblem) ?? findProblem(context.terminal.progress));
    if (problem !== '') return wrong(problem);
    const access = findLocalStack(env, folder);
    const asking = () => ask(access, context);
    const answered = await (questions?.during('Asking a question', asking) ?? asking());
    const [bot] = channelsIn(variables);
    if (!answered.isOk || questions === undefined || bot === undefined) return answered;
    const [channel, name] = bot;
    const lines: string[] = [];
    for (const line of answered.lines) questions.tell(line);
    const isPairing = await questions.confirm(`Pair a ${name} chat now?`);
    if (isPairing && !(await pairChat(access, context, questions, channel))) return fine(...lines);
    if (await questions.confirm('Try one action that needs your yes, in that chat?'))
      lines.push(await approveOne(access, context, questions, variables));
    return fine(...lines);
  } finally {
    await stop();
  }
};
