/**
 * The call of a tool of the door: it becomes a request to the console with the caller's own token,
 * which decides what may be done. A change is followed until its turn ends, waits for a person, or
 * takes too long; then its id tells the rest. A repeat that carries sealed state follows the same
 * signal and does nothing anew.
 */
import * as z from 'zod/mini';
import { SECOND_MS } from '../../core/base/limits.ts';
import { type AskConsole, type DoorTool, signalPath } from './tools.ts';

export interface RunDeps {
  readonly ask: AskConsole;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
  /** Names one call: the console takes a repeat of its request as the same one. */
  readonly newId: () => string;
}

export type ToolOutcome =
  | { readonly kind: 'answered'; readonly text: string; readonly data: object; readonly isError: boolean }
  /** It waits for a yes of an approver. */
  | { readonly kind: 'waiting'; readonly id: string; readonly text: string };

/** A client waits about a minute for an answer; the function itself ends after 30 s. */
export const FOLLOW_MS_MAX = 20 * SECOND_MS;
/** Pauses between looks: short at first, because most answers are quick. */
const LOOK_MS = [50, 100, 200, 400, 800] as const;

const Failure = z.object({ error: z.object({ message: z.string() }) });
const Accepted = z.object({ id: z.string() });
const Lines = z.looseObject({ lines: z.optional(z.array(z.string())) });
const Turn = z.looseObject({
  id: z.string(),
  state: z.string(),
  turn: z.enum(['running', 'waiting', 'ended']),
  isTurnClosed: z.optional(z.boolean()),
  replies: z.array(z.string()),
  outcome: z.optional(z.string()),
});
type Turn = z.infer<typeof Turn>;

const refuse = (text: string): ToolOutcome => ({ kind: 'answered', text, data: { error: text }, isError: true });

const failed = (status: number, value: unknown): ToolOutcome => {
  const { data } = Failure.safeParse(value);
  return refuse(data?.error.message ?? `the agent answered with status ${status}`);
};

const told = ({ id, state, turn, replies, outcome }: Turn, text: string): ToolOutcome => ({
  kind: 'answered',
  text,
  data: { id, state, turn, replies, ...(outcome === undefined ? {} : { outcome }) },
  isError: outcome === 'failed' || outcome === 'refused' || outcome === 'unknown',
});

const tell = (view: Turn): ToolOutcome => {
  const words = view.replies.join('\n\n');
  if (view.turn === 'waiting') {
    const waits = `${view.id} waits for the yes of an approver, who decides on the page, in a chat or in a terminal.`;
    return { kind: 'waiting', id: view.id, text: [words, waits].filter((one) => one !== '').join('\n\n') };
  }
  if (view.turn === 'running')
    return told(view, `${view.id} is still at work. The tool result tells what becomes of it.`);
  return told(view, words === '' ? `It ended as ${view.outcome ?? view.state}.` : words);
};

/** Follows a signal until nothing more comes of it. Looks once more after a turn seems over. */
const followSignal = async ({ ask, now, sleep }: RunDeps, id: string): Promise<ToolOutcome> => {
  const startedAt = now();
  let hasLookedTwice = false;
  for (let looks = 0; ; looks += 1) {
    const { status, value } = await ask({ method: 'GET', path: signalPath(id) });
    const { data: view } = Turn.safeParse(value);
    if (view === undefined) return failed(status, value);
    const isOver = view.turn === 'waiting' || (view.turn === 'ended' && (view.isTurnClosed === true || hasLookedTwice));
    if (isOver || now() - startedAt >= FOLLOW_MS_MAX) return tell(view);
    hasLookedTwice = view.turn === 'ended';
    await sleep(LOOK_MS[looks] ?? SECOND_MS);
  }
};

/** @param followed id of the signal that an earlier round of this call made */
export const runTool = async (
  deps: RunDeps,
  tool: DoorTool,
  args: Readonly<Record<string, unknown>>,
  followed?: string,
): Promise<ToolOutcome> => {
  if (followed !== undefined) return followSignal(deps, followed);
  const request = tool.build(args);
  if ('follow' in request) return followSignal(deps, request.follow);
  const isPost = request.method === 'POST';
  // If an answer is lost, the console is asked again; the key makes that the same request.
  const named = isPost ? { ...request, query: { ...request.query, idempotencyKey: deps.newId() } } : request;
  const { status, value } = await deps.ask(named);
  if (status >= 400) return failed(status, value);
  const { data: accepted } = Accepted.safeParse(value);
  if (isPost && accepted !== undefined) return followSignal(deps, accepted.id);
  const { data: shown } = Lines.safeParse(value);
  if (shown === undefined) return failed(status, value);
  return { kind: 'answered', text: shown.lines?.join('\n') ?? JSON.stringify(value), data: shown, isError: false };
};
