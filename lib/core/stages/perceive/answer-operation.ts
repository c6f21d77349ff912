/**
 * Answers the command of a chat by the operation that it names: finds it, checks the right, reads
 * its words, and lets its feature answer. A fault that is meant for the person becomes a notice.
 */
import { defined } from '../../base/defined.ts';
import { NotFoundError, ProtocolError } from '../../base/errors.ts';
import { commandNotices } from '../../judge/command-notices.ts';
import type { Notice } from '../../judge/notices.ts';
import { standingOf } from '../../ledger/standing.ts';
import { type CodeAnswer, type CodeContext, hiderOf, say } from '../../operations/code-context.ts';
import { loadHandler, operationsIn } from '../../operations/feature.ts';
import type { LookContext, Operation } from '../../operations/operation.ts';
import {
  findOperation,
  operationsOf,
  readWords,
  UsageError,
  usageLines,
  usageOf,
} from '../../operations/read-words.ts';
import { isTyped, mayDo, shownBy } from '../../operations/rights.ts';
import { MAIN_CONSOLE } from '../../signal/channels.ts';

const lookContext = (context: CodeContext): LookContext => {
  const { table, signal, now, zone, language, caps, assistant, memory, providerNames, configured } = context;
  const { space, session } = signal;
  return {
    ...{ table, space, now, zone, language, caps, assistant, providerNames, configured, session },
    loadMemory: async () => memory,
    isHidden: hiderOf(context),
    standing: standingOf(signal),
    asker: signal,
  };
};

const perform = async (context: CodeContext, operation: Operation, words: string): Promise<CodeAnswer> => {
  const args = readWords(operation, words);
  const handler = await loadHandler(context.features, operation);
  if ('change' in handler) return handler.change(context, args);
  if (!('look' in handler)) throw new Error(operation.name);
  const { lines = [], choices, seen = [] } = await handler.look(lookContext(context), args);
  const [template = ''] = operation.name.split(' ');
  return { notices: [{ template, text: lines.join('\n'), ...defined({ choices }) }], seen };
};

/** A form made by a program, such as the command line, has its own help. */
const problemNotice = (operation: Operation, words: string, error: unknown): Notice => {
  if (error instanceof UsageError) return commandNotices.usage(`/${usageOf(operation)}`);
  if (!(error instanceof ProtocolError)) throw error;
  const isOfForm = operation.form !== undefined && !words.startsWith('{') && !(error instanceof NotFoundError);
  const form = isOfForm ? `/${usageOf(operation)}` : '';
  return operation.kind === 'look'
    ? commandNotices.notShown(error.message, form)
    : commandNotices.notSet(error.message, form);
};

/** Undefined if no operation has this noun. @param isShown whether this chat may see it */
export const answerOperation = async (
  context: CodeContext,
  noun: string,
  rest: string,
  isShown: boolean,
): Promise<CodeAnswer | undefined> => {
  const { source } = context.signal;
  const all = operationsIn(context.features).filter((one) => source === MAIN_CONSOLE.target || isTyped(one));
  const [first, ...others] = operationsOf(all, noun);
  if (first === undefined) return undefined;
  const standing = standingOf(context.signal);
  const found = findOperation(all, noun, rest);
  const mayAny = [first, ...others].some((one) => mayDo(standing, one));
  if (!mayAny || (found !== undefined && !mayDo(standing, found.operation)))
    return say(commandNotices.mayNotCommand(noun, shownBy(all, noun, standing)));
  if (found === undefined) return say(commandNotices.usage(usageLines(all, noun)));
  const { operation, words } = found;
  if (operation.where === 'named' && !isShown) return say(commandNotices.notInThisGroup(noun));
  try {
    return await perform(context, operation, words);
  } catch (error) {
    return say(problemNotice(operation, words, error));
  }
};
