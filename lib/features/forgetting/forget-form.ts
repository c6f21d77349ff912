/** The form of `forget`: its card says what would be lost. And the lines of its answer. */
import { editedNoteLine } from '../../core/memory/describe-edit.ts';
import { isGroup } from '../../core/signal/channels.ts';
import { argumentProblems } from '../../core/tools/argument-problems.ts';
import { UNMARKED } from '../../core/tools/marks.ts';
import type { ToolForm } from '../../core/tools/tool.ts';
import { type ErasedTraces, ForgetArgs, forget } from './tools.ts';

/** The card names the note, but not to a group: others read along there. */
const describeForget: ToolForm['describe'] = async (args, context, mark = UNMARKED) => {
  const { id, signals = [] } = ForgetArgs.parse(args);
  const object = isGroup(context.reply) ? undefined : (await context.loadNotes([id])).get(id);
  return [
    mark(
      `You would lose: ${object?.state === 'live' ? editedNoteLine(object) : `the note ${id}`}, and the notes below it`,
    ),
    ...signals.map((signal) => `And the message ${signal}`),
  ];
};

export const FORGET_FORM: ToolForm = {
  complete: async (args) => args,
  findProblems: async (args) => argumentProblems(forget, args),
  describe: describeForget,
};

const NAMED_MAX = 10;

const named = (ids: readonly string[]): string =>
  `${ids.slice(0, NAMED_MAX).join(', ')}${ids.length > NAMED_MAX ? ` and ${ids.length - NAMED_MAX} more` : ''}`;

/** The lines of the answer. @param erased signals that lost words */
export const describeErased = (
  erased: number,
  { literalSignals, literalObjects, approvals, grants, jobs, skills, isWhole }: ErasedTraces,
  summaries: number,
): readonly string[] => [
  ...(erased === 0 ? [] : [`It is also erased from ${erased} signals.`]),
  ...(summaries === 0 ? [] : [`Summaries and notes made from it are forgotten too: ${summaries}.`]),
  ...(literalObjects.length === 0
    ? []
    : [`Other objects hold the same words: ${named(literalObjects)} (/memory <id> shows one).`]),
  ...(literalSignals.length === 0
    ? []
    : [
        `It was made of these signals, or they hold the same words, and they were left as they are: ${named(literalSignals)}.`,
        'To look at one: /why <signal>. To erase the words there too: /forget <id> <signal> …',
      ]),
  ...(approvals.length === 0
    ? []
    : [`These waiting actions hold the same words: ${named(approvals)}. Deny those that should not happen.`]),
  ...(grants.length === 0
    ? []
    : [`These grants hold the same words: ${named(grants)}. To take one back: /revoke <id>; then forget again.`]),
  ...(jobs.length === 0
    ? []
    : [`These jobs hold the same words: ${named(jobs)}. To change one: /jobs edit; its earlier versions stay.`]),
  ...(skills.length === 0
    ? []
    : [`These skills hold the same words: ${named(skills)}. To take one out: /skill remove <name>; its files stay.`]),
  ...(isWhole ? [] : ['There are more signals than were searched.']),
];
