/**
 * The answers to the verbs of subtrees: the model is asked in a turn of its own, with words that
 * code writes. What it proposes is one call, whose card shows the difference.
 */
import { ProtocolError } from '../../core/base/errors.ts';
import { commandNotices } from '../../core/judge/command-notices.ts';
import { editableNote } from '../../core/memory/plan-edit.ts';
import { type CodeContext, hiderOf, say } from '../../core/operations/code-context.ts';
import { change, type Handler } from '../../core/operations/operation.ts';
import { isMarkedPrivate } from '../../core/text/privacy.ts';
import { findObject } from '../notes/find-object.ts';
import { noteTexts } from '../notes/texts.ts';
import { OUTLINE_NOTES_MAX } from './arrange-args.ts';
import { askTurn } from './ask-turn.ts';
import { askWords, type Wish } from './ask-words.ts';
import { link, organise, summarise } from './operations.ts';
import { linesBelow, nameOf } from './subtree.ts';
import { outlineTexts } from './texts.ts';

const ask = async (context: CodeContext, start: string, wish: Wish) => {
  const { memory, language, privacyTags } = context;
  const { objects } = await memory.view();
  const found = findObject(objects, hiderOf(context), start, await noteTexts.in(language));
  const root = editableNote(found, found.id);
  const texts = await outlineTexts.in(language);
  const isHidden = (object: Parameters<typeof isMarkedPrivate>[0]) => isMarkedPrivate(object, privacyTags);
  if (isHidden(root)) throw new ProtocolError(texts.isPrivate);
  const { length } = linesBelow(objects, root, isHidden);
  if (length === 0) throw new ProtocolError(texts.nothingBelow);
  if (length > OUTLINE_NOTES_MAX) throw new ProtocolError(texts.tooMany(length, OUTLINE_NOTES_MAX));
  await askTurn(context, askWords(root.id, wish));
  const { id, version } = root;
  return { ...say(commandNotices.memory([texts.asked(nameOf(root))])), seen: [{ id, version }] };
};

export const OUTLINE_HANDLERS: readonly Handler[] = [
  change(organise, (context, { note }) => ask(context, note, 'organise')),
  change(summarise, (context, { note }) => ask(context, note, 'summarise')),
  change(link, (context, { note }) => ask(context, note, 'link')),
];
